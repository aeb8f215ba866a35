"""A command: a verb with its slots filled or open. Here it becomes text, and text becomes one.

``wager BOX main AMOUNT`` is a command with two open slots; ``wager 3 main 50.00`` the same, filled.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from controller.game.commands.slots import TRIGGER, WAGERED, Slot, behind, no_kind
from controller.game.commands.values import HandAt, Malformed, NoHand, Seat, Stake
from controller.game.commands.verbs import DEALERS, LYING, STEPS, SUPERVISORS, TABLE, VERBS, VerbRow
from controller.game.rules.cards import Card


@dataclass(frozen=True)
class Command:
    """A verb, the values of its slots, and the names of those that are ``open``.

    ``seat``: the box, with a bettor's letter where one was said; ``owner`` whose wager another one
    insures; ``by`` who presses in another's place (None: staff). ``amount`` in cents; None: not
    said. ``number``: of a card in the round, of a set, or a multiplier; ``which`` of several alike.
    """

    verb: str
    seat: Seat | None = None
    owner: Seat | None = None
    by: Seat | None = None
    hand: int = 0
    number: int = 0
    kind: str = ""
    which: int = 0
    amount: Stake = None
    card: Card | None = None
    cards: tuple[Card, ...] = ()
    place: HandAt | NoHand | None = None
    trigger: str = ""
    option: str = ""
    dealer: bool = False
    seen: bool = False
    ends: bool = False
    open: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self._text

    @cached_property  # commands are kept, and told again and again
    def _text(self) -> str:
        return " ".join(filter(None, (self.verb, *map(self.word, self.slots))))

    def word(self, slot: Slot) -> str:
        """What stands in that slot: its value, or its name while it is open; "": nothing."""
        if slot.name in self.open:
            return slot.name
        return slot.write(*(getattr(self, field) for field in slot.fields))

    @property
    def row(self) -> VerbRow:
        """The row of its verb."""
        return VERBS[self.verb]

    @property
    def slots(self) -> tuple[Slot, ...]:
        """Its slots, in order."""
        own = self.row.slots
        return (*own, *behind(self.trigger)) if self.trigger else own

    @property
    def next_slot(self) -> Slot | None:
        """The slot that is to be filled next; None: none is open."""
        return next((slot for slot in self.slots if slot.name in self.open), None)

    @property
    def box(self) -> int:
        """The box that it is about; 0: none."""
        return self.seat.box if self.seat else 0

    @property
    def boxes(self) -> frozenset[int]:
        """All boxes that it names: also whose wager is insured, who presses, where a card lies."""
        places = (self.seat, self.owner, self.by, self.place)
        return frozenset(place.box for place in places if isinstance(place, Seat | HandAt))

    def filled(self, word: str) -> Command:
        """It with the word in the next slot to be filled; Malformed where it does not fit there."""
        slot = self.next_slot
        assert slot is not None
        found = _values(slot, word, f"{self.verb} {word}")
        if found is None:
            raise Malformed(f"{word!r} is no {slot.name}")
        left = tuple(name for name in self.open if name != slot.name)
        return replace(self, open=left, **found)


def read_step(text: str) -> Command:
    """The step in ``text``, as round scripts write it: with every amount.

    Raises:
        Malformed: unknown verb, wrong number of words, or a word of the wrong kind.
    """
    verb, words = _split(text)
    if verb not in STEPS:
        raise Malformed(f"unknown step {verb!r}: expected one of {', '.join(STEPS)}")
    command = _fill_slots(STEPS[verb], words, text)
    if command.amount is None and any("amount" in slot.fields for slot in command.slots):
        raise _expected(command.row, "", text)
    return command


def read_dealers(text: str) -> Command:
    """The dealer's command in ``text``; amounts may be left out. Raises as :func:`read_step`."""
    verb, words = _split(text)
    if verb not in DEALERS:
        raise Malformed(f"unknown command {verb!r}: expected {_OF_DEALER}", "unknown-command")
    command = _fill_slots(DEALERS[verb], words, text)
    if command.which:  # a supervisor says which of several
        raise no_kind(words[1], text)
    return command


def read_supervisors(text: str) -> Command:
    """The supervisor's command in ``text``; raises as :func:`read_step`."""
    verb, *words = text.split() or [""]
    if verb not in SUPERVISORS:
        raise Malformed(f"{text!r}: expected {_OF_SUPERVISOR}", "unknown-command")
    return _fill_slots(SUPERVISORS[verb], words, text)


def read_open(text: str) -> Command:
    """The command that was written so, open slots by their names; raises as :func:`read_step`."""
    verb, words = _split(text)
    if verb not in _WRITTEN:
        raise Malformed(f"unknown command {verb!r}", "unknown-command")
    return _fill_slots(_WRITTEN[verb], words, text, may_be_open=True)


def first_word(text: str) -> str:
    """The word of a text that should be a verb; "" of an empty one."""
    return next(iter(text.split()), "")


def _split(text: str) -> tuple[str, list[str]]:
    words = text.split()
    if not words:
        raise Malformed("an empty step: expected a verb such as stand, hit or double")
    return words[0], words[1:]


def _fill_slots(row: VerbRow, words: list[str], text: str, *, may_be_open: bool = False) -> Command:
    """The words in the slots of the row, one after the other."""
    fields, opened = dict[str, Any](), list[str]()
    slots, left, trigger = list(row.slots), words, ""
    least = sum(not slot.may_lack for slot in slots)
    if len(words) < least or (len(words) > len(slots) and slots != [TRIGGER]):
        raise _expected(row, "", text)
    while slots:
        slot = slots.pop(0)
        word = " ".join(left if slot.takes_rest else left[:1])
        found: dict[str, Any] | None = None
        if may_be_open and word == slot.name and word.isupper():
            opened.append(word)
            found = {}
        elif word:
            found = _values(slot, word, text)
        if found is not None:
            fields |= found
            left = [] if slot.takes_rest else left[1:]
        elif not slot.may_lack:
            break
        if slot is TRIGGER:
            trigger = fields.get("trigger", "")
            slots += behind(trigger)
    else:
        if not left:
            return Command(row.name, open=tuple(opened), **fields)
    raise _expected(row, trigger, text)


def _values(slot: Slot, word: str, text: str) -> dict[str, Any] | None:
    """What the word says of the fields of the slot; None: nothing."""
    try:
        values = slot.read(word, text)
    except Malformed:
        raise
    except ValueError as error:
        raise Malformed(f"{text!r}: {error}") from error
    return None if values is None else dict(zip(slot.fields, values, strict=True))


def _expected(row: VerbRow, trigger: str, text: str) -> Malformed:
    """What was expected in place of the text."""
    usage = row.expected
    if trigger:
        more = _BEHIND.get(trigger) or " ".join(slot.name for slot in behind(trigger))
        usage = f"{row.name} {trigger} {more}".strip()
    return Malformed(f"{text!r}: expected {usage}")


_WRITTEN: Final = VERBS | {LYING.name: replace(LYING, slots=(*LYING.slots[:2], WAGERED))}
"""The verbs as whoever may say them writes them."""

_BEHIND: Final = {"drawn": "[BOX | dealer] [seen]", "together": "[CARD …]"}
"""What may stand behind a trigger, where its slots do not say it."""

_OF_DEALER: Final = ", ".join(
    [*(verb.name for verb in VERBS.values() if verb.part is TABLE), "or a step of a round"]
)
_OF_SUPERVISOR: Final = ", ".join(verb.expected for verb in SUPERVISORS.values())
"""All that they may say, for who has said something else."""
