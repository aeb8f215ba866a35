"""Probing a port: who is there, or why that cannot be told."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from drivers.api import DriverError
from drivers.carriers.serial_port import close_port, open_port
from drivers.probe import list_ports, probe
from drivers.table_link.messages import NAK, Message
from simulators.hands import Hands
from simulators.lines.wire import Wire


@pytest.mark.parametrize("kind", ["shoe", "shuffler", "jackpot", "keypad"])
def test_every_kind_is_identified(tmp_path: Path, kind: str) -> None:
    with Hands.start(kind, tmp_path / "port", "--serial", "PROBED"):
        report = probe(str(tmp_path / "port"))
        assert (report.identity.kind, report.identity.serial) == (kind, "PROBED")
        assert report.identity.firmware == (1, 4, 2)
        assert report.faults == ()
        assert report.unacked == report.last_event


def test_faults_are_named_and_what_is_unacknowledged_stays(tmp_path: Path) -> None:
    with Hands.start("jackpot", tmp_path / "port") as unit:
        unit.do("cover", open=True)
        for _ in range(2):
            report = probe(str(tmp_path / "port"))
            assert report.faults == ("cover open",)
            assert report.unacked == 3  # COVER at the beginning, COVER and FAULT now


def test_port_in_use_is_refused_before_a_byte_is_sent(tmp_path: Path) -> None:
    with Hands.start("shoe", tmp_path / "port") as shoe:
        before = shoe.do("line")["bytes_in"]
        holder = open_port(str(tmp_path / "port"), 115200)
        with pytest.raises(DriverError, match="in use by another process"):
            probe(str(tmp_path / "port"))
        close_port(holder)
        assert shoe.do("line")["bytes_in"] == before


def test_silence_and_absence_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(DriverError, match="does not exist"):
        probe(str(tmp_path / "port"))
    wire = Wire(tmp_path / "port")
    wire.plug()
    with pytest.raises(DriverError, match="nobody answers HELLO"):
        probe(str(tmp_path / "port"))
    wire.unplug()


@pytest.mark.parametrize(("refused", "said"), [(0x01, r"NAK 5"), (0x02, "nobody answers HELLO")])
def test_only_a_refusal_of_what_was_asked_counts(
    mocker: MockerFixture, refused: int, said: str
) -> None:
    mocker.patch("drivers.probe.ANSWER_WITHIN_S", 0.01)
    mocker.patch("drivers.probe.random.randint", return_value=7)
    line = mocker.patch("drivers.probe._SerialLine").return_value
    line.receive.return_value = [Message(NAK, 7, "NAK", {"code": 5, "refused": refused})]
    with pytest.raises(DriverError, match=said):
        probe("port")
    line.close.assert_called_once_with()


def test_candidates_can_be_listed_on_any_machine(mocker: MockerFixture) -> None:
    mocker.patch("drivers.probe.list_units", side_effect=DriverError("no libusb"))
    assert list_ports()[-1].description == "no libusb"
