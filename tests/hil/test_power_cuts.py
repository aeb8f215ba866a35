"""Which cuts are left to the disk, how far they reach, and how they are counted."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from hil_tests.bench.setup import Setup
from hil_tests.benches.vm.disk import FLUSHED, UNRECORDED, WRITTEN
from hil_tests.benches.vm.machine_bench import VmBench
from hil_tests.kills.killable_dealer import Account
from hil_tests.kills.power_cuts import OF_ENTRIES, WRITE_AND_FLUSH, PowerCutDealer

TIMES = 400


class Disk:
    """Told when to fail, and asked whether it has."""

    def __init__(self) -> None:
        self.requests = 0
        self.failed = ""
        self.planned: list[int] = []
        self.spared = 0

    def spare(self) -> bool:
        self.spared += 1
        return not self.failed


def table_with(disk: Disk) -> PowerCutDealer:
    bench = SimpleNamespace(
        setup=Setup(),
        machine=SimpleNamespace(disk=disk),
        devices={},
        power_cut_at=disk.planned.append,
        power_on=lambda: None,
    )
    return PowerCutDealer(cast("VmBench", bench), random.Random(1), 0.5)


def entry(table: PowerCutDealer, monkeypatch: pytest.MonkeyPatch, requests: int) -> None:
    """An entry that leads to that number of disk requests."""
    disk = cast("Any", table.bench.machine.disk)

    def answer(_: object, __: str) -> dict[str, object]:
        table.before_action("entry")
        disk.requests += requests
        return {}

    monkeypatch.setattr("hil_tests.kills.at_held_lines.HeldLineDealer.enter", answer)
    table.enter("done")


def test_some_entries_are_cut_into_as_far_as_the_last_one_went(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    disk = Disk()
    table = table_with(disk)
    for _ in range(TIMES):
        entry(table, monkeypatch, requests=5)
    assert disk.spared == TIMES  # whatever was planned is for one entry only
    assert 0.5 < len(disk.planned) / (TIMES * OF_ENTRIES) < 1.5
    assert set(disk.planned) == {2, 3, 4, 5}


def test_nothing_devices_examined_of_a_log_that_is_begun_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    disk = Disk()
    table = table_with(disk)
    entry(table, monkeypatch, requests=5)
    for _ in range(TIMES):
        table.start()
        table.before_action("entry")
    assert set(disk.planned) == {WRITE_AND_FLUSH}


def test_cuts_into_a_commit_are_counted() -> None:
    disk = Disk()
    table = table_with(disk)
    while not disk.planned:
        table.before_action("entry")
    for place in (WRITTEN, FLUSHED, UNRECORDED, ""):
        disk.failed = place
        table.account.count_kill(table.kill_point(), {})
        table.start()
    total = Account()
    total.add(table.account)
    assert (total.kills, total.in_commit) == (4, 2)
    assert total.moments[f"the commit of an entry, {WRITTEN}"] == 1
    assert any("of a commit to the disk: 2 of" in line for line in total.lines())
