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

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, make_dataclass
from decimal import Decimal
from functools import cache
from typing import Annotated, TypeVar

from controller.forms.expected import Expected, Parsed, Text, Usual
from controller.forms.json_values import WrongForm, checked, parse_json
from controller.game.commands.values import Dollars, Malformed
from controller.game.round.amounts import check_boxes
from controller.game.round.model import BETTORS
from controller.game.round.refusal import Refused
from controller.game.round.remedies import parse_step
from controller.game.round.steps import Step
from controller.game.round.wagers import MAIN, Limits, Sheet, check_sheet, check_wager
from controller.game.rules.cards import TEN, Card, parse_card
from controller.game.rules.loader import RulesError
from controller.game.rules.schema import RuleSet

T = TypeVar("T")

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


_DOLLARS = Dollars("a sum")


def _step(text: str) -> ScriptStep:
    wanted = text.removeprefix("!")
    try:
        return ScriptStep(parse_step(wanted), wanted != text)
    except Malformed as error:
        raise ValueError(str(error).removeprefix(f"{wanted!r}: ")) from error


@dataclass(frozen=True, slots=True)
class LimitKeys:
    """``limits`` of a script."""

    min: Annotated[int, _DOLLARS, Usual(1)]
    max: Annotated[int, _DOLLARS, Usual(100_000)]
    box_max: Annotated[int | None, _DOLLARS] = None
    player_max: Annotated[int | None, _DOLLARS] = None


@dataclass(frozen=True, slots=True)
class ScriptKeys:
    """A script as it is written, before the rules have their say."""

    rules: Annotated[str, Expected("the id of a rule set or the path of a rule file")]
    wagers: tuple[Mapping[str, object], ...]
    shoe: Annotated[str, Expected('cards as text, as in "AS 9D 8H"')]
    limits: Annotated[LimitKeys, Usual({})]
    title: str = ""
    multipliers: tuple[int, ...] = ()
    steps: tuple[Annotated[ScriptStep, Parsed("a step as text", parse=_step)], ...] = ()


@cache
def _wager_form(kinds: tuple[str, ...]) -> type:
    """The form of a wager where there are side wagers of these kinds."""
    sums = [(kind, Annotated[int | None, _DOLLARS], None) for kind in kinds]
    box = Annotated[int, Expected("a box's number")]
    bettor = Annotated[str, Text("a to h", form=re.compile("|".join(BETTORS)))]
    return make_dataclass("Wager", [("box", box), ("bettor", bettor, "a"), *sums])


RulesByName = Callable[[str], RuleSet]


def read_json(text: str) -> object:
    """JSON with exact decimal numbers and no key twice, else MalformedScript."""
    try:
        return parse_json(text, Decimal)
    except (ValueError, ArithmeticError, RecursionError) as error:
        raise MalformedScript(f"is not JSON: {error}") from error


def read_script(data: object, rules_by_name: RulesByName) -> Script:
    """The script that ``data`` (parsed JSON) writes, else MalformedScript with what is expected."""
    keys = _in_form(ScriptKeys, data, "")
    try:
        rules = rules_by_name(keys.rules)
    except RulesError as error:
        raise MalformedScript(f"rules: {error}") from error
    limits = _limits(keys.limits)
    return Script(
        keys.title,
        rules,
        limits,
        _wagers(rules, limits, keys.wagers),
        _shoe(rules, keys.shoe),
        _multipliers(rules, keys.multipliers),
        keys.steps,
    )


def _in_form(form: type[T], given: object, where: str) -> T:
    try:
        return checked(form, given, where)
    except WrongForm as error:
        raise MalformedScript(str(error)) from error


def _limits(keys: LimitKeys) -> Limits:
    totals = {"box_max": keys.box_max, "player_max": keys.player_max}
    given = {name: most for name, most in totals.items() if most is not None}
    for name, most in {"max": keys.max, **given}.items():
        if keys.min > most:
            raise MalformedScript(f"limits: min is above {name}")
    return Limits(min=keys.min, max=keys.max, **given)


def _wagers(rules: RuleSet, limits: Limits, given: Sequence[Mapping[str, object]]) -> Sheet:
    if not given:
        raise MalformedScript("wagers: expected a list of wagers with at least one")
    sheet, known = Sheet(), (MAIN, *rules.side_wagers)
    form = _wager_form(tuple(dict.fromkeys((*known, *OTHER_KINDS))))
    written: set[tuple[int, str]] = set()
    for index, entry in enumerate(given):
        where = f"wagers[{index}]"
        wager = {**vars(_in_form(form, entry, where))}
        box, bettor = wager.pop("box"), wager.pop("bettor")
        if (box, bettor) in written:
            raise MalformedScript(f"{where}: {box}{bettor} stands twice")
        written.add((box, bettor))
        stakes = {kind: stake for kind, stake in wager.items() if stake is not None}
        if not stakes:
            raise MalformedScript(f"{where}: no wager: expected one of {', '.join(known)}")
        for kind, stake in stakes.items():
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


def _shoe(rules: RuleSet, given: str) -> tuple[ShoeCard, ...]:
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


def _multipliers(rules: RuleSet, given: tuple[int, ...]) -> tuple[int, ...]:
    permitted = rules.pandemonium.multipliers.value if rules.pandemonium else ()
    for multiplier in given:
        if multiplier not in permitted:
            raise MalformedScript(
                f"multipliers: {multiplier} is none of the games multipliers "
                f"({', '.join(map(str, permitted)) or 'these rules know none'})"
            )
    return given
