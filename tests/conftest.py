"""What holds for every test.

- A test leaves nothing behind: threads, descriptors, child processes, asyncio tasks. What is on
  its way out gets two seconds; what is still there then fails the test and is named.
- A test that needs what a machine may lack says so, ``@pytest.mark.needs("umockdev")``, and is
  listed at the end under 'Not run for want of'. With ``TABLE_CI=1`` in the environment lacking it
  is a failure: a pipeline that silently tests less is worse than a red one.
- Hypothesis prints what reproduces a failure. ``TABLE_EXAMPLES=5000`` asks for more examples.
"""

from __future__ import annotations

import asyncio
import gc
import os
import shutil
import subprocess
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

SETTLE_S = 2.0
STEP_S = 0.005

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


CHECKS: dict[str, Callable[[], bool]] = {
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


# Nothing is left behind ------------------------------------------------------------------------


def _descriptors() -> set[tuple[str, str]]:
    found = set()
    for fd in os.listdir("/proc/self/fd"):  # noqa: PTH208 - Path.iterdir keeps one open
        try:
            found.add((fd, os.readlink(f"/proc/self/fd/{fd}")))  # noqa: PTH115
        except OSError:
            continue  # the directory's own
    return found


def _children() -> set[str]:
    found: set[str] = set()
    for task in Path("/proc/self/task").iterdir():
        try:
            found.update((task / "children").read_text(encoding="ascii").split())
        except OSError:
            continue
    return found


def _left(before: dict[str, set[Any]]) -> dict[str, set[Any]]:
    now = _inventory()
    left = {what: now[what] - before[what] for what in now}
    return {what: things for what, things in left.items() if things}


def _inventory() -> dict[str, set[Any]]:
    return {
        "threads": {thread for thread in threading.enumerate() if thread.is_alive()},
        "file descriptors": set(_descriptors()),
        "child processes": set(_children()),
    }


@contextmanager
def leaving_nothing() -> Iterator[None]:
    """Fails when threads, descriptors or child processes are left that were not there before."""
    before = _inventory()
    yield
    left = _left(before)
    deadline = time.monotonic() + SETTLE_S
    while left and time.monotonic() < deadline:
        if "threads" not in left:  # what a thread had is garbage once it has ended
            gc.collect()
        threading.Event().wait(STEP_S)
        left = _left(before)
    if left:
        pytest.fail(f"left behind: {left}", pytrace=False)


@contextmanager
def leaving_no_tasks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fails when an event loop is closed with tasks still running."""
    abandoned: list[str] = []
    cancel_all = getattr(asyncio.runners, "_cancel_all_tasks", None)
    if cancel_all is not None:

        def note_and_cancel(loop: asyncio.AbstractEventLoop) -> None:
            abandoned.extend(repr(task) for task in asyncio.all_tasks(loop) if not task.done())
            cancel_all(loop)

        monkeypatch.setattr(asyncio.runners, "_cancel_all_tasks", note_and_cancel)
    yield
    if abandoned:
        pytest.fail(f"asyncio tasks left running: {abandoned}", pytrace=False)


@pytest.fixture(autouse=True)
def _nothing_left_behind(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with leaving_no_tasks(monkeypatch), leaving_nothing():
        yield
