"""Whatever happens at a table, its rounds' courses come to what their results say.

Over all five documents: the settlements told by the steps add up to the net, the hands of the last
layout before the table was cleared are those of the result, the steps are in the order of the
entries and share none, and every card, press, draw and command of the round is in one of them.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from decimal import Decimal
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import settings as examples
from hypothesis.stateful import run_state_machine_as_test

from controller.files.rules import rule_files
from controller.game.round.result_fields import RoundResult
from controller.journal.model import Entry
from controller.journal.reader import JournalReader
from controller.replay.course.recording import CourseRecorder
from controller.replay.course.steps import CourseStep, hands_of
from controller.replay.replay import rounds_from
from proof.torture.alterations.material import play_journal
from tests.replay.course.played import as_entries
from tests.table.live.test_anything import AnyTable

ALWAYS = frozenset(
    {"dealer", "supervisor", "CARD", "PRESS", "SHOWN", "draw", "link", "start", "KEY"}
)
CLEARED = frozenset({"idle", "betting", "closed", "service"})


class CourseTable(AnyTable):
    """Any table; its rounds' courses are held against their results at the end."""

    def __init__(self, rules: str) -> None:
        super().__init__(rules)
        self.gridded = True  # trying everything on copies makes no course

    def teardown(self) -> None:
        """Every round that was played."""
        entries = as_entries(self.table)
        recorder = CourseRecorder(1)
        results = list(rounds_from(entries, watch=recorder))
        rnd, now = self.table.table.rnd, self.table.table.round_number
        for result in results:
            unjudged = result["round"] == now and rnd is not None and bool(rnd.irregular.edits)
            check(result, recorder.steps_of(result["round"]), entries, unjudged=unjudged)
        last = CourseRecorder(None)
        for result in list(rounds_from(as_entries(self.table), watch=last))[-1:]:
            assert last.steps_of(result["round"]) == recorder.steps_of(result["round"])


def check(
    result: RoundResult, course: list[CourseStep], entries: list[Entry], *, unjudged: bool
) -> None:
    """The course of a round comes to its result. ``unjudged``: cards are said to lie otherwise,
    which the layout shows, and the result only when it was judged."""
    assert course
    told, reversed_all = told_net(course)
    assert told == {
        who: None if net is None else Decimal(net)
        for who, net in result["net"].items()
        if who not in reversed_all
    }
    assert all(Decimal(result["net"].get(who) or 0) == 0 for who in reversed_all)
    assert all(one.seq <= one.upto for one in course)
    assert all(one.upto < two.seq for one, two in pairwise(course))
    covered = {seq for step in course for seq in range(step.seq, step.upto + 1)}
    span = entries[course[0].seq - 1 : course[-1].upto]
    service = in_service(span)
    missing = [one for one in span if one.type in ALWAYS and one.seq not in covered | service]
    assert not missing
    assert not covered & service
    json.dumps([asdict(step) for step in course], allow_nan=False)
    lying = [one for one in course if one.layout["state"].removeprefix("held.") not in CLEARED]
    places = {
        f"box {box}" + (f".{at}" if at > 1 else ""): hand
        for box, hands in result["boxes"].items()
        for at, hand in enumerate(hands, 1)
    }
    assert unjudged or hands_of(lying[-1].layout) == {**places, "dealer": result["dealer"]}


def in_service(entries: list[Entry]) -> set[int]:
    """Those that were made in service, which belong to no round: its beginning and its end too."""
    found, before = set(), False
    for entry in entries:
        after = entry.body["after"]["state"] if "after" in entry.body else ""  # type: ignore[index]
        now = before if not after else after.removeprefix("held.") == "service"
        if before or now:
            found.add(entry.seq)
        before = now
    return found


def told_net(course: list[CourseStep]) -> tuple[dict[str, Decimal | None], set[str]]:
    """What the settlements told by the steps add up to, by bettor; and the bettors whose
    settlements were all taken back, who have 0 in the result where their wager is still in play,
    and nothing where it went with them."""
    sums: dict[str, Decimal | None] = {}
    count: Counter[str] = Counter()
    for one in (one for step in course for one in step.settled):
        who = f"{one['box']}{one['bettor']}"
        so_far = sums.get(who, Decimal(0))
        net = one["net"]
        sums[who] = None if so_far is None or net is None else so_far + Decimal(net)
        count[who] += -1 if one["outcome"] == "reversed" else 1
    reversed_all = {who for who, net in sums.items() if not count[who] and not net}
    return {who: net for who, net in sums.items() if who not in reversed_all}, reversed_all


@pytest.mark.parametrize("rules", rule_files())
def test_the_course_of_any_round_comes_to_its_result(rules: str) -> None:
    many = examples(max_examples=max(1, examples().max_examples // 10), stateful_step_count=30)
    machine = partial(CourseTable, rules)
    run_state_machine_as_test(machine, settings=many)  # type: ignore[arg-type]


def test_the_courses_of_rounds_of_a_whole_table_come_to_their_results(tmp_path: Path) -> None:
    """With a daemon, power cuts, signed heads and snapshots."""
    play_journal(tmp_path, 8, 5)
    recorder = CourseRecorder(1)
    with JournalReader(tmp_path / "state") as reader:
        entries = list(reader.iterate())
    results = list(rounds_from(entries, watch=recorder))
    assert len(results) == 8
    for result in results:
        check(result, recorder.steps_of(result["round"]), entries, unjudged=False)
