"""The report of the night: what is told of it, and of a file that is none."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry, generate_latest

from controller.forms.json_values import WrongForm
from exporter.catalogue import all_metrics
from exporter.metrics import Readings
from exporter.nightly import MOST_BYTES, NightFigures, Unreadable, parse, read_report
from tests.exporter.support import NIGHT, Told, exporter, night, told

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from([*NIGHT, "x"]), inner)
    ),
    max_leaves=15,
)


class _Told:
    def __init__(self, readings: Readings) -> None:
        self._readings = readings

    def describe(self) -> list[object]:
        return []

    def collect(self) -> object:
        return self._readings.families(list(all_metrics()))


def told_of(figures: NightFigures) -> Told:
    readings = Readings()
    for metric, value in figures.items():
        readings.add(metric, value)
    return values(readings)


def values(readings: Readings) -> Told:
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Told(readings))  # type: ignore[arg-type]
    return told(generate_latest(registry).decode())


def test_a_night_is_told(tmp_path: Path) -> None:
    closed = [
        {
            "bytes": 10,
            "closed": f"2026-11-{day}T00:00:00Z",
            "well": day != 12,
            "taken": taken,
        }
        for day, taken in ((10, None), (11, None), (12, {"to": "x", "at": "2026-11-24T00:00:00Z"}))
    ]
    path = night(tmp_path, closed=closed, removed=["z"], problems=["a", "b"], later="ignored")
    with exporter(tmp_path / "nobody", path) as one:
        now = one.scrape()
    assert {
        name: value for name, value in now.items() if name.startswith(("nightly", "closed"))
    } == {
        "nightly_report_readable": 1,
        "nightly_began_timestamp_seconds": 1795575600.0,
        "nightly_ended_timestamp_seconds": 1795575690.5,
        "nightly_success_timestamp_seconds": 1795575690.5,
        "nightly_duration_seconds": 90.5,
        "nightly_well": 1,
        "nightly_findings": 0,
        "nightly_problems": 2,
        "nightly_journal_bytes": 123456,
        "nightly_verified_entry": 2000,
        "closed_journals": 3,
        "closed_journals_damaged": 1,
        "closed_journals_waiting": 2,
        "closed_journals_waiting_bytes": 20,
        "closed_journals_waiting_oldest_timestamp_seconds": 1794268800.0,
        "closed_journals_removed": 1,
    }


def test_what_has_not_been_yet_is_not_told(tmp_path: Path) -> None:
    now = told_of(read_report(night(tmp_path, well=False, well_at=None, journal=None)))
    assert now["nightly_well"] == 0
    assert not {"nightly_success_timestamp_seconds", "nightly_journal_bytes"} & now.keys()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"{",
        b"\xff\xfe",
        b"[" * 100_000,
        json.dumps({**NIGHT, "format": 2}).encode(),
        json.dumps({**NIGHT, "format": True}).encode(),
        json.dumps({**NIGHT, "ended": "yesterday"}).encode(),
        json.dumps({**NIGHT, "ended": "2026-11-25T03:00:00"}).encode(),
        json.dumps({**NIGHT, "well": 1}).encode(),
        json.dumps({**NIGHT, "closed": [1]}).encode(),
        json.dumps({**NIGHT, "journal": {"bytes": "9" * 9}}).encode(),
        b'{"format":' + b"9" * 5000 + b"}",
        b"x" * (MOST_BYTES + 1),
    ],
)
def test_a_file_that_is_no_report_is_told_as_such(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_bytes(data)
    with pytest.raises(Unreadable):
        read_report(path)
    with exporter(tmp_path / "nobody", path) as one:
        now = one.scrape()
    assert now["nightly_report_readable"] == 0
    assert [name for name in now if name.startswith(("nightly", "closed"))] == [
        "nightly_report_readable"
    ]


def test_nobody_waits_for_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    for path in (tmp_path / "fifo", tmp_path, tmp_path / "none", Path("/dev/zero"), Path("a\0b")):
        with pytest.raises(Unreadable):
            read_report(path)


@given(JSON)
def test_no_report_is_too_strange(value: object) -> None:
    strange = value if not isinstance(value, dict) else {**NIGHT, **value}
    try:
        report = parse(json.dumps(strange).encode())
    except (WrongForm, ValueError):
        return
    told_of(report)


@given(st.integers(min_value=0, max_value=10**400))
def test_no_number_is_too_large(size: int) -> None:
    told_of(parse(json.dumps({**NIGHT, "journal": {"bytes": size}}).encode()))
