"""One round out of a journal, by its number: what ``round show`` tells, from the files and over the
control socket alike; also its course, in the journals that it goes on from, and its entries.

A round goes from its ``open`` to before the next one. An ``open`` that was taken back begins no
round: what was entered meanwhile belongs to the round before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final, Protocol, TypeVar

from controller.forms.json_values import JsonObject
from controller.game.round.result_fields import RoundResult
from controller.journal.errors import JournalError
from controller.journal.model import Entry
from controller.journal.reader import ARCHIVE, JournalReader, older
from controller.not_done import NOT_WELL, WRONG_USE, NotDone
from controller.replay.counted_table import CountedTable
from controller.replay.course.recording import CourseRecorder
from controller.replay.course.steps import CourseStep, Facts
from controller.replay.recovery import before_round
from controller.replay.replay import Replay, Watch, rounds_from
from controller.table.sequence import BETTING, PLAYING

LAST: Final = "last"
MOST_DIGITS: Final = 20
T = TypeVar("T")


class SearchPace(Protocol):
    """Passes on what a search goes through; it may rest in between, or raise
    :class:`SearchEnded`."""

    def __call__(self, steps: Iterator[T], /) -> Iterator[T]:
        """The steps, one by one."""


def at_once(steps: Iterator[T]) -> Iterator[T]:
    """The pace of who need not rest."""
    return steps


class NoSuchRound(NotDone):
    """The journal does not have that round, or the text names none; the message says which."""


class CannotReplay(NotDone):
    """The journal cannot be played again: ``error`` came of what stands in it. The message is for
    the technician."""

    def __init__(self, error: Exception, reader: JournalReader) -> None:
        what = f"{reader.path} cannot be played again ({error!r})"
        super().__init__(NOT_WELL, f"{what}: 'tablectl journal verify' says where")


class SearchEnded(Exception):
    """The search was given up; the message says why."""


def round_named(text: str) -> int | None:
    """The number of the round that the text names; None for the last one. Raises NoSuchRound: it
    names none."""
    if text == LAST:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS):
        raise NoSuchRound(WRONG_USE, f"{text!r} is no round: a number, or 'last'")
    return int(text)


def find_round(
    reader: JournalReader,
    number: int | None,
    pace: SearchPace = at_once,
    watch: Watch | None = None,
) -> RoundResult:
    """The round of that number (None: the last one), as it was played and settled. ``watch`` is
    shown what is replayed for it. Raises NoSuchRound: there is none. CannotReplay: an entry does
    not have its form. JournalError: the file cannot be read. SearchEnded: as ``pace`` has it."""
    found: RoundResult | None = None
    try:
        play, entries = before_round(reader, lambda *span: pace(reader.iterate(*span)), number)
        for played in rounds_from(entries, play, watch):
            if number is None or played["round"] == number:
                found = played
            if number is not None and played["round"] >= number:
                break
    except (JournalError, SearchEnded):
        raise
    except Exception as error:  # a changed entry may hold anything
        raise CannotReplay(error, reader) from error
    if found is None:
        raise NoSuchRound(
            WRONG_USE, f"the journal in {reader.directory} has {_none(reader, number)}"
        )
    return found


def _none(reader: JournalReader, number: int | None) -> str:
    which = "no round yet" if number is None else f"no round {number}"
    archived = reader.predecessor
    if archived is None:
        return which
    return (
        f"{which}. It goes on from an archived one: what was played up to entry {archived.seq} is "
        "in a closed journal; 'tablectl round show N', with --archive DIR where that is elsewhere, "
        "looks there"
    )


@dataclass(slots=True)
class FoundRound:
    """A round: its result, and its course where that was asked for and can be read; ``facts`` say
    under what it was played."""

    result: RoundResult
    steps: list[CourseStep] = field(default_factory=list)
    facts: Facts | None = None

    def as_json(self) -> JsonObject:
        """The result with its course and facts, as :func:`.course.steps.told_round` reads them."""
        facts = None if self.facts is None else asdict(self.facts)
        return {**self.result, "course": [asdict(step) for step in self.steps], "facts": facts}


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
    course. ``pace``: how entries are gone through. Raises NoSuchRound: none has it, or one that may
    have it is missing. CannotReplay, JournalError: as :func:`find_round`."""
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
        raise NoSuchRound(WRONG_USE, none + more)


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


@dataclass(frozen=True, slots=True)
class RoundSpan:
    """A round goes from entry ``first`` to before entry ``following``, the next ``open``, None
    where there was none by the entry that was asked about. ``finished`` tells whether it was over
    by then."""

    first: int
    following: int | None
    finished: bool


def span_of(
    entries: Iterable[Entry], counted: CountedTable | None, number: int, upto: int
) -> RoundSpan | None:
    """The span of that round as far as entry ``upto``; None where it was not opened by then.
    ``entries`` come behind the state ``counted`` (None: they are a table's first). What stands
    behind ``upto`` is played as well, as far as the next ``open`` may be taken back there."""
    replay = Replay(counted)
    before = replay.table.round_number
    opened: dict[int, int] = {}
    finished = False
    for entry in entries:
        replay.replay_entry(entry)
        now = replay.table.round_number
        if now > before:
            opened[now] = entry.seq
        elif now < before:
            opened.pop(before, None)
        before = now
        if entry.seq == upto:
            finished = now == number and replay.table.phase not in (BETTING, PLAYING)
        settled = now > number + 1 or not replay.table.entering.saved  # no ``undo`` comes so far
        if settled and (now > number or entry.seq >= upto):
            break
    first, following = opened.get(number), opened.get(number + 1)
    if first is None or first > upto:
        return None
    if following is None or following > upto:
        return RoundSpan(first, None, finished)
    return RoundSpan(first, following, finished=True)


def last_finished(entries: Iterable[Entry], counted: CountedTable | None, upto: int) -> int:
    """The number of the last round that was over by entry ``upto``."""
    replay = Replay(counted)
    for entry in entries:
        if entry.seq > upto:
            break
        replay.replay_entry(entry)
    table = replay.table
    return table.round_number - (table.phase in (BETTING, PLAYING))
