"""One round out of a journal, by its number: what ``round show`` tells, from the files and over the
control socket alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Protocol, TypeVar

from controller.game.round.result_fields import RoundResult
from controller.journal.errors import JournalError
from controller.journal.reader import JournalReader
from controller.not_done import NOT_WELL, WRONG_USE, NotDone
from controller.replay.recovery import before_round
from controller.replay.replay import Watch, rounds_from

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

    def __init__(self, message: str) -> None:
        super().__init__(WRONG_USE, message)


class CannotReplay(NotDone):
    """The journal cannot be played again; the message is for the technician."""

    def __init__(self, message: str) -> None:
        super().__init__(NOT_WELL, message)

    @classmethod
    def after(cls, error: Exception, reader: JournalReader) -> CannotReplay:
        """It failed on what stands in the journal."""
        return cls(
            f"{reader.path} cannot be played again ({error!r}): 'tablectl journal verify' says "
            "where"
        )


class SearchEnded(Exception):
    """The search was given up; the message says why."""


def round_named(text: str) -> int | None:
    """The number of the round that the text names; None for the last one.

    Raises:
        NoSuchRound: it names none.
    """
    if text == LAST:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS):
        raise NoSuchRound(f"{text!r} is no round: a number, or 'last'")
    return int(text)


def find_round(
    reader: JournalReader,
    number: int | None,
    pace: SearchPace = at_once,
    watch: Watch | None = None,
) -> RoundResult:
    """The round of that number (None: the last one), as it was played and settled. ``watch`` is
    shown what is replayed for it.

    Raises:
        NoSuchRound: there is none. CannotReplay: an entry does not have its form.
        JournalError: the file cannot be read. SearchEnded: as ``pace`` has it.
    """
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
        raise CannotReplay.after(error, reader) from error
    if found is None:
        raise NoSuchRound(f"the journal in {reader.directory} has {_none(reader, number)}")
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
