"""A deed at a stopped table's journal: whatever keeps somebody from it, in words for him."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from controller.journal.errors import CannotArchive, JournalError, NoJournal, StateInUse
from controller.not_done import NOT_PERMITTED, NOT_WELL, WRONG_USE, NotDone
from controller.upkeep.recover import NothingToRecover


@contextmanager
def stopped(deed: str, more: str = "") -> Iterator[None]:
    """In here the journal is ``deed`` ("archived"); ``more`` is told where it has failed.

    Raises:
        NotDone: 1 it cannot be read or written, 2 there is none, 3 not now.
    """
    try:
        yield
    except StateInUse as error:
        said = f"{error}\nonly a stopped table's journal is {deed}"
        raise NotDone(NOT_PERMITTED, said) from error
    except (CannotArchive, NothingToRecover) as error:
        raise NotDone(NOT_PERMITTED, str(error)) from error
    except NoJournal as error:
        raise NotDone(WRONG_USE, str(error)) from error
    except (JournalError, sqlite3.Error, OSError) as error:
        raise NotDone(NOT_WELL, f"{error}{more}") from error
