"""pytest's side of the browser: the fixture ``visits``, and ``--pictures FOLDER``.

A test that asks for ``visits``, itself or by another fixture, says
``@pytest.mark.needs("chromium")`` and runs in the browser's thread. The browser is started with the
first of them that a process runs. What nobody expected fails the test
(:attr:`hil_tests.browser.chromium.Visits.wrong`).
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:  # Playwright is imported where it is used: that takes a third of a second
    from hil_tests.browser.chromium import Chromium, Visits


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--pictures``."""
    group = parser.getgroup("browser")
    group.addoption(
        "--pictures",
        metavar="FOLDER",
        type=Path,
        help="tests with a browser write there what they look at, as PNG",
    )


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    """The browser of this process."""
    from hil_tests.browser.chromium import Chromium  # noqa: PLC0415

    made = Chromium()
    yield made
    made.close()


@pytest.fixture
def visits(chromium: Chromium, pytestconfig: pytest.Config) -> Iterator[Visits]:
    """Pages for a test; they are closed behind it."""
    from hil_tests.browser.chromium import Visits  # noqa: PLC0415

    made = Visits(chromium, pytestconfig.getoption("pictures"))
    try:
        yield made
        wrong = chromium.result_of(lambda: made.wrong)
    finally:
        chromium.result_of(made.close)
    if wrong:
        pytest.fail("\n".join(wrong), pytrace=False)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test with a browser where the browser is."""
    if "visits" not in pyfuncitem.fixturenames:
        return None
    function: Any = pyfuncitem.obj
    given: dict[str, Any] = pyfuncitem.funcargs
    wanted = {name: given[name] for name in inspect.signature(function).parameters}
    given["chromium"].result_of(lambda: function(**wanted))
    return True
