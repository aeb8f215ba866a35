"""The daemon against what the machine gives: one run, every figure beside its floor.

The real daemon runs as a process of its own over four real serial lines (pseudo-terminals); the
floors are measured in the same run, turn by turn, so that a busy machine burdens both. The floor of
the aims is one bare durable commit; the line below adds what an echo over such a line costs, since
no controller gets round that. Nothing here fails: an aim that is missed is printed as missed.

The engine alone, without daemon and lines, is measured in rounds a second for each document: those
worked out by hand (``tests/rounds``), what a conformance run is made of. Beside it a bare loop goes
over the cards of the same rounds in the same order and adds their points: what any program in this
language would take at least.

With ``--floor-pairs N`` nothing else is measured than so many pairs of card to acknowledgement: a
journal that is sent to a floor in the machine, and one that is not, in turn.

Run: ``python -m proof.benchmarks [--rounds N] [--events N] [--turns N] [--idle-seconds S]
[--directory DIR] [--floor-pairs N] [--json]``
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing
from pathlib import Path

from controller.files.rules import rule_files, rules_in
from controller.game.scripts.runner import run_script
from controller.game.scripts.script import Script, read_json, read_script
from hil_tests.floor.house import House, SentJournal
from hil_tests.tables.worked_rounds import ROUNDS, worked_rounds
from proof.benchmarks import signature
from proof.benchmarks.daemon import bare_interpreter
from proof.benchmarks.figures import Figure, alone, late, over, print_measured
from proof.benchmarks.floor import Echo, Floor
from proof.benchmarks.play import WARM_UP_ROUNDS, PlayBenchmark, in_pairs, sending
from proof.benchmarks.table import Table


def of_play(play: PlayBenchmark) -> list[Figure]:
    """Card to acknowledgement, press to SHOW: the aims, the tail, and with the line's share."""
    found = []
    for name, samples, aim, late_aim in (
        ("card to acknowledgement", play.cards_us, 1.6, 2.0),
        ("press to SHOW", play.presses_us, 2.5, 4.0),
    ):
        ours, floor, echo = zip(*samples, strict=True)
        middle, bare, line = map(statistics.median, (ours, floor, echo))
        found += [
            over(f"{name}, median of {len(ours)}", middle, bare, "us", aim),
            over("  over a commit and an echo", middle, bare + line, "us"),
            over("  99th of a hundred", late(ours), late(floor), "us", late_aim),
        ]
    return found


def of_windows(table: Table, floor: Floor, events: int) -> list[Figure]:
    """Events a second, eight in flight and one by one."""
    device = table.devices["shuffler"]
    state = {"state": 2, "set": 1, "count": 384, "progress": 500}

    def burst(count: int) -> float:
        begun = time.perf_counter_ns()
        for _ in range(count):
            device.emit("SHUFFLER_STATE", state)
        table.wait(lambda: device.acked >= device.last_event)
        return (time.perf_counter_ns() - begun) / 1e9

    full = single = bare = 0.0
    rounds = max(1, events // 80)
    for _ in range(rounds):  # turn by turn
        full += burst(80)
        single += sum(burst(1) for _ in range(80))
        bare += sum(floor.commit_us() for _ in range(80)) / 1e6
    by_eight, one_by_one, commits = (rounds * 80 / seconds for seconds in (full, single, bare))
    unit = "events/s"
    return [
        over("eight in flight, against one by one", by_eight, one_by_one, unit, 5.0, more=True),
        over("one by one, against bare commits", one_by_one, commits, unit, 0.6, more=True),
    ]


def of_idleness(table: Table, seconds: float) -> Figure:
    """Processor time with all devices up and nothing to do."""
    assert table.daemon
    before, begun = table.daemon.processor_s(), time.monotonic()
    while time.monotonic() < begun + seconds:
        table.serve(0.5)
    share = (table.daemon.processor_s() - before) / (time.monotonic() - begun) * 100
    return alone(f"idle processor over {seconds:.0f} s", share, "% of a core", 0.3)


def of_rounds(turns: int) -> Iterator[Figure]:
    """Rounds a second of each document; the ratio says how many times the bare loop's time."""
    by_name, every = rules_in(ROUNDS), worked_rounds(read_json)
    for document in rule_files():
        lines = [line for name in every if name.startswith(document) for line in every[name]]
        scripts = [read_script(line["script"], by_name) for line in lines]

        def play(scripts: list[Script] = scripts) -> None:
            for script in scripts:
                run_script(script)

        def loop(scripts: list[Script] = scripts) -> int:
            return sum(entry.card.points for script in scripts for entry in script.shoe)

        play()  # to warm up
        played = looped = 0.0
        for _ in range(turns):
            played += _seconds(play)
            looped += _seconds(loop)
        count = turns * len(scripts)
        yield Figure(document, count / played, count / looped, played / looped, "rounds/s")


def _seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter_ns()
    work()
    return (time.perf_counter_ns() - begun) / 1e9


def of_floor(options: argparse.Namespace, scratch: Path, disk: Path) -> list[Figure]:
    """A card while the journal is sent to a floor, against while it is not."""
    with ExitStack() as undo:
        house = undo.enter_context(closing(House()))
        table = undo.enter_context(closing(Table(scratch, disk / "state", options.rest_ms / 1000)))
        floor = undo.enter_context(closing(Floor(disk / "floor.sqlite3")))
        echo = undo.enter_context(closing(Echo(scratch / "echo.log")))
        journal = SentJournal(table.configuration, disk / "state", house, "BENCH")
        undo.callback(journal.process.kill)
        table.start()

        def sent() -> AbstractContextManager[None]:
            return sending(table, journal)

        play = PlayBenchmark(table, floor, echo)
        return in_pairs("sent or not", play, sent, options.floor_pairs, options.rounds)


def of_table(options: argparse.Namespace, scratch: Path, disk: Path) -> list[Figure]:
    """Of the daemon at a table."""
    bare, bare_s = bare_interpreter(scratch / "bare.log")
    with ExitStack() as undo:
        undo.callback(bare.stop)
        table = undo.enter_context(closing(Table(scratch, disk / "state", options.rest_ms / 1000)))
        floor = undo.enter_context(closing(Floor(disk / "floor.sqlite3")))
        echo = undo.enter_context(closing(Echo(scratch / "echo.log")))
        table.start()
        assert table.daemon
        figures = [over("start to first HELLO, against imports", table.greeted_s, bare_s, "s")]
        play = PlayBenchmark(table, floor, echo)
        for number in range(WARM_UP_ROUNDS + options.rounds):
            if number == WARM_UP_ROUNDS:
                play.forget()
            play.cards()
            play.presses()
        figures += [*of_play(play), *of_windows(table, floor, options.events)]
        memory = table.daemon.memory_kib(), bare.memory_kib()
        figures.append(over("memory (PSS), against imports", *memory, "KiB", 1.2))
        figures.append(of_idleness(table, options.idle_seconds))
        table.stop()
        table.start()
        figures.append(over("start again on this run's journal", table.greeted_s, bare_s, "s"))
    return figures


def measure(options: argparse.Namespace, scratch: Path, disk: Path) -> list[Figure]:
    """All figures, or the pairs alone."""
    if options.floor_pairs:
        return of_floor(options, scratch, disk)
    figures = of_table(options, scratch, disk)
    figures += signature.measure(disk / "signature", options.commits)
    return [*figures, *of_rounds(options.turns)]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m proof.benchmarks", description=__doc__)
    add = parser.add_argument
    add("--rounds", type=int, default=30, help="of each kind")
    events = "for each way of sending them; one device of more than 2000 is slowed"
    add("--events", type=int, default=1600, help=events)
    commits = "signed, and as many without"
    add("--commits", type=int, default=signature.COMMITS, help=commits)
    add("--turns", type=int, default=5, help="through the rounds of a document")
    add("--rest-ms", type=float, default=0.5, help="before every measurement")
    add("--idle-seconds", type=float, default=60)
    add("--floor-pairs", type=int, default=0, help="measure these alone; needs PostgreSQL")
    print_measured(parser, measure)


if __name__ == "__main__":
    main()
