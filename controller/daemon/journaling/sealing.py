"""Signed heads of the running journal: when they are written, and what they show at a start.

The rules:

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
- A start waits for each answer of the media of heads and key ``ANSWERED_S`` and no longer. Heads
  that are not read by then are doubted, as heads are that cannot be read.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Final

from controller.configuration.model import Configuration
from controller.daemon.health.selftests import Found, SelfTest
from controller.daemon.outside import Outside
from controller.daemon.owner import Owner
from controller.files.media import NoAnswer, Question
from controller.journal.sealing.heads import SignedHead, append_head, has_head, last_head
from controller.journal.sealing.keys import BadKey, ControllerKey, PublicKey
from controller.journal.sealing.sealed import CUT, DIFFERS, DOUBTED, FAILING, check_heads
from controller.journal.store import Journal
from controller.json_values import JsonObject
from controller.table.sequence import ENDED

SEAL_S: Final = 30.0
"""While something happens, so old is the last head at most."""

ANSWERED_S: Final = 2.0
"""How long a start waits at most for one answer of a medium, in seconds: one that was asleep may
need one of them."""

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
        self._idle = threading.Event()
        self._idle.set()
        self._since = 0.0
        self._again = False
        self._failing = False
        self._sealed_to: int | None = None
        self._key: ControllerKey | None = None
        self._found: list[Found] = []
        self._begin_with(config.key)
        self.facts: dict[str, object] = {}
        self._tell()

    def _begin_with(self, key: Path) -> None:
        """Have the key, look at the heads that there are, and see that there is one."""
        try:
            self._key = Question(lambda: ControllerKey(key)).answer(ANSWERED_S)
        except BadKey as error:
            self._found.append((DOUBTED, str(error)))
        except NoAnswer as error:
            self._found.append((DOUBTED, f"the key {key} cannot be read: {error.strerror}"))
        public = self._key.public if self._key else None
        self._found += check_heads(self._journal, self._path, public, _last_in_time)
        if public is None or self._found:
            return
        try:
            if Question(lambda: has_head(self._path, public)).answer(ANSWERED_S):
                return
            head = self._head()
            self._idle.clear()
            wrong = Question(lambda: self._write(head)).answer(ANSWERED_S)
        except NoAnswer:
            wrong = self._hangs
        if wrong:
            self._failing = True
            self._found.append((FAILING, wrong))
        else:
            self._sealed_to = head.seq

    @property
    def self_test(self) -> SelfTest:
        """What was found at the start, for :mod:`controller.daemon.health.selftests`."""
        return SelfTest("the signed heads", (CUT, DIFFERS, DOUBTED, FAILING), lambda: self._found)

    def record(self) -> JsonObject | None:
        """For the start record: which journal it is, and with which key its heads are signed; None
        where there are none."""
        if self._key is None or self._failing:
            return None
        public = self._key.public
        announced = {
            "journal": self._identity,
            "key": public.text,
            "fingerprint": public.fingerprint,
        }
        return {**announced, "first": self._journal.head.seq}

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
        if table.phase == ENDED and table.round_number != self._ended:
            self._ended = table.round_number
            # The table may be ahead of the disk: what ended the round is waited for.
            asyncio.ensure_future(self._owner.settled()).add_done_callback(lambda _: self.seal())
        self._soon()

    def _soon(self) -> None:
        if self._timer is None:
            self._timer = self._loop.call_later(SEAL_S, self._in_a_while)

    def _in_a_while(self) -> None:
        self._timer = None
        self.seal()

    def seal(self) -> None:
        """Have the journal's present head signed and written beside the loop, one at a time."""
        head = self._head()
        if self._key is None or head.seq == self._sealed_to:
            return
        if not self._idle.is_set():
            self._again = True
            self._mind()
            return
        self._idle.clear()
        self._since = self._loop.time()
        self._outside.aside(
            self._loop, lambda: self._write(head), lambda wrong: self._written(head.seq, wrong)
        )

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

    def _write(self, head: SignedHead) -> str:
        """In a thread: why it could not be written, empty when it is durable."""
        try:
            assert self._key
            append_head(self._path, head.signed(self._key))
        except OSError as error:
            return f"{self._path}: {error.strerror or error}"
        finally:
            self._idle.set()
        return ""

    def _written(self, seq: int, wrong: str) -> None:
        """In the loop, when a head was written or could not be."""
        if not wrong:
            self._sealed_to = seq
            self._tell()
        if self._owner is not None and bool(wrong) != self._failing:
            self._failing = bool(wrong)
            self._owner.condition(FAILING, wrong, present=bool(wrong))
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
        if self._key is not None:
            self._idle.wait()  # a head before may be in the medium's hands
            self._write(self._head())


def _last_in_time(path: Path, keys: Collection[PublicKey]) -> SignedHead | None:
    """The last head, or :class:`~controller.files.media.NoAnswer` from a medium that hangs."""
    return Question(lambda: last_head(path, keys)).answer(ANSWERED_S)
