"""``journal find`` among rounds that were really played."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from controller.journal.model import Draft
from controller.journal.reader import JournalReader
from controller.replay.replay import rounds_from
from controller.table.events.reading import read_event
from proof.torture.alterations.material import play_journal
from tests.cli.support import Played, Tablectl
from tests.journal.helpers import opened
from tests.replay.course.played import BEGAN, write
from tests.table.live.driver import Live


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("played")
    play_journal(folder, 8, 4)
    return folder / "state"


@pytest.fixture(scope="module")
def rounds(state: Path) -> dict[int, Any]:
    with JournalReader(state) as reader:
        return {one["round"]: one for one in rounds_from(reader.iterate())}


def found(tablectl: Tablectl, state: Path, *asked: object) -> list[Any]:
    ran = tablectl("journal", "find", *asked, "--state", state)
    assert ran.code == 0, ran.err
    return ran.lines


def exported(tablectl: Tablectl, state: Path) -> list[Any]:
    return tablectl("journal", "export", "--state", state).lines


def test_a_rounds_entries_are_those_of_its_proof(
    tablectl: Tablectl, state: Path, rounds: dict[int, Any]
) -> None:
    every = exported(tablectl, state)
    seqs: list[int] = []
    for number in rounds:
        lines = found(tablectl, state, "--round", number)
        assert lines[0]["body"]["command"] == "open"
        assert lines == every[lines[0]["seq"] - 1 : lines[-1]["seq"]]
        seqs += [line["seq"] for line in lines]
    assert seqs == list(range(seqs[0], every[-1]["seq"] + 1))
    assert found(tablectl, state, "--round", "last") == lines


def test_a_card(tablectl: Tablectl, state: Path) -> None:
    lines = found(tablectl, state, "--card", "KH")
    assert lines
    drawn = [one for one in exported(tablectl, state) if one["type"] == "CARD"]
    of_it = [one for one in drawn if (one["rank"], one["suit"]) == (13, 3)]
    assert [one for one in lines if one["type"] == "CARD"] == of_it
    assert all("KH" in one["body"]["command"] for one in lines if one["type"] != "CARD")


def test_a_boxs_cards_and_settlements(
    tablectl: Tablectl, state: Path, rounds: dict[int, Any]
) -> None:
    for number, played in rounds.items():
        for box, shown in played["boxes"].items():
            lines = found(tablectl, state, "--round", number, "--box", box)
            cards = sum(len(hand["cards"].split()) for hand in shown)
            assert sum(one["type"] == "CARD" for one in lines) >= (cards if cards else 0)
            settled = [
                told
                for one in lines
                for told in one.get("body", one).get("after", {}).get("settlements", ())
                if told["box"] == int(box)
            ]
            assert settled == [one for one in played["settlements"] if one["box"] == int(box)]
        nobodys = found(tablectl, state, "--round", number, "--box", 9)
        assert nobodys == []


def of_box(tablectl: Tablectl, state: Path, box: int) -> list[str]:
    """What people said about a box."""
    bodies = [one.get("body", {}) for one in found(tablectl, state, "--box", box)]
    return [body["command"] for body in bodies if "command" in body]


def test_a_correction_is_found_at_the_boxes_whose_cards_it_touches(
    tablectl: Tablectl, tmp_path: Path
) -> None:
    table = Live()
    table.say("open", "wager 1 main 10", "wager 2 main 10", "wager 3 main 10", "close")
    table.play("5S 6S 7S KD 5H 6H 7H", "sue: correct 3 8S", "undo", "sue: correct 3 8S")
    table.play("sue: lies 2 1", "sue: lies 1 2", "sue: done")
    write(table, tmp_path)
    third, first, second = (of_box(tablectl, tmp_path, box) for box in (3, 1, 2))
    assert third[1:] == ["correct 3 8S", "undo", "correct 3 8S"]
    assert first[1:] == ["lies 2 1", "lies 1 2"]
    assert second[1:] == ["lies 2 1", "lies 1 2"]


def test_a_command_about_two_boxes_is_found_at_either(tablectl: Tablectl, tmp_path: Path) -> None:
    table = Live()
    table.say("open", "wager 1 main 10", "wager 2 main 10", "wager 1d pair 10", "close")
    table.play("5S 6S AD 5H 6H", "insure 2@1 4", "insure 1d@2 4")
    write(table, tmp_path)
    assert of_box(tablectl, tmp_path, 1)[-2:] == ["insure 2@1 4", "insure 1d@2 4"]
    assert of_box(tablectl, tmp_path, 2)[-2:] == ["insure 2@1 4", "insure 1d@2 4"]
    assert of_box(tablectl, tmp_path, 4) == []


def test_keys_are_found_at_the_box_that_their_command_is_about(
    tablectl: Tablectl, tmp_path: Path
) -> None:
    table = Live()
    table.keys("O B1 M10# B2 M10# N")
    table.deal("5S 6S 9D 5H 6H")
    table.keys("SS")
    write(table, tmp_path)
    for box in (1, 2):
        keys = [one["key"] for one in found(tablectl, tmp_path, "--box", box) if "key" in one]
        assert keys == ["#", "S"]


def test_a_multiplier_a_fault_and_a_time(tablectl: Tablectl, state: Path) -> None:
    every = exported(tablectl, state)
    draw = next(one for one in every if one["type"] == "draw")
    lines = found(tablectl, state, "--multiplier", draw["multiplier"])
    assert draw in lines
    assert {one["multiplier"] for one in lines} == {draw["multiplier"]}
    conditions = [one for one in every if one["type"] == "condition"]
    if conditions:
        fault = conditions[0]["body"]["fault"]
        of_it = [one for one in conditions if one["body"]["fault"] == fault]
        assert found(tablectl, state, "--fault", fault) == of_it
    middle = every[len(every) // 2]["wall"]
    before = found(tablectl, state, "--until", middle)
    behind = found(tablectl, state, "--since", middle)
    assert before + behind == every
    assert found(tablectl, state, "--since", middle, "--until", middle) == []


@pytest.fixture
def berlin(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine in Berlin, as its commands read and tell times."""
    monkeypatch.setenv("TZ", "Europe/Berlin")


@pytest.mark.usefixtures("berlin")
def test_both_hours_of_the_night_in_which_the_clock_is_put_back(
    tablectl: Tablectl, tmp_path: Path
) -> None:
    table = Live()
    table.say("open", *(f"wager {box} main 50" for box in range(1, 8)), "close")
    write(table, tmp_path, datetime(2026, 10, 25, 0, 5, tzinfo=UTC), step_s=600)
    night = "2026-10-25T"

    def between(since: str, until: str) -> list[str]:
        lines = found(tablectl, tmp_path, "--since", night + since, "--until", night + until)
        return [line["wall"][11:16] for line in lines]

    both = ["00:15", "00:25", "00:35", "00:45", "00:55", "01:05", "01:15", "01:25", "01:35"]
    assert between("02:10", "02:40") == both
    assert between("02:10+02:00", "02:40+02:00") == both[:3]
    assert between("02:10+01:00", "02:40+01:00") == both[-3:]


@pytest.mark.usefixtures("berlin")
def test_an_hour_that_never_was_leaves_nothing_out(tablectl: Tablectl, tmp_path: Path) -> None:
    table = Live()
    table.say("open", *(f"wager {box} main 50" for box in range(1, 8)), "close")
    write(table, tmp_path, datetime(2026, 3, 29, 0, 35, tzinfo=UTC), step_s=600)
    asked = ("--since", "2026-03-29T02:10", "--until", "2026-03-29T02:40")
    walls = [line["wall"][11:16] for line in found(tablectl, tmp_path, *asked)]
    assert walls == ["00:35", "00:45", "00:55", "01:05", "01:15", "01:25", "01:35"]


def test_a_local_time_needs_a_zone_that_is_known(
    tablectl: Tablectl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Live().play("open")
    write(table, tmp_path, datetime(2026, 10, 25, 0, 5, tzinfo=UTC))
    monkeypatch.setenv("TZ", "Mars/Olympus")
    ran = tablectl("journal", "find", "--state", tmp_path, "--since", "2026-10-25T00:00")
    assert (ran.code, ran.out) == (2, "")
    assert "is without a zone, and TZ names 'Mars/Olympus'" in ran.err
    assert found(tablectl, tmp_path, "--since", "2026-10-25T00:00+02:00")


@pytest.mark.parametrize("wall", ["no clock", "2026-11-23", "0001-01-01T00:00:00+23:00"])
def test_an_entry_whose_time_cannot_be_read_may_be_of_any(
    tablectl: Tablectl, tmp_path: Path, wall: str
) -> None:
    """But for one that is read, however odd."""
    with opened(tmp_path, boot_id="boot-1") as journal:
        for number, written in enumerate((wall, BEGAN.isoformat()), 1):
            journal.append([Draft("stop", {})], number, written)
    for asked in ("--since", "--until"):
        lines = found(tablectl, tmp_path, asked, "2026-11-23T12:00+00:00")
        of_it = wall in [line["wall"] for line in lines]
        assert of_it == (asked == "--until" or not wall.startswith("0001")), asked


def test_the_help_says_that_times_are_local(tablectl: Tablectl) -> None:
    told = tablectl("journal", "find", "--help")
    assert "in the local time of this machine" in " ".join(told.out.split())


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ((), "say what"),
        (("--card", "9X"), "9X"),
        (("--fault", "disk-lwo"), "did you mean 'disk-low'?"),
        (("--since", "yesterday"), "is no time"),
        (("--round", "99"), "has no round 99"),
        (("--round", "x"), "is no round"),
    ],
)
def test_wrong_use(tablectl: Tablectl, state: Path, asked: tuple[str, ...], says: str) -> None:
    told = tablectl("journal", "find", *asked, "--state", state)
    assert (told.code, says in told.err) == (2, True), told.err


def test_nothing_found_is_said(tablectl: Tablectl, state: Path) -> None:
    told = tablectl("journal", "find", "--multiplier", 12345, "--state", state)
    assert (told.code, told.out, told.err) == (0, "", "tablectl: no entry is so\n")
    assert json.dumps(told.lines) == "[]"


def test_a_fault_is_found_where_it_came_and_where_it_went(
    tablectl: Tablectl, tmp_path: Path
) -> None:
    """A hold of play is no entry of its own: it is what an entry did."""
    played = Played()
    played.dealer("open", "wager 1 main 100", "close")
    played.cards("9S")
    played.shoe("CARD", rank=0, suit=0, flags=0)
    played.take(read_event("supervisor", {"command": "card 8H", "user": "sue"}))
    state = played.write(tmp_path / "held")
    lines = found(tablectl, state, "--fault", "card-unread")
    assert [line["type"] for line in lines] == ["CARD", "supervisor"]


def test_an_exchanged_device_is_found_where_it_came_and_where_it_was_seen(
    tablectl: Tablectl, tmp_path: Path
) -> None:
    played = Played(devices=("shoe", "jackpot"))
    body = {"up": True, "serial": "K-9", "new_session": True, "last_event": 0, "taken": 0}
    for serial in ("K-1", "K-9"):  # the first is no exchange
        up = {**body, "serial": serial, "exchange_stands": True}
        played.take(read_event("link", up, device="jackpot", session=7))
    test = {"test": "self-test", "ok": True, "what": "", "by_hand": False, "at": "", "user": "tess"}
    played.take(read_event("device-tested", test, device="jackpot"))
    lines = found(tablectl, played.write(tmp_path / "held"), "--fault", "device-exchanged")
    assert [line["type"] for line in lines] == ["link", "device-tested"]
    assert lines[0]["body"]["serial"] == "K-9"


def test_what_was_tried_in_service_is_no_card_of_play(tablectl: Tablectl, tmp_path: Path) -> None:
    played = Played()
    played.take(read_event("supervisor", {"command": "service on", "user": "sue"}))
    played.cards("9S")
    played.take(read_event("supervisor", {"command": "service off", "user": "sue"}))
    state = played.write(tmp_path / "service")
    ran = tablectl("journal", "find", "--card", "9S", "--state", state)
    assert (ran.out, "no entry is so" in ran.err) == ("", True)
