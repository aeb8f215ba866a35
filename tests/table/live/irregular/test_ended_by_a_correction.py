"""A correction that ends the round, judged as something happens that does not wait for it.

What happens then finds a round that is over, and must know it: a power cut has nothing left to be
decided, a card is one too many.
"""

from __future__ import annotations

import pytest

from hil_tests.benches.driven_table import DAMAGED, LOCKED
from tests.table.live.driver import EVERY, Live, dealt


def _about_to_end(rules: str) -> Live:
    """The dealer has 16 and waits for a card; the second one was a king, which makes 17."""
    table = dealt("9C 7D KC", rules=rules).play("stand 1", "9H")
    assert table.wants().gate_cards
    table.order("correct 4 KH")
    return table


@pytest.mark.parametrize("rules", EVERY)
def test_a_power_cut_behind_its_last_correction_holds_nothing(rules: str) -> None:
    table = _about_to_end(rules)
    told = table.start("boot-2")
    assert told.notes[0] == "card 4 of the round was read 9H, it is KH"
    assert [(one["outcome"], one["net"]) for one in told.settlements] == [("win", "10.00")]
    for name in ("shoe", "shuffler", "jackpot", "keypad"):
        table.up(name)
    assert (table.state, table.status()["held"]) == ("settled", None)
    table.check_replay()


@pytest.mark.parametrize("rules", EVERY)
@pytest.mark.parametrize("flags", [0, LOCKED, DAMAGED, DAMAGED | LOCKED])
def test_a_card_behind_its_last_correction_is_not_played(rules: str, flags: int) -> None:
    table = _about_to_end(rules)
    told = table.slip("2C", flags)
    assert [(one["outcome"], one["net"]) for one in told.settlements] == [("win", "10.00")]
    assert table.status()["dealer"]["cards"] == "7D KH"
    held = table.status()["held"]
    assert held is not None
    assert held["cards"] == ["2C"]
    table.check_replay()


@pytest.mark.parametrize("rules", EVERY)
@pytest.mark.parametrize("kind", ["shoe", "keypad", "jackpot"])
def test_a_link_that_breaks_leaves_the_correction_to_be_judged(rules: str, kind: str) -> None:
    table = _about_to_end(rules)
    table.down(kind)
    assert table.table.rnd is not None
    assert table.table.rnd.irregular.edits
    table.up(kind)
    assert [one["net"] for one in table.say("done").settlements] == ["10.00"]


HAPPENS: tuple[tuple[str, str, dict[str, int]], ...] = (
    ("SHOE_STATE", "shoe", {"state": 2, "remaining": 0}),
    ("SHOE_STATE", "shoe", {"state": 3, "remaining": 200}),
    ("CUTTING_CARD", "shoe", {"remaining": 100}),
    ("FAULT", "shoe", {"faults": 1}),
    ("SHUFFLER_STATE", "shuffler", {"state": 1, "set": 2, "count": 384, "progress": 10}),
    ("CARD_DISCREPANCY", "shuffler", {"rank": 5, "suit": 1, "difference": 1}),
    ("PRESS", "jackpot", {"offer_id": 1}),
    ("SHOWN", "jackpot", {"offer_id": 1, "multiplier": 25}),
    ("COVER", "jackpot", {"open": 1}),
    ("STUCK", "jackpot", {"held_ms": 9000}),
)


@pytest.mark.parametrize("rules", EVERY)
@pytest.mark.parametrize(("kind", "device", "body"), HAPPENS)
def test_whatever_a_device_reports_behind_it_is_taken(
    rules: str, kind: str, device: str, body: dict[str, int]
) -> None:
    """What the table cannot take of a device stops the controller, at each start anew."""
    table = _about_to_end(rules)
    table.device(device, kind, **body)
    table.down(device)
    table.up(device, new_session=True, serial="another-1")
    table.start("boot-1")
    table.start("boot-2")
    table.check_replay()
