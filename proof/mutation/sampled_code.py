"""``python -m proof.mutation.sampled_code [--count N] [--seed S] [--rows FILE] [TEST ...]``

Changes code of the core, at places taken by chance: a comparison, a condition, a number, a sum, a
call left out. The tests that run the changed line are run, the quickest first, until one fails.
What no test notices is printed; with ``--rows`` all of them are run, and a JSON object for each
mutant says which tests fail.

One pytest collects the tests, runs them once with coverage, and is forked for each mutant: the
changed function gets its new code there. Tests are functions: one that is run with many parameters
is one.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import coverage
import pytest
from _pytest.runner import runtestprotocol
from hypothesis import Phase, settings

from proof.mutation.code_changes import ROOT, Place, change, places_of

PACKAGES: Final = tuple(f"controller/{room}" for room in ("table", "game", "journal", "evidence"))
TESTS: Final = tuple(
    f"tests/{room}"
    for room in ("counters", "draw", "evidence", "game", "journal", "replay", "table")
)
MEASURED: Final = ROOT / "build" / "mutants"
LONGER: Final = 20
"""A mutant that makes a test take so many times as long, and ten seconds, counts as noticed."""


def function_of(item: pytest.Item) -> str:
    """The node id without parameters."""
    return item.nodeid.partition("[")[0]


@dataclass
class Runner:
    """As a plugin: runs what was collected for each mutant, in place of running it once."""

    count: int
    seed: int
    rows: Path | None
    workers: int
    seconds: dict[str, float] = field(default_factory=dict)

    def pytest_configure(self) -> None:
        """Properties take the same examples each time, and do not look for the smallest."""
        phases = (Phase.explicit, Phase.generate)
        settings.register_profile(
            "mutants", settings(), phases=phases, database=None, derandomize=True
        )
        settings.load_profile("mutants")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Measure, then run the mutants, each worker every so many."""
        items: dict[str, list[pytest.Item]] = defaultdict(list)
        for item in session.items:
            items[function_of(item)].append(item)
        MEASURED.mkdir(parents=True, exist_ok=True)
        _in_forks(self.workers, lambda at: self._measure(at, session.items))
        run_by, failed = self._read_measured(items)
        print(f"{len(items)} tests measured", flush=True)
        if failed:
            print("they fail without a mutant:", *failed, sep="\n    ")
            session.testsfailed = len(failed)
            return True
        files = (path for room in PACKAGES for path in sorted((ROOT / room).rglob("*.py")))
        places = [
            place
            for path in files
            for place in places_of(path.relative_to(ROOT).as_posix())
            if (place.file, place.line) in run_by
        ]
        chosen = random.Random(self.seed).sample(places, min(self.count, len(places)))
        print(f"{len(chosen)} of {len(places)} places, seed {self.seed}", flush=True)
        _in_forks(self.workers, lambda at: self._mutants(at, chosen, run_by, items))
        self._print_result()
        return True

    def _measure(self, at: int, items: Sequence[pytest.Item]) -> None:
        """Run every so many of the tests' files with coverage; contexts are tests."""
        data = str(MEASURED / f"coverage{at}")
        measured = coverage.Coverage(
            data_file=data, branch=True, source=list(PACKAGES), config_file=False
        )
        names = sorted({item.nodeid.partition("::")[0] for item in items})
        mine = set(names[at :: self.workers])
        ours = [item for item in items if item.nodeid.partition("::")[0] in mine]
        seconds: dict[str, float] = defaultdict(float)
        failed = set()
        measured.start()
        for item, following in zip(ours, [*ours[1:], None], strict=True):
            measured.switch_context(function_of(item))
            began = time.monotonic()
            if any(report.failed for report in runtestprotocol(item, False, following)):
                failed.add(function_of(item))
            seconds[function_of(item)] += time.monotonic() - began
        measured.stop()
        measured.save()
        told = {"seconds": seconds, "failed": sorted(failed)}
        (MEASURED / f"seconds{at}").write_text(json.dumps(told), "utf-8")

    def _read_measured(
        self, items: Mapping[str, object]
    ) -> tuple[dict[tuple[str, int], list[str]], list[str]]:
        """The tests that run each line, the quickest first; and those that fail."""
        run_by: dict[tuple[str, int], set[str]] = defaultdict(set)
        failed: list[str] = []
        for at in range(self.workers):
            told = json.loads((MEASURED / f"seconds{at}").read_text("utf-8"))
            self.seconds |= told["seconds"]
            failed += told["failed"]
            data = coverage.CoverageData(str(MEASURED / f"coverage{at}"))
            data.read()
            for path in data.measured_files():
                file = Path(path).relative_to(ROOT).as_posix()
                for line, contexts in data.contexts_by_lineno(path).items():
                    run_by[file, line] |= {name for name in contexts if name in items}
        ordered = {at: sorted(names, key=self.seconds.__getitem__) for at, names in run_by.items()}
        return {at: names for at, names in ordered.items() if names}, failed

    def _mutants(
        self,
        at: int,
        chosen: Sequence[Place],
        run_by: Mapping[tuple[str, int], Sequence[str]],
        items: Mapping[str, Sequence[pytest.Item]],
    ) -> None:
        with (MEASURED / f"rows{at}").open("w", encoding="utf-8") as file:
            for place in chosen[at :: self.workers]:
                tests = [
                    (10 + LONGER * self.seconds[name], items[name])
                    for name in run_by[place.file, place.line]
                ]
                row = _forked(place, tests, whole=self.rows is not None)
                told = {"file": place.file, "line": place.line, "what": place.what, **row}
                file.write(json.dumps(told) + "\n")
                file.flush()

    def _print_result(self) -> None:
        ends: Counter[str] = Counter()
        lines = []
        for at in range(self.workers):
            lines += (MEASURED / f"rows{at}").read_text("utf-8").splitlines()
        for row in map(json.loads, lines):
            ends[row["end"]] += 1
            if row["end"] == "survives":
                print(f"    {row['file']}:{row['line']}: {row['what']}")
        if self.rows is not None:
            self.rows.write_text("\n".join(sorted(lines)) + "\n", "utf-8")
        print(", ".join(f"{count} {end}" for end, count in sorted(ends.items())))


def _forked(
    place: Place, tests: Sequence[tuple[float, Sequence[pytest.Item]]], *, whole: bool
) -> dict[str, object]:
    """What becomes of a mutant in a process of its own: its end, and the tests that fail. Each test
    has so many seconds."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            if not change(place):
                os._exit(3)
        except (ValueError, SyntaxError):
            os._exit(3)
        status = 0
        for seconds, test in tests:
            signal.setitimer(signal.ITIMER_REAL, seconds)
            for item in test:
                if any(report.failed for report in runtestprotocol(item, False, None)):
                    os.write(writing, f"{function_of(item)}\n".encode())
                    status = 1
                    break
            if status and not whole:
                break
        os._exit(status)
    os.close(writing)
    with os.fdopen(reading) as lines:
        failing = [line for line in lines.read().split("\n") if line]
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    end = {0: "survives", 1: "killed", 3: "no mutant"}.get(status, "killed")
    return {"end": end, "status": status, "by": failing}


def _in_forks(count: int, work: Callable[[int], None]) -> None:
    """Do it in so many processes."""
    children = []
    for at in range(count):
        if child := os.fork():
            children.append(child)
            continue
        try:
            work(at)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    for child in children:
        if os.waitpid(child, 0)[1]:
            raise RuntimeError("a worker failed")


def main(arguments: Sequence[str]) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m proof.mutation.sampled_code")
    parser.add_argument(
        "tests", nargs="*", default=TESTS, metavar="TEST", help="what pytest collects"
    )
    parser.add_argument("--count", type=int, default=200, metavar="N", help="mutants")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    parser.add_argument("--rows", type=Path, metavar="FILE", help="run all, and write who fails")
    options = parser.parse_args(arguments)
    runner = Runner(options.count, options.seed, options.rows, os.cpu_count() or 1)
    os.environ |= {"TABLE_NIGHT": "1", "TABLE_EXAMPLES": "50"}
    late = "ignore::pytest.PytestAssertRewriteWarning"  # Hypothesis is imported here before pytest
    words = ["-q", "-n0", "-p", "no:cacheprovider", "-W", late, *options.tests]
    return pytest.main(words, plugins=[runner])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
