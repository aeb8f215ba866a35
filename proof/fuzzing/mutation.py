"""Bytes changed at random, in the ways in which what arrives differs from what was meant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

_TELLING: Final = (0, 1, 2, 7, 8, 16, 32, 57, 64, 100, 127, 128, 254, 255)
MOST_CHANGES: Final = 5
MOST_REPEATED: Final = 64


class Mutator:
    """Changes bytes by the numbers of ``source``; ``tokens`` are inserted now and then."""

    def __init__(self, source: Random, tokens: Sequence[bytes], most_bytes: int) -> None:
        self._random = source
        self._tokens = tokens
        self._most = most_bytes
        self._ways: list[Callable[[bytearray], None]] = [
            self._flip,
            self._put,
            self._put,
            self._insert,
            self._delete,
            self._repeat,
            self._move,
            self._append,
        ]
        if tokens:
            self._ways += [self._token, self._token]

    def mutate(self, data: bytes, others: Sequence[bytes]) -> bytes:
        """Some changes, after a splice with another of the corpus now and then; or wholly new."""
        found = bytearray(data)
        if not self._tokens and self._random.random() < 0.2:
            return self._random.randbytes(self._random.randint(1, self._most))
        if self._random.random() < 0.15:
            other = self._random.choice(others)
            found[self._place(found) :] = other[self._place(other) :]
        for _ in range(self._random.randint(1, MOST_CHANGES)):
            self._random.choice(self._ways)(found)
        return bytes(found[: self._most])

    def _place(self, data: bytes | bytearray) -> int:
        return self._random.randint(0, len(data))

    def _span(self, data: bytearray) -> slice:
        start = self._place(data)
        return slice(start, start + self._random.choice((1, 1, 2, 4, 8, 32)))

    def _flip(self, data: bytearray) -> None:
        if data:
            data[self._random.randrange(len(data))] ^= 1 << self._random.randrange(8)

    def _put(self, data: bytearray) -> None:
        if data:
            number = self._random.choice(
                (self._random.choice(_TELLING), self._random.getrandbits(8))
            )
            data[self._random.randrange(len(data))] = number

    def _insert(self, data: bytearray) -> None:
        at = self._place(data)
        data[at:at] = self._random.randbytes(self._random.choice((1, 1, 2, 4, 8)))

    def _append(self, data: bytearray) -> None:
        data += self._random.randbytes(self._random.choice((1, 4, 16, 64)))

    def _delete(self, data: bytearray) -> None:
        del data[self._span(data)]

    def _repeat(self, data: bytearray) -> None:
        span = self._span(data)
        data[span.start : span.start] = data[span] * self._random.choice((1, 1, 2, MOST_REPEATED))

    def _move(self, data: bytearray) -> None:
        span = self._span(data)
        taken = data[span]
        del data[span]
        at = self._place(data)
        data[at:at] = taken

    def _token(self, data: bytearray) -> None:
        token = self._random.choice(self._tokens)
        at = self._place(data)
        instead = self._random.choice((0, 0, len(token), self._random.randint(0, 8)))
        data[at : at + instead] = token
