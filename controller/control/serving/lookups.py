"""Queries to the user database, which may never answer.

It may be a network service that is down. A thread that waits for it cannot be ended, so:

- each question has a thread of its own that the process does not wait for when it ends;
- the number of look-ups in progress is limited; beyond it a client is identified by its uid only,
  without waiting.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from controller.control.asking import ask_in_thread
from controller.control.peers import Credentials, Groups, Numbers, Peer, identify, nameless

_log = logging.getLogger(__name__)

MOST_AT_ONCE: Final = 8


class Lookups:
    """The questions that are under way; ``numbers`` are those of the groups, once learnt."""

    def __init__(self, groups: Groups, within_s: float) -> None:
        self._groups = groups
        self._within_s = within_s
        self._under_way = 0
        self.numbers = Numbers()

    def learn(self) -> list[str]:
        """Ask once which numbers the groups have, for when the database has no time; the groups
        that there are none of."""
        self.numbers = self._groups.numbers()
        return self._groups.missing(self.numbers)

    def nameless(self, credentials: Credentials) -> Peer:
        """Who it is by what the kernel says alone."""
        return nameless(credentials, self.numbers)

    async def identify(self, credentials: Credentials) -> Peer:
        """Who it is; only what the kernel says where the database fails or does not say so in
        time."""
        if self._under_way >= MOST_AT_ONCE:
            _log.warning("the user database still owes %d answers", self._under_way)
            return self.nameless(credentials)
        answered = self._identify(credentials)
        try:
            async with asyncio.timeout(self._within_s):
                return await answered
        except Exception as error:
            _log.warning("the user database does not say who uid %d is: %r", credentials.uid, error)
            return self.nameless(credentials)

    def _identify(self, credentials: Credentials) -> asyncio.Future[Peer]:
        self._under_way += 1
        _, answered = ask_in_thread(
            lambda: identify(credentials, self._groups), "user database", self._one_less
        )
        return answered

    def _one_less(self) -> None:
        self._under_way -= 1
