"""Steps of a round as snapshots store them: the verb, and the fields of the class under names that
all verbs share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from typing import Any, Final

from controller.game.round.money import Stake
from controller.game.round.steps import remedies, reports
from controller.game.round.steps.reading import KINDS
from controller.game.round.steps.remedies import HandAt, NoHand, Option
from controller.game.round.steps.step import Seat, Step
from controller.game.rules.cards import Card

_KINDS: Final[dict[str, type[Step]]] = {
    **KINDS,
    **remedies.ALONE,
    **{
        kind.verb: kind
        for kind in (
            remedies.Use,
            remedies.Discard,
            remedies.VoidHand,
            remedies.Correct,
            remedies.Lies,
            remedies.WagerLies,
        )
    },
}
_REPORTS: Final[dict[str, type[reports.Report]]] = {
    reports.DRAWN: reports.ReportDrawn,
    reports.TOGETHER: reports.ReportTogether,
    reports.OVER_MAXIMUM: reports.ReportOverMaximum,
}
"""By trigger, reports that have more fields than others."""

_NAMES: Final = {"owner": "other", "hand": "number", "trigger": "word"}
"""Fields that are stored under another name."""


@dataclass(frozen=True, slots=True)
class StoredStep:
    """A step with all values that steps may have."""

    verb: str
    seat: Seat | None = None
    amount: Stake = None
    other: Seat | None = None
    by_staff: bool = False
    number: int = 0
    cards: tuple[Card, ...] = ()
    word: str = ""
    option: str = ""
    kind: str = ""
    which: int = 0


def stored(step: Step) -> StoredStep:
    """The step as it is stored."""
    values: dict[str, Any] = {}
    for field in fields(step):
        name, value = field.name, getattr(step, field.name)
        match name, value:
            case "by", by:
                values |= {"other": by, "by_staff": by is None}
            case "card", card:
                values["cards"] = (card,) if card else ()
            case "place", HandAt(box, hand):
                values |= {"seat": Seat(box), "option": str(hand) if hand else ""}
            case "place" | "option", word:
                values["word"] = str(word)
            case "dealer" | "seen" as said, told:
                values["option"] = f"{values.get('option', '')} {said if told else ''}".strip()
            case _:
                values[_NAMES.get(name, name)] = value
    return StoredStep(step.verb, **values)


def restored(given: StoredStep) -> Step:
    """The step that was stored.

    Raises:
        ValueError: it is none.
    """
    kind = _kind_of(given)
    values = {field.name: _value(given, field.name) for field in fields(kind)}
    for field in fields(kind):
        unsaid = field.name == "by" and given.by_staff
        if values[field.name] is None and field.default is MISSING and not unsaid:
            raise ValueError(f"a step {given.verb!r} without its {field.name}")
    made: Callable[..., Step] = kind
    return made(**values)


def _kind_of(given: StoredStep) -> type[Step]:
    match given.verb:
        case "report":
            return _REPORTS.get(given.word, reports.Report)
        case "choose":
            return remedies.ChooseCard if given.cards else remedies.ChooseOption
    if given.verb not in _KINDS:
        raise ValueError(f"no step {given.verb!r}")
    return _KINDS[given.verb]


def _value(given: StoredStep, name: str) -> object:
    """The value of the field of that name."""
    match name:
        case "by":
            return None if given.by_staff else given.other
        case "card":
            return next(iter(given.cards), None)
        case "place" if given.seat:
            return HandAt(given.seat.box, int(given.option or 0))
        case "place":
            return NoHand(given.word)
        case "option":
            return Option(given.word)
        case "dealer" | "seen":
            return name in given.option.split()
    return getattr(given, _NAMES.get(name, name))
