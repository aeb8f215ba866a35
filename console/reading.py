"""Rounds looked at: by whom, what the daemon tells of them, and what vouches for them.

The rules:

- A page that looks at rounds acts at no table and needs no seat: a supervisor reads in the office
  while a dealer deals. It has a person of its own, by PIN, on a connection of his own, until he
  leaves or has asked for nothing for a while.
- The page's name and secret stand for that person. Without him they open nothing.
- One is signed in at a time, and who is not taken holds up the next for :data:`WRONG_S`: it needs
  no seat, and many at once would use up what the daemon grants the console.
- The proof that a page was shown is kept, so that its file, its digest and its code are of one and
  the same; a later checkpoint makes another one.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from console.acting import Actor
from controller.control.client import NoController, RefusedByController
from controller.forms.json_values import JsonObject, checked
from controller.sheets.round_code import RoundCode, round_code

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
    """The pages that look at rounds, at the table behind the socket at ``path``."""

    def __init__(self, path: Path, lock_s: float) -> None:
        self._path, self._lock_s = path, lock_s
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
            NoController, RefusedByController: it is not told.
        """
        return await self._reader(page).look_as(page, "course", {"number": number})

    async def proof(self, page: str, number: int, *, anew: bool = False) -> ShownProof:
        """What vouches for that round: as it was shown, or ``anew``; errors as of :meth:`course`.
        The file is as ``tablectl journal prove`` writes it."""
        reader, known = self._reader(page), self._proofs.get(page)
        if known is not None and known.number == number and not anew:
            return known
        told = await reader.look_as(page, "proof", {"number": str(number)})
        proof = checked(dict[str, object], told.get("proof"), "proof")
        file = f"{json.dumps(proof)}\n".encode()
        code = round_code(number, file, checked(str, proof.get("checkpoint"), "checkpoint"))
        found = ShownProof(number, file, code)
        if self._actors.get(page) is reader:
            self._proofs[page] = found
        return found

    def _reader(self, page: str) -> Actor:
        actor = self._actors.get(page)
        if actor is None or not actor.person:
            self.sign_out(page)
            raise RefusedByController(SIGNED_OUT)
        actor.touched(page)
        return actor

    async def close(self) -> None:
        """Sign out everybody."""
        actors, self._actors = list(self._actors.values()), {}
        for actor in actors:
            await actor.close()
