"""Accepts connections at a pace that the table does not feel, and keeps strangers out.

The loop's own server accepts as many at a wake-up as may wait, and again at once; any local user
who connects in a loop then has the loop as busy as he likes. So:

- ``AT_ONCE`` connections are accepted in one turn of the loop at most; whatever else is due comes
  between two turns.
- After a burst ``PER_S`` are accepted each second. Meanwhile the socket is not even looked at, and
  who connects waits in the kernel, in the order in which they came. One who connects in a loop
  waits there too, and costs nobody anything.
- The pace is for all users together, since who it is shows only afterwards. What is done with the
  connection must therefore cost less than connecting does; how many of one user are served is
  decided there (:mod:`~.door`).
- Turning a stranger away costs little, yet somebody has to be woken for it, and he takes the place
  of a dealer who waits to be let in. So where more come than ``STRANGERS`` and ``STRANGERS_PER_S``,
  an access list on the socket's file admits the groups alone for ``SHUT_S`` seconds: a stranger's
  ``connect`` fails in the kernel, and the daemon hears nothing of it. Then all are admitted again,
  so that who has come into a group by the user database alone is let in, and attempts are noted.
  Where the file system knows no such lists, the pace of accepting has to do.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
from collections.abc import Callable, Collection
from typing import Final

from controller.control.address import ControlAddress
from controller.rate import Rate

STRANGERS: Final = 100
STRANGERS_PER_S: Final = 20.0
SHUT_S: Final = 10.0


class Shutter:
    """``gids`` gives the groups that have a role; in ``loop``'s time."""

    def __init__(self, address: ControlAddress, gids: Callable[[], Collection[int]]) -> None:
        self._address = address
        self._gids = gids
        self._rate = Rate(STRANGERS, STRANGERS_PER_S)
        self._shut: asyncio.TimerHandle | None = None
        self._works = True

    def turned_away(self) -> None:
        """One more stranger was."""
        loop = asyncio.get_running_loop()
        if self._shut is not None or not self._works or not self._rate.count_one(loop.time()):
            return
        try:
            self._address.admit_only(self._gids())
        except OSError as error:
            self._works = False
            _log.warning("strangers cannot be kept from the control socket's file: %s", error)
            return
        _log.warning("too many strangers connect; for %g s the kernel refuses them", SHUT_S)
        self._shut = loop.call_later(SHUT_S, self._open)

    def close(self) -> None:
        """Nothing is done any more; the file is removed with the address."""
        if self._shut is not None:
            self._shut.cancel()

    def _open(self) -> None:
        self._shut = None
        self._rate = Rate(STRANGERS, STRANGERS_PER_S)
        self._address.admit_all()


_log = logging.getLogger(__name__)

AT_ONCE: Final = 4
"""At some 50 us each for those who are turned away: a fifth of a millisecond for which a card may
have to wait."""

BURST: Final = 64
PER_S: Final = 400.0
"""Who is behind a full queue of the kernel and 16 others that wait for it comes in within an
eighth of a second; to turn so many away costs 2 % of a processor."""

REST_S: Final = AT_ONCE / PER_S
"""How long the socket is left alone where they come faster: a turn's worth."""

WITHOUT_DESCRIPTORS_S: Final = 1.0
"""How long where the process or the machine has no descriptors or memory left."""

_EXHAUSTED: Final = frozenset((errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM))


class Acceptor:
    """Hands connections to ``came``, from :meth:`start` to :meth:`close`; in ``loop``'s time."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        listening: socket.socket,
        came: Callable[[socket.socket], None],
    ) -> None:
        self._loop = loop
        self._listening = listening
        self._came = came
        self._rate = Rate(BURST, PER_S)
        self._resting: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Look at the socket."""
        self._resting = None
        self._loop.add_reader(self._listening.fileno(), self._ready)

    def close(self) -> None:
        """Close the socket; who waits in the kernel is hung up on."""
        if self._resting is not None:
            self._resting.cancel()
        elif self._listening.fileno() >= 0:
            self._loop.remove_reader(self._listening.fileno())
        self._listening.close()

    def _ready(self) -> None:
        for _ in range(AT_ONCE):
            now = self._loop.time()
            if self._rate.wait_s(now):
                self._rest(REST_S)
                return
            try:
                connection, _ = self._listening.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                if error.errno not in _EXHAUSTED:
                    raise
                _log.error("nobody can be let in, out of system resource: %s", error)
                self._rest(WITHOUT_DESCRIPTORS_S)
                return
            self._rate.count_one(now)
            self._came(connection)

    def _rest(self, seconds: float) -> None:
        self._loop.remove_reader(self._listening.fileno())
        self._resting = self._loop.call_later(seconds, self.start)
