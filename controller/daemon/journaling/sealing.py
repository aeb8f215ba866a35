"""Signed heads of the running journal: when they are written, and what they show at a start.

The rules:

- What was signed is named by an entry behind it, and at a start by the start record: a head that is
  missing later shows (:mod:`controller.journal.sealing.unsigned`). That entry alone is no reason
  for another head. While one of the faults below holds the table nothing is signed.
- A head has the checkpoint of the tree over the entries, once the tree is that far
  (:mod:`controller.journal.tree.growing`).
- A head is signed at the start, at the stop, when a round is over, and otherwise once in
  ``SEAL_S`` while something happens. It is signed and written beside the loop, for what is durable
  already: no acknowledgement, command or answer waits for it.
- At a start, before any device is contacted, the last head is looked for in the journal. An entry
  that it names and that is not there, or is another one, is a fault that holds the table; so are
  heads or a key that the last start record tells of and that are gone.
- The first head of all is durable before the first start record that tells of it, so that a crash
  at any instruction raises no false alarm. Where heads are missing or do not fit, none is written
  before that is durable itself: a head of what is there would hide it from the next start.
- Heads that cannot be written are a notice; play goes on. It is tried again every ``SEAL_S``, and
  the notice ends when one was written. A medium that does not answer is reported likewise, and not
  asked again before it has.
- Play does not run away from its heads: whoever verifies the journal doubts three finished rounds
  without one. Where two have none yet, which takes a medium that stalls or rounds quicker than a
  person plays them, a command ``open`` waits for it, ``OPEN_WAITS_S`` and no longer: then the
  medium counts as one that does not answer, and that is said. A key of the keypad does not wait.
- An installed key is taken from the credential that systemd hands over
  (:mod:`controller.journal.sealing.keys`). Where the key was found is logged and told by the start
  record; it is the same key wherever it lies, so a change of place alone holds nothing.
- A start waits for each answer of the media of heads and key ``ANSWERED_S`` and no longer. Heads
  that are not read by then are doubted, as heads are that cannot be read.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import threading
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path
from typing import Final

from controller.configuration.model import Configuration
from controller.daemon.health.selftests import Found, SelfTest
from controller.daemon.outside import Outside
from controller.daemon.owner import Owner
from controller.files.media import NoAnswer, Question
from controller.journal.sealing.heads import SignedHead, append_head, last_head, newest_head
from controller.journal.sealing.keys import BadKey, ControllerKey, PublicKey
from controller.journal.sealing.recorded import recorded_heads
from controller.journal.sealing.sealed import check_heads
from controller.journal.sealing.unsigned import (
    CUT,
    DIFFERS,
    DOUBTED,
    DOUBTS,
    FAILING,
    HEAD,
    NAMED,
    UNSIGNED_ROUNDS,
)
from controller.journal.store import Journal
from controller.journal.tree.growing import GrowingTree
from controller.journal.tree.note import BadCheckpoint, Checkpoint, checkpoint_of, read_checkpoint
from controller.json_values import JsonObject
from controller.table.events import Event
from controller.table.sequence import ENDED

_log = logging.getLogger(__name__)

CREDENTIALS: Final = "CREDENTIALS_DIRECTORY"
"""The variable by which systemd says where a service's credentials are."""

SEAL_S: Final = 30.0
"""While something happens, so old is the last head at most."""

ANSWERED_S: Final = 2.0
"""How long a start waits at most for one answer of a medium, in seconds: one that was asleep may
need one of them."""

MOST_BEHIND: Final = UNSIGNED_ROUNDS - 1
OPEN_WAITS_S: Final = 2.0

HANGS_S: Final = 10.0
"""From then on a head that is being written is said to hang."""


class Sealing:
    """Looks at the heads when it is made, before the commit thread starts; signs new ones from
    :meth:`begin` to :meth:`close`."""

    def __init__(
        self,
        config: Configuration,
        journal: Journal,
        outside: Outside,
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        self._table = config.table.id
        self._journal = journal
        self._outside = outside
        self._loop = loop
        self._path = config.heads
        self._identity = journal.identity.hex()
        self._owner: Owner | None = None
        self._unsubscribe: Callable[[], None] = lambda: None
        self._timer: asyncio.TimerHandle | None = None
        self._ended = 0
        self._in_end = False
        self._ends: list[int] = []
        self._level: asyncio.Event = asyncio.Event()
        self._idle = threading.Event()
        self._idle.set()
        self._since = 0.0
        self._again = False
        self._failing = False
        self._signs = True
        self._sealed_to: int | None = None
        self._key: ControllerKey | None = None
        self._newest: SignedHead | None = None
        self._named: int | None = None
        self._found: list[Found] = []
        self._told: list[Callable[[SignedHead], None]] = []
        self._begin_with(config.key)
        self.tree = GrowingTree(config.state_directory, self._trusted())
        self.facts: dict[str, object] = {}
        self._tell()

    def _begin_with(self, key: Path) -> None:
        """Have the key, look at the heads that there are, and see that there is one."""
        given = os.environ.get(CREDENTIALS)
        credentials = Path(given) if given else None
        try:
            self._key = Question(lambda: ControllerKey(key, credentials)).answer(ANSWERED_S)
            _tell_place(self._key, key)
        except BadKey as error:
            self._found.append((DOUBTED, str(error)))
        except NoAnswer as error:
            self._found.append((DOUBTED, f"the key {key} cannot be read: {error.strerror}"))
        signs = self._key
        public = signs.public if signs else None
        made = signs is not None and signs.made
        self._found += check_heads(self._journal, self._path, public, _last_in_time, made=made)
        if signs is None or self._found:
            return
        try:
            self._newest = Question(lambda: newest_head(self._path, signs.public)).answer(
                ANSWERED_S
            )
            if self._newest is not None:
                return
            head = self._head().signed(signs)
            self._idle.clear()
            wrong = Question(lambda: self._append(head)).answer(ANSWERED_S)
        except NoAnswer:
            wrong = self._hangs
        if wrong:
            self._failing = True
            self._found.append((FAILING, wrong))
        else:
            self._sealed_to = head.seq

    def _trusted(self) -> Checkpoint | None:
        """The checkpoint of the last head, from which the tree goes on."""
        if self._newest is None or self._key is None:
            return None
        keys, text = [self._key.public], self._newest.checkpoint
        try:
            if not text:  # the tree was behind; an earlier head may have one
                asked = Question(lambda: last_head(self._path, keys, with_checkpoint=True))
                head = asked.answer(ANSWERED_S)
                text = head.checkpoint if head else ""
            return read_checkpoint(text, keys) if text else None
        except (BadCheckpoint, OSError) as error:
            _log.warning("the last checkpoint: %s. The tree is made anew", error)
            return None

    @property
    def newest(self) -> SignedHead | None:
        """The last head that is written; None while there is none."""
        return self._newest

    def when_written(self, told: Callable[[SignedHead], None]) -> None:
        """Have ``told`` called in the loop with each head that was written."""
        self._told.append(told)

    @property
    def self_test(self) -> SelfTest:
        """What was found at the start, for :mod:`controller.daemon.health.selftests`."""
        return SelfTest("the signed heads", (CUT, DIFFERS, DOUBTED, FAILING), lambda: self._found)

    def record(self) -> JsonObject | None:
        """For the start record: which journal it is, and with which key its heads are signed; what
        was recorded last where there is no key now, for it is missed the next time too; None where
        no heads are known to be there."""
        if self._key is None:
            return recorded_heads(self._journal)[1]
        if self._failing:
            return None
        public = self._key.public
        announced = {
            "journal": self._identity,
            "key": public.text,
            "fingerprint": public.fingerprint,
            "kept": "credential" if self._key.installed else "file",
        }
        named = self._newest.named if self._newest else None
        return {**announced, "first": self._journal.head.seq, NAMED: named}

    # ---- while the table runs -----------------------------------------------------------------

    def begin(self, owner: Owner) -> None:
        """Sign what has become durable so far, and from now on."""
        self._owner = owner
        self._unsubscribe = owner.subscribe(self._committed)
        asyncio.ensure_future(owner.settled()).add_done_callback(lambda _: self.seal())

    def _committed(self) -> None:
        """Something became durable: sign when a round is over, and in a while otherwise."""
        self._tell()
        if self._owner is None:
            return
        table = self._owner.table
        before, self._in_end = self._in_end, table.phase == ENDED
        # Bets that were taken back lead to the round's end again, and count as another one.
        if self._in_end and not (before and table.round_number == self._ended):
            self._ended = table.round_number
            # The table may be ahead of the disk: what ended the round is waited for.
            asyncio.ensure_future(self._owner.settled()).add_done_callback(lambda _: self._over())
        self._soon()

    def _over(self) -> None:
        """What ended a round is durable."""
        self._ends.append(self._journal.head.seq)
        self.seal()

    def _soon(self) -> None:
        if self._timer is None:
            self._timer = self._loop.call_later(SEAL_S, self._in_a_while)

    def _in_a_while(self) -> None:
        self._timer = None
        self.seal()

    def seal(self) -> None:
        """Have the journal's present head signed and written beside the loop, one at a time."""
        head = self._head()
        if self._key is None or self._doubted or not self._is_more(head.seq):
            return
        if not self._idle.is_set():
            self._again = True
            self._mind()
            return
        self._idle.clear()
        self._since = self._loop.time()
        self._soon()  # a medium may hang while nothing happens
        self._outside.aside(
            self._loop, lambda: self._write(head), lambda wrong: self._written(head.seq, wrong)
        )

    @property
    def _doubted(self) -> bool:
        """Whether the table is held for what the heads show: nothing is signed over that."""
        if self._owner is None:
            return False
        holds = self._owner.table.holds
        return holds.has(*DOUBTS) or not DOUBTS.isdisjoint(holds.postponed)

    @property
    def _signs_now(self) -> bool:
        """Whether a head is to be had: there is a key, no doubt, and the medium answers."""
        return self._key is not None and not self._failing and not self._doubted

    def _is_more(self, seq: int) -> bool:
        """Whether more has become durable than what was signed and the entry that names it."""
        signed = self._sealed_to
        named = self._named == signed and self._owner is not None and self._owner.all_durable
        return signed is None or seq > signed + named

    @property
    def _hangs(self) -> str:
        return f"{self._path}: its medium does not answer"

    def _mind(self) -> None:
        """Tell of a head that has not been written for long, and see again in a while."""
        if self._owner is None:
            return
        if not self._failing and self._loop.time() - self._since >= HANGS_S:
            self._failing = True
            self._owner.condition(FAILING, self._hangs)
        self._soon()

    async def before_open(self) -> None:
        """Return when another round may be opened."""
        until = self._loop.time() + OPEN_WAITS_S
        while len(self._ends) >= MOST_BEHIND and self._signs_now:
            self._level.clear()
            try:
                async with asyncio.timeout_at(until):
                    await self._level.wait()
            except TimeoutError:
                if self._owner is not None and self._signs_now:
                    self._failing = True
                    self._owner.condition(FAILING, self._hangs)
                return

    def _write(self, head: SignedHead) -> str:
        """In a thread: why it could not be written, empty when it is durable."""
        assert self._key
        try:
            checkpoint = self._checkpoint(head.seq)
            return self._append(replace(head, checkpoint=checkpoint).signed(self._key))
        finally:
            self._idle.set()

    def _append(self, signed: SignedHead) -> str:
        try:
            append_head(self._path, signed)
            self._newest = signed
        except OSError as error:
            return f"{self._path}: {error.strerror or error}"
        finally:
            self._idle.set()
        return ""

    def _checkpoint(self, seq: int) -> str:
        """The signed checkpoint over the entries up to that one; empty where the tree is not that
        far, or cannot be had: a head is worth having without one."""
        assert self._key
        try:
            root = self.tree.root_at(seq)
        except Exception as error:
            _log.warning("no checkpoint for entry %d: %s", seq, error or type(error).__name__)
            return ""
        if root is None:
            return ""
        return checkpoint_of(self._key.public, seq, root).signed(self._key)

    def _written(self, seq: int, wrong: str) -> None:
        """In the loop, when a head was written or could not be."""
        if not wrong:
            self._sealed_to = seq
            self._ends = [end for end in self._ends if end > seq]
            self._tell()
            if (newest := self._newest) is not None:
                for told in self._told:
                    told(newest)
        self._level.set()
        if self._owner is not None and bool(wrong) != self._failing:
            self._failing = bool(wrong)
            self._owner.condition(FAILING, wrong, present=bool(wrong))
        if self._owner is not None and not wrong and self._newest is not None:
            if self._named is None or self._newest.seq > self._named:  # each is named once
                self._owner.submit(Event(HEAD, self._newest.named))
            self._named = self._newest.seq
        if wrong and self._owner is not None:
            self._soon()
        if self._again:
            self._again = False
            self.seal()

    def _head(self) -> SignedHead:
        last = self._journal.head
        wall = self._outside.wall().isoformat(timespec="milliseconds")
        digest = last.digest.hex()
        return SignedHead(self._identity, self._table, last.seq, digest, self._journal.boot, wall)

    def _tell(self) -> None:
        """What the status says of the journal."""
        head = self._journal.head
        self.facts |= {
            "head": head.seq,
            "digest": head.digest.hex(),
            "sealed_to": self._sealed_to,
            "key": self._key.public.fingerprint if self._key else None,
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

    def last(self) -> threading.Thread:
        """Sign the journal's end, once nothing is appended any more: the thread that does so. Where
        the medium of the heads hangs that is left to the end of the process."""
        writing = threading.Thread(target=self._last, name="heads", daemon=True)
        writing.start()
        return writing

    def _last(self) -> None:
        if self._key is not None and self._signs:
            self._idle.wait()  # a head before may be in the medium's hands
            self._write(self._head())


def _tell_place(key: ControllerKey, file: Path) -> None:
    """Log where the key was found, and a file of it that an installed one should not have left."""
    kept = "the credential" if key.installed else "the file"
    made = ", made just now" if key.made else ""
    _log.info("the key %s is from %s %s%s", key.public.fingerprint, kept, key.path, made)
    if not key.installed:
        return
    with contextlib.suppress(OSError):  # its medium may not answer; then it says nothing
        if Question(file.exists).answer():
            _log.warning("a key still lies in %s, which is not used: take that file away", file)


def _last_in_time(path: Path, keys: Collection[PublicKey]) -> SignedHead | None:
    """The last head, or :class:`~controller.files.media.NoAnswer` from a medium that hangs."""
    return Question(lambda: last_head(path, keys)).answer(ANSWERED_S)
