"""The slots of commands: what each is for, and how its word is read and written."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from controller.game.commands.values import (
    STAFF,
    HandAt,
    Malformed,
    NoHand,
    Option,
    Stake,
    parse_amount,
    parse_seat,
    write_amount,
)
from controller.game.rules.cards import parse_card, write_cards
from controller.game.rules.cases import KNOWN
from controller.game.rules.side_wagers import KIND as KIND_OF_WAGER

Kind = Literal["box", "bettor", "hand", "amount", "card", "place", "word"]
"""What a slot is for, as programs know it."""

Values = tuple[Any, ...]
"""Values of the fields that a slot fills, in their order."""

Read = Callable[[str, str], Values | None]
"""Makes them of a word of the whole text; None: that is none."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A value of a command. ``name`` stands in its place while it is open, ``fields`` are those of
    the command that it fills. ``read`` may raise ``Malformed`` or, where the word is no value,
    ``ValueError``; ``write`` makes a word of the values ("": nothing is written). Where the slot
    ``may_lack`` its word may be missing; ``takes_rest``: it takes all words that follow.
    ``is_left_open``: a step that is offered does not say it yet.
    """

    name: str
    kind: Kind
    fields: tuple[str, ...]
    read: Read
    write: Callable[..., str] = str
    may_lack: bool = False
    takes_rest: bool = False
    is_left_open: bool = False


_NUMBER: Final = re.compile(r"[0-9]{1,9}")
_LYING: Final = re.compile(rf"({KIND_OF_WAGER.pattern})(?:\.([1-9]))?")
MOST_CARDS: Final = 1000
"""No round has so many."""


def _single(parse: Callable[[str], object]) -> Read:
    return lambda word, _: (parse(word),)


def _number(fits: Callable[[str], object]) -> Read:
    return lambda word, _: (int(word),) if fits(word) else None


def _taker(word: str, _: str) -> Values:
    taker, at, owner = word.partition("@")
    return parse_seat(taker), parse_seat(owner) if at else None


def _hand(word: str, _: str) -> Values:
    if not _NUMBER.fullmatch(word):
        raise Malformed(f"{word!r} is not a hand's number")
    return (int(word),)


def _raised(word: str, text: str) -> Values:
    if (amount := parse_amount(word)) == 0:
        raise Malformed(f"{text.split(maxsplit=1)[0]}: an amount of 0 is none")
    return (amount,)


def no_kind(word: str, text: str) -> Malformed:
    """The word is no kind of a wager."""
    return Malformed(f"{text!r}: {word!r} is no kind of wager: expected one as main")


def _kind(word: str, text: str) -> Values:
    found = _LYING.fullmatch(word)
    if found is None:
        raise no_kind(word, text)
    return found[1], int(found[2] or 0)


def _trigger(word: str, text: str) -> Values:
    if word not in KNOWN:
        raise Malformed(f"{text!r}: unknown trigger {word!r}: expected one of {', '.join(KNOWN)}")
    if KNOWN[word].by_card:
        raise Malformed(f"{text!r}: {word} is not reported: the card itself brings it")
    return (word,)


def _drawn_at(word: str, _: str) -> Values | None:
    if word == "seen":
        return None
    return (None, True) if word == "dealer" else (parse_seat(word), False)


def _choice(word: str, _: str) -> Values:
    return (Option(word), None) if word in tuple(Option) else ("", parse_card(word))


def _place(word: str, text: str) -> Values | None:
    if word in tuple(NoHand):
        return (NoHand(word),)
    box, dot, hand = word.partition(".")
    if dot and hand not in tuple("123456789"):
        raise Malformed(f"{text!r}: {hand!r} is not a hand's number")
    seat = parse_seat(box)
    return None if seat.bettor else (HandAt(seat.box, int(hand or 0)),)


def _text_of(value: object) -> str:
    """The value's text; nothing where it is none."""
    return str(value or "")


def _sum(amount: Stake) -> str:
    return write_amount(amount) or ""


_AMOUNT: Final = ("amount",)
_WRITTEN: Final = _single(parse_amount)

BOX: Final = Slot("BOX", "box", ("seat",), _single(parse_seat))
BOX_ALONE: Final = Slot(
    *("BOX", "box", ("seat",)),
    lambda word, _: None if (seat := parse_seat(word)).bettor else (seat,),
)
TAKER: Final = Slot(
    *("BOX[@BOX]", "box", ("seat", "owner"), _taker),
    write=lambda seat, owner: f"{seat}@{owner}" if owner else str(seat),
)
BY: Final = Slot(
    *("BY", "bettor", ("by",), _single(lambda word: None if word == STAFF else parse_seat(word))),
    write=lambda by: str(by or STAFF),
    is_left_open=True,
)
HAND: Final = Slot("HAND", "hand", ("hand",), _hand)
RAISE: Final = Slot("AMOUNT", "amount", _AMOUNT, _raised, _sum, may_lack=True, is_left_open=True)
WAGERED: Final = Slot("AMOUNT", "amount", _AMOUNT, _WRITTEN, _sum, may_lack=True)
SUM: Final = Slot("AMOUNT", "amount", _AMOUNT, _WRITTEN, _sum)
KIND: Final = Slot(
    *("KIND", "word", ("kind", "which"), _kind),
    write=lambda kind, which: f"{kind}.{which}" if which else kind,
)
TRIGGER: Final = Slot("TRIGGER", "word", ("trigger",), _trigger)
DRAWN_AT: Final = Slot(
    *("BOX", "box", ("seat", "dealer"), _drawn_at),
    write=lambda seat, dealer: "dealer" if dealer else _text_of(seat),
    may_lack=True,
)
CARD: Final = Slot("CARD", "card", ("card",), _single(parse_card))
SOME_CARD: Final = Slot("CARD", "card", ("card",), _single(parse_card), _text_of, may_lack=True)
CARDS: Final = Slot(
    *("CARD", "card", ("cards",), _single(lambda words: tuple(map(parse_card, words.split())))),
    *(write_cards, True, True),
)
CHOICE: Final = Slot(
    *("OPTION", "word", ("option", "card"), _choice), write=lambda option, card: str(card or option)
)
CARD_NUMBER: Final = Slot(
    *("N", "card", ("number",)),
    read=_number(lambda word: word.isdecimal() and 0 < int(word) < MOST_CARDS),
)
PLACE: Final = Slot("PLACE", "place", ("place",), _place)
SET: Final = Slot("SET", "word", ("number",), _number(("1", "2").__contains__), _text_of)
MULTIPLIER: Final = Slot("MULTIPLIER", "word", ("number",), _number(_NUMBER.fullmatch), _text_of)
VOID: Final = Slot(
    "void", "word", (), lambda word, _: () if word == "void" else None, lambda: "void"
)
SWITCH: Final = Slot(
    "SWITCH", "word", ("option",), lambda word, _: (word,) if word in ("on", "off") else None
)


def _flag(word: str, field: str) -> Slot:
    """A word that is said, or not."""
    read: Read = lambda given, _: (True,) if given == word else None  # noqa: E731
    return Slot(word, "word", (field,), read, lambda said: word if said else "", may_lack=True)


SEEN: Final = _flag("seen", "seen")
AGAIN: Final = _flag("0", "ends")
"""What was granted is taken back."""

BEHIND_TRIGGERS: Final[Mapping[str, tuple[Slot, ...]]] = {
    "drawn": (DRAWN_AT, SEEN),
    "together": (CARDS,),
    "over-maximum": (BOX, SUM),
}
"""The slots behind a trigger whose report says more than a box."""


def behind(trigger: str) -> tuple[Slot, ...]:
    """The slots behind a trigger that is reported."""
    known = KNOWN.get(trigger)
    return BEHIND_TRIGGERS.get(trigger, (BOX,) if known and known.box else ())
