"""The device that is examined, and why a check does not hold or was not made."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

import pytest

from hil_tests.benches.table.console import LIMIT_S, TERMINAL, Console, NobodyThere, request
from hil_tests.conformance.controller import Controller
from hil_tests.conformance.judge import NotMade, Violation
from hil_tests.conformance.subject import UNIT, Place, Subject, examined_twin
from hil_tests.rig.plugin import BENCH, NOT_MADE

TWINS: Final = (
    Place("shoe", "serial port"),
    Place("shuffler", "serial port"),
    Place("jackpot", "serial port"),
    Place("keypad", "serial port"),
    Place("jackpot", UNIT),
)


class PersonAtDevice:
    """A person at a terminal, and at the device."""

    def __init__(self, console: Console, kind: str) -> None:
        self._console = console
        self._kind = kind

    def __call__(self, controller: Controller | None, verb: str, **arguments: Any) -> None:
        """Have it done. A device whose controller falls silent makes itself safe."""
        asked = request(self._kind, verb, arguments)
        if controller is None:
            self._console.please(asked)
            return
        with ThreadPoolExecutor(1, "console") as pool:
            done: Future[None] = pool.submit(self._console.please, asked)
            controller.listen(LIMIT_S, done.done, alive=True)
            done.result()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A check that wants somebody at the device, and nobody is there, says nothing of the device,
    nor does one that needs what the device fails to do in another check: the run fails, and the
    check is told as not made. What a check asks for is said in words, without its code."""
    report = yield
    if call.excinfo is not None and call.excinfo.errisinstance(Violation):
        report.longrepr = str(call.excinfo.value)
    if call.excinfo is not None and call.excinfo.errisinstance(NotMade):
        report.longrepr = f"not made: {call.excinfo.value}"
    if call.excinfo is not None and call.excinfo.errisinstance((NobodyThere, NotMade)):
        report.user_properties.append((NOT_MADE, str(call.excinfo.value)))
    return report


@pytest.fixture(scope="package")
def subject(request: pytest.FixtureRequest) -> Iterator[Subject]:
    """The device under examination."""
    place: Place = request.param
    if place in TWINS:
        with examined_twin(place.kind, place.carrier) as twin:
            yield twin
        return
    terminal = request.config.stash[BENCH].machine.get("terminal", TERMINAL)
    with closing(Console(Path(str(terminal)))) as console:
        with suppress(NobodyThere):  # told when somebody is wanted: most checks want nobody
            console.open()
        yield Subject(place, PersonAtDevice(console, place.kind))
