"""The threads that mind the journal's files: the copier of the second copy, and the scrubber.

The rules:

- The journal is compared with its copy before anything is played or written: one that ends before
  its copy does has lost entries that were acknowledged, and is recovered first.
- What the threads find reaches the table as conditions, in the loop, like all that happens to it.
- The threads are the process's, not the box's: in virtual time their steps are taken by hand.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Final

from controller.daemon.configuration import Configuration
from controller.daemon.copying import Copier
from controller.daemon.scrubbing import Scrubber
from controller.daemon.selftests import Verdict
from controller.journal.errors import JournalError
from controller.journal.store import Journal

LAST_COPY_S: Final = 0.3
"""How long a stop waits for the copy's medium."""


class JournalBehindCopy(JournalError):
    """The journal lost its end, or all of it; the second copy has what is missing."""


class Keeping:
    """Made before play, started after the start record. ``tell`` has the table told of a condition,
    in the loop; ``standing`` are the conditions that it knows of.

    Raises :class:`JournalBehindCopy`.
    """

    def __init__(
        self, config: Configuration, journal: Journal, loop: asyncio.AbstractEventLoop
    ) -> None:
        self._config = config
        self._journal = journal
        self._loop = loop
        self._told: Callable[[Verdict], None] | None = None
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

    def start(self, tell: Callable[[Verdict], None], standing: Mapping[str, str]) -> None:
        """Start both threads; ``journal-damaged`` standing from before has the journal looked at
        without rests."""
        self._told = tell
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
            self._loop.call_soon_threadsafe(self._hear, Verdict(fault, detail, there))

    def _hear(self, verdict: Verdict) -> None:
        if self._told is not None:
            self._told(verdict)

    def close(self) -> None:
        """End both threads, the copy with the last entries where its medium takes them in time."""
        self._told = None
        if self._scrubber is not None:
            self._scrubber.close()
        if self._copier is not None:
            self._copier.close(LAST_COPY_S)
