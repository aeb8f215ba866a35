"""Every fault that holds play is latched: the machine goes down and comes up held (PWR-02)."""

from __future__ import annotations

import pytest

from controller.faults.catalogue import CATALOGUE
from controller.faults.model import Severity
from controller.game.rules.cases import TRIGGERS
from controller.table.settings import Settings
from controller.table.snapshot import dump_table, is_quiet, load_table
from controller.table.state.table import Table
from tests.table.live.driver import Live, dealt
from tests.table.live.examine import snapshot
from tests.table.live.faults.fault_scenes import CONDITIONS, HOLDING, SCENES, Makes, tell


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
