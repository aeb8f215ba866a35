"""A request's body within bounds of size and time, unpacked as it comes.

The rules:

- It may be packed with gzip, by ``Content-Encoding``; other ways are refused, 415.
- It comes in pieces of :data:`PIECE` bytes at most, however much a few packed bytes stand for, and
  what is not asked for is not unpacked.
- A body that is cut off, or is no gzip, ends there: what came before counts. So does one that is
  too slow: each piece is waited for :data:`WAIT_S` at most, and all of it as long as is allowed.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, suppress
from typing import Final

from starlette.requests import Request

from floor.protocol.answers import Refusal

PIECE: Final = 1 << 16
WAIT_S: Final = 20.0
ALLOWED_S: Final = 60.0
DRAINED_BYTES: Final = 1 << 21
"""More than is sent by a client that keeps to 32 packages a request."""
DRAINED_S: Final = 5.0

TOO_LARGE: Final = 413
UNKNOWN_CODING: Final = 415

_GZIP: Final = 16 + zlib.MAX_WBITS


class RequestBody:
    """The body of one request, to be read once."""

    def __init__(self, request: Request) -> None:
        self._receive = request.receive
        self._coding = request.headers.get("content-encoding", "identity").strip().lower()
        self._ended = False
        self._until = 0.0
        self._wait: asyncio.Timeout | None = None
        self.allow()

    def allow(self) -> None:
        """What comes from now on has :data:`ALLOWED_S`."""
        self._until = asyncio.get_running_loop().time() + ALLOWED_S

    @property
    def waits(self) -> bool:
        """Whether more of it is being waited for."""
        return self._wait is not None

    def cut(self) -> None:
        """End it here, whatever would still come."""
        self._ended = True
        if self._wait is not None and not self._wait.expired():
            self._wait.reschedule(0)

    async def content(self, most: int) -> bytes:
        """All of it.

        Raises:
            Refusal: 413, it has more than so many bytes; and as :meth:`pieces`.
        """
        body = bytearray()
        async with aclosing(self.pieces()) as pieces:
            async for piece in pieces:
                body += piece
                if len(body) > most:
                    raise Refusal(TOO_LARGE, f"the body has more than {most} bytes")
        return bytes(body)

    async def pieces(self) -> AsyncGenerator[bytes, None]:
        """All of it, piece by piece.

        Raises:
            Refusal: 415.
        """
        if self._coding not in ("identity", "gzip"):
            words = f"Content-Encoding {self._coding[:40]!a}: expected gzip or none"
            raise Refusal(UNKNOWN_CODING, words)
        gzip = _Unpacking() if self._coding == "gzip" else None
        while raw := await self._next():
            with suppress(zlib.error):
                for piece in _cut(raw) if gzip is None else gzip.unpacked(raw):
                    yield piece
                continue
            return

    async def drain(self) -> None:
        """Read what still comes of a body that is answered already, as far as that is worth while:
        of somebody who is still sending the answer may be lost."""
        left = DRAINED_BYTES
        with suppress(TimeoutError):
            async with asyncio.timeout(DRAINED_S):
                while left > 0 and (raw := await self._next()):
                    left -= len(raw)

    async def _next(self) -> bytes:
        """What comes next as it was sent; empty at the end, wherever that is."""
        raw = b""
        while not raw and not self._ended:
            now = asyncio.get_running_loop().time()
            try:
                async with asyncio.timeout_at(min(now + WAIT_S, self._until)) as self._wait:
                    message = await self._receive()
            except TimeoutError:
                self._ended = True
                return b""
            finally:
                self._wait = None
            raw = message.get("body", b"")
            self._ended |= not message.get("more_body", False)
        return raw


def _cut(raw: bytes) -> Iterator[bytes]:
    return (raw[at : at + PIECE] for at in range(0, len(raw), PIECE))


class _Unpacking:
    """gzip, of one or more parts one behind the other."""

    def __init__(self) -> None:
        self._part = zlib.decompressobj(_GZIP)

    def unpacked(self, raw: bytes) -> Iterator[bytes]:
        """What these bytes bring, in pieces; raises zlib.error."""
        while raw:
            if self._part.eof:
                self._part = zlib.decompressobj(_GZIP)
            if piece := self._part.decompress(raw, PIECE):
                yield piece
            raw = self._part.unused_data if self._part.eof else self._part.unconsumed_tail
