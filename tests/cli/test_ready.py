"""``ready``: the report on a terminal, as JSON and as a sheet of paper."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from controller.control.answers import check
from tests.cli.support import Tablectl
from tests.control import technicians
from tests.control.support import controller
from tests.control.technicians import Bench

DIGEST = "ab" * 32
REPORT: dict[str, Any] = {
    "ready": False,
    "checks": [
        {
            "name": "shoe",
            "ok": False,
            "mark": "not ok",
            "what": "not connected: <pulled>",
            "next_step": "look at its plug, supply and port.",
        },
        check("copy", "none is configured", nothing=True),
        check("keypad", "connected, K-1"),
        check("clock", "it shows noon"),
    ],
    "at": "2026-11-24T09:00:00+00:00",
    "table": "P12",
    "round": 12,
    "state": "idle",
    "program": {
        "name": "table-controller",
        "version": "0.1.0",
        "engine": "3",
        "digest": DIGEST,
        "libraries_digest": DIGEST,
    },
    "configuration": {"path": "/etc/t.toml", "digest": DIGEST},
    "rules": {
        "id": "mbs",
        "title": "Pontoon",
        "version": "5",
        "digest": DIGEST,
        "readings": DIGEST,
    },
    "decks": 8,
    "boxes": 7,
    "limits": {
        "min": "10.00",
        "max": "5000.00",
        "side_min": "1.00",
        "side_max": "500.00",
        "increment": "1.00",
        "box_max": "6000.00",
        "player_max": None,
    },
    "weights": [[100, 1], [2, 3]],
    "approved": {"program": DIGEST, "rules": ""},
    "journal": {"head": 41, "sealed_to": 40, "digest": DIGEST, "key": DIGEST},
    "devices": {
        "shoe": {
            "kind": "shoe",
            "link": "down",
            "serial": None,
            "firmware": None,
            "tests": {
                "pack": {
                    "ok": False,
                    "what": "9D as 9H",
                    "by_hand": True,
                    "at": "2026-11-24T03:00:00+00:00",
                }
            },
        },
        "keypad": {"kind": "keypad", "link": "up", "serial": "K-1", "firmware": "1.0"},
    },
    "disks": [],
    "counted": {"rounds": 120, "presses_ignored": 2, "void": 0},
    "since": "2026-11-23T09:00:00+00:00",
    "stored": True,
}
MINE = {
    **{name: value for name, value in REPORT.items() if name not in ("counted", "since")},
    "ready": True,
    "checks": REPORT["checks"][1:],
    "devices": {"keypad": REPORT["devices"]["keypad"]},
    "approved": {"program": "", "rules": ""},
    "weights": [],
    "stored": False,
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "control.sock"


def test_what_is_missing_comes_first_with_what_to_do(
    tablectl: Tablectl, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(technicians, "READY", REPORT)
    with controller(path, technician=Bench()):
        ran = tablectl("ready", "--socket", path)
    assert ran.code == 1
    lines = ran.out.splitlines()
    assert lines[0] == "Table P12, 2026-11-24 09:00 UTC: NOT READY: shoe"
    assert lines[1] == "  !!  shoe: not connected: <pulled>"
    assert "next step: look at its plug" in lines[2]
    for said in ("100x 25.00", "6000.00 on a box", "120 rounds, 2 presses ignored", "is an entry"):
        assert said in ran.out
    assert "since the report of 2026-11-23 09:00 UTC" in ran.out


def test_ready_and_asked_by_one_who_only_looks(
    tablectl: Tablectl, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(technicians, "READY", MINE)
    with controller(path, technician=Bench()):
        ran = tablectl("ready", "--socket", path)
        told = tablectl("ready", "--socket", path, "--json")
    assert (ran.code, told.code, told.json) == (0, 0, MINE)
    assert "READY" in ran.out
    assert re.search(r"^  --  copy +none is configured$", ran.out, re.M), "no ok, and not missing"
    assert re.search(r"^  ok  keypad ", ran.out, re.M)
    assert "it is no entry of the journal" in ran.out
    assert "multiplier" not in ran.out


@pytest.mark.parametrize("report", [REPORT, MINE])
def test_the_sheet(
    tablectl: Tablectl,
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    report: dict[str, Any],
) -> None:
    monkeypatch.setattr(technicians, "READY", report)
    sheet = tmp_path / "ready.html"
    with controller(path, technician=Bench()):
        ran = tablectl("ready", "--socket", path, "--html", sheet)
        again = tablectl("ready", "--socket", path, "--html", sheet)
    assert ran.code == (0 if report["ready"] else 1)
    assert str(sheet) in ran.out
    assert again.code == 2
    assert "is there already" in again.err
    page = sheet.read_text("utf-8")
    assert "signature" in page
    assert not re.search(r"<script|https?://|<pulled>|src=", page)
    assert ("&lt;pulled&gt;" in page) is not report["ready"]
    assert ("NOT WELL" in page) is not report["ready"]
    assert DIGEST in page


def test_a_first_report_counts_since_commissioning(
    tablectl: Tablectl, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = {**REPORT, "since": None, "counted": {"rounds": 0}}
    monkeypatch.setattr(technicians, "READY", first)
    sheet = tmp_path / "ready.html"
    with controller(path, technician=Bench()):
        ran = tablectl("ready", "--socket", path, "--html", sheet)
    assert "since commissioning: nothing" in ran.out
    assert "Counted since commissioning" in sheet.read_text("utf-8")
