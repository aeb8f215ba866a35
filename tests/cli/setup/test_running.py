"""``setup`` beside a controller that runs: its ports are its own, and a round is left alone."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from drivers.carriers.serial_port import close_port, open_port
from tests.cli.setup.conftest import Box, sets
from tests.control.support import controller
from tests.daemon.process import running


@pytest.fixture
def known(table: Box) -> Box:
    """It is configured by its ports."""
    ports = [f"--set=devices.{name}.port={table.folder / name}" for name in ("shoe", "jackpot")]
    listing = table.ports[:]
    table.ports.clear()
    assert table.setup("--yes", *sets(), *ports).code == 0
    table.ports += listing
    return table


def test_the_running_controller_is_asked_and_its_ports_are_not_opened(known: Box) -> None:
    known.state.mkdir()
    place: Any = SimpleNamespace(folder=known.folder, configuration=known.config)
    with running(place):
        told = known.setup("--yes", "--json", "--set", "table.min=25")
    assert told.code == 0, told.err
    found = {one["port"]: one for one in told.json["found"]}
    shoe = found[str(known.folder / "shoe")]
    assert (shoe["kind"], shoe["held_by"]) == ("shoe", "the running controller")
    (test,) = (test for test in told.json["tests"] if test["name"] == "shoe")
    assert "between rounds: tablectl devices test shoe" in test["what"]
    assert any("counts from the next start" in item for item in told.json["left"])
    assert "min = 25" in known.config.read_text()


def configured(table: Box, **devices: dict[str, str]) -> dict[str, Any]:
    """The status of a controller that was started with the box's configuration."""
    told = {"path": str(table.config), "digest": "d"}
    return {"state": "idle", "configuration": told, "devices": devices}


def test_a_link_that_is_down_is_told(known: Box) -> None:
    up = {"link": "up", "kind": "shoe", "serial": "SHOE-1", "firmware": "1.4.2"}
    status = configured(known, shoe=up, jackpot={"link": "down"})
    with controller(known.folder / "control.sock", status):
        told = known.setup("--json")
    assert told.code == 1
    tests = {test["name"]: test for test in told.json["tests"]}
    assert (tests["shoe"]["ok"], tests["jackpot"]["ok"]) == (True, False)
    assert "its link is down: look at its plug" in tests["jackpot"]["what"]


def test_a_controller_with_a_configuration_that_cannot_be_read(table: Box) -> None:
    status = {"state": "idle", "configuration": {"path": str(table.folder / "gone"), "digest": "d"}}
    with controller(table.folder / "control.sock", status):
        assert table.setup("--yes", *sets()).code == 0
    with controller(table.folder / "control.sock", {"configuration": None}):
        told = table.setup("--json")
    assert told.code == 0
    assert told.json["devices"]["shoe"]["serial"] == "SHOE-1"


def test_in_mid_round_nothing_is_started_anew_and_nothing_written(table: Box) -> None:
    with controller(table.folder / "control.sock", {"state": "round.play"}):
        told = table.setup("--yes", "--start", *sets())
        assert told.code == 3
        assert "a round is not over (round.play)" in told.err
        assert not table.config.exists()
        told = table.setup("--yes", *sets())
        assert told.code == 0, "written it may be: it counts from the next start"
    assert table.config.exists()


def test_a_port_that_another_process_holds_is_told(table: Box) -> None:
    held = open_port(str(table.folder / "shoe"), 115200)
    try:
        told = table.setup("--yes", "--json", *sets())
    finally:
        close_port(held)
    assert told.code == 2
    assert "[devices.shoe] is missing" in told.err
    assert told.out == ""
