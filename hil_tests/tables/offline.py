"""A table without devices: the same engine, for what has to be known beforehand.

The demo looks here for a shuffled shoe in which something happens. The cards come in the order in
which a simulated shoe of the same seed gives them; nothing is arranged.
"""

from __future__ import annotations

from controller.control.client import RefusedByController
from controller.files.rules import load_rules
from controller.game.round.refusal import Refused
from controller.game.round.wagers import Limits
from controller.table.apply import apply
from controller.table.events.reading import read_event
from controller.table.settings import Settings
from controller.table.showing.status import status
from controller.table.state.table import Table
from hil_tests.bench.interface import Json
from hil_tests.bench.setup import Setup
from hil_tests.people.record import HERE, Record
from simulators.cards import RANKS, SUITS, Card, shuffled

LOADED = 1
LIMITS = Limits(min=1000, max=500_000, side_min=100, side_max=50_000, increment=100)


class OfflineTable:
    """A table, a shuffled shoe, and nobody there."""

    def __init__(self, setup: Setup, seed: int, multiplier: int = 2) -> None:
        self.setup = setup
        self._multiplier = multiplier
        self.record = Record(setup.rules, setup.limits)
        self._table = Table()
        self._numbers = dict.fromkeys(setup.devices, 0)
        rules = load_rules(setup.rules, HERE)
        settings = Settings(
            setup.table, rules, setup.decks, setup.boxes, LIMITS, setup.devices, setup.spin_ms
        )
        self._full = settings.shoe_size
        self._cards: list[Card] = []
        apply(self._table, read_event("start", {"boot_id": "paper", "settings": settings.dump()}))
        for name in setup.devices:
            up = {"up": True, "serial": name, "new_session": True, "taken": 0}
            apply(self._table, read_event("link", up, device=name, session=1))
        self.load(seed)

    def load(self, seed: int) -> None:
        """Another shoe, shuffled from ``seed``."""
        tens = bool(self._table.rules.cards.tens.value)
        self._cards = shuffled(self.setup.decks, seed, tens=tens)
        self._device("shoe", "SHOE_STATE", {"state": LOADED, "remaining": self._full})

    @property
    def remaining(self) -> int:
        """Cards left in the shoe."""
        return len(self._cards)

    @property
    def status(self) -> Json:
        """The state."""
        return dict(status(self._table))

    def enter(self, command: str) -> Json:
        """An entry; the gate is locked for it at once."""
        try:
            outcome = apply(self._table, read_event("dealer", {"command": command}))
        except Refused as refused:
            raise RefusedByController({"kind": "refused", "reason": refused.reason}) from refused
        if outcome.entry is not None:
            locked = {"entry": outcome.entry, "last_event": self._numbers["shoe"]}
            [answer] = apply(self._table, read_event("gate", locked, device="shoe")).answered
            if answer.refused:
                raise RefusedByController({"kind": "refused", "reason": answer.refused})
        self.record.note_command(command)
        return {}

    def card(self) -> str:
        """The next card."""
        before, card = self.status, self._cards.pop(0)
        self._leave(card)
        name = RANKS[card.rank - 1].replace("10", "T") + SUITS[card.suit - 1]
        self.record.card(name, before)
        return name

    def burn_where_due(self) -> None:
        """The first card of a new shoe, where the rules burn it."""
        if self.status["shoe"]["burn_due"]:
            self.enter("burn")
            self._leave(self._cards.pop(0))

    def press(self) -> int:
        """The button; the multiplier is the one this table was told."""
        offer = self.status["offer"]
        number, body = offer["offer"], {"multiplier": self._multiplier}
        self._device("jackpot", "PRESS", {"offer_id": number})
        apply(self._table, read_event("draw", {"box": offer["box"], **body}, offer=number))
        self._device("jackpot", "SHOWN", {"offer_id": number, **body})
        self.record.press(offer["box"], self._multiplier)
        return self._multiplier

    def _leave(self, card: Card) -> None:
        self._device("shoe", "CARD", {"rank": card.rank, "suit": card.suit, "flags": 0})

    def _device(self, device: str, kind: str, body: Json) -> None:
        self._numbers[device] += 1
        event = read_event(kind, body, device=device, session=1, event_no=self._numbers[device])
        apply(self._table, event)
