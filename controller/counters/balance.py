"""Whether counters add up: among themselves, with the round that was settled, and with those that
are rebuilt from the journal (JKP-03).

The rules:

- After a settled round the jackpot's figures add up: every multiplier that the table drew in it was
  counted and no other; no more was drawn than was pressed for, since commissioning; every winning
  wager of the button was paid at a multiplier that was drawn in that round, and by as much; and
  what the counters have as paid in the round is what those wagers come to. That takes the same time
  whatever has been played before.
- A void round says nothing: a multiplier may be drawn for an offer that was over by then.
- Two sets of counters are compared figure by figure; what differs is named, with the difference.

Sums are in cents, as counters have them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any, Final

from controller.counters.counting import Counters
from controller.counters.figures import Figures
from controller.game.round.state import Round
from controller.game.round.states import State
from controller.table.sequence import ENDED
from controller.table.state.table import Table

MOST_NAMED: Final = 5
"""Number of differing figures that are named; of the others the number is given."""


class Balance:
    """Looks at counters and their table again and again, and checks each settled round once."""

    def __init__(self) -> None:
        self._round: int | None = None
        self._checked = False
        self._before: Counter[int] = Counter()
        self._surplus: int | None = None

    def discrepancies(self, counters: Counters, table: Table) -> list[str] | None:
        """What does not add up; None while there is nothing to check. Draws that nobody pressed for
        are reported once, when their number has grown."""
        drawn = _drawn(counters.kept.total)
        presses = counters.kept.total.presses
        surplus = max(0, drawn.total() - presses)
        if self._surplus is None:
            self._surplus = surplus
        here = Counter(draw["multiplier"] for draw in table.jackpot.draws)
        if table.round_number != self._round:
            self._round, self._checked = table.round_number, False
            self._before = drawn.copy()
            self._before.subtract(here)
        rnd = table.rnd
        if self._checked or rnd is None or table.phase != ENDED or rnd.state != State.SETTLED:
            return None
        self._checked = True
        counted = drawn.copy()
        counted.subtract(self._before)
        found = [*_of_draws(counted, here), *_of_payments(counters.kept.last, rnd, here)]
        if surplus > self._surplus:
            found.append(_differs("draws", drawn.total(), presses, "by presses of the button"))
        self._surplus = surplus
        return found


def _drawn(figures: Figures) -> Counter[int]:
    """How often each multiplier was drawn, under whatever weights."""
    drawn: Counter[int] = Counter()
    for under in figures.draws.values():
        drawn.update(under)
    return drawn


def _of_draws(counted: Counter[int], here: Counter[int]) -> Iterator[str]:
    for multiplier in sorted(counted.keys() | here.keys()):
        if counted[multiplier] != here[multiplier]:
            yield _differs(
                f"draws of {multiplier}x", counted[multiplier], here[multiplier], "in the round"
            )


def _of_payments(last: Figures, rnd: Round, here: Counter[int]) -> Iterator[str]:
    kind = rnd.rules.button_wager
    if kind is None:
        return
    used: dict[int, int] = {}
    paid = 0
    for one in rnd.settlements:
        if one.kind != kind or one.outcome != "win" or one.odds is None:
            continue
        multiplier = used[one.box] = int(one.odds.partition(":")[0])
        if one.stake is None or one.net is None:
            continue
        due = one.stake * multiplier
        if one.net != due:
            yield _differs(
                f"won in box {one.box}{one.bettor}", one.net, due, f"by the {multiplier}x drawn"
            )
        paid += one.stake + due
    for multiplier, boxes in Counter(used.values()).items():
        if boxes > here[multiplier]:
            yield _differs(f"boxes paid {multiplier}x", boxes, here[multiplier], "by the draws")
    money = last.money.get(kind)
    counted = money.paid if money else 0
    if counted != paid:
        name = rnd.rules.side_wagers[kind].name
        yield _differs(f"paid to {name} wagers", counted, paid, "in the round")


def differing(kept: Counters, rebuilt: Counters) -> list[str]:
    """The first few figures of ``kept`` that are not those ``rebuilt`` from the journal."""
    mine, its = _plain(kept), _plain(rebuilt)
    found = [
        _differs(name, mine.get(name, 0), its.get(name, 0), "by the journal")
        for name in sorted(mine.keys() | its.keys())
        if mine.get(name, 0) != its.get(name, 0)
    ]
    more = len(found) - MOST_NAMED
    return [*found[:MOST_NAMED], *([f"{more} figures more"] if more > 0 else [])]


def _plain(counters: Counters) -> dict[str, int]:
    kept = counters.kept
    spans = {"total": counters.total, "shift": counters.shift, "last round": kept.last}
    numbers = {"round": kept.number, "shifts": kept.shifts, "shift since round": kept.since}
    return numbers | {name: value for span in spans for name, value in _flat(span, spans[span])}


def _flat(name: str, value: Any) -> Iterator[tuple[str, int]]:
    """Every number in a record or mapping, by the way to it."""
    if is_dataclass(value):
        value = {each.name: getattr(value, each.name) for each in fields(value)}
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _flat(f"{name} {key}", one)
    else:
        yield name, int(value)


def _differs(name: str, kept: int, found: int, where: str) -> str:
    by = f"{abs(kept - found)} too {'many' if kept > found else 'few'}"
    return f"{name}: {kept} counted, {found} {where}, {by}"
