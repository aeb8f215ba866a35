"""The threads that look after the journal: the second copy's copier, the scrubbers, the recounter.

The rules:

- The journal is compared with its copy before anything is played or written: one that ends before
  its copy does has lost entries that were acknowledged, and is recovered first. A copy's medium
  that hangs is waited for ``COMPARED_S`` and no longer. Its answer then comes during play, and if
  the journal was behind and play has continued on it, the table is held as for a journal that
  differs.
- A separate place for the copy or the signed heads that is on the journal's own disk is reported at
  the start: a medium that is not mounted leaves its directory behind.
- What the threads find reaches the table as conditions, in the loop, like all that happens to it.
- A recovery of the journal since the last start is reported to the table; its mark is removed when
  that is durable.
- A condition from the last stop ends once its cause is gone; those of a second copy also when the
  configuration no longer has one.
- The threads belong to the process and not to :class:`~controller.daemon.runtime.Runtime`: in
  virtual time their steps are called directly.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from controller.configuration.model import Configuration
from controller.daemon.health.findings import FaultFinding, Found, SelfTest
from controller.evidence.tree.entries import NoNode
from controller.evidence.tree.growing import GrowingTree
from controller.files.media import MediumQuestion, MediumSilent
from controller.journal.errors import JournalError
from controller.journal.store import Journal
from controller.upkeep.copier import COMPARED_S, HANGS_S, OF_THE_COPY, Copier
from controller.upkeep.known_elsewhere import JournalBehindCopy, recovers
from controller.upkeep.next_start import RECOVERED, forget, marked
from controller.upkeep.scrubber import COPY_DAMAGED, DAMAGED, Recounter, Scrubber, Stepping

_log = logging.getLogger(__name__)

LOOK_S: Final = 10.0
"""How often it is looked whether the copy hangs."""

LAST_STEP_S: Final = 0.1
"""How long before the end of a stop no step of the copy is begun any more."""

SAME_MEDIUM: Final = "copy-same-medium"

SLICE: Final = 64
"""Entries in a step: a millisecond or two."""

REST: Final = 9
"""Times as long as a step it rests."""

LEVEL_S: Final = 60.0
RETRY_S: Final = 3600.0


def media_self_test(config: Configuration) -> SelfTest:
    """Whether what has a place of its own is on a disk of its own (PWR-09)."""
    return SelfTest("the media", (SAME_MEDIUM,), lambda: _on_the_same(config))


def _on_the_same(config: Configuration) -> Iterator[Found]:
    apart = {"the signed heads": config.heads.parent, "the second copy": config.copy}
    disk = config.state_directory.stat().st_dev
    same = []
    for name, place in apart.items():
        if place is None or place == config.state_directory:
            continue
        with contextlib.suppress(OSError):  # reported by the code that writes there
            if MediumQuestion(place.stat).answer().st_dev == disk:
                same.append(f"{name}, {place}")
    if same:
        yield SAME_MEDIUM, "; ".join(same)


def recovery_self_test(config: Configuration) -> SelfTest:
    """Whether the journal was recovered since the last start (PWR-06)."""

    def find_recovered() -> Iterator[Found]:
        mark = marked(config.state_directory)
        if mark is not None:
            yield RECOVERED, mark

    return SelfTest("the recovery", (RECOVERED,), find_recovered)


class TakingIn(Stepping):
    """Takes the entries of a journal into its ``tree`` where the file of nodes was lost, or does
    not lead to what was signed: until it is level no head is signed. It takes a tenth of one
    processor, ten million entries in an hour; once level, every head takes in what was written
    since the last one."""

    def __init__(self, tree: GrowingTree) -> None:
        super().__init__("tree")
        self._tree = tree
        self.facts: dict[str, object] = {"taken_in": 0, "left": None}

    def step(self) -> float:
        """See :class:`controller.upkeep.scrubber.Stepping`."""
        begun = time.monotonic()
        try:
            left = self._tree.step(SLICE)
        except (OSError, sqlite3.Error, JournalError, NoNode, ValueError) as error:
            _log.warning(
                "the tree over the journal cannot be made: %s. It is tried again in an hour", error
            )
            return RETRY_S
        self.facts |= {"taken_in": self._tree.size, "left": left}
        return REST * (time.monotonic() - begun) if left else LEVEL_S

    def _rest(self) -> float:
        return LEVEL_S  # nothing is left open


class Keeping:
    """Made before play, started after the start record. Raises :class:`JournalBehindCopy`."""

    def __init__(
        self, config: Configuration, journal: Journal, loop: asyncio.AbstractEventLoop
    ) -> None:
        self._config = config
        self._journal = journal
        self._loop = loop
        self._tell: Callable[[FaultFinding], None] | None = None
        self._copier: Copier | None = None
        self._scrubbers: list[Scrubber] = []
        self._recounter = Recounter(config.state_directory, self._tell_loop)
        self._taking_in: TakingIn | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._hangs_since_the_start = False
        if config.copy is not None:
            directory = config.state_directory
            self._copier = Copier(directory, config.copy, lambda: journal.head.seq, self._tell_loop)
            behind = None
            try:
                behind = self._copier.compare(COMPARED_S)
            except MediumSilent as error:
                _log.error("%s; the start goes on without it", error.strerror)
                self._hangs_since_the_start = True
            if behind is not None:
                self.close(time.monotonic() + COMPARED_S)
                raise JournalBehindCopy(
                    f"{journal.path} has lost what it had acknowledged: {behind}. The table is not "
                    f"played on it; {recovers(config)}"
                )

    def start(
        self,
        tell: Callable[[FaultFinding], None],
        standing: Mapping[str, str],
        tree: GrowingTree,
    ) -> None:
        """Start the threads, which ``tell`` what they find and end what is ``standing``, once over;
        ``journal-damaged`` among it has the journal looked at without rests."""
        self._tell = tell
        if RECOVERED in standing:
            try:
                forget(self._config.state_directory)
            except OSError as error:
                _log.warning("the recovery will be told again at the next start: %s", error)
        stood = [fault for fault in OF_THE_COPY if fault in standing]
        of_journal = Scrubber(
            self._config.state_directory,
            DAMAGED,
            self._tell_loop,
            lambda: self._journal.head,
            [self._journal.key.public],
            hurried=DAMAGED in standing,
        )
        self._scrubbers = [of_journal]
        if self._config.copy is not None:
            self._scrubbers.append(Scrubber(self._config.copy, COPY_DAMAGED, self._tell_loop))
        for scrubber in self._scrubbers:
            scrubber.start()
        self._recounter.start()
        self._taking_in = TakingIn(tree)
        self._taking_in.start()
        if self._copier is None:
            for fault in stood:
                tell(FaultFinding(fault, "there is no second copy any more", present=False))
        else:
            self._copier.stood(stood)
            self._mind(self._copier, 0.0 if self._hangs_since_the_start else HANGS_S)
            self._copier.start()

    def _mind(self, copier: Copier, after_s: float) -> None:
        copier.report_if_hung(after_s)
        self._timer = self._loop.call_later(LOOK_S, self._mind, copier, HANGS_S)

    def facts(self) -> dict[str, object]:
        """What the status shows: copy, tree, and the scrubber with what either one has found."""
        scrub = None
        if self._scrubbers:
            faults = (scrubber.facts["fault"] for scrubber in self._scrubbers)
            scrub = {**self._scrubbers[0].facts, "fault": next(filter(None, faults), None)}
        return {
            "copy": None if self._copier is None else dict(self._copier.facts),
            "scrub": scrub,
            "tree": None if self._taking_in is None else dict(self._taking_in.facts),
        }

    def _tell_loop(self, fault: str, detail: str, there: bool) -> None:
        """From a thread to the loop; one that is closed hears nothing any more."""
        with contextlib.suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._hear, FaultFinding(fault, detail, there))

    def _hear(self, found: FaultFinding) -> None:
        if self._tell is not None:
            self._tell(found)

    def close(self, until: float) -> None:
        """End all threads by then (monotonic), the copy with the last entries where it can."""
        started, self._tell = self._tell is not None, None
        if self._timer is not None:
            self._timer.cancel()
        self._recounter.stop()
        if self._taking_in is not None:
            self._taking_in.stop()
        for scrubber in self._scrubbers:
            scrubber.stop()
        if self._copier is not None:
            self._copier.stop(until - LAST_STEP_S if started else 0.0)
            self._copier.join(until)
        for scrubber in self._scrubbers:
            scrubber.join(until)
        self._recounter.join(until)
        if self._taking_in is not None:
            self._taking_in.join(until)
