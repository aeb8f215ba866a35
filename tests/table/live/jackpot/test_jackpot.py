"""The draw at a live table: one box after the other, one press, one draw, shown, paid."""

from __future__ import annotations

import pytest

from controller.table.apply import apply
from controller.table.events.reading import read_event
from controller.table.showing.wanted import Arm, MeterShow
from controller.table.state.table import Table
from hil_tests.benches.driven_table import LOCKED
from tests.table.live.driver import ALL, MBS, RWS, Live, button, dealt, settings, spinning

TWO = "1 main 10, 1 pandemonium 5, 2 main 10, 2b pandemonium 5, 3 main 10"
TWO_PONTOONS = "AC AD 9H 7D KC KD 9C"
TWO_RWS = "1 main 10, 1 pandemonium 5, 2 main 10, 2 pandemonium 5, 3 main 10"


@pytest.mark.parametrize(
    ("rules", "wagers", "order"), [(MBS, TWO, (2, 1)), (RWS, TWO_RWS, (1, 2))], ids=["mbs", "rws"]
)
def test_boxes_are_served_one_by_one_in_the_documents_order(
    rules: str, wagers: str, order: tuple[int, int]
) -> None:
    table = dealt(TWO_PONTOONS, wagers, rules)
    for number, (box, multiplier) in enumerate(zip(order, (25, 100), strict=True), 1):
        assert table.wants().meter == Arm(number, box)
        assert table.status()["offer"] == {"offer": number, "box": box}
        table.press()
        assert table.wants().meter is None
        assert table.wants().draw == (number, box)
        table.draw(multiplier)
        assert table.wants().meter == MeterShow(number, box, multiplier, 4000)
        assert (table.wants().meter_due, table.status()["meter"]) == (number, None)
        [made] = table.shown(multiplier).settlements
        assert (made["box"], made["net"]) == (box, f"{5 * multiplier}.00")
        shown = {"offer": number, "box": box, "multiplier": multiplier}
        assert table.status()["meter"] == shown
        assert f"Box {box} wins {multiplier}x" in table.status()["prompt"]
        assert table.wants().meter_due is None
        table.say("done")
    assert table.state == "play.decide"
    told = table.status()
    assert (table.wants().meter, told["meter"], told["offer"]) == (None, None, None)
    assert table.table.jackpot.draws == [
        {"offer": 1, "box": order[0], "multiplier": 25},
        {"offer": 2, "box": order[1], "multiplier": 100},
    ]


def test_only_the_first_press_of_the_armed_offer_counts() -> None:
    table = button()
    table.press(7)
    table.press(0)
    assert table.state == "jackpot.armed"
    table.press()
    assert table.press().notes == ["a press for offer 1, which is not armed: ignored"]
    table.draw(25)
    table.press()
    table.shown(25)
    table.press()
    table.say("done")
    table.press(1)
    assert table.state == "play.decide"


def test_of_a_wager_without_an_amount_the_multiplier_alone_is_said() -> None:
    table = dealt("AC 9D 7H KC 8D", "1 main, 1 pandemonium, 2 main")
    table.win(25)
    assert table.status()["prompt"].startswith("Box 1 wins 25x on Pandemonium: pay, then done.")
    assert table.rows()[0] == "BOX 1 PAYS 25X: E"


def test_a_second_draw_is_refused_by_the_table() -> None:
    table = button()
    for offer in (0, 1, 2):
        with pytest.raises(ValueError, match=f"offer {offer}"):
            table.draw(25, offer)
    table.press()
    table.draw(25)
    with pytest.raises(ValueError, match="does not wait for a draw"):
        table.draw(50, 1)
    table.shown(25)
    table.say("done")
    with pytest.raises(ValueError, match="does not wait for a draw"):
        table.draw(50, 1)


def test_a_round_voided_while_it_is_drawn() -> None:
    table = button()
    table.press()
    table.order("void")
    assert table.wants().draw is None
    outcome = table.draw(100, 1)  # was on its way
    assert outcome.notes == ["100x was drawn for offer 1, which is over: it is not used"]
    assert (outcome.settlements, table.table.jackpot.draws) == ([], [])
    with pytest.raises(ValueError, match="does not wait"):
        table.draw(100, 1)


def test_nobody_but_the_dealer_goes_on() -> None:
    table = button()
    for command in ("done", "hit 2", "stand 2"):
        table.refuses(command, "not permitted now")
    table.press()
    table.draw(25)
    table.refuses("done")


# The press handed over ---------------------------------------------------------------------------


def test_nomination() -> None:
    table = dealt(TWO_PONTOONS, TWO + ", 3b main 10")
    assert table.refuses("nominate 2 1", "1 has a winning Pandemonium wager").clause == "3.19.2"
    (named,) = (one for one in table.status()["actions"] if one["verb"] == "nominate")
    assert named["slots"][0]["values"] == ["1", "2", "2b", "3", "3b", "staff"], "in order"
    for wrong in ("nominate 1 3", "nominate 2 7", "nominate 2 3c", "nominate 2 2b"):
        table.refuses(wrong)
    table.say("nominate 2 3b")
    assert table.status()["prompt"] == "Offer the jackpot button: 3b presses for box 2."
    table.say("undo")
    assert table.status()["prompt"] == "Offer the jackpot button: box 2."
    table.say("nominate 2 staff", "nominate 2 2")  # without a winning wager of his own
    table.press()
    table.refuses("undo", "nothing can be taken back")
    assert table.wants().draw == (1, 2)


# Held --------------------------------------------------------------------------------------------


def test_the_button_is_offered_to_nobody_while_the_table_is_held() -> None:
    table = button()
    table.slip("2C", LOCKED)
    assert table.wants().meter is None
    table.say("use")
    assert table.wants().meter == Arm(1, 1)


def test_a_press_on_its_way_counts_while_held() -> None:
    table = button()
    table.up("keypad", new_session=True)
    table.press()
    assert (table.state, table.wants().draw) == ("held.jackpot.drawing", (1, 1))
    table.draw(25)
    table.shown(25)
    assert (table.state, table.status()["meter"]["multiplier"]) == ("held.jackpot.paying", 25)
    table.play("sue: resume", "done")


def test_after_a_power_cut_the_same_offer_goes_on() -> None:
    table = button()
    table.restart("boot-2")
    assert table.wants().meter is None
    table.order("resume")
    assert table.wants().meter == Arm(1, 1)
    table.press()
    table.start("boot-3")
    assert table.wants().draw == (1, 1)
    table.draw(50)
    assert table.wants().meter == MeterShow(1, 1, 50, 4000)


# Without the unit --------------------------------------------------------------------------------


def test_while_the_unit_is_not_up_there_are_no_such_wagers() -> None:
    table = Live().play("open", "wager 1 main 10", "wager 1 pandemonium 5")
    table.down("jackpot", "no answer")
    told = table.status()
    assert "No Pandemonium wagers: the jackpot unit is not connected: no answer" in told["prompt"]
    assert "wager BOX pandemonium AMOUNT" not in told["permitted"]
    assert "close" not in told["permitted"]
    table.refuses("wager 2 pandemonium 5", "no Pandemonium wagers: the jackpot unit")
    table.refuses("close", "take the Pandemonium wagers out or wait")
    table.say("wager 1 pandemonium 0", "close")


def test_a_table_without_a_unit() -> None:
    table = Live(devices=("shoe",)).play("open", "wager 1 main 10")
    assert "this table has no jackpot unit" in table.status()["prompt"]
    table.refuses("wager 1 pandemonium 5", "this table has no jackpot unit")
    table.refuses("shuffle 1", "this table has no shuffler")


def test_a_unit_that_fails_after_the_close_holds_at_the_press() -> None:
    table = Live()
    table.say("open", "wager 1 main 10", "wager 1 pandemonium 5", "wager 2 main 10", "close")
    table.down("jackpot", "no answer")
    table.deal("AC 9D 7H KC 8D")
    told = table.status()
    assert (told["state"], told["awaiting"]) == ("jackpot.armed", "device")
    assert (told["held"]["fault"], told["held"]["remedies"]) == ("jackpot-down", ["void"])
    table.up("jackpot")
    assert table.status()["awaiting"] == "press"
    table.win(25)


def test_a_unit_removed_from_the_configuration_in_mid_round() -> None:
    table = button()
    table.start(new=settings(devices=("shoe",)))
    table.up("shoe")
    assert table.status()["held"]["reason"] == "this table has no jackpot unit"


def test_an_event_that_no_table_knows() -> None:
    table = Live()
    with pytest.raises(ValueError, match="no table knows"):
        apply(table.table, read_event("gossip", {}))
    table.device("shoe", "GOSSIP", heard=1)  # from a device it must be acknowledged
    assert table.status()["devices"]["shoe"]["last_event"] == table.numbers["shoe"]


def test_a_press_read_from_the_unit_counts_once_even_when_its_event_follows() -> None:
    table = button()
    outcome = table.apply("pressed", {"offer_id": 1}, device="jackpot")
    assert outcome.notes == ["the press was read from the jackpot unit"]
    assert table.wants().draw == (1, 1)
    assert table.press().notes == ["a press for offer 1, which is not armed: ignored"]
    table.draw(25)
    assert table.wants().draw is None


def test_a_press_read_for_another_offer_is_none() -> None:
    table = button()
    table.apply("pressed", {"offer_id": 7}, device="jackpot")
    assert table.state == "jackpot.armed"
    assert table.wants().offered == 1


def test_a_new_journal_numbers_its_offers_from_where_its_start_says() -> None:
    table = Table()
    body = {"boot_id": "b", "settings": settings().dump(), "first_offer": 4711}
    apply(table, read_event("start", body))
    assert table.jackpot.next_offer == 4711
    apply(table, read_event("start", {**body, "first_offer": 7}))
    assert table.jackpot.next_offer == 4711


# Another unit ------------------------------------------------------------------------------------


def _exchanged(serial: str = "other-9") -> Live:
    table = button()
    table.down("jackpot", "unplugged")
    table.up("jackpot", new_session=True, serial=serial)
    return table


def test_another_unit_is_not_heard_before_it_is_accepted() -> None:
    table = _exchanged()
    held = table.status()["held"]
    assert held["fault"] == "device-replaced"
    assert "serial other-9, before jackpot-1" in held["reason"]
    ignored = "a press for offer 1: the jackpot unit is not accepted: ignored until it is"
    assert table.press().notes == [ignored]
    looked = table.apply("pressed", {"offer_id": 1}, device="jackpot")
    assert looked.notes[0] == ignored
    assert (table.state, table.wants().draw) == ("held.jackpot.armed", None)
    table.order("resume")
    assert table.wants().meter == Arm(1, 1)  # the same offer, on the unit accepted
    table.win(25)
    assert table.state == "jackpot.paying"


def test_another_unit_whose_events_are_missing_is_not_accepted_by_that() -> None:
    """It was at this table before, and somebody else has spoken to it since."""
    table = button()
    table.down("jackpot", "unplugged")
    table.up("jackpot", new_session=True, serial="other-9", lost=(3, 4))
    assert [hold.fault for hold in table.table.holds.standing] == ["journal-cut", "device-replaced"]
    assert "the jackpot unit is not accepted" in table.press().notes[0]
    assert table.state == "held.jackpot.armed"
    table.up("jackpot", new_session=True)
    assert "device-replaced" not in [hold.fault for hold in table.table.holds.standing]


def test_another_unit_in_mid_spin_shows_nothing_and_reports_nothing() -> None:
    table = spinning()
    table.down("jackpot", "unplugged")
    table.up("jackpot", new_session=True, serial="other-9")
    notes = table.shown(25).notes
    assert notes == [
        "the meter shows offer 1: the jackpot unit is not accepted: ignored until it is"
    ]
    table.apply("shown", {"offer_id": 1, "multiplier": 25}, device="jackpot")
    assert (table.state, table.wants().meter) == ("held.jackpot.drawing", None)
    table.order("resume")
    assert table.wants().meter == MeterShow(1, 1, 25, 4000)
    assert table.wants().unreported == 1
    table.shown(25)
    assert table.state == "jackpot.paying"


def test_the_unit_that_was_there_before_needs_nobody_to_accept_it() -> None:
    table = spinning()
    table.down("jackpot", "unplugged")
    table.up("jackpot", new_session=True, serial="other-9", firmware=(3, 0, 0))
    table.down("jackpot", "unplugged")
    table.up("jackpot", new_session=True, serial="other-10")
    table.down("jackpot", "unplugged")
    outcome = table.up("jackpot", new_session=True, firmware=(1, 0, 0))
    assert outcome.notes[0] == "jackpot unit: the one from before is back (jackpot-1)"
    assert table.status()["held"]["fault"] == "device-restarted"
    assert table.wants().meter == MeterShow(1, 1, 25, 4000)  # shown meanwhile, as after any loss
    table.shown(25)
    table.order("resume")
    assert table.state == "jackpot.paying"


def test_the_unit_that_was_there_before_may_have_been_altered_meanwhile() -> None:
    table = _exchanged()
    table.up("jackpot", new_session=True, firmware=(6, 6, 6))
    assert [hold.fault for hold in table.table.holds.standing] == ["device-altered"]
    assert table.wants().meter is None


def test_a_unit_that_is_accepted_has_taken_the_others_place() -> None:
    table = _exchanged()
    table.order("resume")
    table.up("jackpot", new_session=True)
    held = table.status()["held"]
    assert held["fault"] == "device-replaced"
    assert "serial jackpot-1, before other-9" in held["reason"]


def test_another_unit_waits_over_a_restart_and_a_power_cut() -> None:
    table = _exchanged()
    for boot in ("boot-1", "boot-2"):
        table.start(boot)
        for name in ALL:
            table.up(name, serial="other-9" if name == "jackpot" else "")
        assert "device-replaced" in [hold.fault for hold in table.table.holds.standing]
        assert table.wants().meter is None
    table.order("resume")
    assert table.wants().meter == Arm(1, 1)
