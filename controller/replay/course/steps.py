"""What the course of a round consists of: its steps, and the table as it lay after each.

Nothing here is derived a second time: layout and prompt are those of the status object
(:mod:`controller.table.showing.status`), settlements those of the round's result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypedDict

from controller.forms.json_values import JsonObject, checked
from controller.game.round.model import REVERSED, Settlement
from controller.game.round.result_fields import HandResult, RoundResult, SettlementResult
from controller.table.showing.layout import NO_HAND, hand_name
from controller.table.showing.status_fields import ShownBox, Status


class Doer:
    """Who or what did a step."""

    DEALER, SUPERVISOR, KEYPAD = "dealer", "supervisor", "keypad"
    CARD, BUTTON, DRAW, METER = "card", "button", "draw", "meter"
    DEVICE, CONTROLLER = "device", "controller"


class Mark:
    """What is to be seen of a step at once."""

    CORRECTION, REVERSED, TAKEN_BACK, REFUSED = "correction", "reversed", "taken back", "refused"
    HELD, GOES_ON, VOID, DIFFERS = "held", "goes on", "void", "differs"
    LOST, BACK, RESTART = "lost", "back", "restart"


class TableLayout(TypedDict):
    """The table as it lay: fields of the status object. ``held`` is the reason in words, empty
    where play is not held; ``wagers`` of a box are by bettor and kind."""

    state: str
    boxes: Mapping[str, ShownBox]
    dealer: HandResult
    meter: Mapping[str, int | None] | None
    offer: Mapping[str, int] | None
    turn: Mapping[str, int] | None
    held: str


@dataclass(frozen=True, slots=True)
class HandChange:
    """A hand that has changed: ``place`` (``box 3``, ``box 3.2``, ``dealer``), its cards before and
    after as text (empty: none), and its total, 0 where cards are not shown."""

    place: str
    before: str
    after: str
    total: int

    @property
    def added(self) -> str:
        """The cards that were added behind those that lay there; empty where others changed."""
        start = f"{self.before} " if self.before else ""
        return self.after.removeprefix(start) if self.after.startswith(start) else ""


@dataclass(slots=True, kw_only=True)
class CourseStep:
    """One step: entries ``seq`` to ``upto`` of the journal (a command and the lock of the gate that
    it waited for, keys of one entry, are one step); its fields are those that ``round show --json
    --course`` tells.

    ``wall`` is the table's clock (ISO 8601), which may go back: the order is that of the entries.
    ``since_s`` are seconds since the round was opened, by the clock that never goes back while the
    machine runs; None where it cannot be known. ``kind`` says what it came from, ``who`` and
    ``why`` are the people's own words, ``what`` is in words, ``notes`` are the table's sentences
    about it. ``clause`` is that of a refusal, else the one that governed the state in which
    it happened; empty for what that clause does not govern (what devices report, what supervisors
    decide, what is taken back). ``settled`` are the settlements
    told by it, what was taken back (``reversed``) included; ``prompt`` is what the dealer was shown
    after it. ``offer`` is that of a press, a draw or a figure shown; ``draw`` has the evidence of a
    drawn multiplier, ``weights`` those in force.
    """

    seq: int
    upto: int
    wall: str
    since_s: float | None
    kind: str
    what: str
    who: str
    why: str
    clause: str = ""
    notes: list[str] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)
    settled: list[SettlementResult] = field(default_factory=list)
    prompt: str
    layout: TableLayout
    changes: list[HandChange] = field(default_factory=list)
    offer: int | None = None
    draw: JsonObject | None = None
    weights: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Facts:
    """Under what a round was played: the table, its rule document (id, title, version), and the
    digests of program, libraries, configuration, rules, readings and weights of the start record in
    force. ``digest`` is that of the journal's chain at entry ``last``, in hexadecimal."""

    table: str
    rules: str
    title: str
    version: str
    digests: Mapping[str, str]
    last: int
    digest: str


def told_round(told: JsonObject) -> tuple[RoundResult, list[CourseStep], Facts]:
    """A round as another program was told it, for who has no journal: result, steps, facts
    (:meth:`controller.replay.finding.FoundRound.as_json`). Raises WrongForm: it has another
    form."""
    return (
        checked(RoundResult, told, "round"),
        checked(list[CourseStep], told.get("course"), "course"),
        checked(Facts, told.get("facts"), "facts"),
    )


def layout_of(shown: Status) -> TableLayout:
    """The layout that a status object shows."""
    held = shown["held"]
    return {
        "state": shown["state"],
        "boxes": shown["boxes"],
        "dealer": shown["dealer"],
        "meter": shown["meter"],
        "offer": shown["offer"],
        "turn": shown["turn"],
        "held": held["reason"] if held else "",
    }


def plain(place: str) -> str:
    """A hand's place in a sentence."""
    return "the dealer" if place == "dealer" else place


def hands_of(layout: TableLayout) -> dict[str, HandResult]:
    """Every hand that lies there, by its place; the dealer's last."""
    found: dict[str, HandResult] = {}
    for number, box in layout["boxes"].items():
        for index, hand in enumerate(box["hands"], 1):
            found[hand_name(number, index)] = {"cards": hand["cards"], "total": hand["total"]}
    return {**found, "dealer": layout["dealer"]}


def changes(before: TableLayout | None, after: TableLayout) -> Iterator[HandChange]:
    """The hands that differ; those of a table that was cleared are not told."""
    old, new = hands_of(before) if before else {}, hands_of(after)
    if len(new) == 1 and not new["dealer"]["cards"]:
        return
    for place in dict.fromkeys([*new, *old]):
        was, now = old.get(place, NO_HAND)["cards"], new.get(place, NO_HAND)
        if was != now["cards"]:
            yield HandChange(place, was, now["cards"], now["total"])


def newly_told(told: Sequence[Settlement], now: Sequence[Settlement]) -> list[Settlement]:
    """What follows on ``told`` so that both come to the same as ``now``: first the reversals of
    what is not told any more (the round is void), then what is told besides."""
    added, gone = list(now), list[Settlement]()
    for one in told:
        if one in added:
            added.remove(one)
        elif one.outcome == REVERSED and any(one == other.reversed() for other in gone):
            gone.remove(next(other for other in gone if one == other.reversed()))
        else:
            gone.append(one)
    return [*(one.reversed() for one in gone), *added]
