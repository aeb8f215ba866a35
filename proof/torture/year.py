"""A year at a table as its journal holds it: real rounds of the real table, as fast as they come.

A dealer who draws to 16, players on three boxes with side wagers, the button pressed, a new shoe
when the old one runs low, a new start with new sessions of every device each day and the report
before opening, and a snapshot wherever the daemon would write one. What is left out is all that
costs time and leaves no entry: lines, loop, and waiting.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from controller import ENGINE_VERSION, __version__
from controller.daemon.quiet_moments import EVERY
from controller.daemon.readiness.report import WHOLE
from controller.draw.generator import Drawn, draw
from controller.draw.weights import Weights
from controller.forms.json_values import JsonObject
from controller.game.rules.cards import Card, hand_total
from controller.journal.model import Draft
from controller.journal.schema import FORMAT
from controller.replay.counted_table import CountedTable
from controller.replay.replay import SNAPSHOT, draft_of
from controller.table.events.event import Event, Reported
from controller.table.outcome import Outcome
from controller.table.settings import Settings
from hil_tests.benches.driven_table import TableInProcess

ROUNDS_A_DAY: Final = 1000
STAND_FROM: Final = 16
LOW_SHOE: Final = 60
"""Cards in the shoe below which the dealer has it changed between rounds."""
DEVICES: Final = ("shoe", "jackpot")
"""All that this play needs; a table without a meter has the shoe alone."""


class Year(TableInProcess):
    """Plays on for ever from where ``counted`` stands, between rounds; ``rounds`` have been played.
    ``said`` is what its start records say besides: of signing, of the files that it runs."""

    user = "dealer"

    def __init__(
        self, settings: Settings, seed: int, counted: CountedTable, said: JsonObject | None = None
    ) -> None:
        super().__init__(settings)
        self._said = said or {}
        self.counted, self.table = counted, counted.table
        self.rounds = 0
        self._chance = Random(seed)
        self._shoe: list[Card] = []
        self._begun = False
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

    def take_event(self, event: Event) -> Outcome:
        """One event, with its draft."""
        outcome = self.counted.apply(event)
        self._t_ms += 900
        t_ms = self._t_ms % (1 << 32) if isinstance(event, Reported) else None
        self._drafts.append(draft_of(event, outcome, t_ms=t_ms))
        return outcome

    def _begin_day(self) -> None:
        """The controller starts, and every device with a new session."""
        if self._begun:
            self.apply("stop", {})
        self._begun = True
        versions = {"controller": __version__, "engine": ENGINE_VERSION, "format": FORMAT}
        body = {"boot_id": "soak", "settings": self.settings.dump(), "versions": versions}
        self.apply("start", {**body, "first_offer": 1, "differences": [], **self._said})
        session = self._chance.getrandbits(31)
        for at, name in enumerate(self.settings.devices):
            self.sessions[name] = session + at
            self.up(name, new_session=True)
        self.load()
        self._report()

    def _report(self) -> None:
        """A supervisor asks whether the table is ready, before it is opened."""
        total = self.counted.counters.total
        counted = {name: getattr(total, name) for name in WHOLE}
        check = {"name": "table", "ok": True, "what": "nothing holds play", "next_step": ""}
        report = {"ready": True, "checks": [check], "counted": counted, "at": "that morning"}
        self.apply("readiness", {**report, "user": "floor"})

    def load(self) -> None:
        """A shuffled shoe."""
        ranks = [
            rank for rank in range(1, 14) if rank != 10 or self.settings.rules.cards.tens.value
        ]
        deck = [Card(rank, suit) for rank in ranks for suit in range(1, 5)]
        self._shoe = deck * self.settings.decks
        self._chance.shuffle(self._shoe)
        self.device("shoe", "SHOE_STATE", state=0, remaining=0)
        super().load()

    def _round(self) -> None:
        table, chance = self.table, self._chance
        if len(self._shoe) < LOW_SHOE:
            self.load()
        self.give_commands("open")
        if not table.betting.sheet.boxes:
            self.give_commands(*(f"wager {box} main {10 * box}" for box in (1, 2, 3)))
        if chance.random() < 0.3:
            self.give_commands("wager 2 pair 5")
        if chance.random() < 0.5:
            self.give_commands(f"wager {chance.choice((1, 3))} pandemonium 5")
        self.give_commands("close")
        while table.phase == "playing":
            self._go_on()
        self.give_commands("next")

    def _go_on(self) -> None:
        """What is awaited comes."""
        table = self.table
        offer, rnd = table.jackpot.offer, table.rnd
        assert rnd
        match rnd.state:
            case "jackpot.armed":
                self.press()
            case "jackpot.drawing" if offer and offer.multiplier is None:
                answers = {"session": self.sessions["jackpot"], "event_no": self.numbers["jackpot"]}
                body = {"box": offer.box, "press": answers, **self._drawn().as_body()}
                self.apply("draw", body, offer=offer.number)
            case "jackpot.drawing":
                assert offer
                self.meter_shows(offer.multiplier or 0)
            case "play.decide" if (
                rnd.hand_in_turn and hand_total(rnd.hand_in_turn.cards) >= STAND_FROM
            ):
                self.give_commands(f"stand {rnd.hand_in_turn.box}")
            case "offers.open" | "jackpot.paying":
                self.give_commands("done")
            case _ if table.gate_cards:
                self._card()
            case _:
                self.give_commands("done")

    def _card(self) -> None:
        card = self._shoe.pop()
        self.device(
            *("shoe", "CARD"),
            rank=card.rank,
            suit=card.suit,
            flags=0,
            card_uid=self._chance.getrandbits(32),
            remaining=len(self._shoe),
        )

    def _drawn(self) -> Drawn:
        return draw(Weights(self.settings.weights), self._chance.getrandbits)
