"""The console of whoever is at the table: what is to be done is asked for, what is seen is asked.

- It is the terminal that the run was started from (``/dev/tty``), whatever pytest does to its
  input and output; or another one that is named.
- Every question has a limit. What was asked and what was answered goes into the report's steps.
- ``n`` to a request means that it cannot be done: the scenario fails and says so.
- The verbs that are put in words are those of a twin's hands. One that has none no person can do:
  a scenario that wants it needs ``hands`` of its bench.
"""

from __future__ import annotations

import os
import select
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from drivers.vocabulary import PLAIN_KINDS
from hil_tests.bench.interface import CannotError
from hil_tests.bench.steps import step

FRONT: Final = 8
"""Cards of a stacked set that a person is told: what the round of the strategy needs, with the one
that is burned. Those behind it are as they come."""

MARKS: Final = {"force": "although the gate is locked", "together": "together with the one before"}


def request(kind: str, verb: str, arguments: Mapping[str, Any]) -> str:
    """One sentence, without "please" and full stop.

    Raises:
        CannotError: no person does that to a real device.
    """
    device = f"the {PLAIN_KINDS.get(kind, kind)}"
    match verb, dict(arguments):
        case "draw", {**given} if given.keys() <= {"count", *MARKS}:
            count = int(given.get("count", 1))
            how = [words for mark, words in MARKS.items() if given.get(mark)]
            cards = "one card" if count == 1 else f"{count} cards, one after the other,"
            let = [] if given.get("force") else ["as soon as its gate lets you"]
            return " ".join([f"Draw {cards} out of {device}", *let, *how])
        case "lid", {"open": bool(opened)}:
            return f"{'Open' if opened else 'Close'} the lid of {device}"
        case "cover", {"open": bool(opened)}:
            return f"{'Open' if opened else 'Close'} the cover of {device}"
        case "press", {}:
            return "Press the button once and let it go"
        case "key", {"keys": str(keys)}:
            return f"Press these keys of {device} one after the other: {' '.join(keys)}"
        case "switch", {"supervisor": bool(on)}:
            return f"Turn the key switch of {device} {'on' if on else 'off'}"
        case "unplug", {**given} if not given:
            return f"Pull the data cable of {device}"
        case "plug", {}:
            return f"Plug the data cable of {device} in again"
        case "power", {"on": bool(on)}:
            return f"Switch {device} {'on' if on else 'off'} (its power, not its cable)"
        case "load", {"cards": [*cards]}:
            return (
                f"Load {device} with a shuffled set, these cards in front of it, the first to "
                f"leave first: {' '.join(map(str, cards[:FRONT]))}; then close its lid"
            )
        case "load", _:
            return f"Load {device} with a whole shuffled set and close its lid"
        case "stack", {"cards": cards}:
            told = cards if isinstance(cards, str) else " ".join(cards)
            front = f"put these cards in front, the first to leave first: {told}"
            return f"Open {device}, {front}; take as many out behind"
    raise CannotError(f"{verb} at {device}: no person can do that")


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
