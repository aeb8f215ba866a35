"""Rounds of play with all seven boxes, measured: every card, and every press of the button.

One kind of round deals 17 to everybody, who stand: 16 cards, seven decisions that wait for the
gate. The other deals a Pontoon and a winning Pandemonium wager to every box: seven presses.
After every measurement the floors are measured once, each after the same rest (``--rest-ms``), so
that all meet the same machine. At a table seconds pass between two cards: a long rest shows figure
and floor as a machine gives them that has gone to sleep in between.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import cycle
from typing import Final

from controller.configuration.reading import load_configuration
from controller.daemon.runtime import settings_of
from hil_tests.floor.house import SentJournal, cosigned
from proof.benchmarks.figures import Figure, over
from proof.benchmarks.floor import Echo, Floor
from proof.benchmarks.table import Table

BOXES = range(1, 8)
NINE, EIGHT, ACE, KING = 9, 8, 1, 13


Sample = tuple[float, float, float]
"""Microseconds of what was measured, of a bare commit, and of an echo over a line."""


class Rounds:
    """Plays rounds as quickly as the table goes; whoever measures does so in :meth:`_card` and
    :meth:`_pressed`."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._suits = cycle((1, 2, 3, 4))
        self._shoe_size = settings_of(load_configuration(table.configuration)).shoe_size

    def cards(self) -> None:
        """A round in which everybody stands on 17."""
        self._begin_round(["main"])
        for rank in [NINE] * 8 + [EIGHT] * 7:
            self._card(rank)
        self._table.dealer(*(f"stand {box}" for box in BOXES))
        self._card(EIGHT)
        self._table.dealer("next")

    def presses(self) -> None:
        """A round in which every box wins the button."""
        table, unit = self._table, self._table.devices["jackpot"]
        unit.commanded.clear()
        self._begin_round(["main", "pandemonium"])
        for rank in [ACE] * 7 + [NINE] + [KING] * 7:
            self._card(rank)
        for _ in BOXES:
            table.commanded("jackpot", "ARM")
            offer = unit.commanded["ARM"][0]["offer_id"]
            unit.commanded.clear()
            begun = unit.emit("PRESS", {"offer_id": offer})
            self._pressed((table.commanded("jackpot", "SHOW") - begun) / 1000)
            multiplier = unit.commanded["SHOW"][0]["multiplier"]
            unit.emit("SHOWN", {"offer_id": offer, "multiplier": multiplier})
            number = unit.last_event
            table.wait(lambda number=number: unit.acked >= number)  # type: ignore[misc]
            table.dealer("done")
        status = table.answer_to("status")
        if "done" in status["permitted"]:
            table.dealer("done")
        table.dealer("next")

    def _begin_round(self, kinds: list[str]) -> None:
        table = self._table
        table.timed("shoe", "SHOE_STATE", state=1, remaining=self._shoe_size)
        table.dealer("open")
        for box in BOXES:
            table.dealer(*(f"wager {box} {kind} {10 if kind == 'main' else 1}" for kind in kinds))
        table.dealer("close")

    def _draw(self, rank: int) -> int:
        """Draw a card as soon as the gate lets it through; when its frame was on the wire."""
        shoe = self._table.devices["shoe"]
        self._table.wait(lambda: shoe.allowance > 0)
        card = {"rank": rank, "suit": next(self._suits), "flags": 0, "card_uid": 305419896}
        return self._table.sent("shoe", "CARD", remaining=0xFFFF, **card)

    def _card(self, rank: int) -> float:
        """Draw a card; microseconds from its frame to its acknowledgement."""
        return self._table.acknowledged_us("shoe", self._draw(rank))

    def _pressed(self, took_us: float) -> None:
        """A press took so long to the ``SHOW``."""


class PlayBenchmark(Rounds):
    """Plays rounds; ``cards_us`` and ``presses_us`` are what was measured."""

    def __init__(self, table: Table, floor: Floor, echo: Echo) -> None:
        super().__init__(table)
        self._floor = floor
        self._echo = echo
        self.cards_us: list[Sample] = []
        self.presses_us: list[Sample] = []

    def forget(self) -> None:
        """Drop what was measured so far: it was to warm up."""
        self.cards_us.clear()
        self.presses_us.clear()

    def _card(self, rank: int) -> float:
        took_us = super()._card(rank)
        self.cards_us.append(self._sample(took_us))
        return took_us

    def _pressed(self, took_us: float) -> None:
        self.presses_us.append(self._sample(took_us))

    def _sample(self, ours_us: float) -> Sample:
        self._table.rest()
        floor_us = self._floor.commit_us()
        self._table.rest()
        echo_us = self._echo.round_trip_us()
        self._table.rest()
        return ours_us, floor_us, echo_us


WARM_UP_ROUNDS: Final = 3
NEAR: Final = 1.05

Beside = Callable[[], AbstractContextManager[None]]
"""Runs as long as the context is entered."""


def in_pairs(
    name: str, play: PlayBenchmark, beside: Beside, count: int, rounds: int
) -> list[Figure]:
    """So many pairs, with it and without, of so many rounds each; every second one begins without.
    One more before them is to warm up."""

    def half_us(what: Beside, rounds: int) -> float:
        with what():
            play.forget()
            for _ in range(rounds):
                play.cards()
        return statistics.median(ours for ours, _, _ in play.cards_us)

    pairs = []
    for number in range(-1, count):
        ways = (beside, nullcontext) if number % 2 else (nullcontext, beside)
        first, second = (half_us(way, rounds if number >= 0 else WARM_UP_ROUNDS) for way in ways)
        pairs.append((first, second) if number % 2 else (second, first))
    pairs = pairs[1:]
    ours, without = zip(*pairs, strict=True)
    spread = max(without) / min(without)
    ratio = statistics.median(one / other for one, other in pairs)
    middle, bare = statistics.median(ours), statistics.median(without)
    aim = round(max(NEAR, spread), 3)
    return [
        Figure(f"card, {name}, median of {count} pairs", middle, bare, ratio, "us", aim),
        over("  the slowest half with it, the fastest", max(ours), min(ours), "us"),
        over("  the slowest half without, the fastest", max(without), min(without), "us"),
    ]


@contextmanager
def sending(table: Table, journal: SentJournal) -> Iterator[None]:
    """The table's journal is sent to a floor, and it is level before and behind."""

    def level() -> bool:
        status = table.answer_to("status")
        return cosigned(status) >= int(status["journal"]["sealed_to"]) > 0

    journal.process.start()
    table.wait(level)
    yield
    table.wait(level)  # it did send meanwhile
    journal.process.stop()
