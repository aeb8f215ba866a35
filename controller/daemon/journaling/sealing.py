"""What signatures show of the journal at a start, and its signed heads while it runs.

Every commit is signed by itself (:mod:`controller.journal.commits`). A head is a signed
state that is kept elsewhere: it shows that a journal was put back. The rules:

- At a start, before any device is spoken to, the signed row is held against the last entry, and the
  entry against what is known elsewhere: the last head, the last night, the closed files. What is
  wrong is a fault that holds the table, and stands in the start record for ever. While it
  holds the table no head is signed, but the one of a closing, whose successor has the hold and the
  doubt. A journal that was taken from the floor has no row: a checkpoint vouches for it.
- A head is signed at the start, at the stop, and when a round is over. It is written beside the
  loop, for what is durable already: no acknowledgement, command or answer waits for it.
- A head is a checkpoint of the tree over the entries (:mod:`controller.evidence.tree.growing`), and
  waits for its tree. While that is being made of an old journal no head is signed.
- The first head of all is durable before the first start record that tells of it, so that a crash
  at any instruction raises no false alarm.
- Heads that cannot be written are a notice; play goes on. It is tried again every ``RETRY_S``, and
  the notice ends when one was written. A medium that does not answer is reported likewise, and not
  asked again before it has.
- A start waits for each answer of the media ``ANSWERED_S`` and no longer. Heads that are not read
  by then are doubted, as heads are that cannot be read.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeVar

from controller.causes.finding import cause_of
from controller.configuration.model import Configuration
from controller.daemon.health.findings import Found, SelfTest
from controller.daemon.outside import Outside
from controller.daemon.owner import Owner
from controller.evidence.at_start import SeenAtStart, judge_start, record
from controller.evidence.heads import SignedHead, append_head, last_head
from controller.evidence.recorded import (
    CUT,
    DIFFERS,
    DOUBTED,
    DOUBTS,
    FAILING,
    NOT_SIGNED,
    doubted_to,
    found_by_starts,
)
from controller.evidence.tree.checkpoint import BadCheckpoint, Checkpoint
from controller.evidence.tree.entries import TREE_FILE as TREE
from controller.evidence.tree.entries import NoNode
from controller.evidence.tree.growing import GrowingTree
from controller.files.media import MediumQuestion, MediumSilent
from controller.forms.json_values import JsonObject
from controller.journal.errors import JournalError
from controller.journal.keys import PublicKey
from controller.journal.reader import JournalReader
from controller.journal.store import Journal
from controller.replay.recovery import Entries
from controller.table.sequence import ENDED
from controller.threads import NoThread, start
from controller.upkeep.known_elsewhere import (
    closed_before,
    night_before,
    vouched_by_floor,
)
from controller.upkeep.signing import ANSWERED_S, Signing

T = TypeVar("T")

_log = logging.getLogger(__name__)

RETRY_S: Final = 30.0
"""After so long a head that could not be written is tried again."""

HANGS_S: Final = 10.0
"""From then on a head that is being written is said to hang."""

BEHIND: Final = "the tree over the journal is still being made"


class _NoRoot(Exception):
    """A head waits for its tree; the message says why."""


class Sealing:
    """Looks at signatures when it is made, and signs heads from :meth:`start` to :meth:`close`."""

    def __init__(
        self,
        config: Configuration,
        journal: Journal,
        signing: Signing,
        outside: Outside,
        loop: asyncio.AbstractEventLoop,
        entries: Entries,
    ) -> None:
        self._config = config
        self._entries = entries
        self._table = config.table.id
        self._journal = journal
        self._signing = signing
        self._key = signing.key
        self._outside = outside
        self._loop = loop
        self._path = config.heads
        self._owner: Owner | None = None
        self._unsubscribe: Callable[[], None] = lambda: None
        self._timer: asyncio.TimerHandle | None = None
        self._ended = 0
        self._in_end = False
        self._idle = threading.Event()
        self._idle.set()
        self._again = False
        self._failing = False
        self._signs = True
        self._sealed_to: int | None = None
        self._vouched_from: int | None = None
        self.written: Callable[[], None] = lambda: None
        """Called in the loop whenever a head was written."""
        self._seen = seen = self._judge_journal()
        self.newest, self.found = seen.newest, seen.found
        keys = [*signing.trusted, self._key.public]
        self.tree = GrowingTree(config.state_directory, self._trusted(keys), keys)
        first = () if seen.faults or seen.newest else self._first_head()
        self._found = [*seen.faults, *first]
        self.facts: dict[str, object] = {}
        self._note_facts()

    # ---- at a start ---------------------------------------------------------------------------

    def _judge_journal(self) -> SeenAtStart:
        config, journal, trusted = self._config, self._journal, self._signing.trusted
        directory = config.state_directory
        return judge_start(
            journal,
            self._key.public,
            trusted,
            (self._path, lambda path, keys: _ask_medium(lambda: last_head(path, keys))),
            lambda: [
                *night_before(directory, journal),
                *closed_before(directory, journal.identity),
            ],
            lambda: vouched_by_floor(directory, trusted, self._entries),
        )

    def _first_head(self) -> Iterator[Found]:
        """See that there is one, unless the tree is not that far."""
        head = self._head()
        self._idle.clear()
        try:
            written = MediumQuestion(lambda: self._write(head))
            if not written.asked:  # no thread was to be had: nobody else says so
                self._idle.set()
            wrong = written.answer(ANSWERED_S)
        except MediumSilent:
            wrong = self._hangs
        if wrong == BEHIND:
            return
        if wrong:
            self._failing = True
            yield FAILING, wrong
        else:
            self._sealed_to = head.seq

    def _trusted(self, keys: Sequence[PublicKey]) -> Checkpoint | None:
        """The checkpoint of the last head, from which the tree goes on."""
        head = self.newest
        try:
            if head and not head.seq:  # over no entry yet
                head = _ask_medium(lambda: last_head(self._path, keys, with_checkpoint=True))
            return head.signed_checkpoint(keys) if head else None
        except (BadCheckpoint, OSError) as error:
            _log.warning("the last checkpoint: %s. The tree is made anew", error)
            return None

    @property
    def self_test(self) -> SelfTest:
        """What was found at the start, for :mod:`controller.daemon.health.findings`."""
        faults = (NOT_SIGNED, CUT, DIFFERS, DOUBTED, FAILING)
        return SelfTest("the journal's signatures", faults, lambda: self._found)

    def record(self) -> JsonObject:
        """For the start record."""
        seen = replace(self._seen, newest=self.newest)
        return record(self._journal, self._key, self._signing.file, seen)

    # ---- while the table runs -----------------------------------------------------------------

    @property
    def newest_own(self) -> SignedHead | None:
        """The newest head, where the present key has signed it: another key is another log's."""
        newest = self.newest
        return newest if newest is not None and newest.key == self._key.fingerprint else None

    def start(self, owner: Owner) -> None:
        """Sign what has become durable so far, and from now on."""
        self._owner = owner
        self._unsubscribe = owner.subscribe(self._committed)
        asyncio.ensure_future(owner.settled()).add_done_callback(lambda _: self.seal())

    def _committed(self) -> None:
        self._note_facts()
        if self._owner is None:
            return
        table = self._owner.table
        before, self._in_end = self._in_end, table.phase == ENDED
        # Bets that were taken back lead to the round's end again, and count as another one.
        if self._in_end and not (before and table.round_number == self._ended):
            self._ended = table.round_number
            # The table may be ahead of the disk: what ended the round is waited for.
            asyncio.ensure_future(self._owner.settled()).add_done_callback(lambda _: self.seal())

    def seal(self) -> None:
        """Have the journal's present head signed and written beside the loop, one at a time."""
        head = self._head()
        if self._doubted or (self._sealed_to is not None and head.seq <= self._sealed_to):
            return
        if not self._idle.is_set():
            self._again = True
            return
        self._idle.clear()
        self._after(HANGS_S, self._hung)
        self._outside.aside(
            self._loop,
            lambda: self._write(head),
            lambda wrong: self._note_head(head.seq, wrong),
            self._not_written,
        )

    def _not_written(self, error: Exception) -> str:
        """Why a head could not even be tried, or was not finished."""
        self._idle.set()
        return f"{self._path}: {cause_of(error, self._path)}"

    @property
    def _doubted(self) -> bool:
        """Whether the table is held for what signatures show: nothing is signed over that."""
        if self._owner is None:
            return False
        holds = self._owner.table.holds
        return holds.has(*DOUBTS) or not DOUBTS.isdisjoint(holds.postponed)

    @property
    def _hangs(self) -> str:
        return f"{self._path}: its medium does not answer"

    def _after(self, seconds: float, then: Callable[[], None]) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(seconds, then)

    def _hung(self) -> None:
        self._timer = None
        if self._owner is not None and not self._idle.is_set() and not self._failing:
            self._failing = True
            self._owner.condition(FAILING, self._hangs)

    def _write(self, head: SignedHead) -> str:
        """In a thread: why it could not be written, empty when it is durable."""
        try:
            root = self._root(head.seq)
            signed = head.sealed(self._key, root, self._doubted_to())
            append_head(self._path, signed)
            self.newest = signed
        except _NoRoot as waits:
            return str(waits)
        except OSError as error:
            return f"{self._path}: {cause_of(error, self._path)}"
        finally:
            self._idle.set()
        return ""

    def _root(self, seq: int) -> bytes:
        try:
            root = self.tree.root_at(seq)
            if root is None:
                self.tree.store_begun(self._key)
        except OSError as error:
            path = Path(error.filename or self._config.state_directory / TREE)
            raise _NoRoot(f"{path}: {cause_of(error, path)}") from error
        except (JournalError, NoNode, sqlite3.Error, ValueError) as error:
            raise _NoRoot(f"no checkpoint for entry {seq}: {error}") from error
        if root is None:
            raise _NoRoot(BEHIND)
        return root

    def _doubted_to(self) -> int:
        """Up to which entry nobody vouches; asked once, since that looks at every entry."""
        if self._vouched_from is None:
            with JournalReader(self._config.state_directory) as reader:
                found = [*([self.found] if self.found else []), *found_by_starts(reader)]
            self._vouched_from = doubted_to(found, self._signing.trusted)
        return self._vouched_from

    def _note_head(self, seq: int, wrong: str) -> None:
        if self._owner is None:
            return
        if wrong != BEHIND and bool(wrong) != self._failing:
            self._failing = bool(wrong)
            self._owner.condition(FAILING, wrong, present=bool(wrong))
        if wrong:
            self._again = False
            self._after(RETRY_S, self.seal)
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._sealed_to = seq
        self._note_facts()
        self.written()
        if self._again:
            self._again = False
            self.seal()

    def _head(self) -> SignedHead:
        last = self._journal.head
        wall = self._outside.wall().isoformat(timespec="milliseconds")
        identity, digest = self._journal.identity.hex(), last.digest.hex()
        return SignedHead(identity, self._table, last.seq, digest, self._journal.boot, wall)

    def _note_facts(self) -> None:
        head = self._journal.head
        self.facts |= {
            "head": head.seq,
            "digest": head.digest.hex(),
            "sealed_to": self._sealed_to,
            "key": self._key.fingerprint,
            "vkey": str(self._signing.file),
            "heads": str(self._path),
        }

    # ---- at the end ---------------------------------------------------------------------------

    def close(self) -> None:
        """No clock runs any more."""
        self._signs = not self._doubted
        self._owner = None
        self._unsubscribe()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def last(self) -> threading.Thread | None:
        """Sign the journal's end in a thread, at last; None where none is to be had."""
        writing = threading.Thread(target=self._last, name="heads", daemon=True)
        try:
            start(writing)
        except NoThread as error:
            _log.error("the journal's end is not signed: %s", error.strerror)
            return None
        return writing

    def _last(self) -> None:
        if self._signs:
            self._idle.wait()  # a head before may be in the medium's hands
            if wrong := self._write(self._head()):
                _log.warning("the journal's end is not signed: %s", wrong)


def _ask_medium(ask: Callable[[], T]) -> T:
    return MediumQuestion(ask).answer(ANSWERED_S)
