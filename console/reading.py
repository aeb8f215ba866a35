"""Rounds looked at: by whom, what the daemon tells of them, and what vouches for them.

The rules:

- A page that looks at rounds acts at no table and needs no seat: a supervisor reads in the office
  while a dealer deals. It has a person of its own, by PIN, on a connection of his own, until he
  leaves or has asked for nothing for a while.
- A page that acts is told likewise, as whoever has signed in there.
- The page's name and secret stand for that person. Without him they open nothing.
- One is signed in at a time, and who is not taken holds up the next for :data:`WRONG_S`: it needs
  no seat, and many at once would use up what the daemon grants the console.
- The proof that a page was shown is kept, so that its file, its digest and its code are of one and
  the same; a later checkpoint makes another one.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from console.acting import Actor
from controller.control.client import NoController, RefusedByController
from controller.json_values import JsonObject, checked
from controller.sheets.codes import RoundCode, round_code

Look = Callable[[str, str, str], Awaitable[JsonObject]]

MOST: Final = 8
WRONG_S: Final = 1.0
SIGNED_OUT: Final = {
    "kind": "not_allowed",
    "code": "not-allowed",
    "reason": "nobody has signed in on this page",
}


@dataclass(frozen=True, slots=True)
class ShownProof:
    """The proof of the round of that number: its file, and its code."""

    number: int
    file: bytes
    code: RoundCode


class Readers:
    """The pages that look at rounds, at the table behind the socket at ``path``. Of another page
    ``acting`` asks, with its name and secret, the request and the number."""

    def __init__(self, path: Path, lock_s: float, acting: Look) -> None:
        self._path, self._lock_s, self._acting = path, lock_s, acting
        self._actors: dict[str, Actor] = {}
        self._proofs: dict[str, ShownProof] = {}
        self._signing = asyncio.Lock()

    async def sign_in(self, page: str, person: str, pin: str) -> JsonObject:
        """Sign a person in on that page; errors as of :class:`console.acting.SocketLine`."""
        if self._signing.locked():
            raise NoController("somebody is being signed in: try again")
        actor = Actor(self._path, self._lock_s, lambda: None)
        async with self._signing:
            try:
                answer = await actor.sign_in(page, person, pin, once=False)
            except (NoController, RefusedByController):
                await asyncio.sleep(WRONG_S)
                raise
        for old in [page, *(name for name, one in self._actors.items() if not one.person)]:
            self.sign_out(old)
        while len(self._actors) >= MOST:
            self.sign_out(next(iter(self._actors)))
        self._actors[page] = actor
        return answer

    def sign_out(self, page: str) -> None:
        """Sign out whoever is in on that page."""
        self._proofs.pop(page, None)
        if (actor := self._actors.pop(page, None)) is not None:
            actor.leave()

    async def course(self, page: str, number: str) -> JsonObject:
        """The round with its course; ``last``: of the last one.

        Raises:
            NoController, RefusedByController: it is not told. NotDoneHere: not to that page.
        """
        return await self._look(page, "course", number)

    async def proof(self, page: str, number: int, *, anew: bool = False) -> ShownProof:
        """What vouches for that round: as it was shown, or ``anew``; errors as of :meth:`course`.
        The file is as ``tablectl journal prove`` writes it."""
        known = self._proofs.get(page)
        if known is not None and known.number == number and not anew and page in self._actors:
            return known
        told = await self._look(page, "proof", str(number))
        proof = checked(dict[str, object], told.get("proof"), "proof")
        file = f"{json.dumps(proof)}\n".encode()
        code = round_code(number, file, checked(str, proof.get("checkpoint"), "checkpoint"))
        found = ShownProof(number, file, code)
        if page in self._actors:
            self._proofs[page] = found
        return found

    async def _look(self, page: str, do: str, number: str) -> JsonObject:
        actor = self._actors.get(page)
        if actor is None:
            return await self._acting(page, do, number)
        if not actor.person:
            self.sign_out(page)
            raise RefusedByController(SIGNED_OUT)
        actor.touched(page)
        return await actor.look_as(page, do, {"number": number})

    async def close(self) -> None:
        """Sign out everybody."""
        actors, self._actors = list(self._actors.values()), {}
        for actor in actors:
            await actor.close()
