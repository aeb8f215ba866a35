"""The person who tries a device: what he is told and asked, and what he answers.

The rules:

- He is spoken to on standard error, so that with ``--json`` standard output has the result alone.
- An answer is a line of standard input: ``y`` or ``n``; an empty line goes on, or ends a wait.
- Where there is nobody (the end of the input), a question has no answer: what could not be seen is
  not passed.
"""

from __future__ import annotations

import os
import select
import sys
from typing import Final, TextIO

from drivers.printable import printable

ANSWERS: Final = {"y": True, "yes": True, "n": False, "no": False}
READ_BYTES: Final = 4096


class PersonAtTerminal:
    """At ``reading``, a descriptor, and before ``screen``."""

    def __init__(self, reading: int = 0, screen: TextIO | None = None) -> None:
        self._reading = reading
        self._screen = sys.stderr if screen is None else screen
        self._typed = b""
        self._there = True
        self._passing = False

    def write_line(self, text: str) -> None:
        """Say something that stays."""
        self._clear()
        self._screen.write(printable(text, lines=True) + "\n")
        self._screen.flush()

    def pass_by(self, text: str) -> None:
        """Say how far it is: on a terminal, in place of what was said so before."""
        if self._screen.isatty():
            self._clear()
            self._screen.write(printable(text)[:78])
            self._screen.flush()
            self._passing = True

    def confirm(self, question: str) -> bool | None:
        """Whether it is so; None where nobody answers."""
        self.write_line(f"? {question} [y/n]")
        while (answer := self._line(None)) is not None:
            if (said := ANSWERS.get(answer.strip().lower())) is not None:
                return said
            self.write_line("  y or n")
        return None

    def answer(self, question: str) -> str | None:
        """What is typed to a question, "" for an empty line; None where nobody answers."""
        self.write_line(f"? {question}")
        line = self._line(None)
        return None if line is None else line.strip()

    def goes_on(self, text: str) -> bool:
        """Tell him what to do, and wait until he has; False where nobody is."""
        self.write_line(f"> {text}, then Enter")
        return self._line(None) is not None

    def typed(self) -> bool:
        """Whether he has typed a line meanwhile, which is an end to waiting."""
        return self._line(0) is not None

    def _line(self, within_s: float | None) -> str | None:
        """The next line; None where there is none in that time, or none any more."""
        while b"\n" not in self._typed and self._there:
            if not select.select([self._reading], [], [], within_s)[0]:
                return None
            data = os.read(self._reading, READ_BYTES)
            self._there = bool(data)
            self._typed += data
        line, newline, self._typed = self._typed.partition(b"\n")
        return line.decode("utf-8", "replace") if newline or line else None

    def _clear(self) -> None:
        if self._passing:
            self._screen.write("\r\x1b[K")
            self._passing = False
