"""The report of a run, for people who were not there: ``--html FILE --self-contained-html``.

pytest-html writes the page; from here come, at its top, which bench it was and what was on it
(program, kernel, libraries, devices with their serial numbers) and every scenario that this bench
cannot run with the reason; and beside each scenario its story, the steps that were taken with their
times, and what went over the devices' lines meanwhile.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from pytest_html import extras
from pytest_metadata.plugin import metadata_key

from hil_tests.bench.interface import Bench
from hil_tests.bench.steps import STEPS
from hil_tests.rig.plugin import BENCH, LACKS

MOST_LINES: Final = 400
"""Of a line's traffic in one scenario: the rest is in the capture."""

LITERAL: Final = re.compile(r"``(.+?)``")
STYLE: Final = (
    "<style>body, td:not(.col-result), pre { color: #222 !important } table.rig td, table.rig th "
    "{ padding: 2px 8px; border: 0; border-bottom: 1px solid #e6e6e6 } "
    "div.logwrapper { display: none }</style>"
)
"""pytest-html's grey is hard to read on paper. Its log is ours: the steps."""

MET: Final = "met"
FACTS = pytest.StashKey[dict[str, str]]()
OFFSETS = pytest.StashKey[dict[Path, int]]()

PRESENT = pytest.StashKey[Bench]()


def wanted(config: pytest.Config) -> bool:
    """Whether this run writes a report."""
    return bool(config.getoption("htmlpath", None))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """A scenario begins: so do its steps, and its part of the captures."""
    STEPS.begin_scenario()
    item.stash[OFFSETS] = {path: _size(path) for path in _captures(item.config).values()}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Put story, steps and traffic beside the scenario."""
    report = yield
    if call.when == "call" and wanted(item.config):
        told = [extras.html(part) for part in _story_of(item)]
        report.extras = [*getattr(report, "extras", []), *told]
    return report


def pytest_html_report_title(report: Any) -> None:
    """Which bench."""
    bench = report._config.stash[BENCH]
    report.title = f"Bench {bench.name}: {bench.title}"


def pytest_html_results_table_row(report: Any, cells: list[str]) -> None:
    """A scenario by its words, with milliseconds, where pytest-html has the test's path."""
    place, _, test = report.nodeid.partition("::")
    words, _, case = test.removeprefix("test_").partition("[")
    title = " ".join([words.replace("_", " "), *([f"({case.rstrip(']')})"] if case else [])])
    hover = html.escape(report.nodeid, quote=True)
    story = html.escape(Path(place).stem.removeprefix("test_").replace("_", " "))
    cells[1] = f'<td class="col-testId" title="{hover}">{story}: <b>{html.escape(title)}</b></td>'
    cells[2] = f'<td class="col-duration">{report.duration:.3f} s</td>'


def pytest_html_results_summary(prefix: list[str], session: pytest.Session) -> None:
    """Above the results: what could not be run here, and why."""
    prefix.append(STYLE)
    bench, lacks = session.config.stash[BENCH], session.config.stash[LACKS]
    if not lacks:
        prefix.append("<p>Every scenario can be run on this bench.</p>")
        return
    rows = [(f"{bench.cannot[name]}", ", ".join(tests)) for name, tests in sorted(lacks.items())]
    prefix.append("<h2>Not on this bench</h2>" + _table(("why", "scenarios"), rows))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """The facts that were met go into the table of the environment."""
    told = session.config.stash.get(FACTS, {})
    of_several = getattr(session.config, "workeroutput", None)
    if of_several is not None:
        of_several[MET] = told
    session.config.stash[metadata_key].update(told)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """One process of several has ended: what it met."""
    facts: dict[str, str] = node.config.stash.setdefault(FACTS, {})
    facts.update(getattr(node, "workeroutput", {}).get(MET, {}))


def _captures(config: pytest.Config) -> Mapping[str, Path]:
    bench = config.stash.get(PRESENT, None)
    return bench.captures if bench else {}


def _story_of(item: pytest.Item) -> Iterator[str]:
    if isinstance(item, pytest.Function) and item.function.__doc__:
        story = html.escape(" ".join(item.function.__doc__.split()))
        yield "<p>" + LITERAL.sub(r"<code>\1</code>", story) + "</p>"
    if STEPS.done:
        rows = [
            (
                f"{step.at_s:.3f}",
                f"{step.took_s * 1000:.0f}",
                "&nbsp;" * 4 * step.depth + html.escape(step.what),
                html.escape(step.failed),
            )
            for step in STEPS.done
        ]
        yield _table(("at, s", "took, ms", "step", ""), rows, escape=False)
    for name, path in _captures(item.config).items():
        if lines := list(_traffic(path, item.stash[OFFSETS].get(path, 0))):
            shown = "\n".join(html.escape(line) for line in lines[:MOST_LINES])
            left = f", the first {MOST_LINES} of {len(lines)}" * (len(lines) > MOST_LINES)
            yield f"<details><summary>{name}{left}</summary><pre>{shown}</pre></details>"


def _traffic(path: Path, offset: int) -> Iterator[str]:
    """What went over one line since then, a line of text each."""
    if not path.exists():
        return
    with path.open("rb") as file:
        file.seek(offset)
        for raw in file:
            told = json.loads(raw)
            if "at_ns" in told and told.get("message") not in ("PING", "PING answer"):
                yield _words(told)


def _words(told: Mapping[str, Any]) -> str:
    at = f"{told['at_ns'] / 1e9:.6f}"
    if "port" in told:
        return f"{at}      port {told['port']} {told.get('reason', '')}"
    arrow = "<-" if told["dir"] == "in" else "->"
    if "bytes" in told:
        return f"{at}  {arrow}  stray {told['bytes']}"
    fields = " ".join(f"{key}={value}" for key, value in told["fields"].items())
    return f"{at}  {arrow}  {told['message']} {fields}"


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], *, escape: bool = True) -> str:
    def cells(tag: str, row: Sequence[str]) -> str:
        return "".join(f"<{tag}>{html.escape(c) if escape else c}</{tag}>" for c in row)

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f'<table class="rig"><tr>{cells("th", head)}</tr>{body}</table>'
