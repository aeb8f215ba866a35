"""The report on a shift or a gaming day: found in the table's journals, and replayed for it.
The rules:

- What is replayed begins at the last snapshot before the shift, or before the first entry of the
  day, and goes to its end; of a table's first shift at the beginning.
- Days are found by the wall clock of the entries, each journal gone through once for it. Of closed
  journals those are looked into that end behind the beginning of the day.
- Closed journals are opened where the one in force does not go back so far.
- Where a part of what is asked for is in a journal that is not here, nothing is told
  (:class:`TakenAway`): half a shift would look like a whole one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, time, timedelta
from itertools import chain
from pathlib import Path
from typing import Final

from controller.counters.belonging import ByDay, ByShift
from controller.counters.ledger import Ledger
from controller.counters.report import SpanReport, report_on, shift_of
from controller.journal.errors import JournalError
from controller.journal.model import Entry
from controller.journal.reader import JournalReader, older
from controller.local_time import known_zone
from controller.not_done import WRONG_USE, NotDone
from controller.replay.counted_table import CountedTable
from controller.replay.finding import MOST_DIGITS, CannotReplay, SearchEnded, SearchPace, at_once
from controller.replay.journal_chain import Clock, JournalChain, TakenAway
from controller.replay.recovery import before_entry, before_state
from controller.replay.replay import SNAPSHOT, Replay, event_of

PRESENT: Final = "present"
_DATE: Final = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_DAY: Final = timedelta(days=1)
_AT_ONCE: Final = 5000  # entries whose times are looked through at once
Start = tuple[CountedTable, Iterator[Entry]]  # a state, and the entries behind it


class NoSuchSpan(NotDone):
    """There was no such shift or day at this table, or the text names none; the message says
    which."""


WantedSpan = int | date | None
"""A day, or the shift of that number; None: the present one."""


def wanted_by(text: str) -> WantedSpan:
    """What the text names: a shift's number, ``present``, or a day as 2026-11-26. Raises
    NoSuchSpan: it names none."""
    if text == PRESENT:
        return None
    if text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS:
        return int(text)
    try:
        if _DATE.fullmatch(text):
            return date.fromisoformat(text)
    except ValueError:
        pass
    what = f"{text!r} is no shift: a number, '{PRESENT}', or a day as 2026-11-26 is expected"
    raise NoSuchSpan(WRONG_USE, what)


def find_report(
    reader: JournalReader,
    places: Callable[[], Sequence[Path]],
    wanted: WantedSpan,
    clock: Clock | None = None,
    pace: SearchPace = at_once,
) -> SpanReport:
    """The report on what is wanted, from that journal and from closed ones in ``places``. Raises
    NoSuchSpan: there is none. TakenAway: it is not here any more. ZoneUnknown: a day is asked for,
    and where it begins is not known. CannotReplay, JournalError, SearchEnded: as
    :func:`~controller.replay.finding.find_round`."""
    clock = clock or Clock(known_zone() if isinstance(wanted, date) else None)
    try:
        try:
            broken = "" if reader.predecessor is None else "it was not looked for"
            return _report(JournalChain([reader], broken, pace), wanted, clock)
        except TakenAway:
            with older(reader, *places()) as (before, broken):
                return _report(JournalChain([*before, reader], broken, pace), wanted, clock)
    except (JournalError, SearchEnded, NoSuchSpan, TakenAway):
        raise
    except Exception as error:  # a changed entry may hold anything
        raise CannotReplay(error, reader) from error


def _report(line: JournalChain, wanted: WantedSpan, clock: Clock) -> SpanReport:
    if isinstance(wanted, date):
        return _of_day(line, wanted, clock)
    return _of_shift(line, wanted, clock)


def _of_shift(line: JournalChain, wanted: int | None, clock: Clock) -> SpanReport:
    number = _present(line) if wanted is None else wanted
    counted, entries = _before_shift(line, number)
    belonging = ByShift(counted.counters.kept.shifts)
    ledger = Ledger(belonging, counted.counters, counted.table)
    for _ in _replayed(ledger, counted, entries, clock):
        if belonging.now > number:
            break
    account = ledger.account(number)
    if account is None:
        what = f"there was no shift {number} at this table: the present one is {belonging.now}"
        raise NoSuchSpan(WRONG_USE, what)
    return report_on(account, shift_of(number, account))


def _present(line: JournalChain) -> int:
    at = len(line.journals) - 1
    reader = line.journals[at]
    counted, entries = before_entry(reader, lambda *span: line.entries(at, *span), reader.head.seq)
    replay = Replay(counted or line.begins_with(at))
    for entry in entries:
        if entry.type != SNAPSHOT:
            replay.replay_entry(entry)
    return replay.counted.counters.kept.shifts


def _before_shift(line: JournalChain, number: int) -> Start:
    for at in reversed(range(len(line.journals))):
        reader = line.journals[at]
        first = line.begins_with(at)
        if reader.predecessor is None or first.counters.kept.shifts < number:
            found = before_state(
                reader,
                lambda *span, at=at: line.entries(at, *span),
                lambda counted: counted.counters.kept.shifts < number,
            )
            return _going_on(line, at, found, first)
    raise line.taken_away(f"shift {number}, or its beginning,")


def _of_day(line: JournalChain, day: date, clock: Clock) -> SpanReport:
    which = f"the journal in {line.journals[-1].directory} has nothing of the day {day}"
    none = NoSuchSpan(WRONG_USE, which)
    try:
        times = [clock.utc(day + each * _DAY) for each in (-1, 0, 2)]
    except (OverflowError, ValueError, OSError):
        raise none from None
    found = _find_day(line, times, day, clock)
    if found is None:
        raise none
    (counted, entries), last = found
    belonging = ByDay()
    ledger = Ledger(belonging, counted.counters, counted.table)
    for entry in _replayed(ledger, counted, entries, clock):
        if entry.seq >= last and ledger.is_over(day):
            break
    account = ledger.account(day)
    if account is None:
        raise none
    begins = belonging.begun[day].time()
    over = account.until is not None
    return {
        **report_on(
            account,
            {
                "number": None,
                "since": clock.utc(day, begins),
                "until": clock.utc(day + _DAY, begins) if over else None,
                "by": None,
            },
        ),
        "day": str(day),
    }


def _find_day(
    line: JournalChain, times: list[str], day: date, clock: Clock
) -> tuple[Start, int] | None:
    """The last state that is known of before the day, and the last entry that may belong to it;
    None where no entry does. ``times`` are midnight before the day before, before the day, and
    behind the day after it: the day begins and ends in between, whatever its hour is."""
    before, since, until = times
    start: tuple[int, int] | None = None
    last = 0
    for at in reversed(range(len(line.journals))):
        if within := _between(line, at, since, until):
            start = at, within[0]
        if within := _between(line, at, before, until):
            last = max(last, within[1])
        if line.journals[at].predecessor is None or line.first(at).wall < since:
            break
    else:
        _check_there(line, day, clock)
    if start is None:
        return None
    at, first = start
    found = before_entry(line.journals[at], lambda *span: line.entries(at, *span), first - 1)
    return _going_on(line, at, found, line.begins_with(at)), last


def _check_there(line: JournalChain, day: date, clock: Clock) -> None:
    """Check that what is missing before the first journal is older than the day. Raises TakenAway:
    it may not be."""
    begins = time.fromisoformat(line.begins_with(0).table.settings.day_begins)
    commissioned = line.journals[0].boots[0].wall
    if clock.utc(day, begins) < line.first(0).wall and commissioned < clock.utc(day + _DAY, begins):
        raise line.taken_away(f"the day {day}, or its beginning,")


def _between(line: JournalChain, at: int, since: str, until: str) -> tuple[int, int] | None:
    reader = line.journals[at]
    found: list[int] = []
    pieces = iter(range(reader.begins, reader.head.seq, _AT_ONCE))
    for after in line.pace(pieces):
        found += reader.between(after, after + _AT_ONCE, since, until) or ()
    return (found[0], found[-1]) if found else None


def _going_on(
    line: JournalChain,
    at: int,
    found: tuple[CountedTable | None, Iterable[Entry]],
    first: CountedTable,
) -> Start:
    """The state that was found in that journal, or its first one, and all entries behind it."""
    counted, entries = found
    return counted or first, chain(entries, line.behind(at))


def _replayed(
    ledger: Ledger, counted: CountedTable, entries: Iterator[Entry], clock: Clock
) -> Iterator[Entry]:
    replay = Replay(counted)
    for entry in entries:
        if entry.type == SNAPSHOT:
            continue
        replay.replay_entry(entry)
        event = replay.event or event_of(entry)  # one that cannot be read is told, not left out
        ledger.note_event(event, clock.moment(entry), replay.table)
        yield entry
