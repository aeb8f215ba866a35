"""What holds for every test.

- A test leaves nothing behind: threads, descriptors, child processes, asyncio tasks. What is on
  its way out gets two seconds; what is still there then fails the test and is named.
- A test that needs what a machine may lack says so, ``@pytest.mark.needs("spin")``, and is
  listed at the end under 'Not run for want of' with what would bring it (:mod:`tests.needs`). With
  ``TABLE_CI=1`` in the environment lacking it is a failure: a pipeline that silently tests
  less is worse than a red one.
- Signals are not ignored because whoever called pytest ignores them, as a shell does for a job in
  the background: a program that a test starts and interrupts would go on for ever.
- Hypothesis prints what reproduces a failure. ``TABLE_EXAMPLES=5000`` asks for more examples.
- ``TABLE_NIGHT=1`` (``make night``) runs what is left out by day (:mod:`tests.shares`).
- What waits is spread over the run, and what takes long is begun first.
"""

from __future__ import annotations

import asyncio
import inspect
import os
import shutil
import signal
import tempfile
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from hil_tests.leftovers import _nothing_left_behind
from tests.needs import NEEDS, available
from tests.shares import by_day, in_shares, is_by_day

__all__ = ["_nothing_left_behind"]

settings.register_profile(
    "table",
    print_blob=True,
    deadline=None,
    max_examples=int(os.environ.get("TABLE_EXAMPLES", "17")),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("table")


@pytest.fixture
def reached() -> Iterator[Path]:
    """A folder that everybody reaches, of root's where root tests; ``tmp_path`` belongs to its user
    alone."""
    folder = Path(tempfile.mkdtemp(dir="/var/tmp"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


# Things a test may need ------------------------------------------------------------------------


WANTING = "wanting"
"""A property of a test's report, which reaches the summary from whatever process ran the test."""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "needs(*names): not run on a machine that lacks one of them")
    for number, usual in (
        (signal.SIGINT, signal.default_int_handler),
        (signal.SIGQUIT, signal.SIG_DFL),
    ):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, usual)


@pytest.hookimpl(trylast=True)  # of those that are left
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """See that what tests need is known, and put them in order. And `make coverage` measures
    pytest's processes, and none that a test starts."""
    os.environ.pop("COVERAGE_PROCESS_START", None)
    for item in items:
        for name in _needed(item):
            if name not in NEEDS:
                raise pytest.UsageError(f"{item.nodeid} needs {name!r}: add it to tests/needs.py")
    if _is_by_day(config):
        chosen = by_day([item.nodeid for item in items])
        left = {*range(len(items))} - {*chosen}
        config.hook.pytest_deselected(items=[items[at] for at in sorted(left)])
        items[:] = [items[at] for at in chosen]
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    items[:] = [items[at] for at in in_shares([item.nodeid for item in items], workers)]


def _is_by_day(config: pytest.Config) -> bool:
    options = ("keyword", "lf", "failedfirst")  # two of them only where pytest has a cache
    chosen = any(config.getoption(name, False) for name in options)
    return is_by_day(config.args, config.getini("testpaths"), chosen=chosen)


def _needed(item: pytest.Item) -> list[str]:
    return [name for marker in item.iter_markers("needs") for name in marker.args]


def pytest_runtest_setup(item: pytest.Item) -> None:
    missing = [name for name in _needed(item) if not available(name)]
    if not missing:
        return
    item.user_properties += [(WANTING, name) for name in missing]
    message = f"for want of {', '.join(missing)}"
    if os.environ.get("TABLE_CI") == "1":
        pytest.fail(message, pytrace=False)
    pytest.skip(message)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """A test that is a coroutine has a loop of its own, in which what its fixtures give begins and
    ends: of an asynchronous context the test has what it yields."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(_within(pyfuncitem.obj, {name: pyfuncitem.funcargs[name] for name in names}))
    return True


async def _within(test: Callable[..., Awaitable[None]], given: dict[str, Any]) -> None:
    async with AsyncExitStack() as stack:
        for name, value in given.items():
            if isinstance(value, AbstractAsyncContextManager):
                given[name] = await stack.enter_async_context(value)
        await test(**given)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if _is_by_day(config):
        terminalreporter.write_line("By day some of many like tests are run: make night runs all.")
    wanting: dict[str, list[str]] = defaultdict(list)
    for report in (*terminalreporter.getreports("skipped"), *terminalreporter.getreports("error")):
        for key, name in getattr(report, "user_properties", ()):
            if key == WANTING:
                wanting[name].append(report.nodeid)
    if not wanting:
        return
    terminalreporter.section("Not run for want of")
    for name, tests in sorted(wanting.items()):
        terminalreporter.write_line(f"{name} ({NEEDS[name].remedy}):")
        for test in tests:
            terminalreporter.write_line(f"    {test}")
