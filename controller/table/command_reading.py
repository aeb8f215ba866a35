"""Parsing of the dealer's and the supervisor's commands.

A dealer's command is one of the table's own (``open``, ``wager 3b main 50``, ``close``, ``next``,
``undo``, ``shuffle 1``) or any step of a round. Amounts may be left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from controller.game.round.money import Stake, parse_amount, write_amount
from controller.game.round.refusal import Refused
from controller.game.round.steps.reading import STEP_VERBS, parse_step
from controller.game.round.steps.reading_irregular import FORMS, parse_irregular
from controller.game.round.steps.step import Malformed, PutsRight, Seat, Step, parse_seat
from controller.game.rules.cards import Card, parse_card
from controller.game.rules.side_wagers import KIND

TABLE_VERBS = ("open", "close", "next", "undo", "burn", "inspected")
BOX_VERBS = ("squeeze", "reveal")
DEALERS_VERBS = (*TABLE_VERBS, "shuffle", *BOX_VERBS, *STEP_VERBS)
SUPERVISORS_VERBS = (
    *("resume", "void", "confirm", "cancel", "use", "discard", "done", "play-on", "close-table"),
    *("open-table", "shift", "clear-set", "card", "pay", "seen", "service", *FORMS),
)
"""The first words of the supervisor's commands (:func:`read_supervisor_command`)."""
_NUMBER = re.compile(r"[0-9]{1,9}")
LIVE_ONLY_BY_DEVICES = {"press": "the button", "overdraw": "the shoe"}


@dataclass(frozen=True, slots=True)
class WagerCommand:
    """``wager BOX KIND [AMOUNT]``: sets a wager; amount None: not given; 0: removes it."""

    seat: Seat
    kind: str
    stake: Stake

    def __str__(self) -> str:
        amount = write_amount(self.stake)
        return f"wager {self.seat} {self.kind}" + (f" {amount}" if amount else "")


@dataclass(frozen=True, slots=True)
class TableCommand:
    """A command of one word, ``shuffle SET``, or one about a box: ``squeeze``, ``reveal``, and
    ``face-up`` (``squeeze BOX 0``)."""

    verb: str
    number: int = 0

    def __str__(self) -> str:
        if self.verb == "face-up":
            return f"squeeze {self.number} 0"
        return f"{self.verb} {self.number}" if self.number else self.verb


DealerCommand = WagerCommand | TableCommand | Step


@dataclass(frozen=True, slots=True)
class SupervisorCommand:
    """A supervisor's command: ``verb`` with the card or number it takes, or a report, remedy or
    correction as a ``step``."""

    verb: str
    card: Card | None = None
    number: int = 0
    step: PutsRight | None = None

    def __str__(self) -> str:
        if self.step is not None:
            return str(self.step)
        return " ".join([self.verb, *map(str, filter(None, (self.card, self.number)))])


def read_dealer_command(text: str) -> DealerCommand:
    """The dealer's command in ``text``.

    Raises:
        Malformed: it cannot be read. Refused: at a live table only a device can give it.
    """
    words = text.split()
    verb = words[0] if words else ""
    if verb in LIVE_ONLY_BY_DEVICES:
        raise Refused(
            f"{verb}: only {LIVE_ONLY_BY_DEVICES[verb]} gives it at a live table",
            short="ONLY THE DEVICE",
        )
    if verb in TABLE_VERBS:
        if len(words) > 1:
            raise Malformed(f"{text!r}: expected {verb} alone")
        return TableCommand(verb)
    if verb == "shuffle":
        if len(words) != 2 or words[1] not in ("1", "2"):
            raise Malformed(f"{text!r}: expected shuffle 1 or shuffle 2")
        return TableCommand("shuffle", int(words[1]))
    if verb in BOX_VERBS:
        return _about_box(text, words)
    if verb == "wager":
        return _wager(text, words[1:])
    try:
        return parse_step(text, amounts_needed=False)
    except Malformed as error:
        if str(error).startswith("unknown step"):
            known = ", ".join(
                ("wager", *TABLE_VERBS, "shuffle", *BOX_VERBS, "or a step of a round")
            )
            raise Malformed(
                f"unknown command {verb!r}: expected {known}", "unknown-command"
            ) from None
        raise


def _about_box(text: str, words: list[str]) -> TableCommand:
    verb, *rest = words
    if verb == "squeeze" and len(rest) == 2 and rest[1] == "0":
        verb, rest = "face-up", rest[:1]
    if len(rest) != 1 or parse_seat(rest[0]).bettor:
        more = " [0]" if verb == "squeeze" else ""
        raise Malformed(f"{text!r}: expected {verb} BOX{more}")
    return TableCommand(verb, parse_seat(rest[0]).box)


def _wager(text: str, words: list[str]) -> WagerCommand:
    if not 2 <= len(words) <= 3:
        raise Malformed(f"{text!r}: expected wager BOX KIND [AMOUNT]")
    if not KIND.fullmatch(words[1]):
        raise Malformed(f"{text!r}: {words[1]!r} is no kind of wager: expected one as main")
    try:
        stake = parse_amount(words[2]) if len(words) == 3 else None
    except ValueError as error:
        raise Malformed(f"{text!r}: {error}") from error
    return WagerCommand(parse_seat(words[0]), words[1], stake)


def read_supervisor_command(text: str) -> SupervisorCommand:
    """The supervisor's command in ``text``.

    Raises:
        Malformed: it cannot be read.
    """
    words = text.split()
    match words:
        case ["resume" | "void" | "use" | "discard" | "done" as verb]:
            return SupervisorCommand(verb)
        case ["confirm" | "cancel" as answer, "void"]:
            return SupervisorCommand(f"{answer} void")
        case ["play-on" | "close-table" | "open-table" | "shift" as verb]:
            return SupervisorCommand(verb)
        case ["service", "on" | "off" as which]:
            return SupervisorCommand(f"service {which}")
        case ["clear-set", "1" | "2" as number]:
            return SupervisorCommand("clear-set", number=int(number))
        case ["card", name]:
            try:
                return SupervisorCommand("card", card=parse_card(name))
            except ValueError as error:
                raise Malformed(str(error)) from error
        case ["pay" | "seen" as verb, number] if _NUMBER.fullmatch(number):
            return SupervisorCommand(verb, number=int(number))
        case [verb, *_] if verb in FORMS:
            return SupervisorCommand(verb, step=parse_irregular(text, words))
    said = (
        f"{text!r}: expected resume, void, confirm void, cancel void, done, "
        "card CARD (as in card 9D), use, discard, "
        "seen MULTIPLIER, pay MULTIPLIER, play-on, clear-set SET, close-table, open-table, shift, "
        "service on, service off, "
        f"or one of {', '.join(FORMS.values())}"
    )
    if not words or words[0] not in SUPERVISORS_VERBS:
        raise Malformed(said, "unknown-command")
    raise Malformed(said)
