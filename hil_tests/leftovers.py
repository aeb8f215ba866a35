"""Nothing is left behind by a test: no thread, descriptor, child process or asyncio task.

What is about to end is given :data:`SETTLE_S`; what is still there then fails the test.
"""

from __future__ import annotations

import asyncio
import gc
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

KEPT_OPEN = "/matplotlib/mpl-data/fonts/"
"""Files that a library has opened once for all: matplotlib keeps its fonts."""
SETTLE_S = 2.0
STEP_S = 0.005


def _descriptors() -> set[tuple[str, str]]:
    found = set()
    for fd in os.listdir("/proc/self/fd"):  # noqa: PTH208 - Path.iterdir keeps one open
        try:
            path = os.readlink(f"/proc/self/fd/{fd}")  # noqa: PTH115
        except OSError:
            continue  # the directory's own
        if KEPT_OPEN not in path:
            found.add((fd, path))
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
    """Every test; a fixture for ``conftest.py``."""
    with leaving_no_tasks(monkeypatch), leaving_nothing():
        yield
