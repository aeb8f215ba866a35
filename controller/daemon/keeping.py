"""The threads that mind the journal's files: the copier of the second copy, and the scrubber.

The rules:

- The journal is compared with its copy before anything is played or written: one that ends before
  its copy does has lost entries that were acknowledged, and is recovered first.
- What the threads find reaches the table as conditions, in the loop, like all that happens to it.
- The threads are the process's, not the box's: in virtual time their steps are taken by hand.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final, Protocol

from controller.daemon.configuration import Configuration
from controller.daemon.copying import Copier
from controller.daemon.scrubbing import Scrubber
from controller.journal.errors import JournalError
from controller.journal.store import Journal

LAST_COPY_S: Final = 0.3
"""How long a stop waits for the copy's medium."""


class Condition(Protocol):
    """Has the table told of a fault: :meth:`controller.daemon.owner.Owner.condition`."""

    def __call__(self, fault: str, detail: str = "", *, present: bool = True) -> None:
        """It has come about, or is over."""


class JournalBehindCopy(JournalError):
    """The journal lost its end, or all of it; the second copy has what is missing."""


class Keeping:
    """Made before play, started after the start record. Raises :class:`JournalBehindCopy`."""

    def __init__(
        self, config: Configuration, journal: Journal, loop: asyncio.AbstractEventLoop
    ) -> None:
        self._config = config
        self._journal = journal
        self._loop = loop
        self._condition: Condition | None = None
        self._copier: Copier | None = None
        self._scrubber: Scrubber | None = None
        if config.copy is not None:
            directory = config.state_directory
            self._copier = Copier(directory, config.copy, lambda: journal.head.seq, self._tell)
            behind = self._copier.behind()
            if behind is not None:
                self._copier.close(0)
                raise JournalBehindCopy(
                    f"{journal.path} has lost what it had acknowledged: {behind}. The table is not "
                    f"played on it; 'tablectl journal recover --state {directory} --from "
                    f"{config.copy}' puts the copy in its place"
                )

    def start(self, condition: Condition, standing: Mapping[str, str]) -> None:
        """Start both threads; ``journal-damaged`` among the conditions that are ``standing`` from
        before has the journal looked at without rests."""
        self._condition = condition
        self._scrubber = Scrubber(
            self._config.state_directory,
            self._config.copy,
            lambda: self._journal.head,
            self._tell,
            hurried="journal-damaged" in standing,
        )
        self._scrubber.start()
        if self._copier is not None:
            self._copier.start()

    def facts(self) -> dict[str, Any]:
        """What the status shows of both."""
        return {
            "copy": None if self._copier is None else dict(self._copier.told),
            "scrub": None if self._scrubber is None else dict(self._scrubber.told),
        }

    def _tell(self, fault: str, detail: str, there: bool) -> None:
        """From a thread to the loop; one that is closed hears nothing any more."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._hear, fault, detail, there)

    def _hear(self, fault: str, detail: str, there: bool) -> None:
        if self._condition is not None:
            self._condition(fault, detail, present=there)

    def close(self) -> None:
        """End both threads, the copy with the last entries where its medium takes them in time."""
        self._condition = None
        if self._scrubber is not None:
            self._scrubber.close()
        if self._copier is not None:
            self._copier.close(LAST_COPY_S)
