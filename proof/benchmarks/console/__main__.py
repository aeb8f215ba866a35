"""What the console takes of a table's time, and how late its page is. Real daemon, lines, console
and Chromium; two pages follow.

- *Start*: from the process's start until its first page is served.
- *Memory* of the console's process with two pages connected: all that it has in memory (RSS), and
  its share of it (PSS).
- *Card to page*: from just before a card's frame is written to the shoe's line until two animation
  frames behind the change of the page: the card is there only once it is committed. One clock
  (:mod:`proof.benchmarks.console.pages`). Before each card nothing is sent for ``--rest-ms``.
- *Pairs* of card to acknowledgement, with the console and two pages, and without either.
- *A day* in fast-forward. As many rounds as a table deals in a day are dealt before two dealer's
  pages and the sign, every fourteenth with seven presses of the button. Whatever the console does
  at intervals (the question whether the table answers, the sign of life to each page) comes as many
  times as often as the day is shortened; on a machine that is too slow the day takes longer, and
  has as many of them. The table's own clock goes as ever. Of ten parts the last three are held
  against the first three; of the processor's time the first part, in which scripts are compiled, is
  left out. The heap is that of the page that acts, and what counts is the least at the end of a
  part, once its garbage is collected: more may just not have been let go yet. The page's processor
  time is that of the thread that runs its scripts and lays it out, the console's that of its
  process; both by what the page was told.

A part whose number is 0 is left out. Nothing here fails: an aim that is missed is printed as such.

Run: ``python -m proof.benchmarks.console [--starts N] [--cards N] [--pairs N] [--rounds N]
[--rest-ms MS] [--rounds-a-day N] [--day-seconds S] [--directory DIR] [--json]``
"""

from __future__ import annotations

import argparse
import statistics
import time
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Final

from hil_tests.browser.chromium import Chromium
from proof.benchmarks.console.pages import WITH_SIGN, ConsoleUnderMeasure, FollowedPage
from proof.benchmarks.figures import Figure, alone, late, over, print_measured
from proof.benchmarks.floor import Echo, Floor
from proof.benchmarks.play import PlayBenchmark, Rounds, in_pairs
from proof.benchmarks.table import Table


class ShownRounds(Rounds):
    """Plays rounds before a page: ``shown_ms`` is how long each card took to it, ``acked_ms`` to
    its acknowledgement."""

    def __init__(self, table: Table, console: ConsoleUnderMeasure, page: FollowedPage) -> None:
        super().__init__(table)
        self._console = console
        self._page = page
        self._lie = 0
        self.shown_ms: list[float] = []
        self.acked_ms: list[float] = []

    def _begin_round(self, kinds: list[str]) -> None:
        super()._begin_round(kinds)
        self._lie = 0

    def _card(self, rank: int) -> float:
        self._lie += 1
        self._console.attended(lambda: self._page.expect_cards(self._lie))
        self._table.rest()
        shown = self._console.future_of(self._page.shown_s)
        begun_ns = self._draw(rank)
        acked_us = self._table.acknowledged_us("shoe", begun_ns)
        shown_ms = self._console.awaited(shown) * 1000 - begun_ns / 1e6
        self.acked_ms.append(acked_us / 1000)
        self.shown_ms.append(shown_ms)
        return acked_us


def of_starts(console: ConsoleUnderMeasure, count: int) -> list[Figure]:
    """From the start to the first page, so often."""
    took = []
    for _ in range(count):
        took.append(console.start())
        console.stop()
    middle, most = statistics.median(took), max(took)
    return [
        alone(f"start to first page, median of {count}", middle, "s", 1.0),
        alone("  the slowest", most, "s"),
    ]


def of_pages(table: Table, console: ConsoleUnderMeasure, cards: int) -> list[Figure]:
    """Memory with two pages, and so many cards to one of them."""
    console.start()
    page, _ = console.open_pages()
    assert console.process
    rounds = ShownRounds(table, console, page)
    while len(rounds.shown_ms) < cards:
        rounds.cards()
    shown, acked = rounds.shown_ms[-cards:], rounds.acked_ms[-cards:]
    behind = [page_ms - line_ms for page_ms, line_ms in zip(shown, acked, strict=True)]
    middle, last, late_behind = statistics.median(shown), late(shown), late(behind)
    resident, share = (
        kib() / 1024 for kib in (console.process.resident_kib, console.process.memory_kib)
    )
    console.stop()
    return [
        alone("memory with two pages (RSS)", resident, "MiB", 30),
        alone("  its share (PSS)", share, "MiB"),
        Figure(f"card to page, median of {cards}", middle, statistics.median(acked), middle, "ms"),
        Figure("  99th of a hundred", last, late(acked), last, "ms", 100),
        alone("  99th behind its acknowledgement", late_behind, "ms"),
    ]


PARTS: Final = 10
SEVERAL: Final = 3
WITH_BUTTON: Final = 14
"""Every such round is one with the button."""
DAY_S: Final = 86_400
FLAT: Final = 1.1


HELD: Final = (
    ("a day: heap, its end against its begin", "heap", "bytes"),
    ("  nodes of the page", "Nodes", ""),
    ("  listeners of the page", "JSEventListeners", ""),
    ("  console's memory (RSS)", "resident", "KiB"),
)
USED: Final = (
    ("  page's processor, a change", "ThreadTime"),
    ("  console's processor", "processor"),
)
"""What is held, and used, by its name among what stands at the end of a part."""

Standing = dict[str, float]


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

    def least(name: str) -> tuple[float, float]:
        return min(one[name] for one in later), min(one[name] for one in early)

    def a_change_us(name: str, one: Standing, before: Standing) -> float:
        return (one[name] - before[name]) / (one["state"] - before["state"]) * 1e6

    used = (
        (title, a_change_us(name, last, since), a_change_us(name, until, first))
        for title, name in USED
    )
    changes, alive = last["state"], last["alive"]
    return [
        *(over(title, *least(name), unit, FLAT) for title, name, unit in HELD),
        *(over(title, end, begin, "us", FLAT) for title, end, begin in used),
        Figure("  changes shown", changes, None, changes / rounds, "a round"),
        Figure("  signs of life", alive, None, alive / took_s, "a second"),
        over("  it took", took_s, day_s, "s"),
    ]


def _standing(console: ConsoleUnderMeasure, page: FollowedPage) -> Standing:
    assert console.process
    process = console.process

    def take_standing() -> Standing:
        heap = page.heap_bytes()  # what is let go is collected, nodes with it
        of_process = {"resident": process.resident_kib(), "processor": process.processor_s()}
        return {**page.metrics(), **page.events(), "heap": heap, **of_process}

    return console.attended(take_standing)


def measure(options: argparse.Namespace, scratch: Path, disk: Path) -> list[Figure]:
    """All figures that are asked for."""
    figures = []
    with ExitStack() as undo:
        table = undo.enter_context(closing(Table(scratch, disk / "state", options.rest_ms / 1000)))
        chromium = undo.enter_context(closing(Chromium()))
        table.start()
        console = ConsoleUnderMeasure(table, scratch, chromium)
        undo.callback(console.stop)
        if options.starts:
            figures += of_starts(console, options.starts)
        if options.cards:
            figures += of_pages(table, console, options.cards)
        if options.pairs:
            floor = undo.enter_context(closing(Floor(disk / "floor.sqlite3")))
            echo = undo.enter_context(closing(Echo(scratch / "echo.log")))
            play = PlayBenchmark(table, floor, echo)
            name = "two pages or none"
            figures += in_pairs(name, play, console.beside, options.pairs, options.rounds)
        if options.rounds_a_day:
            figures += of_day(table, console, options.rounds_a_day, options.day_seconds)
    return figures


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m proof.benchmarks.console")
    parser.add_argument("--starts", type=int, default=5, help="of the console's process")
    parser.add_argument("--cards", type=int, default=100, help="to a page")
    parser.add_argument("--pairs", type=int, default=10, help="with two pages and without")
    parser.add_argument("--rounds", type=int, default=5, help="of each half of a pair")
    parser.add_argument("--rest-ms", type=float, default=50, help="before every measurement")
    parser.add_argument("--rounds-a-day", type=int, default=1400, help="in fast-forward")
    parser.add_argument("--day-seconds", type=float, default=480, help="that its 24 hours take")
    print_measured(parser, measure)


if __name__ == "__main__":
    main()
