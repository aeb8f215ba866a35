"""pytest's side of the rig: ``--bench NAME``, what a scenario needs, and the differences named.

- ``--bench`` takes the name of a bench or the path of a bench's file; ``virtual`` is the default.
- On another bench than the virtual one only scenarios are run (``hil_tests/scenarios``): the rig's
  own tools are tested once. ``-m conformance`` examines its real devices
  (:mod:`hil_tests.conformance`), as ``--device PORT`` does without a bench.
- ``@pytest.mark.needs_bench("clock")`` says what a scenario needs beyond a table. Where the bench's
  file says that it cannot, the scenario is not run, and is named with the reason in a section at
  the end. So is every difference: none is silent.
- What came of an examination stands at the end, section by section of the protocol.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from hil_tests.bench import processes
from hil_tests.bench.description import CAPABILITIES, BadBench, BenchFile, bench_file
from hil_tests.tables.strategy import STACKED_PHASES

DEFAULT: Final = "virtual"
SCENARIOS: Final = Path(__file__).resolve().parent.parent / "scenarios"

BENCH = pytest.StashKey[BenchFile]()
LACKS = pytest.StashKey[dict[str, list[str]]]()
LACKED: Final = "lacked"
SECTION: Final = "conformance"
NOT_MADE: Final = "not made"
"""Properties of a check's report: the section that it is from, and why it was not made. They reach
the end from whatever process made the check."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--bench`` and ``--device``."""
    group = parser.getgroup("rig")
    group.addoption(
        "--bench",
        default=DEFAULT,
        metavar="NAME|FILE",
        help=f"bench to run scenarios on, of hil_tests/benches (default: {DEFAULT})",
    )
    group.addoption(
        "--device",
        metavar="PORT|VENDOR:PRODUCT[:SERIAL]",
        help="with -m conformance: examine this device, with a person at it",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Read the bench's file; a bad one ends the run before it begins."""
    config.addinivalue_line(
        "markers", f"needs_bench(*names): needs a bench that can: {', '.join(CAPABILITIES)}"
    )
    config.addinivalue_line(
        "markers", "conformance(section): a check of a device, from this section of the protocol"
    )
    config.addinivalue_line("markers", "person: a check that wants somebody at the device")
    try:
        config.stash[BENCH] = bench_file(config.getoption("bench"))
    except BadBench as error:
        raise pytest.UsageError(str(error)) from error
    lacks: dict[str, list[str]] = defaultdict(list)
    config.stash[LACKS] = lacks


def pytest_report_header(config: pytest.Config) -> str:
    """Which bench it is."""
    bench = config.stash[BENCH]
    return f"bench: {bench.name} ({bench.title})"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep what this bench can; elsewhere than on the virtual one, scenarios only."""
    bench = config.stash[BENCH]
    examines = "conformance" in config.getoption("markexpr")
    kept: list[pytest.Item] = []
    others: list[pytest.Item] = []
    for item in items:
        scenario = item.path.is_relative_to(SCENARIOS)
        lacking = [name for name in needed(item) if name in bench.cannot]
        for name in lacking if not examines else ():
            config.stash[LACKS][name].append(item.nodeid)
        check = examines and item.get_closest_marker("conformance") is not None
        wanted = not lacking and (scenario or check or bench.name == DEFAULT)
        (kept if wanted else others).append(item)
    if others:
        config.hook.pytest_deselected(items=others)
        items[:] = kept


def pytest_collection_finish(session: pytest.Session) -> None:
    """Where benches are opened in this process, what they start is forked; on other benches it is
    started as at a table."""
    asked = any(item.path.is_relative_to(SCENARIOS.parent) for item in session.items)
    if asked and session.config.stash[BENCH].name == DEFAULT:
        processes.start_server()


def needed(item: pytest.Item) -> list[str]:
    """What a scenario needs of its bench; raises ``UsageError`` for what no bench can."""
    wanted = [name for marker in item.iter_markers("needs_bench") for name in marker.args]
    case = getattr(item, "callspec", None)
    if case is not None and case.params.get("phase") in STACKED_PHASES:
        wanted.append("stacked")
    if unknown := sorted(set(wanted) - set(CAPABILITIES)):
        raise pytest.UsageError(f"{item.nodeid}: needs_bench: {', '.join(unknown)} unknown")
    return wanted


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Each check of a device goes with the section that it is from."""
    marker = item.get_closest_marker("conformance")
    if marker is not None and marker.args:
        item.user_properties.append((SECTION, str(marker.args[0])))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """One process of several, which alone has looked at the scenarios: what it could not run."""
    told = getattr(session.config, "workeroutput", None)
    if told is not None:
        lacks = session.config.stash[LACKS]
        told[LACKED] = dict(lacks)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """It has ended: all of them say the same."""
    lacks: dict[str, list[str]] = node.config.stash[LACKS]
    lacks.update(getattr(node, "workeroutput", {}).get(LACKED, {}))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """What this bench could not run, and why; what came of an examination."""
    bench, lacks = config.stash[BENCH], config.stash[LACKS]
    if lacks:
        terminalreporter.section(f"Not on bench {bench.name}")
    for name, why in sorted(bench.cannot.items()) if lacks else ():
        terminalreporter.write_line(f"{name}: {why}")
        for test in lacks.get(name, ()):
            terminalreporter.write_line(f"    {test}")
    results = _examined(terminalreporter)
    if results:
        terminalreporter.section("Conformance with Table Link v1")
    for section, checks in sorted(results.items()):
        made = [check for check in checks if not check.not_made]
        passed = sum(check.well for check in made)
        terminalreporter.write_line(f"{section}: {passed} of {len(made)} checks hold")
        for check in checks:
            if check.not_made:
                terminalreporter.write_line(f"    not made: {check.name}: {check.not_made}")
            elif not check.well:
                terminalreporter.write_line(f"    does not hold: {check.name}")


class _Check(NamedTuple):
    """What came of a check; ``not_made``: why nothing can be said."""

    name: str
    well: bool
    not_made: str


def _examined(terminalreporter: Any) -> dict[str, list[_Check]]:
    """The checks by section."""
    results: dict[str, list[_Check]] = defaultdict(list)
    for outcome in ("passed", "failed", "error"):
        for report in terminalreporter.getreports(outcome):
            told = dict(getattr(report, "user_properties", ()))
            if SECTION in told:
                name = report.nodeid.rpartition("::")[2]
                results[told[SECTION]].append(
                    _Check(name, bool(report.passed), told.get(NOT_MADE, ""))
                )
    return results
