"""What `status`, `ready` and `devices list` say of lines, by a real daemon on real ports."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from simulators.hands import Hands
from simulators.lines.wire import Wire
from tests.cli.conftest import tablectl
from tests.cli.support import Tablectl
from tests.daemon.process import PATIENCE_S, Place, running
from tests.drivers.test_second_reader import reading

__all__ = ["tablectl"]

SHUFFLER = '[devices.shuffler]\nport = "{path}"\n'


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A table with a shuffler beside shoe and jackpot unit."""
    made = Place(tmp_path / "table")
    text = made.configuration.read_text("utf-8") + SHUFFLER.format(path=made.folder / "shuffler")
    made.configuration.write_text(text, "utf-8")
    return made


@pytest.fixture
def ask(tablectl: Tablectl, place: Place) -> Callable[..., Any]:
    def asked(*words: str) -> Any:
        return tablectl("--socket", place.socket, *words)

    return asked


def until(told: Callable[[], str], what: str) -> str:
    """What it says, once it says that."""
    end = time.monotonic() + PATIENCE_S
    while what not in (said := told()):
        assert time.monotonic() < end, said
        threading.Event().wait(0.05)
    return said


def _entries(ask: Callable[..., Any], place: Place) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = ask("journal", "export", "--state", place.state).lines
    return told


def missing(ask: Callable[..., Any], name: str) -> dict[str, Any]:
    """The check of that name before opening, which is not well."""
    [found] = [one for one in ask("ready", "--json").json["checks"] if one["name"] == name]
    assert not found["ok"]
    return dict(found)


def test_crossed_plugs_are_to_be_swapped(place: Place, ask: Callable[..., Any]) -> None:
    with (
        Hands.start("shuffler", place.shoe),
        Hands.start("shoe", place.folder / "shuffler"),
        running(place),
    ):
        until(lambda: str(ask("status").out), "swap these two")
        for name in ("shoe", "shuffler"):
            check = missing(ask, name)
            assert check["next_step"].startswith("swap these two: ")
            assert str(place.shoe) in check["next_step"]
            assert "supply" not in check["next_step"]
        assert "swap these two" in ask("devices", "list").out


def test_damaged_messages_are_not_a_silent_device(place: Place, ask: Callable[..., Any]) -> None:
    with Hands.start("shoe", place.shoe) as shoe, running(place):
        until(lambda: str(ask("devices", "list").out), "up")
        shoe.do("noise", flip=0.2, inward=False)
        said = until(lambda: str(ask("devices", "list").out), "damaged messages came at 115200")
        assert "does not answer, and" in said
        check = missing(ask, "shoe")
        assert "damaged messages came" in check["what"]
        assert check["next_step"].startswith("the speeds of the two ends differ, or there is noise")
        [*_, link] = [one for one in _entries(ask, place) if one["type"] == "link"]
        assert "damaged messages came at 115200 baud" in link["body"]["reason"]


def test_a_cable_that_is_pulled_out_is_not_the_noise_before(
    place: Place, ask: Callable[..., Any]
) -> None:
    with Hands.start("shoe", place.shoe) as shoe, running(place):
        until(lambda: str(ask("devices", "list").out), "up")
        shoe.do("noise", flip=0.2, inward=False)
        until(lambda: str(ask("devices", "list").out), "damaged messages came at 115200")
        shoe.do("noise", flip=0.0)
        until(lambda: str(ask("devices", "list").out), "its line degrades")
        shoe.do("unplug")
        said = until(lambda: str(ask("devices", "list").out), "has hung up")
        assert "has hung up: look at its plug and its adapter" in said


def test_another_program_on_the_port_is_told_and_named(
    place: Place, ask: Callable[..., Any]
) -> None:
    """The controller knows of it by what it loses; who may see the process names it."""
    with Hands.start("shoe", place.shoe), running(place):
        until(lambda: str(ask("devices", "list").out), "up")
        cat = reading(place.shoe)
        try:
            said = until(lambda: str(ask("status").out), "another program reads its port")
            found = f"find it with 'sudo fuser -v {place.shoe}' and stop it"
            assert found in " ".join(said.split())
            check = missing(ask, "shoe")
            assert f"process {cat.pid} (cat) has {place.shoe} open" in check["what"]
            assert check["next_step"] == f"stop it: 'sudo kill {cat.pid}'"
            assert f"'sudo kill {cat.pid}'" in ask("devices", "list").out
        finally:
            cat.kill()
            cat.wait()
        assert "(cat)" not in ask("devices", "list").out


def test_who_reads_a_port_is_named_by_probes(tmp_path: Path, tablectl: Tablectl) -> None:
    silent = Wire(tmp_path / "shoe")
    silent.plug()
    cat = reading(silent.link)
    try:
        told = tablectl("devices", "probe", silent.link)
    finally:
        cat.kill()
        cat.wait()
        silent.unplug()
    assert told.code == 1
    assert f"nobody answers HELLO: process {cat.pid} (cat) has" in told.err
    assert f"'sudo kill {cat.pid}'" in told.err


def test_damaged_messages_are_told_by_probes(tmp_path: Path, tablectl: Tablectl) -> None:
    with Hands.start("shoe", tmp_path / "shoe") as shoe:
        shoe.do("noise", flip=0.2, inward=False)
        told = tablectl("devices", "probe", tmp_path / "shoe")
        assert told.code == 1
        assert "damaged messages came: the speeds of the two ends differ" in told.err
