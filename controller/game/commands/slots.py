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
    parse_seat,
)
from controller.game.money import Stake, parse_amount, write_amount
from controller.game.rules.cards import Card, parse_card
from controller.game.rules.side_wagers import KIND as KIND_OF_WAGER
from controller.game.rules.triggers import KNOWN

Kind = Literal["box", "bettor", "hand", "amount", "card", "place", "word"]
"""What a slot is for, as programs know it."""

Fields = Mapping[str, object]
"""Fields of a command, by name."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A value of a command. ``name`` stands in its place while it is open, ``fields`` are those of
    the command that it fills. ``read`` makes them of a word of the whole text (None: that is none;
    it may raise ``Malformed``), ``write`` a word of their values ("": nothing is written). Where
    the slot ``may_lack`` its word may be missing; ``takes_rest``: it takes all words that follow.
    ``is_left_open``: a step that is offered does not say it yet.
    """

    name: str
    kind: Kind
    fields: tuple[str, ...]
    read: Callable[[str, str], Fields | None]
    write: Callable[..., str] = str
    may_lack: bool = False
    takes_rest: bool = False
    is_left_open: bool = False


_NUMBER: Final = re.compile(r"[0-9]{1,9}")
_LYING: Final = re.compile(rf"(?P<kind>{KIND_OF_WAGER.pattern})(?:\.(?P<which>[1-9]))?")
MOST_CARDS: Final = 1000
"""No round has so many."""


def _seat(word: str, _: str) -> Fields:
    return {"seat": parse_seat(word)}


def _box_alone(word: str, _: str) -> Fields | None:
    seat = parse_seat(word)
    return None if seat.bettor else {"seat": seat}


def _taker(word: str, _: str) -> Fields:
    taker, at, owner = word.partition("@")
    return {"seat": parse_seat(taker), "owner": parse_seat(owner) if at else None}


def _nominee(word: str, _: str) -> Fields:
    return {"by": None if word == STAFF else parse_seat(word)}


def _hand(word: str, _: str) -> Fields:
    if not _NUMBER.fullmatch(word):
        raise Malformed(f"{word!r} is not a hand's number")
    return {"hand": int(word)}


def _amount(word: str, _: str) -> Fields:
    try:
        return {"amount": parse_amount(word)}
    except ValueError as error:
        raise Malformed(str(error)) from error


def _raise(word: str, text: str) -> Fields:
    found = _amount(word, text)
    if found["amount"] == 0:
        raise Malformed(f"{text.split(maxsplit=1)[0]}: an amount of 0 is none")
    return found


def _sum(word: str, text: str) -> Fields:
    try:
        return _amount(word, text)
    except Malformed as error:
        raise Malformed(f"{text!r}: {error}") from error


def _kind(word: str, text: str) -> Fields:
    if not KIND_OF_WAGER.fullmatch(word):
        raise Malformed(f"{text!r}: {word!r} is no kind of wager: expected one as main")
    return {"kind": word}


def _lying_kind(word: str, _: str) -> Fields | None:
    found = _LYING.fullmatch(word)
    return {"kind": found["kind"], "which": int(found["which"] or 0)} if found else None


def _trigger(word: str, text: str) -> Fields:
    if word not in KNOWN:
        raise Malformed(f"{text!r}: unknown trigger {word!r}: expected one of {', '.join(KNOWN)}")
    if KNOWN[word].by_card:
        raise Malformed(f"{text!r}: {word} is not reported: the card itself brings it")
    return {"trigger": word}


def _drawn_at(word: str, _: str) -> Fields | None:
    if word == "seen":
        return None
    return {"dealer": True} if word == "dealer" else {"seat": parse_seat(word)}


def card_named(word: str) -> Card:
    """The card of that name.

    Raises:
        Malformed: it names none.
    """
    try:
        return parse_card(word)
    except ValueError as error:
        raise Malformed(str(error)) from error


def _card(word: str, _: str) -> Fields:
    return {"card": card_named(word)}


def _cards(words: str, _: str) -> Fields:
    return {"cards": tuple(map(card_named, words.split()))}


def _choice(word: str, text: str) -> Fields:
    return {"option": Option(word)} if word in tuple(Option) else _card(word, text)


def _card_number(word: str, _: str) -> Fields | None:
    number = int(word) if word.isdecimal() else 0
    return {"number": number} if 0 < number < MOST_CARDS else None


def _number(word: str, _: str) -> Fields | None:
    return {"number": int(word)} if _NUMBER.fullmatch(word) else None


def _set(word: str, _: str) -> Fields | None:
    return {"number": int(word)} if word in ("1", "2") else None


def _place(word: str, text: str) -> Fields | None:
    if word in tuple(NoHand):
        return {"place": NoHand(word)}
    box, dot, hand = word.partition(".")
    if dot and hand not in tuple("123456789"):
        raise Malformed(f"{text!r}: {hand!r} is not a hand's number")
    seat = parse_seat(box)
    return None if seat.bettor else {"place": HandAt(seat.box, int(hand or 0))}


def _one_of(field: str, *words: str) -> Callable[[str, str], Fields | None]:
    return lambda word, _: {field: word} if word in words else None


def _written_seat(seat: object) -> str:
    return str(seat or "")


def _written_amount(amount: Stake) -> str:
    return write_amount(amount) or ""


def _written_kind(kind: str, which: int) -> str:
    return f"{kind}.{which}" if which else kind


def _written_set(number: int) -> str:
    return str(number) if number else ""


BOX: Final = Slot("BOX", "box", ("seat",), _seat)
BOX_ALONE: Final = Slot("BOX", "box", ("seat",), _box_alone)
TAKER: Final = Slot(
    "BOX[@BOX]",
    "box",
    ("seat", "owner"),
    _taker,
    lambda seat, owner: f"{seat}@{owner}" if owner else str(seat),
)
BY: Final = Slot("BY", "bettor", ("by",), _nominee, lambda by: str(by or STAFF), is_left_open=True)
HAND: Final = Slot("HAND", "hand", ("hand",), _hand)
RAISE: Final = Slot(
    "AMOUNT", "amount", ("amount",), _raise, _written_amount, may_lack=True, is_left_open=True
)
WAGERED: Final = Slot("AMOUNT", "amount", ("amount",), _sum, _written_amount, may_lack=True)
SUM: Final = Slot("AMOUNT", "amount", ("amount",), _sum, _written_amount)
KIND: Final = Slot(
    "KIND",
    "word",
    ("kind", "which"),
    _kind,
    _written_kind,
)
LYING: Final = Slot("KIND", "word", ("kind", "which"), _lying_kind, _written_kind)
TRIGGER: Final = Slot("TRIGGER", "word", ("trigger",), _trigger)
DRAWN_AT: Final = Slot(
    "BOX",
    "box",
    ("seat", "dealer"),
    _drawn_at,
    lambda seat, dealer: "dealer" if dealer else _written_seat(seat),
    may_lack=True,
)
SEEN: Final = Slot(
    "seen",
    "word",
    ("seen",),
    lambda word, _: {"seen": True} if word == "seen" else None,
    lambda seen: "seen" if seen else "",
    may_lack=True,
)
CARD: Final = Slot("CARD", "card", ("card",), _card)
SOME_CARD: Final = Slot(
    "CARD", "card", ("card",), _card, lambda card: str(card) if card else "", may_lack=True
)
CARDS: Final = Slot(
    "CARD",
    "card",
    ("cards",),
    _cards,
    lambda cards: " ".join(map(str, cards)),
    may_lack=True,
    takes_rest=True,
)
CHOICE: Final = Slot(
    "OPTION", "word", ("option", "card"), _choice, lambda option, card: str(card or option)
)
CARD_NUMBER: Final = Slot("N", "card", ("number",), _card_number)
PLACE: Final = Slot("PLACE", "place", ("place",), _place)
SET: Final = Slot("SET", "word", ("number",), _set, _written_set)
MULTIPLIER: Final = Slot("MULTIPLIER", "word", ("number",), _number, _written_set)
AGAIN: Final = Slot(
    "0",
    "word",
    ("ends",),
    lambda word, _: {"ends": True} if word == "0" else None,
    lambda ends: "0" if ends else "",
    may_lack=True,
)
"""What was granted is taken back."""
VOID: Final = Slot(
    "void", "word", (), lambda word, _: {} if word == "void" else None, lambda: "void"
)
SWITCH: Final = Slot("SWITCH", "word", ("option",), _one_of("option", "on", "off"))

BEHIND_TRIGGERS: Final[Mapping[str, tuple[Slot, ...]]] = {
    "drawn": (DRAWN_AT, SEEN),
    "together": (CARDS,),
    "over-maximum": (BOX, SUM),
}
"""The slots behind a trigger whose report says more than a box."""


def behind(trigger: str) -> tuple[Slot, ...]:
    """The slots behind a trigger that is reported."""
    known: Any = KNOWN.get(trigger)
    return BEHIND_TRIGGERS.get(trigger, (BOX,) if known and known.box else ())
