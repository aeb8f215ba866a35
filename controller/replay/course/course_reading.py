"""A round with its course as another program was told it, for who has no journal
(:meth:`controller.replay.course.course_search.FoundRound.as_json`).
"""

from __future__ import annotations

from typing import NamedTuple, TypedDict

from controller.forms.json_values import JsonObject, checked
from controller.game.round.result_fields import RoundResult, SettlementResult
from controller.replay.course.steps import CourseStep, Facts, HandChange, TableLayout


class ToldChange(TypedDict):
    """A hand that has changed."""

    place: str
    before: str
    after: str
    total: int


class ToldStep(TypedDict):
    """A step: :class:`~controller.replay.course.steps.CourseStep`, whose ``first`` and ``last`` are
    ``seq`` and ``upto``."""

    seq: int
    upto: int
    wall: str
    since_s: float | None
    kind: str
    what: str
    who: str
    why: str
    clause: str
    notes: list[str]
    marks: list[str]
    settled: list[SettlementResult]
    prompt: str
    layout: TableLayout
    changes: list[ToldChange]
    offer: int | None
    draw: JsonObject | None
    weights: list[list[int]]


class ToldFacts(TypedDict):
    """:class:`~controller.replay.course.steps.Facts`."""

    table: str
    rules: str
    title: str
    version: str
    digests: dict[str, str]
    last: int
    digest: str


class CourseAsTold(NamedTuple):
    """A round, its steps, and under what it was played."""

    result: RoundResult
    steps: list[CourseStep]
    facts: Facts


def told_round(told: JsonObject) -> CourseAsTold:
    """The round.

    Raises:
        WrongForm: it has another form.
    """
    result = checked(RoundResult, told, "round")
    steps = checked(list[ToldStep], told.get("course"), "course")
    facts = checked(ToldFacts, told.get("facts"), "facts")
    return CourseAsTold(result, [_step(one) for one in steps], Facts(**facts))


def _step(one: ToldStep) -> CourseStep:
    return CourseStep(
        one["seq"],
        one["upto"],
        one["wall"],
        one["since_s"],
        one["kind"],
        one["what"],
        one["who"],
        one["why"],
        one["layout"],
        one["prompt"],
        one["clause"],
        one["notes"],
        one["marks"],
        one["settled"],
        [HandChange(**change) for change in one["changes"]],
        one["offer"],
        one["draw"],
        tuple((multiplier, weight) for multiplier, weight in one["weights"]),
    )
