"""What devices are caught at: an open cover, a stuck button, an exchange, a second controller."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from controller.faults.catalogue import CATALOGUE
from controller.faults.model import Severity
from controller.game.commands.values import Malformed
from controller.game.rules.cases import TRIGGERS
from controller.table.holds import OF_DEVICES
from controller.table.settings import Settings
from controller.table.snapshot import dump_table, is_quiet, load_table
from controller.table.state.table import Table
from tests.table.live.driver import Live, dealt, live
from tests.table.live.examine import snapshot
from tests.table.live.faults.fault_scenes import CONDITIONS, HOLDING, SCENES, Makes, drawn, tell


def test_an_open_cover_holds_the_round_and_the_closed_one_lets_it_go_on() -> None:
    table = dealt("9C 7D 9H")
    before = table.state
    table.device("jackpot", "COVER", open=1)
    assert (table.state, table.wants().gate_cards) == (f"held.{before}", 0)
    table.refuses_order("resume", "the cover of the jackpot unit is open, still")
    table.device("jackpot", "COVER", open=0)
    assert table.outcomes[-1].notes == ["over: the cover of the jackpot unit is open"]
    assert table.state == before
    table.say("stand 1")


def test_a_cover_that_was_closed_while_the_machine_was_off_is_told_by_the_unit() -> None:
    table = Live()
    table.device("jackpot", "COVER", open=1)
    table.start("boot-2")
    assert table.status()["held"]["fault"] == "cover-open"
    table.up("jackpot", new_session=True)
    table.device("jackpot", "COVER", open=0)
    assert table.status()["held"] is None


def test_a_unit_that_is_not_configured_any_more_has_no_cover() -> None:
    table = live()
    table.device("jackpot", "COVER", open=1)
    table.start("boot-1", replace(table.settings, devices=("shoe",)))
    assert "cover-open" not in [hold.fault for hold in table.table.holds.standing]
    assert set(OF_DEVICES) & table.status()["conditions"].keys() == set()


def test_what_devices_had_that_are_gone_is_over_in_one_order() -> None:
    """Notes are journaled: a replay in another process must give them in the same order."""
    table = live()
    table.device("shuffler", "SHUFFLER_STATE", state=4, set=1, count=384, progress=10)
    table.device("jackpot", "COVER", open=1)
    table.start("boot-1", replace(table.settings, devices=("shoe", "keypad")))
    over = [note for note in table.outcomes[-1].notes if note.startswith("over: ")]
    assert [note.split()[2] for note in over] == ["cover", "shuffler"]


def test_a_stuck_button_is_shown_until_it_is_free() -> None:
    table = dealt("9C 7D 9H")
    table.device("jackpot", "STUCK", held_ms=5200)
    table.device("jackpot", "FAULT", faults=1 << 5)
    table.say("stand 1")
    prompt = table.status()["prompt"]
    assert "the jackpot button is stuck: free it" in prompt
    assert "the jackpot unit reports: input stuck" in prompt
    table.device("jackpot", "FAULT", faults=0)
    assert "stuck" not in table.status()["prompt"]


def test_a_device_that_is_exchanged_between_rounds_is_said() -> None:
    table = Live()
    [note] = table.up("shuffler", new_session=True, serial="other-9").notes
    assert note == "shuffler: it is another one (serial other-9, before shuffler-1)"
    assert table.status()["held"] is None


EXCHANGED = {
    "up": True,
    "new_session": True,
    "last_event": 0,
    "taken": 0,
    "exchange_stands": True,
}
TESTED = {"test": "self-test", "ok": True, "what": "", "by_hand": False, "at": "", "user": "tess"}


def exchange(table: Live, name: str, serial: str) -> None:
    table.apply("link", {**EXCHANGED, "serial": serial}, device=name, session=100)


def test_an_exchanged_device_is_told_until_somebody_has_tested_it() -> None:
    """In a round, too: who deals on with it is to know."""
    table = Live()
    exchange(table, "keypad", "K-9")
    exchange(table, "jackpot", "J;9")
    both = "dealer keypad K-9, before keypad-1; jackpot unit J,9, before jackpot-1"
    table.say("open", "wager 1 main 50", "close")
    assert both in table.status()["prompt"]
    table.apply("device-tested", TESTED, device="keypad")
    prompt = table.status()["prompt"]
    assert "jackpot unit J,9, before jackpot-1" in prompt
    assert "K-9" not in prompt
    table.apply("device-tested", TESTED, device="jackpot")
    assert "exchanged" not in table.status()["prompt"]
    assert table.table.holds.conditions == {}


def test_an_exchange_that_is_undone_leaves_nothing_to_be_seen() -> None:
    table = Live()
    for serial in ("K-8", "K-9"):
        exchange(table, "keypad", serial)
    assert "dealer keypad K-9, before keypad-1" in table.status()["prompt"]
    exchange(table, "keypad", "keypad-1")
    assert table.table.holds.conditions == {}


def test_an_exchanged_device_that_is_no_longer_configured_is_not_asked_for() -> None:
    table = Live()
    exchange(table, "keypad", "K-9")
    exchange(table, "jackpot", "J-9")
    table.start(new=replace(table.settings, devices=("shoe", "jackpot")))
    told = table.table.holds.conditions
    assert told == {"device-exchanged": "jackpot unit J-9, before jackpot-1"}


def test_two_controllers_on_one_shoe_hold_the_table_between_rounds_too() -> None:
    table = Live()
    body = {"up": True, "serial": "shoe-1", "new_session": True, "last_event": 9, "taken": 9}
    table.apply("link", {**body, "lost": [4, 9], "greeted": True}, device="shoe", session=100)
    held = table.status()["held"]
    assert held["fault"] == "two-controllers"
    assert "events 4 to 9" in held["reason"]
    with pytest.raises(Malformed, match="resume needs who"):
        table.order("resume", why=None)
    table.order("resume")
    assert table.status()["held"] is None


def test_a_storm_of_faults_leaves_one_line() -> None:
    table = Live()
    table.examined = False
    for number in range(1000):
        table.device("shoe", "FAULT", faults=number % 128)
    table.device("shoe", "FAULT", faults=4)
    prompt = table.status()["prompt"]
    assert prompt.count("reports") == 1
    assert "the card shoe reports: sensor" in prompt


@pytest.mark.parametrize("told", [{"firmware": (1, 0, 1)}, {"digest": "00112233aabbccdd"}])
def test_another_firmware_holds_a_round_until_somebody_says_who_and_why(
    told: dict[str, Any],
) -> None:
    table = drawn(lambda _: None)()
    table.up("jackpot", new_session=True, **told)
    assert table.wants().meter is None
    held = table.status()["held"]
    assert (held["fault"], held["remedies"]) == ("device-altered", ["resume", "pay 25", "void"])
    assert "before 1.0.0)" in held["reason"]
    with pytest.raises(Malformed, match="resume needs who and why"):
        table.order("resume", by=None, why=None)
    table.order("resume", by="Tan A.", why="version 1.0.1, approval 118/26")
    assert table.wants().meter is not None
    table.up("jackpot", **told)  # it is known now
    assert table.status()["held"] is None


def test_another_firmware_between_rounds_is_said_and_shown() -> None:
    table = Live()
    [note] = table.up("shuffler", new_session=True, firmware=(1, 0, 1)).notes
    said = "shuffler: it has another firmware (1.0.1, before 1.0.0)"
    assert said in note
    status = table.status()
    assert said in status["prompt"]
    assert (status["held"], status["conditions"]) == (None, {})
    assert status["devices"]["shuffler"]["firmware"] == "1.0.1"
    assert table.up("shuffler").notes == []


def test_the_firmware_of_another_device_is_its_own() -> None:
    table = Live()
    [note] = table.up("shuffler", new_session=True, serial="other-9", firmware=(2, 0, 0)).notes
    assert "firmware" not in note


def test_a_journal_of_an_earlier_version_has_no_firmware_to_compare_with() -> None:
    table = Live()
    table.table.devices["shuffler"].firmware = ""
    assert table.up("shuffler").notes == []


def test_another_firmware_does_not_hide_that_events_are_missing() -> None:
    table = dealt("9C 7D 9H")
    shoe = table.table.devices["shoe"]
    body = {
        "up": True,
        "serial": shoe.serial,
        "firmware": [1, 0, 1],
        "new_session": True,
        "taken": 90,
        "lost": [88, 90],
    }
    table.apply("link", body, device="shoe", session=shoe.session)
    assert [hold.fault for hold in table.table.holds.standing] == ["journal-cut", "device-altered"]


# Every fault that holds play is latched ----------------------------------------------------------


def _all_of(table: Table) -> object:
    """What a table remembers, but for which object its settings are."""
    return snapshot(table, Settings.dump)


def _same_after_restart(table: Live, code: str, *, boot: str = "boot-1") -> None:
    """The machine goes down and comes up: the same fault, told with the same words, play still
    held."""
    before = table.status()["held"]
    assert code in [hold.fault for hold in table.table.holds.standing]
    assert _all_of(table.replayed()) == _all_of(table.table)
    if is_quiet(table.table):
        assert _all_of(load_table(dump_table(table.table))) == _all_of(table.table)
    table.start(boot)
    for name, device in table.table.devices.items():
        table.up(name, serial=device.serial)
    held = table.status()["held"]
    assert held["fault"] == before["fault"]
    assert before["reason"] in held["reason"]
    assert code in [hold.fault for hold in table.table.holds.standing]
    assert table.wants().gate_cards == 0
    assert table.state.startswith("held.")


@pytest.mark.parametrize(("code", "make"), HOLDING, ids=[code for code, _ in HOLDING])
def test_a_fault_of_cards_or_devices_stays_over_a_restart(code: str, make: Makes) -> None:
    table = make()
    table.examined = False  # a link of a device's own numbers
    _same_after_restart(table, code, boot=table.table.setup.boot_id)


@pytest.mark.parametrize("between", [False, True], ids=["in a round", "between rounds"])
@pytest.mark.parametrize("code", CONDITIONS)
def test_a_fault_of_the_controller_stays_over_a_restart(code: str, between: bool) -> None:
    table = Live() if between else dealt("9C 7D")
    fault = CATALOGUE[code]
    notes = tell(table, code)
    assert fault.sentence("it is so") in notes[0]
    at_once = fault.severity is Severity.HOLD or (fault.severity is Severity.BETWEEN and between)
    if at_once:
        assert table.status()["held"]["fault"] == code
        assert table.status()["held"]["next_step"] == fault.next_step
        _same_after_restart(table, code)
        return
    assert table.status()["held"] is None
    standing = dict(table.table.holds.conditions)
    assert (code in standing) == (fault.severity is not Severity.REMARK)
    table.start("boot-1")
    assert table.table.holds.conditions == standing
    assert _all_of(table.replayed()) == _all_of(table.table)


def test_every_fault_that_holds_play_is_tried() -> None:
    holding = {code for code, fault in CATALOGUE.items() if fault.holds}
    tried = {*SCENES, *CONDITIONS}
    assert holding - tried - TRIGGERS.keys() == set()
