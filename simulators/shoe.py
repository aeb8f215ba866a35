"""The card shoe: cards in order, a gate, a lid, a signal lamp (protocol section 5).

- The gate gives a card only while unlocked; an allowance counts down and locks it by itself. A card
  pulled by force through a locked gate is reported with flag bit 3.
- Opening the lid locks the gate and clears the allowance, and so does the loss of the controller.
- What was drawn and the event that tells it are remembered together: a shoe that loses power at any
  moment has neither forgotten a card nor will it report one twice.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from simulators.cards import (
    FORCED,
    Card,
    packed,
    parse_card,
    parse_cards,
    shuffled,
    unpacked,
)
from simulators.model import BAD_BODY, NOT_NOW, Body, Event, Fields, Model, NakError, number

EMPTY, LOADED, LID_OPEN, FAULT = range(4)
COLOURS = ("off", "green", "amber", "red")
DRAWING_MARKS = (
    ("face_up", 1),
    ("together", 2),
    ("other_back", 4),
    ("damaged", 16),
    ("unread", 0),
)
"""How a card may be drawn, with the bit of ``flags`` that tells it."""


class Shoe(Model):
    """A shoe and the dealer's hand at it. ``pace_ms`` above 0 lets the hand draw by itself."""

    kind: ClassVar[int] = 1
    name: ClassVar[str] = "shoe"
    capabilities: ClassVar[int] = 0b1111

    def __init__(
        self, body: Body, cards: list[Card], cut: int = 0, pace_ms: int = 0, seed: int = 0
    ) -> None:
        super().__init__(body)
        self.cards = cards
        self.cut = cut
        self._packed: tuple[list[Card], str] = [], ""
        self.drawn = 0
        self.unlocked = False
        self.allowance = 0
        self.lid_open = False
        self.signal = (0, 0)
        self.auto = pace_ms > 0
        self.pace_ms = pace_ms
        self._hand_at: float | None = None
        self._random = random.Random(seed)  # noqa: S311 - a human's unevenness

    def on_gate(self, fields: Fields) -> Fields:
        """GATE: ``last_event`` is the last event before the gate moved."""
        unlocked, cards = number(fields, "unlocked"), number(fields, "cards")
        if unlocked > 1:
            raise NakError(BAD_BODY)
        if self.lid_open:
            raise NakError(NOT_NOW)
        self._gate(bool(unlocked), cards if unlocked else 0)
        return {"last_event": self.body.last_event}

    def on_signal(self, fields: Fields) -> Fields:
        """SIGNAL: colour and blinking of the lamp."""
        colour, blink = number(fields, "colour"), number(fields, "blink")
        if colour >= len(COLOURS) or blink > 1:
            raise NakError(BAD_BODY)
        self.signal = (colour, blink)
        return {}

    def ping_state(self) -> int:
        """0 empty, 1 locked, 2 unlocked, 3 lid open, 4 fault."""
        if self.faults:
            return 4
        if self.lid_open:
            return 3
        if not self.cards:
            return 0
        return 2 if self.unlocked else 1

    def present(self) -> Iterable[Event]:
        """SHOE_STATE begins every session."""
        return [self._state_event()]

    def abandoned(self) -> None:
        """Lock, and forget what was allowed."""
        self._gate(unlocked=False, cards=0)

    def deadline(self) -> float | None:
        """When the hand that draws by itself reaches out."""
        return self._hand_at

    def tick(self) -> None:
        """Draw by itself, one card at a time."""
        if self._hand_at is not None and self.body.now >= self._hand_at:
            self._hand_at = None
            if self.unlocked and self.cards:
                self.do_draw()
            self._reach()

    def do_draw(self, count: int = 1, *, force: bool = False, **marks: bool) -> dict[str, Any]:
        """Pull ``count`` cards; ``force`` pulls through a locked gate.

        ``unread``, ``together``, ``face_up``, ``other_back`` and ``damaged`` say how it went.
        """
        if unknown := marks.keys() - dict(DRAWING_MARKS).keys():
            raise ValueError(f"a card cannot be drawn {sorted(unknown)}")
        drawn = []
        for _ in range(count):
            if not self.cards:
                raise ValueError("the shoe is empty")
            if self.lid_open:
                raise ValueError("the lid is open")
            if not self.unlocked and not force:
                raise ValueError("the gate is locked")
            drawn.append(self._draw(marks))
        return {"cards": [str(card) for card in drawn], "remaining": len(self.cards)}

    def do_load(
        self,
        cards: list[str] | str | None = None,
        decks: int = 8,
        seed: int = 0,
        cut: int = 0,
        *,
        tens: bool = False,
    ) -> dict[str, Any]:
        """Put other cards in, in the order given or shuffled from ``seed``."""
        if isinstance(cards, str):
            cards = cards.split()
        self.cards = shuffled(decks, seed, tens=tens) if cards is None else parse_cards(cards)
        self.cut = cut
        self.lid_open = False
        self._gate(unlocked=False, cards=0)
        self._tell_state()
        return {"remaining": len(self.cards)}

    def do_stack(self, cards: list[str] | str) -> dict[str, Any]:
        """Put cards in front, unseen: the next ones drawn are these. For each, one of its kind, or
        else the last one, leaves the others: the shoe holds as many as before."""
        front = _parsed(cards)
        for card in front[: len(self.cards)]:
            kinds = [(other.rank, other.suit) for other in reversed(self.cards)]
            behind = kinds.index(card[:2]) if card[:2] in kinds else 0
            del self.cards[-1 - behind]
        self.cards[:0] = front
        return {"remaining": len(self.cards)}

    def do_slip(self, cards: list[str] | str) -> dict[str, Any]:
        """Slip more cards in, in front of the others, unseen."""
        self.cards[:0] = _parsed(cards)
        return {"remaining": len(self.cards)}

    def do_lid(self, *, open: bool) -> dict[str, Any]:  # noqa: A002 - the word on the wire
        """Open or close the lid."""
        if open != self.lid_open:
            self.lid_open = open
            if open:
                self._gate(unlocked=False, cards=0)
            self._tell_state()
        return {}

    def do_deal(self, *, auto: bool, pace_ms: int = 400) -> dict[str, Any]:
        """Begin or stop drawing by itself whenever the gate allows."""
        self.auto, self.pace_ms = auto, pace_ms
        self._reach()
        return {}

    def visible_state(self) -> dict[str, Any]:
        """Gate, lamp, lid, and the next cards."""
        return {
            "gate": "unlocked" if self.unlocked else "locked",
            "allowance": self.allowance,
            "signal": COLOURS[self.signal[0]],
            "blink": bool(self.signal[1]),
            "lid_open": self.lid_open,
            "remaining": len(self.cards),
            "drawn": self.drawn,
            "next": [str(card) for card in self.cards[:8]],
        }

    def remembered(self) -> dict[str, Any]:
        """The cards still in it; a gate is locked when its power comes back."""
        if self._packed[0] != self.cards:
            self._packed = self.cards.copy(), packed(self.cards)
        return {
            "cards": self._packed[1],
            "cut": self.cut,
            "drawn": self.drawn,
            "lid_open": self.lid_open,
        }

    def restore(self, memory: Mapping[str, Any]) -> None:
        """See :meth:`remembered`."""
        self.cards = unpacked(memory["cards"])
        self.cut, self.drawn = memory["cut"], memory["drawn"]
        self.lid_open = memory["lid_open"]

    def _draw(self, marks: Mapping[str, bool]) -> Card:
        card = self.cards.pop(0)
        flags = card.flags | (0 if self.unlocked else FORCED)
        for mark, bit in DRAWING_MARKS:
            flags |= bit if marks.get(mark) else 0
        unread = bool(marks.get("unread"))
        seen = Card(0 if unread else card.rank, 0 if unread else card.suit, flags, card.uid)
        self.drawn += 1
        if self.unlocked and self.allowance:
            self.allowance -= 1
            self.unlocked = self.allowance > 0
        self.body.emit(
            "CARD",
            {
                "rank": seen.rank,
                "suit": seen.suit,
                "flags": seen.flags,
                "card_uid": seen.uid,
                "remaining": len(self.cards),
            },
        )
        if self.cut and len(self.cards) == self.cut:
            self.body.emit("CUTTING_CARD", {"remaining": len(self.cards)})
        if not self.cards:
            self._tell_state()
        return seen

    def _gate(self, unlocked: bool, cards: int) -> None:
        self.unlocked, self.allowance = unlocked, cards
        self._reach()

    def _reach(self) -> None:
        if not (self.auto and self.unlocked and self.cards):
            self._hand_at = None
        elif self._hand_at is None:
            pace_s = self.pace_ms / 1000 * self._random.uniform(0.7, 1.3)
            self._hand_at = self.body.now + pace_s

    def _tell_state(self) -> None:
        self.body.emit(*self._state_event())

    def _state_event(self) -> Event:
        state = LID_OPEN if self.lid_open else LOADED if self.cards else EMPTY
        if self.faults:
            state = FAULT
        return "SHOE_STATE", {"state": state, "remaining": len(self.cards)}


def _parsed(cards: list[str] | str) -> list[Card]:
    names = cards.split() if isinstance(cards, str) else cards
    return [parse_card(text) for text in names]
