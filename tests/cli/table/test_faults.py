"""``tablectl faults``: what a technician asks at 4 a.m., without any controller."""

from __future__ import annotations

import pytest

from controller.faults.catalogue import CATALOGUE, throttle
from tests.cli.support import Tablectl


def test_a_fault_is_explained(tablectl: Tablectl) -> None:
    ran = tablectl("faults", "disk-full-soon")
    assert ran.code == 0
    text = " ".join(ran.out.split())
    for part in ("The disk with the journal is nearly full.", "who ends it", "ERR-02", "minutes"):
        assert part in text
    assert all(len(line) <= 100 for line in ran.out.splitlines())


def test_it_may_be_written_as_the_keypad_shows_it(tablectl: Tablectl) -> None:
    assert tablectl("faults", "COVER OPEN").out == tablectl("faults", "cover-open").out


def test_a_fault_in_json(tablectl: Tablectl) -> None:
    told = tablectl("faults", "program-damaged", "--json").json
    fault = CATALOGUE["program-damaged"]
    assert told["next_step"] == fault.next_step
    assert (told["severity"], told["clears"], told["devices_closed"]) == ("hold", "cured", True)
    assert told["requirements"] == ["PWR-05", "PWR-15", "ERR-03", "INT-05"]


def test_all_of_them(tablectl: Tablectl) -> None:
    assert [fault["code"] for fault in tablectl("faults", "--json").json] == list(CATALOGUE)
    out = tablectl("faults").out
    assert all(code in out for code in CATALOGUE)


def test_what_is_no_fault_is_told_with_what_may_be_meant(tablectl: Tablectl) -> None:
    ran = tablectl("faults", "disk-ful")
    assert ran.code == 2
    assert "'disk-ful' is no fault. Did you mean disk-low or disk-full-soon" in ran.err
    lists = "'tablectl faults' lists them all.\n"
    assert ran.err.endswith(f"? {lists}")
    assert tablectl("faults", "zzz").err.endswith(f"'zzz' is no fault. {lists}")


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("disk-low", "in other words once in one hour"),
        ("disk-full-soon", "in other words once in 10 minutes"),
        ("clock-stepped", "once in one minute at most, with how many were left out"),
        ("cover-open", "each time"),
    ],
)
def test_how_often_it_is_journaled(code: str, said: str) -> None:
    assert said in throttle(CATALOGUE[code])
