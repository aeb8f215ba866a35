"""Has the kernel refuse strangers for a while when too many of them come.

Turning a stranger away costs little, yet somebody has to be woken for it, and he takes the place of
a dealer who waits to be let in. So where more come than ``BURST`` and ``PER_S``, an access list on
the socket's file admits the groups alone for ``SHUT_S`` seconds: a stranger's ``connect`` fails in
the kernel, and the daemon hears nothing of it. Then all are admitted again, so that who has come
into a group by the user database alone is let in, and attempts are noted.

Where the file system knows no such lists, the pace of accepting has to do (:mod:`~.acceptor`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection
from typing import Final, Protocol

from controller.rate import Rate

_log = logging.getLogger(__name__)

BURST: Final = 100
PER_S: Final = 20.0
SHUT_S: Final = 10.0


class Admitting(Protocol):
    """What the shutter needs of the socket's file."""

    def admit_only(self, gids: Collection[int]) -> None:
        """Let only these groups connect; OSError where that cannot be."""

    def admit_all(self) -> None:
        """Let everybody connect."""


class Shutter:
    """``gids`` gives the groups that have a role; in ``loop``'s time."""

    def __init__(self, address: Admitting, gids: Callable[[], Collection[int]]) -> None:
        self._address = address
        self._gids = gids
        self._rate = Rate(BURST, PER_S)
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
        self._rate = Rate(BURST, PER_S)
        self._address.admit_all()
