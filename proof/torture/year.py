"""A year at a table as its journal holds it: real rounds of the real table, as fast as they come.

A dealer who draws to 16, players on three boxes with side wagers, the button pressed, a new shoe
when the old one runs low, a new start with new sessions of every device each day and the report
before opening, and a snapshot wherever the daemon would write one. What is left out is all that
costs time and leaves no entry: lines, loop, and waiting.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final

from controller import ENGINE_VERSION, __version__
from controller.daemon.quiet_moments import EVERY
from controller.daemon.readiness.report import WHOLE
from controller.draw.generator import Drawn, draw
from controller.draw.weights import Weights
from controller.forms.json_values import JsonObject
from controller.game.rules.cards import Card
from controller.game.rules.hands import hand_total
from controller.journal.model import Draft
from controller.journal.schema import FORMAT
from controller.replay.counted_table import CountedTable
from controller.replay.replay import SNAPSHOT, draft_of
from controller.table.events.event import Event, Reported
from controller.table.events.reading import read_event
from controller.table.settings import Settings

ROUNDS_A_DAY: Final = 1000
STAND_FROM: Final = 16
LOW_SHOE: Final = 60
"""Cards in the shoe below which the dealer has it changed between rounds."""
DEVICES: Final = ("shoe", "jackpot")
"""All that this play needs; a table without a meter has the shoe alone."""


class Year:
    """Plays on for ever from where ``counted`` stands, between rounds; ``rounds`` have been played.
    ``said`` is what its start records say besides: of signing, of the files that it runs."""

    def __init__(
        self, settings: Settings, seed: int, counted: CountedTable, said: JsonObject | None = None
    ) -> None:
        self._said = said or {}
        self.settings = settings
        self.counted = counted
        self.rounds = 0
        self._chance = Random(seed)
        self._shoe: list[Card] = []
        self._session = 0
        self._numbers = dict.fromkeys(settings.devices, 0)
        self._since = 0
        self._t_ms = 0
        self._drafts: list[Draft] = []

    def drafts(self) -> Iterator[list[Draft]]:
        """What a round leaves in the journal, round by round; days begin and snapshots are among
        it."""
        while True:
            if self.rounds % ROUNDS_A_DAY == 0:
                self._begin_day()
            self._round()
            self.rounds += 1
            yield self._take_drafts()

    def _take_drafts(self) -> list[Draft]:
        self._since += len(self._drafts)
        if self._since >= EVERY and self.counted.quiet:
            self._drafts.append(Draft(SNAPSHOT, self.counted.dump()))
            self._since = 0
        taken, self._drafts = self._drafts, []
        return taken

    # ---- what happens -------------------------------------------------------------------------

    def _apply(self, event: Event) -> None:
        outcome = self.counted.apply(event)
        self._t_ms += 900
        t_ms = self._t_ms % (1 << 32) if isinstance(event, Reported) else None
        self._drafts.append(draft_of(event, outcome, t_ms=t_ms))

    def _device(self, name: str, kind: str, body: dict[str, Any]) -> None:
        self._numbers[name] += 1
        session = self._session + self.settings.devices.index(name)
        self._apply(read_event(kind, body, name, session, self._numbers[name]))

    def _give_command(self, command: str) -> None:
        self._apply(read_event("dealer", {"command": command, "user": "dealer"}))
        if (pending := self.counted.table.entering.pending) is not None:
            self._locked(pending.number)

    def _locked(self, entry: int) -> None:
        """The gate is locked for what was said."""
        body = {"entry": entry, "last_event": self._numbers["shoe"]}
        self._apply(read_event("gate", body, "shoe"))

    def _begin_day(self) -> None:
        """The controller starts, and every device with a new session."""
        if self._session:
            self._apply(read_event("stop", {}))
        versions = {"controller": __version__, "engine": ENGINE_VERSION, "format": FORMAT}
        body = {
            "boot_id": "soak",
            "settings": self.settings.dump(),
            "versions": versions,
            "first_offer": 1,
            "differences": [],
            **self._said,
        }
        self._apply(read_event("start", body))
        self._session = self._chance.getrandbits(31)
        for at, name in enumerate(self.settings.devices):
            self._numbers[name] = 0
            body = {
                "up": True,
                "kind": name,
                "serial": f"{name}-1",
                "firmware": [1, 0, 0],
                "new_session": True,
                "last_event": 0,
                "taken": 0,
                "down_since": None,
            }
            self._apply(read_event("link", body, name, self._session + at))
        self._load()
        self._report()

    def _report(self) -> None:
        """A supervisor asks whether the table is ready, before it is opened."""
        total = self.counted.counters.total
        counted = {name: getattr(total, name) for name in WHOLE}
        check = {"name": "table", "ok": True, "what": "nothing holds play", "next_step": ""}
        report = {"ready": True, "checks": [check], "counted": counted, "at": "that morning"}
        self._apply(read_event("readiness", {**report, "user": "floor"}))

    def _load(self) -> None:
        """A shuffled shoe."""
        ranks = [
            rank for rank in range(1, 14) if rank != 10 or self.settings.rules.cards.tens.value
        ]
        deck = [Card(rank, suit) for rank in ranks for suit in range(1, 5)]
        self._shoe = deck * self.settings.decks
        self._chance.shuffle(self._shoe)
        for state, remaining in ((0, 0), (1, len(self._shoe))):
            self._device("shoe", "SHOE_STATE", {"state": state, "remaining": remaining})

    def _round(self) -> None:
        table, chance = self.counted.table, self._chance
        if len(self._shoe) < LOW_SHOE:
            self._load()
        self._give_command("open")
        if not table.betting.sheet.boxes:
            for box in (1, 2, 3):
                self._give_command(f"wager {box} main {10 * box}")
        if chance.random() < 0.3:
            self._give_command("wager 2 pair 5")
        if chance.random() < 0.5:
            self._give_command(f"wager {chance.choice((1, 3))} pandemonium 5")
        self._give_command("close")
        while table.phase == "playing":
            self._go_on()
        self._give_command("next")

    def _go_on(self) -> None:
        """What is awaited comes."""
        table = self.counted.table
        offer, rnd = table.jackpot.offer, table.rnd
        assert rnd
        match rnd.state:
            case "jackpot.armed":
                assert offer
                self._device("jackpot", "PRESS", {"offer_id": offer.number})
            case "jackpot.drawing" if offer and offer.multiplier is None:
                answers = {"session": self._session + 1, "event_no": self._numbers["jackpot"]}
                body = {"box": offer.box, "press": answers, **self._drawn().as_body()}
                self._apply(read_event("draw", body, offer=offer.number))
            case "jackpot.drawing":
                assert offer
                body = {"offer_id": offer.number, "multiplier": offer.multiplier or 0}
                self._device("jackpot", "SHOWN", body)
            case "play.decide" if (
                rnd.hand_in_turn and hand_total(rnd.hand_in_turn.cards) >= STAND_FROM
            ):
                self._give_command(f"stand {rnd.hand_in_turn.box}")
            case "offers.open" | "jackpot.paying":
                self._give_command("done")
            case _ if table.gate_cards:
                self._card()
            case _:
                self._give_command("done")

    def _card(self) -> None:
        card = self._shoe.pop()
        body = {
            "rank": card.rank,
            "suit": card.suit,
            "flags": 0,
            "card_uid": self._chance.getrandbits(32),
            "remaining": len(self._shoe),
        }
        self._device("shoe", "CARD", body)

    def _drawn(self) -> Drawn:
        return draw(Weights(self.settings.weights), self._chance.getrandbits)
