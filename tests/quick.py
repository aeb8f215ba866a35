"""``make quick``: what a change can break in the core, in half a minute.

Format, lint, types and import contracts; then the tests of the core that the files changed since
the last commit can break: those nearest to a change by imports first, until the time is up, and how
many were left for ``make test`` is said. Without git nothing tells what was changed: then all of
the core's tests run, however long that takes.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import grimp
import pytest

from tests.architecture.modules import ROOT, files, git
from tests.shares import LONG

CORE: Final = tuple(
    f"tests/{room}/"
    for room in ("counters", "draw", "evidence", "game", "journal", "replay", "table", "table_link")
)
PACKAGES: Final = ("controller", "drivers", "hil_tests", "pages", "proof", "simulators", "tests")
"""Those that the core's tests import."""
DATA: Final = ("config/", "tests/rounds/")
"""What any test of the core may read."""
UNTIL: Final = "--until"
TESTS_S: Final = 18.0
"""What is left of half a minute for tests."""
MOST_FILES: Final = 40
"""To be read in that time."""
CHECKS: Final = (
    ("ruff", "format", "--check", "--quiet"),
    ("ruff", "check", "--quiet"),
    ("mypy", "--no-error-summary"),
    ("lint-imports",),
)


def nearest_first(changed: list[str]) -> list[str]:
    """The core's test files that the changed files can break, those nearest by imports first."""
    graph = grimp.build_graph(*PACKAGES, cache_dir=str(ROOT / "build" / "grimp"))
    tests = [path for path in files() if path.startswith(CORE) and "/test_" in path]
    found: dict[str, None] = {}
    layer = {_module(path) for path in changed if path.endswith(".py")} & graph.modules
    known = set(layer)
    while layer:
        for conftest in [name for name in layer if name.endswith(".conftest")]:
            below = conftest.removesuffix("conftest")
            layer |= {name for name in map(_module, tests) if name.startswith(below)}
        found |= dict.fromkeys(path for path in tests if _module(path) in layer)
        layer = {one for name in layer for one in graph.find_modules_that_directly_import(name)}
        layer -= known
        known |= layer
    if any(path.startswith(DATA) for path in changed):
        found |= dict.fromkeys(tests)
    return list(found)


def _module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _changed() -> Iterator[str]:
    """The paths that differ from the last commit, and those that git does not know."""
    for line in git("status", "--porcelain", "--untracked-files=all", "--no-renames"):
        yield line[3:]


def main() -> int:
    """Check, then test; the exit code of what failed."""
    began, here = time.monotonic(), Path(sys.executable).parent
    checks = [_begin(str(here / name), *more) for name, *more in CHECKS]
    by_git = bool(git("rev-parse", "HEAD"))
    chosen = nearest_first(list(_changed())) if by_git else list(CORE)
    failed = max(_end(check, quiet=True) for check in checks)
    until = f"{UNTIL}={time.time() + TESTS_S if by_git else float('inf')}"
    command = (sys.executable, "-m", "pytest", "-q", "-x", "-p", "tests.quick", until)
    near = [] if failed else chosen[:MOST_FILES] if by_git else chosen
    halves = [half for half in (near[::2], near[1::2]) if half]
    for run in [_begin(*command, *half) for half in halves]:
        failed = max(failed, _end(run))
    files_told = f"{len(near)} of the {len(chosen)} files of tests that it can break in the core"
    print(f"quick: {files_told}, {time.monotonic() - began:.0f} s")
    return failed


def _begin(*command: str) -> subprocess.Popen[str]:
    together = subprocess.STDOUT
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=together, text=True)


def _end(process: subprocess.Popen[str], *, quiet: bool = False) -> int:
    """Wait for its end and print what it said; ``quiet``: only where it failed. Its status."""
    said = process.communicate()[0]
    if process.returncode or not quiet:
        print(said, end="")
    return process.returncode


# As a plugin of these pytests: tests that are not run ---------------------------------------------

_left: Counter[str] = Counter()


def pytest_addoption(parser: pytest.Parser) -> None:
    """When no further test is begun, in seconds as ``time.time()`` has them."""
    parser.addoption(UNTIL, type=float, required=True)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> bool | None:
    """Begin none that takes long, and none once the time is up."""
    late = time.time() > item.config.getoption(UNTIL)
    if not late and not item.nodeid.startswith(LONG):
        return None
    _left["begun no more" if late else "too long"] += 1
    return True


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many are left for ``make test``."""
    for why, count in _left.items():
        terminalreporter.write_line(f"{count} tests left for make test: {why}")


if __name__ == "__main__":
    sys.exit(main())
