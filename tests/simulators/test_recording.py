"""A recorder at the device's end of a line writes what the controller's would."""

from __future__ import annotations

import io
from itertools import count
from pathlib import Path

import pytest

from drivers.api import PortChange, Stray
from drivers.capture.reader import Capture
from drivers.table_link.messages import COMMANDS, EVENTS, encode, read_traffic
from simulators.__main__ import main
from simulators.hands import Hands
from simulators.jackpot import Jackpot
from simulators.lines.line import QUIET, Noise
from simulators.recording import Recording
from simulators.twin import Twin
from tests.capture.support import read_capture

PRESS = encode(EVENTS["PRESS"].type, 0, {"event_no": 1, "t_ms": 2, "offer_id": 7})
PING = encode(COMMANDS["PING"].type, 5, {})
HELLO = encode(COMMANDS["HELLO"].type, 3, {"session_id": 0, "event_no": 0})


class Bare:
    """A line that keeps what it is given, and pulls its plug after one portion where told."""

    def __init__(self) -> None:
        self.noise = QUIET
        self.fd = -1
        self.port: str | None = None
        self.inbox: list[bytes] = []
        self.sent: list[bytes] = []
        self.cut = False

    def plug(self) -> None:
        self.fd = 0

    def unplug(self) -> None:
        self.fd = -1

    def cut_after(self, count: int) -> None:
        self.cut = True

    def receive(self) -> list[bytes]:
        inbox, self.inbox = self.inbox, []
        return inbox

    def send(self, payloads: list[bytes]) -> None:
        self.sent += payloads
        if self.cut:
            self.unplug()

    def write(self, data: bytes) -> None:
        self.sent.append(data)

    def counters(self) -> dict[str, int]:
        return {"sent": len(self.sent)}

    def do_stall(self) -> dict[str, str]:
        return {"stalled": "yes"}


def recorded(file: io.StringIO, folder: Path) -> Capture:
    path = folder / "c.jsonl"
    path.write_text(file.getvalue(), encoding="ascii")
    return read_capture(path)


def test_what_goes_through_a_line_is_noted_as_the_controller_sees_it(tmp_path: Path) -> None:
    file, ticks, bare = io.StringIO(), count(10, 5), Bare()
    line = Recording(bare, file, "jackpot", "usb", lambda: next(ticks), "boot-1")
    line.send([PRESS])  # not plugged in: nobody is there to see it
    line.plug()
    bare.inbox = [PING]
    assert line.receive() == [PING]
    line.cut_after(3)
    line.write(b"\xff\x00")
    line.send([PRESS])
    line.noise = Noise(flip=0.5)
    assert (bare.noise.flip, line.fd, line.counters()) == (0.5, -1, {"sent": 3})
    line.write_end()
    capture = recorded(file, tmp_path)
    assert [(sight.at_ns, sight.seen) for sight in capture.sights] == [
        (15, PortChange(open=True)),
        (20, read_traffic(PING, outward=True)),
        (25, Stray(b"\xff\x00")),
        (30, read_traffic(PRESS, outward=False)),
        (35, PortChange(open=False, reason="the cable was pulled")),
    ]
    assert (capture.head["end"], capture.head["boot_id"]) == ("device", "boot-1")
    assert (capture.head["table"], capture.trouble) == (None, "")
    assert capture.devices == {"jackpot": {"carrier": "usb"}}


def test_a_twin_behind_it_is_as_it_was(tmp_path: Path) -> None:
    file, bare, now = io.StringIO(), Bare(), [1.0]
    line = Recording(bare, file, "jackpot", boot_id="boot-1")
    twin = Twin(Jackpot, line, "JACKPOT-0001", seed=1, clock=lambda: now[0])
    twin.do_plug()
    bare.inbox = [HELLO]
    twin.turn()
    assert twin.do({"do": "stall"}) == {"stalled": "yes"}  # which only this line can
    assert twin.do({"do": "look"})["state"]["served"]
    twin.do_unplug()
    line.write_end()
    names = [getattr(sight.seen, "name", sight.seen) for sight in recorded(file, tmp_path).sights]
    assert names == [
        PortChange(open=True),
        "HELLO",
        "HELLO answer",
        "COVER",
        PortChange(open=False, reason="the cable was pulled"),
    ]


def test_a_process_keeps_its_traffic_in_a_new_file(tmp_path: Path) -> None:
    file = tmp_path / "pad.jsonl"
    with Hands.start("keypad", tmp_path / "pad", "--capture", str(file)) as pad:
        pad.do("unplug")
        pad.do("plug")
        assert pad.stop() == 0
    capture = read_capture(file)
    ports = [sight.seen.open for sight in capture.sights if isinstance(sight.seen, PortChange)]
    assert ports == [True, False, True]
    assert (capture.devices, capture.trouble) == ({"keypad": {"carrier": "serial"}}, "")


def test_a_file_that_is_there_is_left_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "pad.jsonl"
    file.write_text("mine")
    with pytest.raises(SystemExit, match="2"):
        main(["keypad", "--link", str(tmp_path / "pad"), "--capture", str(file)])
    assert (file.read_text(), "--capture" in capsys.readouterr().err) == ("mine", True)
