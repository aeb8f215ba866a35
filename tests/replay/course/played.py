"""Rounds as a table really journals them, of every kind that a course has to tell."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

from controller.game.round.result_fields import RoundResult
from controller.journal.model import Entry
from controller.journal.reader import JournalReader
from controller.replay.course.recording import CourseRecorder
from controller.replay.course.steps import CourseStep
from controller.replay.finding import find_round
from controller.replay.replay import draft_of
from controller.table.events.event import Reported
from controller.table.events.reading import read_event
from tests.journal.helpers import opened
from tests.table.live.driver import MBS, Live

BEGAN = datetime(2026, 11, 20, 21, 14, 3, tzinfo=UTC)
STEP_S = 1.7


def write(table: Live, directory: Path, began: datetime = BEGAN, step_s: float = STEP_S) -> Path:
    """The journal of what was played at that table, an entry every so many seconds."""
    with opened(directory, boot_id="boot-1") as journal:
        for number, (line, outcome) in enumerate(zip(table.events, table.outcomes, strict=True)):
            event = read_event(**json.loads(line))
            t_ms = event.event_no * 100 if isinstance(event, Reported) else None
            after = number * step_s
            wall = (began + timedelta(seconds=after)).isoformat(timespec="milliseconds")
            journal.append([draft_of(event, outcome, t_ms=t_ms)], int(after * 1e9), wall)
    return directory


def told(
    table: Live, directory: Path, number: int | None = None
) -> tuple[RoundResult, list[CourseStep]]:
    """A round's result and course, out of its journal's files."""
    with JournalReader(write(table, directory)) as reader:
        recorder = CourseRecorder(number)
        result = find_round(reader, number, watch=recorder)
    return result, recorder.steps_of(result["round"])


def as_entries(table: Live) -> list[Entry]:
    """What was played there as entries of a journal, without a file."""
    found = []
    for number, (line, outcome) in enumerate(zip(table.events, table.outcomes, strict=True), 1):
        event = read_event(**json.loads(line))
        draft = draft_of(event, outcome, t_ms=0 if isinstance(event, Reported) else None)
        wall = (BEGAN + timedelta(seconds=number)).isoformat()
        found.append(Entry(number, 1, number * 10**9, wall, draft, None, bytes(32)))
    return found


def eventful() -> Live:
    """A split, a drawn multiplier, a lost link, a hold, a refusal, keys, and a correction behind
    settlements."""
    table = Live(MBS)
    table.say("open", "wager 1 main 100", "wager 1 pandemonium 5", "wager 1 pair 10")
    table.say("wager 3 main 50", "wager 3b main 20", "wager 5 main 60", "undo", "wager 5 main 200")
    table.keys("N")
    table.deal("AS 8S 8C 6C QH 8D 7D")
    table.win(25)
    table.play("done", "split 3", "follow 3b", "KD")
    table.keys("S")
    table.deal("2C")
    table.down("shoe")
    table.up("shoe")
    table.enter("stand 3")
    table.slip("9H")
    table.lock()
    table.play("stand 3", "double 5 200", "4H", "done")
    table.restart("boot-2")
    table.order("resume", why="the cards lie as before <b>&")
    table.deal("9D 2S")
    table.order("correct 7 9D", by="Tan A.", why="the camera shows a nine")
    table.order("done", by="Tan A.", why="the camera shows a nine")
    table.say("next")
    return table


def void() -> Live:
    """One that was made void after a multiplier was seen, by two people."""
    table = Live(MBS)
    table.say("open", "wager 1 main 100", "wager 1 pandemonium 5", "wager 1 pair 10", "close")
    table.deal("AS 6C QH")
    table.win(100)
    table.order("void", by="Tan A.", why="the wrong button")
    table.order("confirm void", by="Lim B.", why="I saw it too", user="lim")
    return table
