"""A capture file is read back as it was written, or refused with the line that is not known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from drivers.api import PortChange, Seen, Stray
from drivers.capture import format as capturing
from drivers.capture.reader import BadCapture
from drivers.table_link.messages import encode
from tests.capture.support import BEGAN_NS, CARD, command, event, head, line, read_capture, write

SEEN: list[Seen] = [
    PortChange(open=True),
    command("GATE", unlocked=1, cards=1),
    event("CARD", **CARD),
    Stray(b"\xff\x00"),
    PortChange(open=False, reason="the port has hung up"),
]


def lines() -> list[dict[str, Any]]:
    told = [line("shoe", number, seen) for number, seen in enumerate(SEEN)]
    return [head(), *told, capturing.end_line(len(told), 0)]


def test_what_was_seen_is_read_back(tmp_path: Path) -> None:
    capture = read_capture(write(tmp_path / "c", *lines()))
    assert [sight.seen for sight in capture.sights] == SEEN
    assert [sight.at_ns - BEGAN_NS for sight in capture.sights] == [
        number * 1_000_000 for number in range(len(SEEN))
    ]
    assert (capture.head, capture.missing, capture.trouble) == (head(), 0, "")
    assert capture.devices["shoe"]["serial"] == "SHOE-0001"


def test_what_was_dropped_is_counted(tmp_path: Path) -> None:
    told = [head(), line("shoe", 1, SEEN[1]), {"dropped": 7}, {"dropped": 2}]
    capture = read_capture(write(tmp_path / "c", *told, capturing.end_line(1, 9)))
    assert (capture.missing, capture.trouble) == (9, "")


def test_a_last_line_that_is_cut_off_is_named_and_left_out(tmp_path: Path) -> None:
    whole = write(tmp_path / "c", *lines()[:-1]).read_bytes()
    for missing in range(1, 30):
        (tmp_path / "c").write_bytes(whole[:-missing])
        capture = read_capture(tmp_path / "c")
        assert capture.trouble == "line 6 is cut off and left out"
        assert [sight.seen for sight in capture.sights] == SEEN[:-1]


def test_an_end_that_is_missing_is_said(tmp_path: Path) -> None:
    capture = read_capture(write(tmp_path / "c", *lines()[:-1]))
    assert "has no end" in capture.trouble
    assert len(capture.sights) == len(SEEN)


@pytest.mark.parametrize(
    ("first", "why"),
    [
        ({"capture": 1, "device": "shoe", "began": "noon"}, "of version 1, .* version 2"),
        ({"capture": 3}, "of version 3"),
        ({"seq": 1}, "is no capture"),
        ([1], "is no capture"),
        ({**head(), "more": 1}, "unknown keys .* more"),
        ({**head(), "end": "middle"}, "end or began_ns"),
        ({**head(), "devices": {"shoe": {"carrier": "pigeon"}}}, "carrier"),
    ],
)
def test_another_head_is_refused(tmp_path: Path, first: Any, why: str) -> None:
    with pytest.raises(BadCapture, match=why):
        read_capture(write(tmp_path / "c", first))


@pytest.mark.parametrize("content", [b"", b"\n", b"{", b"\xff\xfe\n", b'{"capture": 2'])
def test_what_is_no_capture_at_all_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "c").write_bytes(content)
    with pytest.raises(BadCapture, match="no capture"):
        read_capture(tmp_path / "c")


GATE = encode(0x10, 5, {"unlocked": 1, "cards": 1})
GOOD = line("shoe", 1, SEEN[1])


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ({**GOOD, "mood": 1}, "no line of a capture"),
        ({"remark": "tea"}, "no line of a capture"),
        ({**GOOD, "device": "roulette"}, "no device 'roulette'"),
        ({**GOOD, "dir": "up"}, "expected in or out"),
        ({**GOOD, "at_ns": -1}, "whole number"),
        ({**GOOD, "at_ns": "1"}, "whole number"),
        ({**GOOD, "raw": "0g"}, "hex"),
        ({"at_ns": 1, "device": "shoe", "port": "ajar"}, "expected opened or closed"),
        ({"dropped": True}, "whole number"),
        ({"end": {"messages": 0, "dropped": 0}}, "the end counts"),
    ],
)
def test_a_line_that_is_not_known_is_refused_by_its_number(
    tmp_path: Path, bad: dict[str, Any], why: str
) -> None:
    with pytest.raises(BadCapture, match=f"line 3: .*{why}"):
        read_capture(write(tmp_path / "c", head(), GOOD, bad, GOOD))


def test_nothing_may_stand_behind_the_end(tmp_path: Path) -> None:
    with pytest.raises(BadCapture, match=r"line 4: .*behind the end"):
        read_capture(write(tmp_path / "c", head(), GOOD, capturing.end_line(1, 0), GOOD))


def test_a_line_is_what_is_documented() -> None:
    assert json.loads(json.dumps(GOOD)) == {
        "at_ns": BEGAN_NS + 1_000_000,
        "device": "shoe",
        "dir": "out",
        "raw": GATE.hex(),
        "message": "GATE",
        "id": 5,
        "fields": {"unlocked": 1, "cards": 1},
    }
