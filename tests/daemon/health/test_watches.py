"""The watches over the disk, and how the table is told of what they find."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.daemon.health.clock import ClockWatch
from controller.daemon.health.findings import (
    CHANGES_IN_S,
    MOST_CHANGES,
    FaultFinding,
    Telling,
    run_self_tests,
)
from controller.daemon.health.memory import MemoryWatch
from controller.daemon.health.watches import (
    FEW_FILES,
    LEAST_FILES,
    LOW_DAYS,
    MIB,
    RESERVE_BYTES,
    ROUNDS_A_DAY,
    USUAL_ROUND_BYTES,
    DiskWatch,
    WatchedPlace,
    as_self_test,
    round_bytes,
)
from controller.faults.catalogue import CATALOGUE
from controller.files.media import FreeRoom
from hil_tests.virtual_time.world import World

HERE = Path("/state")
DAY = USUAL_ROUND_BYTES * ROUNDS_A_DAY


class Disk:
    """A disk whose room the test sets."""

    def __init__(self, *places: WatchedPlace) -> None:
        self.free = 1 << 40
        self.files: int | None = None
        self.broken = False
        self.watch = DiskWatch(places or [WatchedPlace("the journal", HERE)], self._room, 40_000)

    def _room(self, path: Path) -> FreeRoom:
        if self.broken:
            raise OSError(5, "Input/output error")
        return FreeRoom(self.free, self.files)

    def finds(self, free: int) -> set[str]:
        self.free = free
        return {found.fault for found in self.watch.findings() if found.present}

    def says(self) -> dict[str, bool]:
        return {found.fault: found.present for found in self.watch.findings()}


def test_a_disk_is_seen_filling_weeks_before() -> None:
    disk = Disk()
    assert disk.finds(RESERVE_BYTES + (LOW_DAYS + 1) * DAY) == set()
    assert disk.finds(RESERVE_BYTES + (LOW_DAYS - 1) * DAY) == {"disk-low"}
    [low] = [found for found in disk.watch.findings() if found.present]
    assert low.detail.startswith("the journal, /state: ")
    assert low.detail.endswith(f"enough for {LOW_DAYS - 1} days of play")


def test_play_is_held_while_there_is_room_to_finish_and_to_stop() -> None:
    disk = Disk()
    assert disk.finds(RESERVE_BYTES) == {"disk-low"}
    assert disk.finds(RESERVE_BYTES - 1) == {"disk-low", "disk-full-soon"}
    assert disk.finds(0) == {"disk-low", "disk-full-soon"}
    assert RESERVE_BYTES > 500 * USUAL_ROUND_BYTES


def test_near_the_threshold_nothing_flutters() -> None:
    disk = Disk()
    disk.finds(RESERVE_BYTES - 1)
    assert "disk-full-soon" in disk.finds(RESERVE_BYTES + MIB)
    assert "disk-full-soon" not in disk.finds(2 * RESERVE_BYTES)
    assert "disk-full-soon" not in disk.finds(RESERVE_BYTES + MIB)


def test_a_copys_disk_never_holds_play() -> None:
    disk = Disk(WatchedPlace("the second copy", HERE, needed=False))
    assert disk.finds(0) == {"disk-low"}


def test_a_disk_that_does_not_answer_is_said() -> None:
    disk = Disk()
    disk.broken = True
    [found] = [found for found in disk.watch.findings() if found.present]
    assert found == FaultFinding(
        "disk-unknown", "the journal, /state: its disk fails", present=True
    )
    disk.broken = False
    assert not any(found.present for found in disk.watch.findings())


def test_a_full_disk_that_does_not_answer_is_as_full_as_before() -> None:
    disk = Disk()
    disk.finds(RESERVE_BYTES - 1)
    [low, full] = [found for found in disk.watch.findings() if found.present]
    disk.broken = True
    assert [found for found in disk.watch.findings() if found.present][:2] == [low, full]
    disk.broken, disk.free = False, 1 << 40
    assert not any(disk.says().values())
    disk.broken = True
    assert disk.says() == {"disk-low": False, "disk-full-soon": False, "disk-unknown": True}


def test_a_disk_that_has_never_answered_ends_nothing() -> None:
    disk = Disk()
    disk.broken = True
    assert disk.says() == {"disk-unknown": True}
    copy = Disk(WatchedPlace("the second copy", HERE, needed=False))
    copy.broken = True
    assert copy.says() == {"disk-full-soon": False, "disk-unknown": True}


def test_a_disk_with_room_and_few_inodes_is_told_before_it_takes_no_file() -> None:
    disk = Disk()
    said = []
    for disk.files in (None, FEW_FILES, FEW_FILES - 1, LEAST_FILES, LEAST_FILES - 1):
        said.append(disk.finds(1 << 40))
    assert said == [set(), set(), {"disk-low"}, {"disk-low"}, {"disk-low", "disk-full-soon"}]
    [low, full] = [found.detail for found in disk.watch.findings() if found.present]
    assert low == full
    assert "only 15 more files can be made there; 'df -i /state' shows it" in low
    disk.files = 2 * FEW_FILES
    assert disk.finds(1 << 40) == set()


def test_a_place_that_answers_tells_what_it_has_beside_one_that_does_not() -> None:
    rooms = {Path("/state"): 0}
    places = [
        WatchedPlace("the journal", Path("/state")),
        WatchedPlace("the copy", Path("/copy"), needed=False),
    ]

    def room(path: Path) -> FreeRoom:
        if path not in rooms:
            raise OSError(5, "Input/output error")
        return FreeRoom(rooms[path])

    watch = DiskWatch(places, room, 40_000)
    assert {one.fault for one in watch.findings() if one.present} == set(watch.faults)
    rooms[Path("/state")] = 1 << 40
    said = {one.fault: one.present for one in watch.findings()}
    assert said == {"disk-full-soon": False, "disk-unknown": True}


def test_what_a_round_takes_is_measured_once_enough_are_played(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite3").write_bytes(bytes(30_000_000))
    (tmp_path / "more").mkdir()
    assert round_bytes(tmp_path, 10) == USUAL_ROUND_BYTES
    assert round_bytes(tmp_path, 1000) == 30_000
    assert round_bytes(tmp_path, 1_000_000) == 10_000


def test_a_watch_looks_as_a_self_test_too() -> None:
    disk = Disk()
    disk.free = 0
    test = as_self_test("the disk", disk.watch)
    assert {fault for fault, _ in test.run()} == {"disk-low", "disk-full-soon"}
    assert set(test.faults) >= {"disk-low", "disk-full-soon", "disk-unknown"}


def test_a_late_answer_at_the_start_does_not_end_what_stood() -> None:
    disk = Disk()
    disk.broken = True
    standing = {"disk-full-soon": "5 MiB are free", "disk-low": "5 MiB are free"}
    told = run_self_tests([as_self_test("the disk", disk.watch)], standing)
    assert [(one.fault, one.present) for one in told] == [("disk-unknown", True)]
    disk.broken = False
    told = run_self_tests([as_self_test("the disk", disk.watch)], standing)
    assert [(one.fault, one.present) for one in told] == [
        ("disk-full-soon", False),
        ("disk-low", False),
    ]


@pytest.mark.parametrize("watch", [ClockWatch, DiskWatch, MemoryWatch])
def test_a_watch_finds_only_what_the_catalogue_knows(watch: Any) -> None:
    assert {*watch.faults} <= CATALOGUE.keys()


# ---- telling --------------------------------------------------------------------------------


class Table:
    """What the table keeps of what it is told, and how often it was."""

    def __init__(self) -> None:
        self.world = World()
        self.conditions: dict[str, str] = {}
        self.journal: list[FaultFinding] = []
        self.telling = Telling(self.world.outer, lambda: self.conditions, self._submit)

    def _submit(self, verdict: FaultFinding) -> None:
        self.journal.append(verdict)
        if not verdict.present:
            self.conditions.pop(verdict.fault, None)
        elif not verdict.fault.startswith("clock-st"):
            self.conditions[verdict.fault] = verdict.detail

    def tell(self, fault: str, detail: str = "", *, present: bool = True) -> None:
        self.telling.report_finding(FaultFinding(fault, detail, present))


def test_what_is_known_is_not_told_again() -> None:
    table = Table()
    for _ in range(1000):
        table.tell("disk-low", "9 days")
        table.world.run_for(10)
    assert len(table.journal) == 1
    table.tell("disk-low", present=False)
    table.tell("disk-low", present=False)
    assert [one.present for one in table.journal] == [True, False]


def test_other_words_are_told_once_in_the_catalogues_time() -> None:
    table = Table()
    every = CATALOGUE["disk-low"].throttle_s
    for day in range(100, 0, -1):
        table.tell("disk-low", f"{day} days")
        table.world.run_for(every / 10)
    assert 10 <= len(table.journal) <= 12
    assert table.journal[1].detail.endswith(" more in the meantime]")
    table.world.run_for(every)
    assert table.conditions["disk-low"].startswith("1 days")


def test_who_asks_is_told_the_newest_words() -> None:
    """A disk that was enlarged, and is short all the same: what it had before helps nobody."""
    table = Table()
    for free in (2, 3, 31):
        table.tell("disk-full-soon", f"{free} MiB are free")
    assert [said.detail for said in table.journal] == ["2 MiB are free"]
    table.telling.anew()
    assert [said.detail for said in table.journal][1:] == [
        "31 MiB are free [1 more in the meantime]"
    ]
    table.telling.anew()
    assert len(table.journal) == 2


def test_a_storm_is_told_a_few_times_a_minute_and_ends_as_it_is() -> None:
    table = Table()
    for number in range(2000):
        table.tell("copy-failing", "gone", present=number % 2 == 0)
        table.world.run_for(0.06)
    assert len(table.journal) <= MOST_CHANGES * 4
    table.world.run_for(CHANGES_IN_S)
    assert "copy-failing" not in table.conditions
    table.tell("copy-failing", "gone")
    table.world.run_for(CHANGES_IN_S)
    assert "copy-failing" in table.conditions


def test_a_clock_that_jumps_all_the_time_is_told_by_the_minute() -> None:
    table = Table()
    for number in range(600):
        table.tell("clock-stepped", f"back by {number} s")
        table.world.run_for(1)
    table.world.run_for(60)
    assert len(table.journal) == 11
    assert table.journal[1].detail == "back by 59 s [58 more in the meantime]"


def test_particulars_of_any_length_are_cut() -> None:
    table = Table()
    for _ in range(3):
        table.tell("copy-failing", "x" * 10_000)
    assert len(table.journal) == 1
    assert len(table.journal[0].detail) < 300


def test_nothing_is_told_after_the_end() -> None:
    table = Table()
    for _ in range(MOST_CHANGES):
        table.tell("copy-failing", "gone")
        table.tell("copy-failing", present=False)
    told = len(table.journal)
    table.tell("copy-failing", "gone")
    table.telling.close()
    table.world.run_for(1000)
    assert len(table.journal) == told


STEP = st.tuples(
    st.sampled_from(("disk-low", "copy-failing", "unheard-of")),
    st.booleans(),
    st.sampled_from(("a", "b")),
    st.floats(0, 30),
)


@given(st.lists(STEP, max_size=60))
def test_however_wild_the_table_is_right_in_the_end(
    steps: list[tuple[str, bool, str, float]],
) -> None:
    table = Table()
    last: dict[str, tuple[bool, str]] = {}
    for fault, present, detail, seconds in steps:
        table.tell(fault, detail, present=present)
        last[fault] = present, detail
        table.world.run_for(seconds)
    table.world.run_for(4000)
    for fault, (present, detail) in last.items():
        assert (fault in table.conditions) == present
        if present:
            assert table.conditions[fault].split(" [")[0] == detail
