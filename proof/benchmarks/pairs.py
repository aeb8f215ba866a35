"""Pairs of card to acknowledgement: the same cards while something runs beside the table, and while
it does not, in turn. A pair's ratio should stay within 5 %, or within the spread of the halves
without.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Final

from hil_tests.floor.sending import SentJournal, cosigned
from proof.benchmarks.figures import Figure, over
from proof.benchmarks.play import PlayBenchmark
from proof.benchmarks.table import Table

WARM_UP_ROUNDS: Final = 3
NEAR: Final = 1.05

Beside = Callable[[], AbstractContextManager[None]]
"""Runs as long as the context is entered."""


def in_pairs(
    name: str, play: PlayBenchmark, beside: Beside, count: int, rounds: int
) -> list[Figure]:
    """So many pairs, with it and without, of so many rounds each; every second one begins without.
    One more before them is to warm up."""
    _pair_us(play, beside, WARM_UP_ROUNDS, with_first=True)
    pairs = [_pair_us(play, beside, rounds, with_first=bool(number % 2)) for number in range(count)]
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


def _pair_us(
    play: PlayBenchmark, beside: Beside, rounds: int, *, with_first: bool
) -> tuple[float, float]:
    first = _half_us(play, beside if with_first else nullcontext, rounds)
    second = _half_us(play, nullcontext if with_first else beside, rounds)
    return (first, second) if with_first else (second, first)


def _half_us(play: PlayBenchmark, beside: Beside, rounds: int) -> float:
    with beside():
        play.forget()
        for _ in range(rounds):
            play.cards()
    return statistics.median(ours for ours, _, _ in play.cards_us)


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
