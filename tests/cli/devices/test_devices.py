"""``devices test`` and ``devices capture`` against a controller whose devices are the test's."""

from __future__ import annotations

import fcntl
import json
import os
import re
from pathlib import Path

import pytest

from controller.control.answers import Portion, SelfTestOutcome
from drivers.carriers.usb import COUNTED
from drivers.link_counters import MEANINGS, TROUBLE
from drivers.table_link.messages import DropReason
from tests.capture.support import read_capture
from tests.cli.support import ROOT, Tablectl
from tests.control.support import controller
from tests.control.technicians import BEGAN, HEAD, WELL, Bench, line

CARD = line(2, "CARD", event_no=3, rank=1, suit=4, firmware=[1, 2, 3])
BAD = dict(WELL, well=False, failed=[2, 9])
LOST = dict(WELL, well=False, duration_ms=None, trouble="the link went down before it answered")


DEVICES = {
    "shoe": {"link": "up", "serial": "S1", "since": "12:00", "last_event": 7, "kind": "shoe"},
    "keypad": {"link": "up", "serial": "K1", "since": "12:00", "last_event": 0},
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "control.sock"


@pytest.mark.parametrize(
    ("answer", "code", "words"),
    [
        (WELL, 0, "shoe: well, 7 tests\n"),
        (BAD, 1, "self-test  FAILED in 1.5 s, test 2 (sensor), 9; exchange it or call support\n"),
        (LOST, 1, "self-test  not tested, the link went down before it answered\n"),
    ],
)
def test_a_self_test_is_told_in_words_and_by_exit_code(
    tablectl: Tablectl, path: Path, answer: SelfTestOutcome, code: int, words: str
) -> None:
    with controller(path, {"devices": DEVICES}, Bench(answer)):
        ran = tablectl("--socket", path, "devices", "test", "shoe")
        assert (ran.code, words in ran.out) == (code, True)
        told = tablectl("--socket", path, "devices", "test", "shoe", "--json")
        fields = told.json
        tests = fields.pop("tests")
        assert (told.code, fields) == (code, answer)
        names = ["link", "identity", "self-test", "state", "faults", "commands", "line"]
        assert [test["name"] for test in tests] == names
        assert [test["name"] for test in tests if not test["ok"]] == ["self-test"] * code


@pytest.mark.parametrize(
    ("wrong", "name", "says"),
    [
        ({"link": "down", "reason": "port is gone"}, "link", "look at its plug"),
        ({"serial": None}, "identity", "None"),
        ({"faults": "input stuck"}, "faults", "it reports input stuck"),
        ({"refused": "SIGNAL was refused with code 1"}, "commands", "SIGNAL was refused"),
    ],
)
def test_each_thing_that_is_wrong_is_named(
    tablectl: Tablectl, path: Path, wrong: dict[str, str], name: str, says: str
) -> None:
    devices = {"shoe": {**DEVICES["shoe"], **wrong}}
    with controller(path, {"devices": devices}, Bench(WELL)):
        ran = tablectl("--socket", path, "devices", "test", "shoe")
    assert ran.code == 1
    assert ran.out.startswith(f"shoe: NOT WELL: {name}\n")
    assert says in ran.out.splitlines()[1], "what failed stands first"


@pytest.mark.parametrize(
    ("minute", "code", "says"),
    [
        ({"retries": 2, "line_bad_frames": 3, "events": 9}, 1, "2 commands sent again"),
        ({"retries": 2, "line_bad_frames": 3, "events": 9}, 1, "exchange the cable"),
        ({"retries": 2}, 0, "2 commands sent again: an answer did not come in time: fewer than 3"),
        ({"retries": 1, "stray_answer": 1}, 0, "fewer than 3 are no fault"),
        ({"retries": 1, "stray_answer": 2}, 1, "exchange the cable"),
        ({"retries": 1, "event_gap": 1}, 1, "exchange the cable"),
        ({"retries": 3}, 1, "exchange the cable"),
    ],
)
def test_a_line_that_degrades_fails_before_it_drops_and_not_for_a_few_commands(
    tablectl: Tablectl, path: Path, minute: dict[str, int], code: int, says: str
) -> None:
    with controller(path, {"devices": DEVICES}, Bench(WELL, minute=minute)):
        ran = tablectl("--socket", path, "devices", "test", "shoe")
    assert (ran.code, says in " ".join(ran.out.split())) == (code, True), ran.out


def test_a_self_test_that_may_not_be_now_exits_3(tablectl: Tablectl, path: Path) -> None:
    with controller(path, technician=Bench(refusal="a round is played")):
        ran = tablectl("--socket", path, "devices", "test", "shoe")
        assert (ran.code, ran.out) == (3, "")
        assert "a round is played" in ran.err
        assert tablectl("--socket", path, "devices", "capture", "shoe").code == 3


def test_no_such_device(tablectl: Tablectl, path: Path) -> None:
    with controller(path, technician=Bench()):
        for verb in ("test", "capture"):
            ran = tablectl("--socket", path, "devices", verb, "roulette")
            assert (ran.code, "expected one of shoe" in ran.err) == (2, True)


@pytest.mark.parametrize(
    "given",
    [
        ("test",),
        ("test", "shoe", "--port", "/dev/ttyX"),
        ("capture",),
        ("capture", "shoe", "--all"),
        ("capture", "shoe", "--seconds", "0"),
        ("capture", "shoe", "--seconds", "soon"),
        ("capture", "shoe", "--seconds", "nan"),
    ],
)
def test_wrong_use(tablectl: Tablectl, given: tuple[str, ...]) -> None:
    assert tablectl("devices", *given).code == 2


def test_a_port_that_is_not_there_is_not_well(tablectl: Tablectl, tmp_path: Path) -> None:
    ran = tablectl("devices", "test", "--port", tmp_path / "nothing")
    assert ran.code == 1
    assert "nothing" in ran.err


@pytest.mark.parametrize("verb", [("probe",), ("test", "--port")])
def test_a_port_that_another_process_holds_is_not_permitted_now(
    tablectl: Tablectl, verb: tuple[str, ...]
) -> None:
    ours, line = os.openpty()
    try:
        fcntl.flock(line, fcntl.LOCK_EX)
        ran = tablectl("devices", *verb, os.ttyname(line))
    finally:
        os.close(ours)
        os.close(line)
    assert (ran.code, ran.out) == (3, "")
    assert "in use by another process" in ran.err
    assert "only one may speak to a device" in ran.err


def test_a_capture_is_told_as_it_comes_and_kept_in_a_file(
    tablectl: Tablectl, path: Path, tmp_path: Path
) -> None:
    gone = {"at_ns": 1_004_500_000, "device": "shoe", "port": "closed", "reason": "hung up"}
    noise = {"at_ns": 1_006_000_000, "device": "shoe", "dir": "in", "bytes": "ffff00"}
    portions: list[Portion] = [{"lines": [line(1), CARD, gone, noise]}, {"dropped": 7}]
    out = tmp_path / "shoe.jsonl"
    command = ("--socket", path, "devices", "capture", "shoe", "--seconds", "0.01")
    with controller(path, technician=Bench(portions=portions)):
        ran = tablectl(*command, "--out", out)
    assert ran.code == 0
    assert ran.out.splitlines() == [
        f"shoe from {BEGAN}",
        "     0.002 -> PING #1",
        "     0.003 <- CARD #2 event_no=3 rank=1 suit=4 firmware=1.2.3",
        "     0.004 -- the port was closed: hung up",
        "     0.006 <- no frame in ffff00",
        "  7 messages not captured: they came too fast",
    ]
    assert "4 messages, 7 not captured" in ran.err
    assert [json.loads(one) for one in out.read_text("ascii").splitlines()] == [
        HEAD,
        line(1),
        CARD,
        gone,
        noise,
        {"dropped": 7},
        {"end": {"messages": 4, "dropped": 7}},
    ]
    read = read_capture(out)
    assert (len(read.sights), read.missing, read.trouble) == (4, 7, "")


def test_a_capture_of_all_names_the_device_of_every_line(tablectl: Tablectl, path: Path) -> None:
    head = HEAD | {"devices": {"shoe": {"carrier": "serial"}, "jackpot": {"carrier": "usb"}}}
    portions: list[Portion] = [{"head": head, "lines": [line(1), line(2) | {"device": "jackpot"}]}]
    technician = Bench(portions=portions)
    with controller(path, technician=technician):
        ran = tablectl("--socket", path, "devices", "capture", "--all", "--seconds", "0.01")
    assert technician.asked == ["all"]
    assert ran.out.splitlines() == [
        f"shoe, jackpot from {BEGAN}",
        "     0.002 shoe    -> PING #1",
        "     0.003 jackpot -> PING #2",
    ]


def test_a_capture_in_json_is_the_file_and_one_that_is_there_is_left_as_it_is(
    tablectl: Tablectl, path: Path, tmp_path: Path
) -> None:
    out = tmp_path / "shoe.jsonl"
    command = ("--socket", path, "devices", "capture", "shoe", "--seconds", "0.01", "--json")
    with controller(path, technician=Bench(portions=[{"lines": [line(1)]}])):
        ran = tablectl(*command, "--out", out)
        again, folder = (tablectl(*command, "--out", there) for there in (out, tmp_path))
    assert ran.out == out.read_text("ascii")
    assert ran.lines[-1] == {"end": {"messages": 1, "dropped": 0}}
    assert (again.code, "is there already" in again.err, folder.code) == (2, True, 2)


def test_the_links_counters_are_told_with_what_they_mean(tablectl: Tablectl, path: Path) -> None:
    with controller(path, {"devices": DEVICES}, technician=Bench()):
        told = tablectl("devices", "list", "--stats", "--socket", path)
        assert told.code == 0
        assert "shoe, 64 s and 3605 s back:" in told.out
        words = [line.split(maxsplit=5) for line in told.out.splitlines() if "retries" in line]
        assert words == [["!", "0", "2", "3", "retries", MEANINGS["retries"]]]
        fields = tablectl("devices", "list", "--stats", "--json", "--socket", path).json
        assert fields["shoe"]["link"] == "up"
        assert fields["shoe"]["stats"] == {
            "minute": {},
            "minute_s": 64,
            "hour": {"retries": 2, "events": 40},
            "hour_s": 3605,
            "start": {"retries": 3},
        }
        assert "stats" not in tablectl("devices", "list", "--json", "--socket", path).json["shoe"]


def test_every_counter_has_a_meaning() -> None:
    """Found where they are counted."""
    link = "".join(path.read_text("utf-8") for path in (ROOT / "drivers/table_link").glob("*.py"))
    line = "".join(path.read_text("utf-8") for path in (ROOT / "drivers/carriers").glob("*.py"))
    counted = re.compile(r'_counts\["([a-z_]+)"\]')
    names = {*counted.findall(link), *(reason.value for reason in DropReason)}
    names |= {f"line_{name}" for name in (*counted.findall(line), *COUNTED)}
    names |= {"line_noise", "line_bad_frames", "event_gap", "event_too_many", "event_again"}
    assert names == MEANINGS.keys()
    assert MEANINGS.keys() > TROUBLE
