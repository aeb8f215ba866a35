"""A stalled line: whole payloads, in order, held back, then let go or lost."""

from __future__ import annotations

from pathlib import Path

from drivers.table_link.messages import encode
from simulators.hands import Hands
from simulators.lines.stall import Stall


def _payloads() -> list[bytes]:
    return [
        encode(0x10, 7, {"unlocked": 1, "cards": 1}),
        encode(0x02, 8, {}),
        encode(0x11, 9, {"colour": 1, "blink": 0}),
    ]


def test_flows_unless_told() -> None:
    stall = Stall()
    assert stall.through(_payloads()) == _payloads()
    assert stall.names() == []


def test_held_back_then_let_go_in_order() -> None:
    stall = Stall()
    stall.hold_back()
    assert stall.through(_payloads()) == []
    assert stall.names() == ["GATE", "SIGNAL"]
    stall.let_go(drop=False)
    assert stall.through([b"next"]) == [*_payloads(), b"next"]
    assert stall.through([]) == []


def test_held_back_then_lost() -> None:
    stall = Stall()
    stall.hold_back()
    stall.through(_payloads())
    stall.let_go(drop=True)
    assert stall.through([b"next"]) == [b"next"]


def test_a_device_that_says_nothing_keeps_its_event(tmp_path: Path) -> None:
    with Hands.start("shoe", tmp_path / "shoe") as shoe:
        shoe.do("hold_back", inward=True, outward=True)
        shoe.do("draw", force=True)
        assert shoe.look()["unacked"] == 2
        shoe.do("let_go", drop=True)
        assert shoe.look()["held_out"] == []
