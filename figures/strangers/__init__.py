"""Published edges of other tables: their rules as files beside ours, played by the same kernel.

A file of this folder names the document of ours that it starts from and what differs, each with
where that is said, and what was published. It is played by the strategy that
:mod:`figures.strategy` finds, and compared: exactly but for splits where every round comes from a
full shoe, and by many rounds where a shoe is played on.

What was published names its conditions by short words and leaves some out. For Pontoon three were
filled in by what comes nearest: that NLC is doubling on any number of cards, that OBBO takes one
wager of each hand, and a cutting card at 75 percent. So a Pontoon row that is met does not confirm
these readings; that Spanish 21 is met by full shoes needed none of them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any, Final

from controller.files.rules import load_rules
from controller.game.round.wagers import Limits
from controller.game.rules.loader import RulesError, build_rules, dump_rules
from controller.game.rules.schema import RuleSet
from controller.regular_files import NotUtf8, text_of
from figures.games.games import UNIT, Game, GameNumbers, Played, numbers_of
from figures.kernel.blocks import NET_SQUARED, ROUNDS, SUM_BONUS, SUM_NET
from figures.kernel.tables import BRACKETS, new_table
from figures.kernel.values import Values, values_of
from figures.strategy.model import GameModel, model_of
from figures.strategy.policy import policy_of
from figures.strategy.preferring import follow
from figures.strategy.solving import Value, played_by, value_of
from figures.strategy.splits import Simulator, measured

FOLDER: Final = Path(__file__).parent
KEYS: Final = {
    "title": str,
    "source": str,
    "from": str,
    "penetration": int,
    "decks": list,
    "published": list,
}
"""What a file says of itself; and ``why`` it is not met, where it is not."""
KINDS: Final = {str: "text", int: "a whole number", list: "a list"}


class StrangerError(Exception):
    """A file that is not right: every fault, one a line, with what was expected."""

    def __init__(self, path: Path, faults: list[str]) -> None:
        super().__init__("\n".join(f"{path.name}: {fault}" for fault in faults))


@dataclass(frozen=True)
class Stranger:
    """Rules of others: ``published`` has a percentage for each number of ``decks``. The cutting
    card lies behind ``penetration`` percent of them; 0: each round comes from a full shoe. Values
    are made of ``rules``, and ``changed`` names those of the kernel that are set beside."""

    name: str
    title: str
    source: str
    penetration: int
    decks: tuple[int, ...]
    published: tuple[float, ...]
    rules: RuleSet
    changed: Mapping[str, int]
    why: str = ""

    @property
    def values(self) -> Values:
        """The numbers that the kernel plays by, for wagers of :data:`~.games.UNIT` cents."""
        return values_of(self.rules, Limits(min=UNIT))._replace(**self.changed)

    @property
    def super_bonus(self) -> float:
        """What a Super Bonus brings to 1 with such a wager."""
        table = new_table(self.rules)
        return table[BRACKETS + 1] / UNIT if table[BRACKETS] <= UNIT else 0.0


def strangers() -> list[Stranger]:
    """All that come with the program, by name.

    Raises:
        StrangerError: a file is not right.
    """
    return [read_stranger(path) for path in sorted(FOLDER.glob("*.toml"))]


def read_stranger(path: Path) -> Stranger:
    """The stranger of a file.

    Raises:
        StrangerError: it cannot be read, or has faults.
    """
    try:
        data = tomllib.loads(text_of(path.read_bytes()))
    except (OSError, NotUtf8, tomllib.TOMLDecodeError) as error:
        raise StrangerError(path, [f"cannot be read as TOML: {error}"]) from error
    faults = [
        f"{key} = {data.get(key)!r}: expected {KINDS[kind]}"
        for key, kind in KEYS.items()
        if type(data.get(key)) is not kind or data[key] in ("", [])
    ]
    known = [*KEYS, "why", "rules", "kernel"]
    faults += [f"{key} is unknown; expected {', '.join(known)}" for key in data if key not in known]
    faults += [
        f"{key} is a value: expected a table"
        for key in ("rules", "kernel")
        if not isinstance(data.get(key, {}), Mapping)
    ]
    if faults:
        raise StrangerError(path, faults)
    decks, published = tuple(data["decks"]), tuple(data["published"])
    if not all(type(n) is int and n > 0 for n in decks):
        faults.append(f"decks = {data['decks']}: expected whole numbers, as in [6, 8]")
    if len(published) != len(decks) or not all(type(edge) is float for edge in published):
        faults.append(f"published = {data['published']}: expected a percentage for each of decks")
    if not 0 <= data["penetration"] <= 100:
        faults.append(f"penetration = {data['penetration']}: expected a percentage, 0 to 100")
    changed = _changed(data.get("kernel", {}), faults)
    try:
        rules = _with_changes(load_rules(data["from"]), data.get("rules", {}), path.name)
    except RulesError as error:
        raise StrangerError(path, [*faults, *error.faults]) from error
    if faults:
        raise StrangerError(path, faults)
    said = data["title"], data["source"], data["penetration"], decks, published
    return Stranger(path.stem, *said, rules, changed, data.get("why", ""))


def _with_changes(rules: RuleSet, changes: Mapping[str, Any], source: str) -> RuleSet:
    """The rule set with other values, checked as a rule file is."""
    plain = dump_rules(rules)
    for section, table in changes.items():
        there = plain.get(section)
        merge = isinstance(there, Mapping) and isinstance(table, Mapping)
        plain[section] = {**there, **table} if merge and there is not None else table
    return build_rules(plain, source)


def _changed(table: Mapping[str, Any], faults: list[str]) -> dict[str, int]:
    """Values of the kernel, by name."""
    changed = {}
    for name, given in table.items():
        where = f"kernel.{name}"
        if name not in Values._fields:
            faults.append(f"{where} is unknown; expected one of {', '.join(Values._fields)}")
        elif not isinstance(given, Mapping) or set(given) != {"value", "clause"}:
            faults.append(f'{where} = {given!r}: expected {{ value = …, clause = "…" }}')
        elif type(given["value"]) is not int or given["value"] < 0:
            faults.append(f"{where} = {given['value']!r}: expected a whole number, 0 or more")
        else:
            changed[name] = given["value"]
    return changed


WITHIN: Final = 0.01
"""Percent by which ours and a published edge may differ."""
ROUNDED: Final = 0.005
"""Percent by which a published edge is off because it has two places."""

ERROR: Final = 1e-5
"""Of what is exact but for splits, in units: what was published has the same."""
SEED: Final = 1

Playing = Callable[[GameNumbers], Played]
"""Plays rounds of a game."""


@dataclass(frozen=True)
class Compared:
    """A row: percentages of the wager before the deal, ours with its standard error."""

    stranger: Stranger
    decks: int
    published: float
    ours: float
    error: float

    @property
    def difference(self) -> float:
        """Ours less what was published."""
        return self.ours - self.published

    @property
    def verdict(self) -> str:
        """``met``, ``not met``, or ``open`` where two standard errors more or less decide."""
        over = abs(self.difference) - WITHIN - ROUNDED
        if abs(over) < 2 * self.error:
            return "open"
        return "met" if over < 0 else "not met"

    @property
    def why(self) -> str:
        """What may be the cause, where it is not met."""
        return "" if self.verdict == "met" else self.stranger.why


def game_of(stranger: Stranger, decks: int) -> GameNumbers:
    """One box that plays by the stranger's rules, by the tables that are best from a full shoe."""
    model = _model(stranger, decks)
    policy = policy_of(model, played_by(model, Simulator(model, SEED))[0])
    numbers = numbers_of(Game(stranger.rules, decks, policy, penetration=stranger.penetration))
    return numbers._replace(values=stranger.values)


def exactly(stranger: Stranger, decks: int, error: float = ERROR) -> Value:
    """What the best play that a table of totals can have brings the player from a full shoe, in
    units, the part of splits simulated with that standard error."""
    model = _model(stranger, decks)
    simulator = Simulator(model, SEED)
    tables, worth = played_by(model, simulator)
    splits = measured(model, tables, worth, simulator, error)
    return value_of(model, follow(model, tables, splits.mean), splits)


def compared(stranger: Stranger, playing: Playing) -> Iterator[Compared]:
    """The rows of a stranger, one for each number of decks."""
    for decks, published in zip(stranger.decks, stranger.published, strict=True):
        if not stranger.penetration:
            value = exactly(stranger, decks)
            yield Compared(stranger, decks, published, -100 * value.total, 100 * value.error)
            continue
        numbers = game_of(stranger, decks)
        tally = playing(numbers).tally
        stakes, bonus = UNIT * tally[ROUNDS], tally[SUM_BONUS]
        edge = -(tally[SUM_NET] + bonus) / stakes
        squares = tally[NET_SQUARED] + bonus * numbers.table[BRACKETS + 1]
        error = sqrt(squares) / stakes
        yield Compared(stranger, decks, published, 100 * edge, 100 * error)


def _model(stranger: Stranger, decks: int) -> GameModel:
    bonus = stranger.super_bonus
    return model_of(stranger.rules, decks, others=stranger.changed, super_bonus=bonus)


def heading(hands: int) -> str:
    """What stands above the rows of so many hands each."""
    return (
        "Published edges of other tables, in percent of the first wager;"
        f" ours exactly but for splits, or by {hands:,} hands\n"
        f"{'':54} {'decks':>5} {'published':>9} {'ours':>8} {'error':>7} {'apart':>8}"
    )


def line(row: Compared) -> str:
    """A row, and why it is not met."""
    said = (
        f"{row.stranger.title:54} {row.decks:5} {row.published:9.2f} {row.ours:8.4f}"
        f" {row.error:7.4f} {row.difference:+8.4f}  {row.verdict}"
    )
    return f"{said}\n    {row.why}" if row.why else said
