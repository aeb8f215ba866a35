"""Reading round scripts.

Everything that can be judged without playing is judged here; a script that cannot be read is
:class:`MalformedScript` (status 2) with the key and what was expected. The keys:

- ``title``: any text; the result repeats it.
- ``rules``: an id of ``tablectl rules list``, or the path of a rule file, relative to the script.
- ``wagers``: one entry per bettor: ``box``, ``bettor`` (``a`` when left out), and a sum in dollars
  per kind: ``main``, and the document's side wagers (``pair``, ``pandemonium``, ``bonus``). Boxes
  count clockwise from the dealer's left. ``a`` sits at the box; ``b`` and ``c`` stand behind it,
  ``b`` nearer the dealer; ``d`` to ``h`` are people outside it, with side wagers where the document
  lets them.
- ``shoe``: the cards in the order in which they leave it: rank ``A 2 … 9 T J Q K``, suit ``C D H
  S``. Marks behind a card: ``^`` (it lay face up in the shoe), ``%`` (it does not belong to the
  set), ``&`` (it left together with the card before it).
- ``multipliers``: what the draws give, in the order of the presses.
- ``steps``: what is done.
- ``limits``: may be left out; ``{"min": 1, "max": 100000}`` then. ``box_max`` and ``player_max``
  are the most on a box together, and of one bettor there.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Never

from controller.game.commands.values import Malformed
from controller.game.money import parse_amount
from controller.game.round.box_limits import check_boxes
from controller.game.round.model import BETTORS
from controller.game.round.refusal import Refused
from controller.game.round.steps.kinds import parse_step
from controller.game.round.steps.step import Step
from controller.game.round.wagers import MAIN, Limits, Sheet, check_sheet, check_wager
from controller.game.rules.cards import TEN, Card, parse_card
from controller.game.rules.loader import RulesError
from controller.game.rules.schema import RuleSet
from controller.json_values import JsonObject

KEYS = ("title", "rules", "wagers", "shoe", "multipliers", "steps", "limits")
LIMITS = ("min", "max", "box_max", "player_max")
MOST_DECKS = 8
MARKS = "^%&"
OTHER_KINDS = ("pair", "bonus", "pandemonium")
"""Kinds of side wagers that scripts have always known. One that these rules do not have is no
unknown key: a clause says that they do not have it."""


class MalformedScript(Exception):
    """A script that cannot be read; the message names the key and what was expected."""


@dataclass(frozen=True, slots=True)
class ShoeCard:
    """A card of a script's shoe with its marks (``^``, ``%``, ``&``)."""

    card: Card
    marks: str = ""


@dataclass(frozen=True, slots=True)
class ScriptStep:
    """A step, and whether it must be refused (``! STEP``)."""

    step: Step
    must_be_refused: bool = False


@dataclass(frozen=True, slots=True)
class Script:
    """A round script that can be run."""

    title: str
    rules: RuleSet
    limits: Limits
    sheet: Sheet
    shoe: tuple[ShoeCard, ...]
    multipliers: tuple[int, ...]
    steps: tuple[ScriptStep, ...]


RulesByName = Callable[[str], RuleSet]


def parse_json(text: str) -> object:
    """JSON with exact decimal numbers and no key twice.

    Raises:
        MalformedScript: it is not JSON.
    """
    try:
        return json.loads(
            text, parse_float=Decimal, parse_constant=_no_constant, object_pairs_hook=_once
        )
    except (ValueError, ArithmeticError, RecursionError) as error:
        raise MalformedScript(f"is not JSON: {error}") from error


def _no_constant(name: str) -> Never:
    raise MalformedScript(f"is not JSON: {name} is no number")


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = [name for name, n in Counter(name for name, _ in pairs).items() if n > 1]
        raise MalformedScript(f"key {twice[0]!r} stands twice")
    return found


def read_script(data: object, rules_by_name: RulesByName) -> Script:
    """The script that ``data`` (parsed JSON) writes.

    Raises:
        MalformedScript: with the key and what was expected.
    """
    if not isinstance(data, Mapping):
        raise MalformedScript(f"expected an object with {', '.join(KEYS)}")
    for name in data:
        if name not in KEYS:
            raise MalformedScript(f"unknown key {name!r}: expected {', '.join(KEYS)}")
    title = data.get("title", "")
    if not isinstance(title, str):
        raise MalformedScript(f"title: expected text, not {title!r}")
    name = data.get("rules")
    if not isinstance(name, str):
        raise MalformedScript("rules: expected the id of a rule set or the path of a rule file")
    try:
        rules = rules_by_name(name)
    except RulesError as error:
        raise MalformedScript(f"rules: {error}") from error
    limits = _limits(data.get("limits", {}))
    sheet = _wagers(rules, limits, data.get("wagers"))
    return Script(
        title,
        rules,
        limits,
        sheet,
        _shoe(rules, data.get("shoe")),
        _multipliers(rules, data.get("multipliers", [])),
        tuple(_step(index, step) for index, step in enumerate(_list(data, "steps"))),
    )


def _list(data: JsonObject, name: str) -> list[object]:
    found = data.get(name, [])
    if not isinstance(found, list):
        raise MalformedScript(f"{name}: expected a list")
    return found


def _amount(where: str, given: object) -> int:
    if isinstance(given, bool) or not isinstance(given, int | Decimal):
        raise MalformedScript(f"{where}: expected dollars as a number, not {given!r}")
    try:
        cents = parse_amount(given)
    except ValueError as error:
        raise MalformedScript(f"{where}: {error}") from error
    if cents == 0:
        raise MalformedScript(f"{where}: an amount of 0 is none")
    return cents


def _limits(given: object) -> Limits:
    if not isinstance(given, Mapping):
        raise MalformedScript('limits: expected an object as {"min": 10, "max": 5000}')
    for name in given:
        if name not in LIMITS:
            raise MalformedScript(f"limits: unknown key {name!r}: expected {', '.join(LIMITS)}")
    low = _amount("limits.min", given.get("min", 1))
    high = _amount("limits.max", given.get("max", 100_000))
    if low > high:
        raise MalformedScript("limits: min is above max")
    totals = {name: _amount(f"limits.{name}", given[name]) for name in LIMITS[2:] if name in given}
    for name, most in totals.items():
        if low > most:
            raise MalformedScript(f"limits: min is above {name}")
    return Limits(min=low, max=high, **totals)


def _wagers(rules: RuleSet, limits: Limits, given: object) -> Sheet:
    if not isinstance(given, list) or not given:
        raise MalformedScript("wagers: expected a list of wagers with at least one")
    sheet, known = Sheet(), (MAIN, *rules.side_wagers)
    readable = dict.fromkeys((*known, *OTHER_KINDS))
    seen: set[tuple[int, str]] = set()
    for index, entry in enumerate(given):
        where = f"wagers[{index}]"
        if not isinstance(entry, Mapping):
            raise MalformedScript(f'{where}: expected an object as {{"box": 1, "main": 100}}')
        for name in entry:
            if name not in ("box", "bettor", *readable):
                expected = ", ".join(("box", "bettor", *known))
                raise MalformedScript(f"{where}: unknown key {name!r}: expected {expected}")
        box, bettor = entry.get("box"), entry.get("bettor", "a")
        if isinstance(box, bool) or not isinstance(box, int):
            raise MalformedScript(f"{where}.box: expected a box's number, not {box!r}")
        if bettor not in BETTORS:
            raise MalformedScript(f"{where}.bettor: expected a to h, not {bettor!r}")
        if (box, bettor) in seen:
            raise MalformedScript(f"{where}: {box}{bettor} stands twice")
        seen.add((box, bettor))
        kinds = [kind for kind in readable if kind in entry]
        if not kinds:
            raise MalformedScript(f"{where}: no wager: expected one of {', '.join(known)}")
        for kind in kinds:
            stake = _amount(f"{where}.{kind}", entry[kind])
            try:
                check_wager(rules, limits, kind, box, bettor, stake, rules.betting.boxes_max.value)
            except Refused as refused:
                raise MalformedScript(f"{where}: {refused}") from refused
            sheet.set(kind, box, bettor, stake)
    try:
        check_sheet(rules, sheet)
        check_boxes(rules, limits, sheet)
    except Refused as refused:
        raise MalformedScript(f"wagers: {refused}") from refused
    return sheet


def _shoe(rules: RuleSet, given: object) -> tuple[ShoeCard, ...]:
    if not isinstance(given, str):
        raise MalformedScript('shoe: expected cards as text, as in "AS 9D 8H"')
    cards = []
    count: Counter[Card] = Counter()
    for index, word in enumerate(given.split()):
        text, marks = word[:2], word[2:]
        try:
            card = parse_card(text)
        except ValueError as error:
            raise MalformedScript(f"shoe, card {index}: {error}") from error
        if any(mark not in MARKS for mark in marks) or len(set(marks)) != len(marks):
            raise MalformedScript(
                f"shoe, card {index}: {word!r}: a mark is one of {' '.join(MARKS)}"
            )
        if index == 0 and "&" in marks:
            raise MalformedScript(
                "shoe, card 0: & stands behind a card that left with one before it"
            )
        if "%" not in marks:
            count[card] += 1
            if card.rank == TEN and not rules.cards.tens.value:
                raise MalformedScript(
                    f"shoe, card {index}: {card} does not belong to the set, which has no tens "
                    f"({rules.cards.tens.clause}); a foreign card is marked %"
                )
            if count[card] > MOST_DECKS:
                raise MalformedScript(
                    f"shoe, card {index}: {card} for the {count[card]}th time: "
                    f"{MOST_DECKS} decks hold {MOST_DECKS}"
                )
        cards.append(ShoeCard(card, marks))
    return tuple(cards)


def _multipliers(rules: RuleSet, given: object) -> tuple[int, ...]:
    permitted = rules.pandemonium.multipliers.value if rules.pandemonium else ()
    if not isinstance(given, list):
        raise MalformedScript("multipliers: expected a list of numbers")
    for multiplier in given:
        if isinstance(multiplier, bool) or multiplier not in permitted:
            raise MalformedScript(
                f"multipliers: {multiplier!r} is none of the games multipliers "
                f"({', '.join(map(str, permitted)) or 'these rules know none'})"
            )
    return tuple(int(multiplier) for multiplier in given)


def _step(index: int, given: object) -> ScriptStep:
    if not isinstance(given, str):
        raise MalformedScript(f"steps[{index}]: expected text, not {given!r}")
    refused = given.startswith("!")
    try:
        return ScriptStep(parse_step(given.removeprefix("!")), refused)
    except Malformed as error:
        raise MalformedScript(f"steps[{index}]: {error}") from error
