"""Rounds of play with all seven boxes, measured: every card, and every press of the button.

One kind of round deals 17 to everybody, who stand: 16 cards, seven decisions that wait for the
gate. The other deals a Pontoon and a winning Pandemonium wager to every box: seven presses.
After every measurement the floors are measured once, each after the same rest (``--rest-ms``), so
that all meet the same machine. At a table seconds pass between two cards: a long rest shows figure
and floor as a machine gives them that has gone to sleep in between.
"""

from __future__ import annotations

import statistics
from itertools import cycle
from typing import Protocol

from controller.configuration.reading import load_configuration
from controller.daemon.runtime import settings_of
from hil_tests.floor.sending import SentJournal, cosigned
from proof.benchmarks.floor import Floor
from proof.benchmarks.table import Table

BOXES = range(1, 8)
NINE, EIGHT, ACE, KING = 9, 8, 1, 13


Sample = tuple[float, float, float]
"""Microseconds of what was measured, of a bare commit, and of an echo over a line."""


class Answering(Protocol):
    """A process at the other end of a line: :class:`proof.benchmarks.echo.Echo`, say."""

    def round_trip_us(self) -> float:
        """Microseconds from a frame to what it answers."""


class PlayBenchmark:
    """Plays rounds; ``cards_us`` and ``presses_us`` are what was measured."""

    def __init__(self, table: Table, floor: Floor, echo: Answering) -> None:
        self._table = table
        self._floor = floor
        self._echo = echo
        self._suits = cycle((1, 2, 3, 4))
        self._shoe_size = settings_of(load_configuration(table.configuration)).shoe_size
        self.cards_us: list[Sample] = []
        self.presses_us: list[Sample] = []

    def forget(self) -> None:
        """Drop what was measured so far: it was to warm up."""
        self.cards_us.clear()
        self.presses_us.clear()

    def _sample(self, ours_us: float) -> Sample:
        self._table.rest()
        floor_us = self._floor.commit_us()
        self._table.rest()
        echo_us = self._echo.round_trip_us()
        self._table.rest()
        return ours_us, floor_us, echo_us

    def cards(self) -> None:
        """A round in which everybody stands on 17."""
        self._begin(["main"])
        for rank in [NINE] * 8 + [EIGHT] * 7:
            self._card(rank)
        self._table.dealer(*(f"stand {box}" for box in BOXES))
        self._card(EIGHT)
        self._table.dealer("next")

    def presses(self) -> None:
        """A round in which every box wins the button."""
        table, unit = self._table, self._table.devices["jackpot"]
        unit.commanded.clear()
        self._begin(["main", "pandemonium"])
        for rank in [ACE] * 7 + [NINE] + [KING] * 7:
            self._card(rank)
        for _ in BOXES:
            table.commanded("jackpot", "ARM")
            offer = unit.commanded["ARM"][0]["offer_id"]
            unit.commanded.clear()
            begun = unit.emit("PRESS", {"offer_id": offer})
            shown = table.commanded("jackpot", "SHOW")
            self.presses_us.append(self._sample((shown - begun) / 1000))
            multiplier = unit.commanded["SHOW"][0]["multiplier"]
            unit.emit("SHOWN", {"offer_id": offer, "multiplier": multiplier})
            number = unit.last_event
            table.wait(lambda number=number: unit.acked >= number)  # type: ignore[misc]
            table.dealer("done")
        status = table.ask("status")
        if "done" in status["permitted"]:
            table.dealer("done")
        table.dealer("next")

    def _begin(self, kinds: list[str]) -> None:
        table = self._table
        table.timed("shoe", "SHOE_STATE", state=1, remaining=self._shoe_size)
        table.dealer("open")
        for box in BOXES:
            table.dealer(*(f"wager {box} {kind} {10 if kind == 'main' else 1}" for kind in kinds))
        table.dealer("close")

    def _card(self, rank: int) -> None:
        shoe = self._table.devices["shoe"]
        self._table.wait(lambda: shoe.allowance > 0)
        card = {"rank": rank, "suit": next(self._suits), "flags": 0, "card_uid": 305419896}
        took = self._table.timed("shoe", "CARD", remaining=0xFFFF, **card)
        self.cards_us.append(self._sample(took))


class SentOrNot:
    """Halves of pairs: the same cards while the journal is sent to a floor, and while it is not."""

    def __init__(self, table: Table, play: PlayBenchmark, sent: SentJournal) -> None:
        self._table = table
        self._play = play
        self._process = sent.process

    def pair_us(self, rounds: int, *, sent_first: bool) -> tuple[float, float]:
        """Medians of card to acknowledgement over so many rounds: sent, and not sent."""
        first = self._half_us(rounds, sent=sent_first)
        second = self._half_us(rounds, sent=not sent_first)
        return (first, second) if sent_first else (second, first)

    def _half_us(self, rounds: int, *, sent: bool) -> float:
        if sent:
            self._process.start()
            self._until_level()
        self._play.forget()
        for _ in range(rounds):
            self._play.cards()
        if sent:
            self._until_level()  # it did send meanwhile
            self._process.stop()
        return statistics.median(ours for ours, _, _ in self._play.cards_us)

    def _until_level(self) -> None:
        def level() -> bool:
            status = self._table.ask("status")
            return cosigned(status) >= int(status["journal"]["sealed_to"]) > 0

        self._table.wait(level)
