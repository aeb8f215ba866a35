"""A file that keeps the blocks of some runs that are done, so that they go on after any end.

It is lines, each the first 16 digits of the SHA-256 of what follows it, and JSON: first what the
runs are for and their seed, then sums of some blocks of a run each. Lines are only added. One that
is not right, as the last may be when the machine has lost its power, ends what is read: it is
dropped and what is behind it. Without a right first line the file is refused and left as it is.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import math
import os
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Self, TypedDict

from controller.forms.json_values import WrongForm, checked
from controller.not_done import NOT_WELL, WRONG_USE, NotDone
from controller.regular_files import open_regular, read_regular
from figures.edges.jobs import RunSums, SeededRun
from figures.games.games import Played
from figures.kernel.blocks import ROUNDS, SUM_NET, TALLY
from figures.kernel.felt import SEEN, SIZE

DIGITS: Final = 16
EVERY_S: Final = 1.0
MOST_HEAD: Final = 1000
"""Bytes of a first line."""


class _Head(TypedDict):
    job: str
    seed: int


class _Line(TypedDict):
    run: str
    blocks: list[list[int]]
    tally: Mapping[str, int]
    seen: list[int]
    shoes: int
    refills: int


def job_of(runs: Sequence[SeededRun]) -> str:
    """What a file of these runs is for: SHA-256 of all that decides what they come to."""
    return hashlib.sha256("".join(run.digest for run in runs).encode("ascii")).hexdigest()


def kept_seed(path: Path) -> int | None:
    """The seed of the runs that are kept there; None where there are none."""
    try:
        with read_regular(path) as file:
            return checked(_Head, _value_of_line(file.readline(MOST_HEAD)))["seed"]
    except (OSError, WrongForm):  # what is wrong there is told when it is opened
        return None


class RunFile:
    """The file at ``path`` of runs by ``seed`` for ``job``, made where there is none; a context
    manager. ``dropped`` is how many bytes at its end were not right.

    Raises:
        NotDone: 1, it cannot be read or written; 2, it is of another job.
    """

    def __init__(self, path: Path, job: str, seed: int, every_s: float = EVERY_S) -> None:
        self.dropped = 0
        self._path = path
        self._every_s = every_s
        self._sums = defaultdict[str, RunSums](RunSums)
        self._new = defaultdict[str, RunSums](RunSums)
        self._written, self._right = -math.inf, 0
        try:
            self._fd = open_regular(path, os.O_RDWR | os.O_CREAT)
        except OSError as error:
            raise self._failed(error) from error
        try:
            self._load_lines({"job": job, "seed": seed})
        except OSError as error:
            os.close(self._fd)
            raise self._failed(error) from error
        except BaseException:
            os.close(self._fd)
            raise

    def sums_of(self, run: SeededRun) -> RunSums:
        """What it has of a run.

        Raises:
            NotDone: 2, it was begun with another number of rounds.
        """
        for number, (rounds, _) in self._sums[run.digest].blocks.items():
            if run.rounds_of(number) != rounds:
                raise NotDone(
                    WRONG_USE,
                    f"--resume {self._path}: its block {number} has {rounds} rounds, in this run"
                    f" {run.rounds_of(number)}; ask for as many rounds as it was begun with",
                )
        return self._sums[run.digest]

    def add(self, run: SeededRun, number: int, played: Played) -> None:
        """Keep a block of a run; it is on the disk within about a second, or at the end."""
        self._new[run.digest].add(number, played)
        if time.monotonic() - self._written >= self._every_s:
            self.write()

    def write(self) -> None:
        """Put what is not yet there on the disk."""
        lines = [_line_of(run, sums) for run, sums in self._new.items()]
        self._new.clear()  # whatever comes of it, it is written once
        if lines:
            self._append(lines)
        self._written = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.write()
        finally:
            os.close(self._fd)

    def _load_lines(self, wanted: _Head) -> None:
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise NotDone(NOT_WELL, f"--resume {self._path}: another run writes it now") from error
        text = b""
        while part := os.read(self._fd, 1 << 20):
            text += part
        head: _Head | None = None
        right = 0
        for line in text.splitlines(keepends=True):
            try:
                if head is None:
                    head = checked(_Head, _value_of_line(line))
                else:
                    kept = checked(_Line, _value_of_line(line))
                    sums, more = self._sums[kept["run"]], _sums_of(kept)
                    if sums.blocks.keys() & more.blocks.keys():
                        break
                    sums.merge(more)
            except WrongForm:
                break
            right += len(line)
        if text and head != wanted:
            found = "is of another game, seed, block or version" if head else "is no such file"
            raise NotDone(
                WRONG_USE, f"--resume {self._path}: it {found}; name another file to begin anew"
            )
        self.dropped = len(text) - right
        os.ftruncate(self._fd, right)
        os.lseek(self._fd, right, os.SEEK_SET)
        self._right = right
        if not right:
            self._append([wanted])

    def _append(self, values: Iterable[object]) -> None:
        lines = memoryview(b"".join(map(_encoded, values)))
        try:
            while lines:
                lines = lines[os.write(self._fd, lines) :]
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


def _encoded(value: object) -> bytes:
    content = json.dumps(value, separators=(",", ":")).encode("ascii")
    return _digest(content) + b" " + content + b"\n"


def _value_of_line(line: bytes) -> object:
    """The value of a line; None: it is not right."""
    digest, _, content = line.partition(b" ")
    if not content.endswith(b"\n") or digest != _digest(content[:-1]):
        return None
    value: object = json.loads(content)
    return value


def _line_of(run: str, sums: RunSums) -> object:
    played = sums.played
    return {
        "run": run,
        "blocks": [[number, *of] for number, of in sorted(sums.blocks.items())],
        "tally": {str(place): count for place, count in enumerate(played.tally) if count},
        "seen": played.seen,
        "shoes": played.shoes,
        "refills": played.refills,
    }


def _sums_of(line: _Line) -> RunSums:
    """The sums of a line.

    Raises:
        WrongForm: they are no such sums, or not those of its blocks.
    """
    tally = [line["tally"].get(str(place), 0) for place in range(TALLY)]
    seen, shoes, refills = line["seen"], line["shoes"], line["refills"]
    if len(seen) != SIZE - SEEN or min(shoes - 1, refills, *seen) < 0:
        raise WrongForm("seen, shoes, refills")
    if not all(len(block) == len(("number", "rounds", "net")) for block in line["blocks"]):
        raise WrongForm("blocks")
    blocks = {number: (rounds, net) for number, rounds, net in line["blocks"]}
    if [sum(column) for column in zip(*blocks.values(), strict=True)] != [
        tally[ROUNDS],
        tally[SUM_NET],
    ]:
        raise WrongForm("blocks, tally")
    return RunSums(Played(tally, seen, shoes, refills), blocks)
