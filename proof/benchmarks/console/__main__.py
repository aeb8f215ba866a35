"""What the console takes of a table's time, and how late its page is. Real daemon, lines, console
and Chromium; two pages follow.

- *Start*: from the process's start until its first page is served.
- *Memory* of the console's process with two pages connected: all that it has in memory (RSS), and
  its share of it (PSS).
- *Card to page*: from just before a card's frame is written to the shoe's line until two animation
  frames behind the change of the page: the card is there only once it is committed. One clock
  (:mod:`proof.benchmarks.console.pages`). Before each card nothing is sent for ``--rest-ms``.
- *Pairs* of card to acknowledgement, with the console and two pages, and without either.
- *A day* in fast-forward (:mod:`proof.benchmarks.console.day`).

A part whose number is 0 is left out. Nothing here fails: an aim that is missed is printed as such.

Run: ``python -m proof.benchmarks.console [--starts N] [--cards N] [--pairs N] [--rounds N]
[--rest-ms MS] [--rounds-a-day N] [--day-seconds S] [--directory DIR] [--json]``
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from hil_tests.browser.chromium import Chromium
from proof.benchmarks.console.day import of_day
from proof.benchmarks.console.pages import ConsoleUnderMeasure, FollowedPage
from proof.benchmarks.daemon import ROOT
from proof.benchmarks.figures import Figure, late, print_figures
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
        Figure(f"start to first page, median of {count}", middle, None, middle, "s", 1.0),
        Figure("  the slowest", most, None, most, "s"),
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
        Figure("memory with two pages (RSS)", resident, None, resident, "MiB", 30),
        Figure("  its share (PSS)", share, None, share, "MiB"),
        Figure(f"card to page, median of {cards}", middle, statistics.median(acked), middle, "ms"),
        Figure("  99th of a hundred", last, late(acked), last, "ms", 100),
        Figure("  99th behind its acknowledgement", late_behind, None, late_behind, "ms"),
    ]


def measure(options: argparse.Namespace, scratch: Path, disk: Path) -> list[Figure]:
    """All figures that are asked for."""
    figures = []
    with ExitStack() as undo:
        table = Table(scratch, disk / "state", options.rest_ms / 1000)
        undo.callback(table.close)
        chromium = Chromium()
        undo.callback(chromium.close)
        table.start()
        console = ConsoleUnderMeasure(table, scratch, chromium)
        undo.callback(console.stop)
        if options.starts:
            figures += of_starts(console, options.starts)
        if options.cards:
            figures += of_pages(table, console, options.cards)
        if options.pairs:
            floor, echo = Floor(disk / "floor.sqlite3"), Echo(scratch / "echo.log")
            undo.callback(floor.close)
            undo.callback(echo.close)
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
    parser.add_argument("--directory", type=Path, help="on the disk to be measured; else build/")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    disk_root = options.directory or ROOT / "build"
    disk_root.mkdir(exist_ok=True)
    begun = time.monotonic()
    with (
        tempfile.TemporaryDirectory(prefix="bench-") as scratch,
        tempfile.TemporaryDirectory(prefix="bench-", dir=disk_root) as disk,
    ):
        print_figures(measure(options, Path(scratch), Path(disk)), as_json=options.json)
    if not options.json:
        print(f"{time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
