"""The page of the scenarios, ``docs/scenarios.md``.

The scenarios are those that pytest collects; which bench runs which, and why not, follows from the
benches' files.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest

from hil_tests.bench.description import BENCHES, BenchFile, bench_file
from hil_tests.rig.plugin import SCENARIOS, needed

ORDER: Final = ("virtual", "vm", "table")


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


def make_page() -> str:
    """The page."""
    scenarios = collect()
    benches = [bench_file(name) for name in ORDER if (BENCHES / f"{name}.toml").exists()]
    counts = [sum(_runs(case, bench) for s in scenarios for case in s.cases) for bench in benches]
    total = sum(len(scenario.cases) for scenario in scenarios)
    lines = [
        "# Scenarios, and which bench runs them",
        "",
        f"Written by `make docs`; do not edit. {len(scenarios)} stories in {total} cases;",
        "the number of cases that a bench runs, and in brackets why it does not run the others.",
        "",
        "| story | " + " | ".join(bench.name for bench in benches) + " |",
        "| --- |" + " --- |" * len(benches),
        *(_row(scenario, benches) for scenario in scenarios),
        "| **all** | " + " | ".join(f"**{count}**" for count in counts) + " |",
        "",
        *_reasons(benches),
    ]
    return "\n".join(lines).rstrip() + "\n"


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
