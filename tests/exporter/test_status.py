"""The controller's status: each part is told, or named as one that cannot be read."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.files.rules import load_rules, rule_files
from controller.table.state.parts import Phase
from drivers import link_counters
from exporter import catalogue as names
from exporter.metrics import MOST_SERIES, Readings
from exporter.of_links import TROUBLE, read_links
from exporter.of_status import STATES, read_status
from tests.exporter.support import without
from tests.exporter.test_report import JSON, values

STATUS: dict[str, Any] = {
    "table": "P12",
    "rules": "plus",
    "state": "held.play.decide",
    "round": 7,
    "held": {"fault": "cover-open", "faults": ["cover-open", "card-unread"], "reason": "x"},
    "conditions": {"disk-low": "the disk"},
    "devices": {
        "shoe": {
            "kind": "shoe",
            "link": "up",
            "serial": "S1",
            "firmware": "1.0",
            "since": "2026-11-25T03:00:00+00:00",
            "stopped": "",
            "faults": "jam",
        },
        "left": {"kind": "display", "link": "down", "serial": None, "since": None},
    },
    "journal": {"head": 12, "sealed_to": 11, "key": "aa", "heads": "/x"},
    "started": "2026-11-25T02:00:00+00:00",
    "program": {"version": "0.2.0", "engine": "3", "digest": "d", "libraries_digest": "l"},
    "upkeep": {
        "copy": {"directory": "/c", "same_disk": True, "last": 10, "fault": "copy-failing: x"},
        "scrub": {"walks": 2, "checked": 5, "fault": None},
        "tree": {"taken_in": 12, "left": 0},
    },
}


def read(status: dict[str, Any]) -> dict[str, float]:
    readings = Readings()
    read_status(status, readings)
    return values(readings)


def test_every_part_is_told() -> None:
    now = read(STATUS)
    assert {name for name, value in now.items() if name.startswith("state") and value} == {
        "state{state=play}"
    }
    assert without(now, "state{") == {
        "info{digest=d,engine=3,libraries_digest=l,rules=plus,table=P12,version=0.2.0}": 1,
        "start_timestamp_seconds": 1795572000.0,
        "round_number": 7,
        "held": 1,
        "held_info{fault=cover-open}": 1,
        "held_info{fault=card-unread}": 1,
        "condition{fault=disk-low}": 1,
        "device_up{device=shoe,kind=shoe}": 1,
        "device_up{device=left,kind=display}": 0,
        "device_link_changed_timestamp_seconds{device=shoe,kind=shoe}": 1795575600.0,
        "device_fault{device=shoe,kind=shoe}": 1,
        "device_fault{device=left,kind=display}": 0,
        "device_info{device=shoe,firmware=1.0,kind=shoe,serial=S1}": 1,
        "journal_head_entry": 12,
        "journal_signed_entry": 11,
        "journal_info{key=aa}": 1,
        "copy_configured": 1,
        "copy_entry": 10,
        "copy_failing": 1,
        "copy_same_disk": 1,
        "scrub_walks_total": 2,
        "scrub_entry": 5,
        "scrub_damaged": 0,
        "tree_entry": 12,
        "tree_left_entries": 0,
    }


@pytest.mark.parametrize(
    ("change", "part", "gone"),
    [
        ({"held": 1}, "table", "round_number"),
        ({"devices": {"shoe": {"link": 1}}}, "devices", "device_up"),
        ({"devices": {"shoe": {"since": "now"}}}, "devices", "device_up"),
        ({"journal": {"head": "12"}}, "journal", "journal_head_entry"),
        ({"upkeep": []}, "upkeep", ""),
        ({"upkeep": [1]}, "upkeep", "copy_"),
    ],
)
def test_a_part_of_another_form_is_named_and_the_others_are_told(
    change: dict[str, Any], part: str, gone: str
) -> None:
    now = read({**STATUS, **change})
    if not gone:  # nothing is no other form
        assert f"exporter_unreadable{{part={part}}}" not in now
        return
    assert now[f"exporter_unreadable{{part={part}}}"] == 1
    assert without(now, gone) == now
    assert ("journal_head_entry" in now) == (part != "journal")


@given(JSON, st.sampled_from(list(STATUS)))
def test_no_status_is_too_strange(value: object, part: str) -> None:
    read({**STATUS, part: value})


@given(st.text(), st.text())
def test_no_name_is_too_strange(name: str, kind: str) -> None:
    read({"devices": {name: {"kind": kind, "link": "up"}}, "conditions": {kind: name}})
    read({"state": name, "held": {"faults": [name, name]}})


def test_a_status_without_end_fills_no_disk() -> None:
    now = read({"conditions": {f"fault-{number}": "" for number in range(10 * MOST_SERIES)}})
    assert sum(name.startswith("condition") for name in now) == MOST_SERIES


def test_every_state_of_a_table_is_known() -> None:
    of_rounds = {
        state.partition(".")[0] for name in rule_files() for state in load_rules(name).states
    }
    passed_through = {Phase.PLAYING, Phase.ENDED}  # the round's own state is shown
    assert of_rounds - {"held"} <= set(STATES)
    assert set(Phase) - passed_through <= set(STATES)


def test_links_are_told_with_the_troubles_of_the_cli() -> None:
    assert set(TROUBLE) == link_counters.TROUBLE
    readings = Readings()
    counts = {"received": 5, "pings": 4, "ping_us": 2_000_000, "bad_crc": 3, "later": 1}
    read_links({"shoe": counts}, {"shoe": "card-shoe"}, readings)
    now = values(readings)
    labels = "device=shoe,kind=card-shoe"
    assert now[f"link_ping_seconds_sum{{{labels}}}"] == 2.0
    assert now[f"link_ping_seconds_count{{{labels}}}"] == 4
    assert now[f"link_received_messages_total{{{labels}}}"] == 5
    assert now[f"link_trouble_total{{{labels},trouble=bad_crc}}"] == 3


@pytest.mark.parametrize("name", ["pings", "ping_us"])
@pytest.mark.parametrize("value", [-1, -(10**400), 10**400], ids=["below 0", "least", "most"])
def test_a_counter_that_is_none_is_left_out_and_the_others_told(name: str, value: int) -> None:
    readings = Readings()
    read_links({"shoe": {"received": 5, "pings": 4, "ping_us": 2, name: value}}, {}, readings)
    shown = {family.name for family in readings.families(list(names.all_metrics()))}
    assert names.LINK_RECEIVED.name.removesuffix("_total") in shown
    assert names.LINK_PING.name not in shown
