"""The course of rounds that were really journaled: what each kind of entry becomes."""

from __future__ import annotations

from dataclasses import asdict, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from controller import ENGINE_VERSION
from controller.journal.reader import JournalReader
from controller.replay.course.recording import CourseRecorder
from controller.replay.course.steps import CourseStep, HandChange
from controller.replay.finding import find_round
from controller.replay.replay import rounds_from
from tests.replay.course.played import STEP_S, as_entries, eventful, told, void, write
from tests.table.live.driver import DIV, MBS, PLUS, Live, settings


def steps(table: Live, number: int = 1) -> list[CourseStep]:
    recorder = CourseRecorder(number)
    list(rounds_from(as_entries(table), watch=recorder))
    return recorder.steps_of(number)


def the(course: list[CourseStep], what: str) -> CourseStep:
    (found,) = [step for step in course if step.what == what]
    return found


def marked(course: list[CourseStep], mark: str) -> list[str]:
    return [step.what for step in course if mark in step.marks]


def test_an_eventful_round(tmp_path: Path) -> None:
    result, course = told(eventful(), tmp_path)
    assert result["round"] == 1
    assert (course[0].what, course[0].who, course[0].kind) == ("open", "dora", "dealer")
    assert course[-1].what == "next"
    press = the(course, "the button is pressed, offer 1")
    assert (press.kind, press.offer, press.clause) == ("button", 1, "3.19.1")
    assert press.prompt == "Pressed for box 1: the meter spins."
    draw = the(course, "25x is drawn for box 1, offer 1")
    assert draw.draw is not None
    assert (draw.draw["ticket"], draw.weights) == (3, ((100, 4), (25, 96)))
    shown = the(course, "the meter shows 25x, offer 1")
    assert [(one["kind"], one["net"]) for one in shown.settled] == [("pandemonium", "125.00")]
    assert shown.layout["meter"] == {"offer": 1, "box": 1, "multiplier": 25}
    split = the(course, "split 3")
    assert split.upto == split.seq + 1  # with the lock that it waited for
    assert split.changes == [
        HandChange("box 3", "8S 8D", "8S", 8),
        HandChange("box 3.2", "", "8D", 8),
    ]
    assert the(course, "card 2C to box 3.2").changes == [HandChange("box 3.2", "8D", "8D 2C", 10)]
    assert the(course, "card 2S to the dealer").since_s == pytest.approx(48 * STEP_S, abs=1e-3)
    keyed = the(course, "keys S")
    assert (keyed.kind, keyed.notes) == ("keypad", ["given: stand 3"])
    late = the(course, "the card shoe is locked")
    assert late.notes[0].startswith("refused: stand 3: 9H left the shoe before it")
    assert marked(course, "refused") == [late.what]
    assert marked(course, "taken back") == ["undo"]
    assert marked(course, "lost") == ["card shoe: link lost, it does not answer"]
    assert marked(course, "restart") == ["the controller started"]
    assert marked(course, "held")[-1] == "the controller started"
    assert marked(course, "correction") == ["correct 7 9D", "done"]
    judged = course[-2]
    assert (judged.who, judged.why) == ("Tan A., user sue", "the camera shows a nine")
    assert [step.clause for step in course if step.kind == "supervisor"] == [""] * 3
    assert the(course, "undo").clause == ""
    assert [one["outcome"] for one in judged.settled] == ["reversed", "reversed", "win", "win"]
    assert asdict(judged)["settled"] == judged.settled


def test_a_round_that_two_people_made_void(tmp_path: Path) -> None:
    result, course = told(void(), tmp_path, 1)
    assert result["outcome"] == "void"
    asked, confirmed = course[-2:]
    assert (asked.what, asked.marks) == ("void", ["held"])
    assert confirmed.what == "confirm void"
    assert confirmed.marks == ["void", "reversed"]
    assert (asked.clause, confirmed.clause) == ("", "")
    nets = [one["net"] for one in confirmed.settled]
    assert nets == ["10.00", "-150.00", "-500.00", "0.00", "0.00", "0.00"]
    assert confirmed.notes == []  # what was reversed is told by the settlements


def test_what_an_open_taken_back_had_begun_belongs_to_the_round_before() -> None:
    table = Live(MBS)
    table.play("open", "wager 1 main 10", "close", "9S 8H 9D", "stand 1", "9C", "next", "open")
    table.play("wager 2 main 10", "undo", "undo", "undo", "sue: correct 3 8D", "sue: done")
    assert {step.since_s - step.seq for step in steps(table) if step.since_s is not None} == {
        -steps(table)[0].seq
    }  # seconds since the first open, also behind the second
    first = [step.what for step in steps(table)]
    assert first[-7:] == ["open", "wager 2 main 10", *["undo"] * 3, "correct 3 8D", "done"]
    table.play("open", "close", "9S 8H 9D")
    assert [step.what for step in steps(table)] == first
    second = steps(table, 2)
    assert [step.what for step in second][:2] == ["open", "close"]
    last = CourseRecorder(None)
    list(rounds_from(as_entries(table), watch=last))
    assert (last.steps_of(2), last.steps_of(1), last.steps_of(3)) == (second, steps(table), [])
    assert steps(table, 2) == second  # whose first opening was taken back


def test_what_is_entered_in_service_belongs_to_no_round() -> None:
    table = Live(MBS)

    def played() -> None:
        table.play("open", "wager 1 main 10", "close", "9S 8H 9D", "stand 1", "9C", "next")

    played()
    before = steps(table)
    began = len(table.events) + 1
    table.order("service on")
    table.slip("4D")
    table.device("jackpot", "PRESS", offer_id=9)
    table.device("jackpot", "SHOWN", offer_id=9, multiplier=25)
    table.device("keypad", "KEY", key="5", supervisor=0)
    table.apply("device-command", {"command": "GATE", "fields": {"open": 0}}, device="shoe")
    tested = {"test": "gate", "ok": True, "what": "locked", "by_hand": False, "at": "21:14"}
    table.apply("device-tested", tested, device="shoe")
    table.down("jackpot")
    table.up("jackpot")
    table.order("service off")
    over = len(table.events)
    table.order("play-on")
    played()
    first = steps(table)
    assert first[: len(before)] == before
    assert [step.what for step in first[len(before) :]] == ["play-on"]
    for course in (first, steps(table, 2)):
        assert course
        assert all(step.upto < began or step.seq > over for step in course)
    assert steps(table, 2)[0].what == "open"


def test_only_the_last_rounds_are_kept_where_no_number_is_given() -> None:
    table = Live(MBS)
    for _ in range(3):
        table.play("open", "wager 1 main 10", "close", "9S 8H 9D", "stand 1", "9C")
    last = CourseRecorder(None)
    list(rounds_from(as_entries(table), watch=last))
    assert [bool(last.steps_of(number)) for number in (1, 2, 3)] == [False, True, True]
    assert last.facts(1) is None
    known = last.facts(3)
    assert known is not None
    assert (known.table, known.rules) == ("P12", MBS)


def test_what_was_corrected_before_a_void_is_taken_back_once() -> None:
    table = Live(MBS)
    table.say("open", "wager 1 main 10", "wager 1 pair 5", "wager 2 main 10", "close")
    table.play("8S 9S 6C 8D 7D", "sue: correct 4 9D", "sue: done", "sue: void")
    course = steps(table)
    corrected, voided = course[-2:]
    assert [one["outcome"] for one in corrected.settled] == ["reversed", "lose"]
    back = [one for one in voided.settled if one["outcome"] == "reversed"]
    assert [(one["kind"], one["net"]) for one in back] == [("pair", "5.00")]
    nets = [Decimal(one["net"] or 0) for step in course for one in step.settled]
    assert sum(nets) == 0


def test_keys_are_one_step_as_far_as_their_command() -> None:
    table = Live(MBS)
    table.keys("O B3 M50# M0.001# N")
    course = steps(table)
    assert [(step.what, step.notes[-1:]) for step in course] == [
        ("keys O", ["given: open"]),
        ("keys B 3 M 5 0 #", ["given: wager 3 main 50.00"]),
        ("keys M 0 . 0 0 1 #", ["the keypad answers NO: NO SUCH AMOUNT"]),
        ("keys N", ["given: close"]),
    ]
    table.deal("5D 6C 5S")
    table.keys("V#", supervisor=True)
    void = steps(table)[-1]
    assert (void.who, void.what, void.clause) == ("key switch turned", "keys V #", "")


@pytest.mark.parametrize(
    ("command", "clause", "why"),
    [
        ("follow 1b", "3.23", "follow 1b is not permitted now (play.decide)"),
        ("stand 3", "3.18; A-58", "stand 3: box 3 is not in turn: box 1 is in turn"),
    ],
)
def test_a_refusal_names_its_command_and_its_clause_once(
    command: str, clause: str, why: str
) -> None:
    table = Live(MBS).play("open", "wager 1 main 10", "wager 3 main 10", "close", "5S 8S 6C 5H 8D")
    table.enter(command)
    table.lock()
    refused = steps(table)[-1]
    assert (refused.marks, refused.clause) == (["refused"], clause)
    assert refused.notes == [f"refused: {why}"]


def test_keys_that_wait_for_the_gate_are_told_with_what_they_gave() -> None:
    table = Live(MBS).play("open", "wager 1 main 10", "wager 2 main 10", "close", "5S 6S 9D 5H 6H")
    table.keys("SS", lock=False)
    table.lock()
    table.lock()
    course = steps(table)[-3:]
    assert [step.kind for step in course] == ["keypad", "keypad", "device"]
    assert course[2].notes == ["carried out: stand 1", "carried out: stand 2"]


def device_round() -> Live:
    """A round in which everything is reported that devices and the controller can."""
    table = Live(PLUS, ("shoe", "keypad", "jackpot")).play("open", "wager 1 main 10", "close")
    table.device("shoe", "CUTTING_CARD", remaining=60)
    table.device("jackpot", "STUCK", held_ms=6000)
    table.device("jackpot", "COVER", open=1)
    table.device("jackpot", "COVER", open=0)
    table.device("shoe", "FAULT", faults=1)
    table.shoe((2, 300), (9, 300), (1, 300))
    table.device("shoe", "SOMETHING_NEW", value=1)
    table.device("jackpot", "PRESS", offer_id=4)
    table.apply("refused", {"command": "GATE", "code": 5}, device="shoe")
    table.apply("refused", {"command": "GATE", "code": 99}, device="shoe")
    for present in (True, False):
        body = {"fault": "disk-low", "present": present, "detail": "9 MiB are left"}
        table.apply("condition", body)
    attempt = {"user": "eve", "uid": 1001, "pid": 47, "what": "supervisor: resume"}
    table.apply("refused-attempt", {**attempt, "why": "not in the group", "count": 1})
    table.apply("overdue", {"offer": 7})
    table.apply("pressed", {"offer_id": 4}, device="jackpot")
    table.apply("shown", {"offer_id": 4, "multiplier": 2}, device="jackpot")
    table.slip("??")
    table.slip("9D", flags=1)
    table.apply("stop", {})
    return table


def test_what_devices_and_the_controller_report() -> None:
    course = steps(device_round())
    said = [step.what for step in course]
    for what in (
        "card shoe: the cutting card has come",
        "jackpot unit: the button has been down for over five seconds",
        "jackpot unit: its cover was opened",
        "jackpot unit: its cover was closed",
        "card shoe: lid open, 300 cards",
        "card shoe: in an unknown state, 300 cards",
        "card shoe: loaded, 300 cards",
        "card shoe: refuses GATE, a fault of its own",
        "card shoe: refuses GATE",
        "the button is pressed, offer 4",
        "the meter has not reported in time, offer 7",
        "not permitted: supervisor: resume, not in the group",
        "the meter shows 2x, offer 4",
        "card ?? left the shoe",
        "the controller was stopped",
    ):
        assert what in said, what
    assert any(what.startswith("over: ") and "(disk-low)" in what for what in said)
    assert "card shoe: SOMETHING_NEW" not in said  # it changed nothing


def test_a_card_that_lies_face_down_is_not_told() -> None:
    squeezing = next(name for name in (PLUS, DIV, MBS) if settings(name).rules.deal.squeeze.value)
    table = Live(squeezing)
    table.play("open", "wager 1 main 10", "wager 2 main 10", "squeeze 1", "close", "5S 6S 9D 5H")
    hidden = [step.what for step in steps(table) if step.kind == "card"]
    assert hidden == [
        "card ?? to box 1",
        "card 6S to box 2",
        "card 9D to the dealer",
        "card ?? to box 1",
    ]
    table.slip("??")
    assert steps(table)[-1].what == "a card left the shoe"


def test_over_a_restart_of_the_machine_the_wall_clock_is_all_there_is() -> None:
    table = Live(MBS).play("open", "wager 1 main 10", "close")
    entries: list[Any] = as_entries(table)
    walls = ("2026-11-20T21:14:20+00:00", "2020-01-01T00:00:00+00:00", "no time")
    for at, wall in enumerate(walls, len(entries) - 3):
        entries[at] = replace(entries[at], boot=1 if at == len(entries) - 3 else 2, wall=wall)
    recorder = CourseRecorder(1)
    list(rounds_from(entries, watch=recorder))
    assert [step.since_s for step in recorder.steps_of(1)] == [0.0, None, None]
    entries[-2] = replace(entries[-2], wall="2026-11-20T21:14:25+00:00")
    list(rounds_from(entries, watch=(recorder := CourseRecorder(1))))
    assert [step.since_s for step in recorder.steps_of(1)] == [0.0, 5.0, None]


def test_an_entry_that_was_changed_is_told_as_such() -> None:
    table = Live(MBS).play("open", "wager 1 main 10", "close")
    entries = as_entries(table)
    draft = entries[-1].draft
    body = {**draft.body, "after": {"state": "settled"}}
    entries[-1] = replace(entries[-1], draft=replace(draft, body=body))
    start = entries[0].draft
    versions = {"engine": ENGINE_VERSION}
    entries[0] = replace(
        entries[0], draft=replace(start, body={**start.body, "versions": versions})
    )
    recorder = CourseRecorder(1)
    list(rounds_from(entries, watch=recorder))
    last = recorder.steps_of(1)[-1]
    assert "differs" in last.marks
    assert "state is" in last.notes[-1]


def test_it_is_recorded_while_the_round_is_looked_for(tmp_path: Path) -> None:
    """The replay begins at the last snapshot before the round, as for the result alone."""
    table = eventful()
    with JournalReader(write(table, tmp_path)) as reader:
        seen: list[int] = []
        find_round(reader, 1, watch=lambda entry, _table, _differs: seen.append(entry.seq))
    assert seen == list(range(1, len(table.events) + 1))
