"""The daemon against what the machine gives: one run, every figure beside its floor.

The real daemon runs as a process of its own over four real serial lines (pseudo-terminals); the
floors are measured in the same run, turn by turn, so that a busy machine burdens both. The floor of
the aims is one bare durable commit; the line below adds what an echo over such a line costs, since
no controller gets round that. Nothing here fails: an aim that is missed is printed as missed.

The engine alone, without daemon and lines, is measured in rounds a second for each document, beside
a bare loop over the same cards.

With ``--node-red`` a Node-RED that echoes the same frames takes turns with it, where npm has one
(:mod:`proof.benchmarks.node_red`).

With ``--floor-pairs N`` nothing else is measured than so many pairs of card to acknowledgement: a
journal that is sent to a floor in the machine, and one that is not, in turn.

Run: ``python -m proof.benchmarks [--rounds N] [--events N] [--turns N] [--idle-seconds S]
[--storm-rounds N] [--directory DIR] [--node-red] [--floor-pairs N]``
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from contextlib import AbstractContextManager, ExitStack, closing
from pathlib import Path

from hil_tests.floor.house import House, SentJournal
from proof.benchmarks.daemon import ROOT, bare_interpreter
from proof.benchmarks.figures import Figure, late, over, print_figures
from proof.benchmarks.floor import Echo, Floor
from proof.benchmarks.node_red import NodeRed, NotHere
from proof.benchmarks.play import WARM_UP_ROUNDS, PlayBenchmark, in_pairs, sending
from proof.benchmarks.signature import COMMITS
from proof.benchmarks.signature import measure as measure_signature
from proof.benchmarks.storms import (
    ELSEWHERE,
    NOWHERE,
    TRYING,
    TRYING_ELSEWHERE,
    WAITING,
    Storms,
    may_storm,
)
from proof.benchmarks.table import Table
from proof.benchmarks.timed_rounds import rounds_a_second


def of_play(play: PlayBenchmark) -> list[Figure]:
    """Card to acknowledgement, press to SHOW: the aims, the tail, and with the line's share."""
    found = []
    for name, samples, aim, late_aim in (
        ("card to acknowledgement", play.cards_us, 1.6, 2.0),
        ("press to SHOW", play.presses_us, 2.5, 4.0),
    ):
        ours, floor, echo = zip(*samples, strict=True)
        middle, bare, line = map(statistics.median, (ours, floor, echo))
        found.append(over(f"{name}, median of {len(ours)}", middle, bare, "us", aim))
        found.append(
            over("  over a commit and an echo", middle, bare + line, "us"),
        )
        found.append(over("  99th of a hundred", late(ours), late(floor), "us", late_aim))
    return found


def of_node_red(table: Table, floor: Floor, directory: Path, rounds: int) -> list[Figure]:
    """Card to acknowledgement, durable and signed, beside a Node-RED that only answers."""
    try:
        other = NodeRed(directory)
    except NotHere as error:
        print(error, file=sys.stderr)
        return []
    try:
        play = PlayBenchmark(table, floor, other)
        for number in range(WARM_UP_ROUNDS + rounds):
            if number == WARM_UP_ROUNDS:
                play.forget()
            play.cards()
    finally:
        other.close()
    ours, _, theirs = zip(*play.cards_us, strict=True)
    middle, theirs_middle = map(statistics.median, (ours, theirs))
    name = f"card, against Node-RED, median of {len(ours)}"
    return [
        over(name, middle, theirs_middle, "us", 1.5),
        over("  99th of a hundred", late(ours), late(theirs), "us", 1.0),
    ]


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
    count = rounds * 80
    by_eight = Figure(
        "eight in flight, against one by one",
        count / full,
        count / single,
        single / full,
        "events/s",
        5.0,
        more=True,
    )
    name, shared = "one by one, against bare commits", bare / single
    alone = Figure(name, count / single, count / bare, shared, "events/s", 0.6, more=True)
    return [by_eight, alone]


def of_idleness(table: Table, seconds: float) -> Figure:
    """Processor time with all devices up and nothing to do."""
    assert table.daemon
    before, begun = table.daemon.processor_s(), time.monotonic()
    while time.monotonic() < begun + seconds:
        table.serve(0.5)
    share = (table.daemon.processor_s() - before) / (time.monotonic() - begun) * 100
    return Figure(f"idle processor over {seconds:.0f} s", share, None, share, "% of a core", 0.3)


def of_storms(storms: Storms, rounds: int) -> list[Figure]:
    """A card, and a dealer who connects, while 16 strangers connect in a loop; the floor is what
    that costs while 16 processes do so elsewhere."""
    storms.measure(rounds, visits=2)
    elsewhere, nowhere = storms.middle(ELSEWHERE), storms.middle(NOWHERE)
    found = [over("card, 16 storms elsewhere, against none", elsewhere, nowhere, "us")]
    for words, here, there in (
        ("16 storms that wait", WAITING, ELSEWHERE),
        ("16 storms that try again", TRYING, TRYING_ELSEWHERE),
    ):
        found += [
            over(f"card, {words}", storms.middle(here), storms.middle(there), "us", 1.5),
            over("  99th of a hundred", storms.late(here), storms.late(there), "us"),
            over("  a dealer connects", storms.visit(here), storms.visit(there), "us"),
        ]
    return found


def of_rounds(turns: int) -> list[Figure]:
    """Rounds a second of each document; the ratio says how many times the bare loop's time."""
    return [
        Figure(document, played, looped, looped / played, "rounds/s")
        for document, played, looped in rounds_a_second(turns)
    ]


def of_signature(directory: Path, commits: int) -> list[Figure]:
    """Processor time and bytes of the log that the signed row takes, beside the same commit without
    and a bare one. The aim is for the machine of docs/figures.md, in microseconds."""
    cost = measure_signature(directory, commits)
    name, added = "signature and row, processor time", cost.added_us
    return [
        Figure(f"{name}, of {commits}", added, None, added, "us", 60),
        over("  a commit with it, against without", cost.signed_us, cost.unsigned_us, "us"),
        over("  a commit with it, against a bare one", cost.signed_us, cost.bare_us, "us"),
        over("  the row, against the signature alone", added, cost.signature_us, "us"),
        over("log of a commit, against without", cost.signed_bytes, cost.unsigned_bytes, "bytes"),
        over("  against a bare one", cost.signed_bytes, cost.bare_bytes, "bytes"),
    ]


def of_floor(options: argparse.Namespace, scratch: Path, disk: Path) -> list[Figure]:
    """A card while the journal is sent to a floor, against while it is not."""
    with ExitStack() as undo:
        house = undo.enter_context(closing(House()))
        table = Table(scratch, disk / "state", options.rest_ms / 1000)
        floor, echo = Floor(disk / "floor.sqlite3"), Echo(scratch / "echo.log")
        journal = SentJournal(table.configuration, disk / "state", house, "BENCH")
        for end in (echo.close, floor.close, table.close, journal.process.kill):
            undo.callback(end)
        table.start()

        def sent() -> AbstractContextManager[None]:
            return sending(table, journal)

        play = PlayBenchmark(table, floor, echo)
        return in_pairs("sent or not", play, sent, options.floor_pairs, options.rounds)


def measure(options: argparse.Namespace, scratch: Path, disk: Path) -> list[Figure]:
    """All figures."""
    bare, bare_s = bare_interpreter(scratch / "bare.log")
    table, floor = (
        Table(scratch, disk / "state", options.rest_ms / 1000),
        Floor(disk / "floor.sqlite3"),
    )
    echo = Echo(scratch / "echo.log")
    try:
        table.start()
        assert table.daemon
        first_s = (
            min(device.greeted_ns for device in table.devices.values()) - table.daemon.started_ns
        ) / 1e9
        figures = [over("start to first HELLO, against imports", first_s, bare_s, "s")]
        play = PlayBenchmark(table, floor, echo)
        for number in range(WARM_UP_ROUNDS + options.rounds):
            if number == WARM_UP_ROUNDS:
                play.forget()
            play.cards()
            play.presses()
        figures += of_play(play)
        if options.node_red:
            figures += of_node_red(table, floor, scratch / "node-red", options.rounds)
        if may_storm() and options.storm_rounds:
            storms = Storms(table, play, table.control, scratch / "storms.log")
            figures += of_storms(storms, options.storm_rounds)
        figures += of_windows(table, floor, options.events)
        memory = table.daemon.memory_kib(), bare.memory_kib()
        figures.append(over("memory (PSS), against imports", *memory, "KiB", 1.2))
        figures.append(of_idleness(table, options.idle_seconds))
        table.stop()
        table.start()
        again_s = (
            min(device.greeted_ns for device in table.devices.values()) - table.daemon.started_ns
        ) / 1e9
        figures.append(over("start again on this run's journal", again_s, bare_s, "s"))
    finally:
        table.close()
        floor.close()
        echo.close()
        bare.stop()
    return figures


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m proof.benchmarks", description=__doc__)
    parser.add_argument("--rounds", type=int, default=30, help="of each kind")
    parser.add_argument(
        "--events",
        type=int,
        default=1600,
        help="for each way of sending them; one device of more than 2000 is slowed",
    )
    parser.add_argument("--commits", type=int, default=COMMITS, help="signed, and as many without")
    parser.add_argument("--turns", type=int, default=5, help="through the rounds of a document")
    parser.add_argument("--rest-ms", type=float, default=0.5, help="before every measurement")
    parser.add_argument("--idle-seconds", type=float, default=60)
    parser.add_argument("--storm-rounds", type=int, default=3, help="among storms of each kind")
    parser.add_argument("--directory", type=Path, help="on the disk to be measured; else build/")
    parser.add_argument("--node-red", action="store_true", help="compare with one, from npm")
    parser.add_argument(
        "--floor-pairs", type=int, default=0, help="measure these alone; needs PostgreSQL"
    )
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    disk_root = options.directory or ROOT / "build"
    disk_root.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix="bench-") as scratch,
        tempfile.TemporaryDirectory(prefix="bench-", dir=disk_root) as disk,
    ):
        Path(scratch).chmod(0o711)  # strangers come to the socket
        if options.floor_pairs:
            figures = of_floor(options, Path(scratch), Path(disk))
        else:
            figures = measure(options, Path(scratch), Path(disk))
            figures += of_signature(Path(disk) / "signature", options.commits)
            figures += of_rounds(options.turns)
    print_figures(figures, as_json=options.json)


if __name__ == "__main__":
    main()
