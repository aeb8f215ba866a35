"""What the report before opening says of the last night."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from controller.daemon.readiness.nights import check_night, read_doubts
from controller.journal.model import Draft
from controller.upkeep.night_report import NightReport, read_night_report
from tests.journal.helpers import KEY, forging, sample, write

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
