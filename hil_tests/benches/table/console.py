"""The console of whoever is at the table: what is to be done is asked for, what is seen is asked.

- It is the terminal that the run was started from (``/dev/tty``), whatever pytest does to its
  input and output; or another one that is named.
- Every question has a limit. What was asked and what was answered goes into the report's steps.
- ``n`` to a request means that it cannot be done: the scenario fails and says so.
"""

from __future__ import annotations

import os
import select
import termios
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from hil_tests.bench.steps import step

TERMINAL: Final = Path("/dev/tty")
LIMIT_S: Final = 600.0
"""Somebody may have to fetch a ladder."""

NO: Final = ("n", "no")
YES: Final = ("y", "yes")
READ_BYTES: Final = 1024
TRIES: Final = 3
MOST_SHOWN: Final = 8


class NobodyThere(Exception):
    """There is no terminal, or nobody has answered in time."""


class NotDone(AssertionError):
    """The person says that it cannot be done."""


class Console:
    """A terminal with somebody at it; opened when it is first used."""

    def __init__(self, terminal: Path = TERMINAL, limit_s: float = LIMIT_S) -> None:
        self._terminal = terminal
        self._limit_s = limit_s
        self._fd = -1

    @step
    def please(self, request: str) -> None:
        """Have something done.

        Raises:
            NotDone: it cannot be.
            NobodyThere: nobody says anything in time.
        """
        told = self._answer_to(f"{request}, then press Enter (n: it cannot be done): ")
        if told.lower() in NO:
            raise NotDone(f"{request}: the person at the table says that it cannot be done")

    @step
    def ask_which(self, question: str, answers: Sequence[str]) -> str:
        """What is to be seen: one of ``answers``, asked until it is one of them.

        Raises:
            NobodyThere: nobody says anything in time, or nothing of that.
        """
        for _ in range(TRIES):
            told = self._answer_to(f"{question} {_choice(answers)}: ").lower()
            if told in YES + NO:
                told = {"y": "yes", "n": "no"}.get(told, told)
            if told in answers:
                return told
            self._write(f"  One of {_choice(answers)} is expected.\n")
        raise NobodyThere(f"{question}: none of {_choice(answers)} in {TRIES} tries")

    def close(self) -> None:
        """Give the terminal back."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _answer_to(self, text: str) -> str:
        self.open()
        termios.tcflush(self._fd, termios.TCIFLUSH)  # an Enter too many answers nothing
        self._write(f"\n>>> {text}")
        until = time.monotonic() + self._limit_s
        line = b""
        while not line.endswith(b"\n"):
            left_s = until - time.monotonic()
            if left_s <= 0 or not select.select([self._fd], [], [], left_s)[0]:
                raise NobodyThere(f"{text!r}: nobody has answered within {self._limit_s:g} s")
            piece = os.read(self._fd, READ_BYTES)
            if not piece:
                raise NobodyThere(f"{text!r}: the terminal has been closed")
            line += piece
        return line.decode(errors="replace").strip()

    def open(self) -> None:
        """Take the terminal; raises :class:`NobodyThere` when there is none."""
        if self._fd < 0:
            try:
                self._fd = os.open(self._terminal, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
            except OSError as error:
                raise NobodyThere(
                    f"{self._terminal}: {error.strerror}; run it from a terminal, somebody must be "
                    "at the devices"
                ) from error

    def _write(self, text: str) -> None:
        os.write(self._fd, text.encode())


def _choice(answers: Sequence[str]) -> str:
    told = " / ".join(answers) if len(answers) <= MOST_SHOWN else f"{answers[0]} to {answers[-1]}"
    return f"[{told}]"
