"""What holds for every test.

- A test leaves nothing behind: threads, descriptors, child processes, asyncio tasks. What is on
  its way out gets two seconds; what is still there then fails the test and is named.
- A test that needs what a machine may lack says so, ``@pytest.mark.needs("umockdev")``, and is
  listed at the end under 'Not run for want of'. With ``TABLE_CI=1`` in the environment lacking it
  is a failure: a pipeline that silently tests less is worse than a red one.
- Hypothesis prints what reproduces a failure. ``TABLE_EXAMPLES=5000`` asks for more examples.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from hil_tests.leftovers import _nothing_left_behind

__all__ = ["_nothing_left_behind"]

settings.register_profile(
    "table",
    print_blob=True,
    deadline=None,
    max_examples=int(os.environ.get("TABLE_EXAMPLES", "100")),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("table")


# Things a test may need ------------------------------------------------------------------------


def _umockdev() -> bool:
    if shutil.which("umockdev-wrapper") is None:
        return False
    script = "import gi; gi.require_version('UMockdev', '1.0'); from gi.repository import UMockdev"
    python = "/usr/bin/python3"  # gi belongs to the system's Python, not to the venv's
    if not Path(python).exists():
        return False
    return subprocess.run([python, "-c", script], capture_output=True, check=False).returncode == 0


def _root_by_key() -> bool:
    """sshd lets nobody in whose password is locked, not even by key."""
    if os.geteuid():
        return False
    root = Path("/etc/shadow").read_text(encoding="ascii", errors="replace").partition("root:")[2]
    return not root.startswith("!")


def _cores() -> bool:
    """A process here may leave a core: no limit forbids it, and the kernel has a place for it."""
    pattern = Path("/proc/sys/kernel/core_pattern").read_text(encoding="ascii").strip()
    return resource.getrlimit(resource.RLIMIT_CORE)[1] != 0 and pattern != ""


CHECKS: dict[str, Callable[[], bool]] = {
    "cores": _cores,
    "umockdev": _umockdev,
    "root by key": _root_by_key,
    "root": lambda: os.geteuid() == 0,
    "not root": lambda: os.geteuid() != 0,
}
"""How to tell whether something is there; any other name is that of a program on the path."""


@cache
def available(name: str) -> bool:
    """Whether this machine has what a test calls ``name``."""
    check = CHECKS.get(name)
    return check() if check is not None else shutil.which(name) is not None


WANTING = "wanting"
"""A property of a test's report, which reaches the summary from whatever process ran the test."""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "needs(*names): not run on a machine that lacks one of them")


def pytest_collection_modifyitems() -> None:
    """`make coverage` measures pytest's processes, and none that a test starts."""
    os.environ.pop("COVERAGE_PROCESS_START", None)


def pytest_runtest_setup(item: pytest.Item) -> None:
    missing = [
        name for marker in item.iter_markers("needs") for name in marker.args if not available(name)
    ]
    if not missing:
        return
    item.user_properties += [(WANTING, name) for name in missing]
    message = f"for want of {', '.join(missing)}"
    if os.environ.get("TABLE_CI") == "1":
        pytest.fail(message, pytrace=False)
    pytest.skip(message)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    wanting: dict[str, list[str]] = defaultdict(list)
    for report in (*terminalreporter.getreports("skipped"), *terminalreporter.getreports("error")):
        for key, name in getattr(report, "user_properties", ()):
            if key == WANTING:
                wanting[name].append(report.nodeid)
    if not wanting:
        return
    terminalreporter.section("Not run for want of")
    for name, tests in sorted(wanting.items()):
        terminalreporter.write_line(f"{name}:")
        for test in tests:
            terminalreporter.write_line(f"    {test}")
