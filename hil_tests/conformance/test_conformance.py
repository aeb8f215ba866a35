"""The examination of devices: every check that is about one, one behind the other.

- ``--device PORT``: one device, with a person at it; what it is it says itself.
- ``--bench FILE``: every real device of that bench that has a port on this machine.
- Neither: our own twins, each kind over each carrier that it is built for.
"""

from __future__ import annotations

from typing import Any

import pytest

from drivers.api import DriverError
from drivers.probe import probe
from hil_tests.conformance.catalogue import Check, checks
from hil_tests.conformance.conftest import TWINS
from hil_tests.conformance.subject import Place, Subject
from hil_tests.rig.plugin import BENCH


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each check for every device that it is about, device by device."""
    if "subject" in metafunc.fixturenames:
        found = [
            pytest.param(
                *(place, check, case),
                id="-".join([place.kind, place.carrier, check.name, *map(str, case.values())]),
                marks=[
                    pytest.mark.conformance(check.section),
                    *[pytest.mark.person] * check.person,
                ],
            )
            for place in _places(metafunc.config)
            for check in checks()
            if check.about(place)
            for case in check.cases
        ]
        metafunc.parametrize("subject, check, case", found, indirect=["subject"], scope="package")


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


def test_holds(subject: Subject, check: Check, case: dict[str, Any]) -> None:
    check.examine(subject, case)
