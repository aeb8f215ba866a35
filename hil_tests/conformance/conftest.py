"""Which devices are examined, a conversation for every check, and the result by sections.

- ``--device PORT``: one device, with a person at it; what it is it says itself.
- ``--bench FILE``: every real device of that bench that has a port on this machine.
- Neither: our own twins, each kind over each carrier that it is built for.
"""

from __future__ import annotations

import tempfile
from collections.abc import Generator, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final

import pytest

from drivers.api import DriverError
from drivers.probe import probe
from hil_tests.benches.table.console import TERMINAL, Console, NobodyThere
from hil_tests.benches.virtual.pyusb_backend import installed
from hil_tests.conformance.controller import Controller
from hil_tests.conformance.hands import PersonAtDevice, TwinsHands
from hil_tests.conformance.judge import NotMade, Violation
from hil_tests.conformance.subject import Place, Subject
from hil_tests.rig.plugin import BENCH, NOT_MADE, SECTION
from simulators.hands import Hands

UNIT: Final = "1209:0001"
TWINS: Final = (
    Place("shoe", "serial port"),
    Place("shuffler", "serial port"),
    Place("jackpot", "serial port"),
    Place("keypad", "serial port"),
    Place("jackpot", UNIT),
)
NEVER_DONE_MS: Final = "600000"
"""A shuffle that ends when it is told to, and not in the middle of a check."""

OPTIONS: Final = {"shuffler": ("--shuffle-ms", NEVER_DONE_MS)}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A check for every device that it is about."""
    if "subject" not in metafunc.fixturenames:
        return
    wanted = metafunc.definition.get_closest_marker("only_for")
    limits = wanted.kwargs if wanted else {}
    places = [
        place
        for place in _places(metafunc.config)
        if all(getattr(place, name) in values for name, values in limits.items())
    ]
    metafunc.parametrize(
        "subject",
        places,
        ids=[f"{place.kind}-{place.carrier}" for place in places],
        indirect=True,
        scope="package",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A check of a kind of device that is not there is none of this run's."""
    kept: list[pytest.Item] = []
    none: list[pytest.Item] = []
    for item in items:
        case = getattr(item, "callspec", None)
        about = case.params.get("subject") if case is not None else None
        (none if about is not None and not isinstance(about, Place) else kept).append(item)
    if none:
        config.hook.pytest_deselected(items=none)
        items[:] = kept


def _places(config: pytest.Config) -> list[Place]:
    port = config.getoption("device")
    if port:
        try:
            return [Place(probe(port).identity.kind, port)]
        except DriverError as error:
            raise pytest.UsageError(f"--device {port}: {error}") from error
    bench = config.stash[BENCH]
    if bench.machine["driver"] == "process":
        return list(TWINS)
    return [
        Place(name, device.port)
        for name, device in bench.devices.items()
        if device.driver == "person" and device.port
    ]


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
    """The device under examination, on whose bus no other folder's tests are to be."""
    place: Place = request.param
    with ExitStack() as undo:
        if place not in TWINS:
            terminal = request.config.stash[BENCH].machine.get("terminal", TERMINAL)
            console = Console(Path(terminal))
            undo.callback(console.close)
            with suppress(NobodyThere):  # told when somebody is wanted: most checks want nobody
                console.open()
            yield Subject(place, PersonAtDevice(console, place.kind))
            return
        folder = Path(undo.enter_context(tempfile.TemporaryDirectory(prefix="twin-")))
        port = folder / place.kind
        usb = place.carrier == "usb"
        hands = undo.enter_context(
            Hands.start(
                place.kind,
                port,
                *OPTIONS.get(place.kind, ()),
                line="--usb-port" if usb else "--link",
            )
        )
        if usb:
            undo.enter_context(installed(folder))
        found = Place(place.kind, UNIT if usb else str(port))
        yield Subject(found, TwinsHands(hands))


@pytest.fixture
def controller(subject: Subject, request: pytest.FixtureRequest) -> Iterator[Controller]:
    """A conversation that has begun: HELLO is answered, events are covered, the device is safe."""
    opened = subject.greeted()
    check = request.node.get_closest_marker(SECTION)
    opened.section = str(check.args[0]) if check else ""
    yield opened
    subject.end_check(opened, request.node.originalname.removeprefix("test_"))
