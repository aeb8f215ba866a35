"""A day of the screens in fast-forward: what grows with it, and what does not.

As many rounds as a table deals in a day are dealt before two dealer's pages and the sign, every
fourteenth with seven presses of the button. Whatever the console does at intervals (the question
whether the table answers, the sign of life to each page) comes as many times as often as the day is
shortened; on a machine that is too slow the day takes longer, and has as many of them. The table's
own clock goes as ever.

Of ten parts the last three are held against the first three; of the processor's time the first
part, in which scripts are compiled, is left out. The heap is that of the page that acts, and what
counts is the least at the end of a part, once its garbage is collected: more may just not have been
let go yet. The page's processor time is that of the thread that runs its scripts and lays it out,
the console's that of its process; both by what the page was told.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from proof.benchmarks.console.pages import WITH_SIGN, ConsoleUnderMeasure, FollowedPage
from proof.benchmarks.figures import Figure, over
from proof.benchmarks.play import Rounds
from proof.benchmarks.table import Table

PARTS: Final = 10
SEVERAL: Final = 3
WITH_BUTTON: Final = 14
"""Every such round is one with the button."""
DAY_S: Final = 86_400
FLAT: Final = 1.1


@dataclass(frozen=True, slots=True)
class Standing:
    """At the end of a part: what is held, and the processor's time so far."""

    heap_bytes: float
    nodes: float
    listeners: float
    resident_kib: int
    page_s: float
    console_s: float
    changes: int
    alive: int

    def page_us(self, before: Standing) -> float:
        """Processor time of the page, a change."""
        return (self.page_s - before.page_s) / (self.changes - before.changes) * 1e6

    def console_us(self, before: Standing) -> float:
        """Of the console's process, a change."""
        return (self.console_s - before.console_s) / (self.changes - before.changes) * 1e6


def of_day(table: Table, console: ConsoleUnderMeasure, rounds: int, day_s: float) -> list[Figure]:
    """Deal that many rounds in that time."""
    console.start(times=DAY_S / day_s)
    page, *_ = console.open_pages(WITH_SIGN)
    console.attended(page.count_events)
    play, dealt, begun = Rounds(table), 0, time.monotonic()
    stands = []
    for part in range(1, PARTS + 1):
        while dealt < rounds * part // PARTS:
            play.presses() if dealt % WITH_BUTTON == 0 else play.cards()
            dealt += 1
            due = begun + day_s * dealt / rounds
            while (left := due - time.monotonic()) > 0:
                table.serve(left)
        stands.append(_standing(console, page))
    took_s = time.monotonic() - begun
    console.stop()
    early, later, last = stands[:SEVERAL], stands[-SEVERAL:], stands[-1]
    first, until, since = stands[0], stands[SEVERAL], stands[-SEVERAL - 1]

    def least(held: Callable[[Standing], float]) -> tuple[float, float]:
        return min(map(held, later)), min(map(held, early))

    kept = (
        ("a day: heap, its end against its begin", *least(lambda one: one.heap_bytes), "bytes"),
        ("  nodes of the page", *least(lambda one: one.nodes), ""),
        ("  listeners of the page", *least(lambda one: one.listeners), ""),
        ("  console's memory (RSS)", *least(lambda one: one.resident_kib), "KiB"),
        ("  page's processor, a change", last.page_us(since), until.page_us(first), "us"),
        ("  console's processor", last.console_us(since), until.console_us(first), "us"),
    )
    return [
        *(over(name, end, begin, unit, FLAT) for name, end, begin, unit in kept),
        Figure("  changes shown", last.changes, None, last.changes / rounds, "a round"),
        Figure("  signs of life", last.alive, None, last.alive / took_s, "a second"),
        Figure("  it took", took_s, day_s, took_s / day_s, "s"),
    ]


def _standing(console: ConsoleUnderMeasure, page: FollowedPage) -> Standing:
    assert console.process
    process = console.process

    def take_standing() -> Standing:
        heap = page.heap_bytes()  # what is let go is collected, nodes with it
        counted, events = page.metrics(), page.events()
        return Standing(
            heap,
            counted["Nodes"],
            counted["JSEventListeners"],
            process.resident_kib(),
            counted["ThreadTime"],
            process.processor_s(),
            events["state"],
            events["alive"],
        )

    return console.attended(take_standing)
