"""Which entries may come in another order when a capture is played again."""

from __future__ import annotations

from controller.journal.model import Draft, Entry
from hil_tests.replay.exported import compare

SHOE = [("link", "shoe"), ("SHOE_STATE", "shoe")]
UNIT = [("link", "jackpot"), ("COVER", "jackpot")]
PLAY = [("dealer", None), ("CARD", "shoe"), ("BUTTON", "jackpot")]


def _entries(*told: tuple[str, str | None]) -> list[Entry]:
    return [
        Entry(seq, 1, seq, "", Draft(kind, {}, device), None, b"")
        for seq, (kind, device) in enumerate(told, 1)
    ]


def test_devices_that_introduce_themselves_side_by_side_may_do_so_in_any_order() -> None:
    one, other = _entries(*SHOE, *UNIT, *PLAY), _entries(*UNIT, *SHOE, *PLAY)
    assert compare(one, other, from_start=True) == (7, [])
    mixed = _entries(UNIT[0], *SHOE, UNIT[1], *PLAY)
    assert compare(one, mixed, from_start=True) == (7, [])
    assert compare(one, other)[1]


def test_the_order_of_each_devices_own_entries_is_compared() -> None:
    one, other = _entries(*SHOE, *UNIT, *PLAY), _entries(*reversed(SHOE), *UNIT, *PLAY)
    assert compare(one, other, from_start=True)[1]


def test_once_somebody_else_is_heard_the_order_is_compared() -> None:
    one = _entries(*SHOE, *UNIT, *PLAY)
    other = _entries(*SHOE, *UNIT, PLAY[0], PLAY[2], PLAY[1])
    assert compare(one, other, from_start=True)[1]
