"""Write ``docs/scenarios.md``: ``python -m hil_tests.rig.describe``; ``--check`` fails on drift.

The scenarios are those that pytest collects; which bench runs which, and why not, follows from the
benches' files.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest

from hil_tests.bench.description import BENCHES, BenchFile, bench_file
from hil_tests.rig.plugin import SCENARIOS, needed

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = Path("docs/scenarios.md")
MODULE: Final = "hil_tests.rig.describe"
ORDER: Final = ("virtual", "usb", "vm", "table")


@dataclass(slots=True)
class Scenario:
    """A story, and what each of its cases needs of a bench."""

    file: str
    words: str
    cases: list[frozenset[str]] = field(default_factory=list)


class Collected:
    """pytest's items before any bench is asked."""

    def __init__(self) -> None:
        self.scenarios: dict[str, Scenario] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Note them all."""
        for item in items:
            name = item.nodeid.partition("[")[0]
            file, _, test = name.partition("::")
            words = test.removeprefix("test_").replace("_", " ")
            story = Path(file).stem.removeprefix("test_").replace("_", " ")
            found = self.scenarios.setdefault(name, Scenario(story, words))
            found.cases.append(frozenset(needed(item)))


def collect() -> list[Scenario]:
    """Every scenario, in the order of the files."""
    collected = Collected()
    with contextlib.redirect_stdout(io.StringIO()) as said:
        # The plugin is imported here already: pytest would warn that it cannot be rewritten.
        quiet = ["-W", "ignore:Module already imported"]
        status = pytest.main([*quiet, "--collect-only", "-q", str(SCENARIOS)], [collected])
    if status != pytest.ExitCode.OK:
        raise RuntimeError(f"scenarios cannot be collected: {said.getvalue()}")
    return list(collected.scenarios.values())


def page(scenarios: list[Scenario]) -> str:
    """The page."""
    benches = [bench_file(name) for name in ORDER if (BENCHES / f"{name}.toml").exists()]
    counts = [sum(_runs(case, bench) for s in scenarios for case in s.cases) for bench in benches]
    total = sum(len(scenario.cases) for scenario in scenarios)
    lines = [
        "# Scenarios, and which bench runs them",
        "",
        f"Written by `python -m {MODULE}`; do not edit. {len(scenarios)} stories in {total} cases;",
        "the number of cases that a bench runs, and in brackets why it does not run the others.",
        "",
        "| story | " + " | ".join(bench.name for bench in benches) + " |",
        "| --- |" + " --- |" * len(benches),
        *(_row(scenario, benches) for scenario in scenarios),
        "| **all** | " + " | ".join(f"**{count}**" for count in counts) + " |",
        "",
        *_reasons(benches),
    ]
    return "\n".join(lines) + "\n"


def _row(scenario: Scenario, benches: list[BenchFile]) -> str:
    cells = [f"{scenario.file}: {scenario.words}"]
    for bench in benches:
        runs = sum(_runs(case, bench) for case in scenario.cases)
        lacks = sorted({name for case in scenario.cases for name in case if name in bench.cannot})
        cells.append(f"{runs}" + (f" ({', '.join(lacks)})" if lacks else ""))
    return "| " + " | ".join(cells) + " |"


def _runs(case: frozenset[str], bench: BenchFile) -> bool:
    return not any(name in bench.cannot for name in case)


def _reasons(benches: list[BenchFile]) -> Iterator[str]:
    """Also those for which no scenario is left out: it is run as something else."""
    for bench in benches:
        yield f"**{bench.name}**: {bench.title}."
        yield ""
        for name, why in sorted(bench.cannot.items()):
            yield f"- {name}: {why}"
        yield ""


def main(arguments: list[str] | None = None) -> int:
    """Write the page, or see whether it is current."""
    parser = argparse.ArgumentParser(prog=f"python -m {MODULE}", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; 1 on drift")
    check = parser.parse_args(arguments).check
    text = page(collect()).rstrip() + "\n"
    file = ROOT / PAGE
    if not check:
        file.write_text(text, encoding="utf-8")
        return 0
    return int(not file.exists() or file.read_text(encoding="utf-8") != text)


if __name__ == "__main__":
    sys.exit(main())
