"""A file that keeps the blocks of a run that are done, so that it goes on after any end.

It is lines, each the first 16 digits of the SHA-256 of what follows it, and JSON: first the run's
digest, then sums of some blocks each. Lines are only added. One that is not right, as the last may
be when the machine has lost its power, ends what is read: it is dropped and what is behind it.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import math
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, Self, TypedDict

from controller.json_values import WrongForm, checked
from controller.not_done import NOT_WELL, WRONG_USE, NotDone
from controller.regular_files import open_regular
from figures.edges.jobs import Run, RunSums
from figures.games.games import Played
from figures.kernel.blocks import TALLY

DIGITS: Final = 16
EVERY_S: Final = 1.0


class _Head(TypedDict):
    run: str


class _Line(TypedDict):
    blocks: list[list[int]]
    tally: Mapping[str, int]
    seen: list[int]
    shoes: int
    refills: int


class Kept:
    """The file at ``path`` of a run, made where there is none; a context manager. ``sums`` are what
    it has; ``dropped`` how many bytes at its end were not right.

    Raises:
        NotDone: 1, it cannot be read or written; 2, it is of another run.
    """

    def __init__(self, path: Path, run: Run, every_s: float = EVERY_S) -> None:
        self.sums = RunSums()
        self.dropped = 0
        self._path = path
        self._every_s = every_s
        self._new, self._written, self._right = RunSums(), -math.inf, 0
        try:
            self._fd = open_regular(path, os.O_RDWR | os.O_CREAT)
        except OSError as error:
            raise self._failed(error) from error
        try:
            self._begin(run)
        except OSError as error:
            os.close(self._fd)
            raise self._failed(error) from error
        except BaseException:
            os.close(self._fd)
            raise

    def add(self, number: int, played: Played) -> None:
        """Keep a block; it is on the disk within about a second, or at the end."""
        self._new.add(number, played)
        if time.monotonic() - self._written >= self._every_s:
            self.write()

    def write(self) -> None:
        """Put what is not yet there on the disk."""
        new, self._new = self._new, RunSums()  # whatever comes of it, it is written once
        if new.blocks:
            self._append(_line_of(new))
        self._written = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.write()
        finally:
            os.close(self._fd)

    def _begin(self, run: Run) -> None:
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise NotDone(NOT_WELL, f"--resume {self._path}: another run writes it now") from error
        text = b""
        while part := os.read(self._fd, 1 << 20):
            text += part
        head, right = "", 0
        for line in text.splitlines(keepends=True):
            if (value := _read(line)) is None:
                break
            try:
                if not right:
                    head = checked(_Head, value)["run"]
                else:
                    more = _sums_of(checked(_Line, value))
                    if self.sums.blocks.keys() & more.blocks.keys():
                        break
                    self.sums.merge(more)
            except WrongForm:
                break
            right += len(line)
        if text and head != run.digest:
            found = "is of another game, seed, block or version" if head else "is no such file"
            raise NotDone(
                WRONG_USE, f"--resume {self._path}: it {found}; name another file to begin anew"
            )
        planned = {task.number: task.rounds for task in run.tasks()}
        for number, (rounds, _) in self.sums.blocks.items():
            if planned.get(number) != rounds:
                raise NotDone(
                    WRONG_USE,
                    f"--resume {self._path}: its block {number} has {rounds} rounds, in this run"
                    f" {planned.get(number, 0)}; ask for as many rounds as it was begun with",
                )
        self.dropped = len(text) - right
        os.ftruncate(self._fd, right)
        os.lseek(self._fd, right, os.SEEK_SET)
        self._right = right
        if not right:
            self._append({"run": run.digest})

    def _append(self, value: object) -> None:
        content = json.dumps(value, separators=(",", ":")).encode("ascii")
        line = memoryview(_digest(content) + b" " + content + b"\n")
        try:
            while line:
                line = line[os.write(self._fd, line) :]
            os.fsync(self._fd)
        except OSError as error:
            with suppress(OSError):  # nothing of a line is left behind the last whole one
                os.ftruncate(self._fd, self._right)
            raise self._failed(error) from error
        self._right = os.lseek(self._fd, 0, os.SEEK_CUR)

    def _failed(self, error: OSError) -> NotDone:
        return NotDone(NOT_WELL, f"--resume {self._path}: {error.strerror or error}")


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest()[:DIGITS].encode("ascii")


def _read(line: bytes) -> object:
    """The value of a line; None: it is not right."""
    digest, _, content = line.partition(b" ")
    if not content.endswith(b"\n") or digest != _digest(content[:-1]):
        return None
    value: object = json.loads(content)
    return value


def _line_of(sums: RunSums) -> object:
    played = sums.played
    return {
        "blocks": [[number, *of] for number, of in sorted(sums.blocks.items())],
        "tally": {str(place): count for place, count in enumerate(played.tally) if count},
        "seen": played.seen,
        "shoes": played.shoes,
        "refills": played.refills,
    }


def _sums_of(line: _Line) -> RunSums:
    tally = [line["tally"].get(str(place), 0) for place in range(TALLY)]
    played = Played(tally, line["seen"], line["shoes"], line["refills"])
    return RunSums(played, {number: (rounds, net) for number, rounds, net in line["blocks"]})
