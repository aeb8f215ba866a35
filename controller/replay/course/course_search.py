"""A round with its course, looked for in a journal and in those that it goes on from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from controller.forms.json_values import JsonObject
from controller.game.round.result_fields import RoundResult
from controller.journal.line import ARCHIVE, older
from controller.journal.reader import JournalReader
from controller.replay.course.recording import CourseRecorder
from controller.replay.course.steps import CourseStep, Facts
from controller.replay.finding import NoSuchRound, SearchPace, at_once, find_round


@dataclass(slots=True)
class FoundRound:
    """A round: its result, and its course where that was asked for and can be read; ``facts`` say
    under what it was played."""

    result: RoundResult
    steps: list[CourseStep] = field(default_factory=list)
    facts: Facts | None = None

    def as_json(self) -> JsonObject:
        """The result with its course and facts, as
        :mod:`controller.replay.course.course_reading` reads them."""
        facts = None if self.facts is None else asdict(self.facts)
        return {**self.result, "course": [step.as_json() for step in self.steps], "facts": facts}


def find_course(
    reader: JournalReader,
    number: int | None,
    archives: Callable[[], Sequence[Path]],
    *,
    told: bool,
    pace: SearchPace = at_once,
) -> FoundRound:
    """The round of that number (None: the last one) in that journal, or in the last closed one that
    has it: on the box, or in the ``archives``, which are asked for only then. ``told``: with its
    course. ``pace``: how entries are gone through.

    Raises:
        NoSuchRound: none has it, or one that may have it is missing. CannotReplay, JournalError: as
            :func:`~controller.replay.finding.find_round`.
    """
    if (found := _found_in(reader, number, pace, told=told)) is not None:
        return found
    which = "round yet" if number is None else f"round {number}"
    here = reader.directory / ARCHIVE
    places = [*([here] if here.is_dir() else []), *archives()]
    with older(reader, *places) as (before, broken):
        for one in reversed(before):
            if (found := _found_in(one, number, pace, told=told)) is not None:
                return found
        closed = f" and the {len(before)} closed before it have" if before else " has"
        none = f"the journal in {reader.directory}{closed} no {which}"
        more = f"; {broken}: name the directory that has it with --archive DIR" if broken else ""
        raise NoSuchRound(none + more)


def _found_in(
    reader: JournalReader, number: int | None, pace: SearchPace, *, told: bool
) -> FoundRound | None:
    recorder = CourseRecorder(number) if told else None
    try:
        result = find_round(reader, number, pace, recorder)
    except NoSuchRound:
        return None
    if recorder is None:
        return FoundRound(result)
    which = result.get("round", 0)
    return FoundRound(result, recorder.steps_of(which), recorder.facts(which))
