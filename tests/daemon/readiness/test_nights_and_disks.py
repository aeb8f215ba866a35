"""What the report before opening says of the last night, and how worn a disk says it is."""

from __future__ import annotations

import errno
import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from controller.causes.cause import Kind
from controller.causes.finding import cause_by as told_of
from controller.daemon.health.watches import WatchedPlace
from controller.daemon.readiness.nights import check_night, read_doubts
from controller.daemon.readiness.report import read_disks
from controller.files.media import FreeRoom
from controller.journal.model import Draft
from controller.upkeep.night_report import NightReport, read_night_report
from tests.journal.helpers import KEY, forging, sample, write


def told(folder: Path, files: dict[str, str], *, partition: bool = True) -> dict[str, Any]:
    """What is told of the disk under ``folder`` when it tells this of itself."""
    number = folder.stat().st_dev
    disk = folder / "sys" / "devices" / "mmc0" / "block" / "mmcblk0"
    block = disk / "mmcblk0p2" if partition else disk
    block.mkdir(parents=True)
    if partition:
        (block / "partition").write_text("2")
    (disk / "device").mkdir()
    for name, text in files.items():
        (disk / "device" / name).write_text(text)
    links = folder / "sys" / "dev" / "block"
    links.mkdir(parents=True)
    (links / f"{os.major(number)}:{os.minor(number)}").symlink_to(block)
    place = WatchedPlace("the journal", folder)
    [found] = read_disks([place], lambda _: FreeRoom(5), folder / "sys")
    assert (found["free"], found["trouble"]) == (5, "")
    return dict(found)


@pytest.mark.parametrize(
    ("files", "wear", "worn"),
    [
        ({}, "", False),
        ({"life_time": "0x01 0x02\n", "pre_eol_info": "0x01\n"}, "10 to 20 % used", False),
        ({"life_time": "0x0b 0x02"}, "beyond its life", True),
        ({"pre_eol_info": "0x03"}, "its spare blocks are nearly gone", True),
        (
            {"life_time": "0x09 0x09", "pre_eol_info": "0x03"},
            "80 to 90 % used, its spare blocks are nearly gone",
            True,
        ),
        ({"life_time": "perhaps"}, "", False),
        ({"life_time": "0x00 0x00", "pre_eol_info": "0x00"}, "", False),
    ],
)
def test_wear_is_told_where_the_disk_tells_it(
    tmp_path: Path, files: dict[str, str], wear: str, worn: bool
) -> None:
    found = told(tmp_path, files)
    assert (found["wear"], found["worn"]) == (wear, worn)


def test_a_disk_without_partitions(tmp_path: Path) -> None:
    assert told(tmp_path, {"life_time": "0x01 0x01"}, partition=False)["wear"] == "0 to 10 % used"


def test_a_disk_that_does_not_answer(tmp_path: Path) -> None:
    def room(_: Path) -> FreeRoom:
        raise OSError(errno.EIO, "Input/output error")

    gone = tmp_path / "gone"
    fails = str(told_of(Kind.FAILS, gone))
    [found] = read_disks([WatchedPlace("the copy", gone)], room, tmp_path)
    assert (found["free"], found["trouble"], found["wear"]) == (None, fails, "")


STATE = Path("/var/lib/table")
KNOWN = {
    "journal": "ab" * 16,
    "to": 812,
    "digest": "cd" * 32,
    "at": "2026-11-24T05:12:00+00:00",
    "lost": True,
}
NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)


def written(**other: Any) -> str:
    report = {
        "format": 1,
        "table": "P12",
        "state": str(STATE),
        "began": "2026-11-25T05:10:00+00:00",
        "ended": "2026-11-25T05:12:00+00:00",
        "took_s": 120.0,
        "well": True,
        "well_at": None,
        "journal": None,
        "closed": [],
        "removed": [],
        "problems": [],
    }
    return json.dumps(report | other)


def night(**other: Any) -> NightReport:
    """A report that was read."""
    told: NightReport = json.loads(written(**other))
    return told


@pytest.mark.parametrize(
    ("told", "ok", "what"),
    [
        (written(), True, "the journal was last verified 2026-11-25 05:12: well"),
        (written(well=False), False, "and is not well"),
        (written(well=False, missing=[KNOWN]), False, "was verified before (entry 812)"),
        (written(missing=[{**KNOWN, "lost": False}]), True, ": well"),
        (written(missing=[{**KNOWN, "to": "812"}]), True, "no night has verified"),
        (written(problems=["/media/x is not there"]), True, "well; /media/x is not there"),
        (written(problems=["\x1b[2J" + "x" * 400]), True, "; \\x1b[2Jxxx"),
        (written(state="/elsewhere"), True, "no night has verified this journal yet"),
        (written(ended="yesterday"), True, "no night has verified"),
        (written(ended="2026-11-25T05:12:00"), True, "no night has verified"),
        ("", True, "no night has verified"),
        ("null", True, "no night has verified"),
        ("[]", True, "no night has verified"),
    ],
)
def test_what_a_night_found(told: str, ok: bool, what: str, tmp_path: Path) -> None:
    (tmp_path / "report.json").write_text(told, "utf-8")
    found = check_night(read_night_report(tmp_path / "report.json"), STATE, NOW)
    assert (found["ok"], what in found["what"]) == (ok, True), found
    assert (found["mark"] == "nothing") is what.startswith("no night"), found


def test_a_night_that_is_missing_is_told_after_three_days() -> None:
    assert check_night(night(), STATE, NOW + timedelta(days=2))["ok"]
    late = check_night(night(), STATE, NOW + timedelta(days=4))
    assert (late["ok"], "4 days ago" in late["what"]) == (False, True)
    assert "table-controller-nightly.timer" in late["next_step"]


def test_a_file_that_is_no_report_tells_nothing(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    assert read_night_report(file) is None
    file.write_bytes(b"\xff" * 10)
    assert read_night_report(file) is None


DOUBT = "the start behind entry 5 found journal-not-signed, and vouches for nothing before it: it"


@pytest.mark.parametrize("told", [None, night(), night(state="/elsewhere")])
def test_what_a_start_found_is_not_ready_until_it_is_accepted(told: NightReport | None) -> None:
    found = check_night(told, STATE, NOW, [DOUBT])
    assert (found["ok"], found["what"]) == (False, DOUBT)
    assert "tablectl nightly --accept" in found["next_step"]
    accepted = night(accepted=[{"seq": 6, "what": DOUBT}])
    assert check_night(accepted, STATE, NOW, [DOUBT])["ok"]
    assert not check_night(accepted, STATE, NOW, [DOUBT, f"{DOUBT} too"])["ok"]


def test_a_file_of_keys_that_is_gone_is_not_ready(tmp_path: Path) -> None:
    """Also where there is no journal: then nobody says which keys count."""
    state, file = tmp_path / "state", tmp_path / "journal.vkey"
    sample(state)
    gone = f"{file} is gone: which key counts the journal alone says"
    for directory in (state, tmp_path / "none"):
        assert read_doubts(directory, [KEY.public], file) == [gone]
    found = check_night(night(), STATE, NOW, [gone])
    assert (found["ok"], found["what"]) == (False, gone)
    assert "checkpoint --vkey" in found["next_step"]
    file.touch()
    assert read_doubts(state, [KEY.public], file) == []
    assert read_doubts(tmp_path / "none", [KEY.public], file) == []


def test_what_starts_have_found_is_read_from_the_journal(tmp_path: Path) -> None:
    state, file = tmp_path / "state", tmp_path / "journal.vkey"
    file.touch()
    sample(state)
    found = {"journal": "zz", "seq": 10, "digest": "00" * 32, "row": None, "wrong": "no row"}
    record = Draft("start", {"found": {**found, "fault": "journal-not-signed"}})
    write(state, record, boot_id="boot-three")
    [doubt] = read_doubts(state, [KEY.public], file)
    assert "journal or digest is not in hexadecimal" in doubt
    with forging(state) as connection:
        connection.execute("UPDATE entry SET body = '{' WHERE seq = 11")
    assert read_doubts(state, [KEY.public], file) == []  # who looks after the journal says so
