"""From which entry to which a round goes.

A round goes from its ``open`` to before the next one. An ``open`` that was taken back begins no
round: what was entered meanwhile belongs to the round before it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from controller.journal.model import Entry
from controller.replay.counted_table import CountedTable
from controller.replay.replay import Replay
from controller.table.sequence import BETTING, PLAYING


@dataclass(frozen=True, slots=True)
class RoundSpan:
    """A round goes from entry ``first`` to before entry ``following``, the next ``open``, None
    where there was none by the entry that was asked about. ``finished`` tells whether it was over
    by then."""

    number: int
    first: int
    following: int | None
    finished: bool


def span_of(
    entries: Iterable[Entry], counted: CountedTable | None, number: int, upto: int
) -> RoundSpan | None:
    """The span of that round as far as entry ``upto``; None where it was not opened by then.

    ``entries`` come behind the state ``counted`` (None: they are a table's first). What stands
    behind ``upto`` is played as well, as far as the next ``open`` may be taken back there.
    """
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
        return RoundSpan(number, first, None, finished)
    return RoundSpan(number, first, following, True)


def last_finished(entries: Iterable[Entry], counted: CountedTable | None, upto: int) -> int:
    """The number of the last round that was over by entry ``upto``."""
    replay = Replay(counted)
    for entry in entries:
        if entry.seq > upto:
            break
        replay.replay_entry(entry)
    table = replay.table
    return table.round_number - (table.phase in (BETTING, PLAYING))
