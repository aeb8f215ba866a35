"""How ``tablectl`` prints, JSON a line at a time, complaints elsewhere; and its exit codes.

Installers and floor systems rely on the codes. What each says is :data:`MEANING`, which the man
pages and the page of all commands have, too.

The rules:

- What was asked for goes to standard output, everything else to standard error. JSON is ASCII, so
  it survives any terminal and any locale; what a terminal cannot show of other text, or would obey,
  is escaped.
- A standard stream closed by the parent process counts as having no reader.
- A reader may stop reading: the rest is discarded, but the command still runs to its exit status,
  which is a result too. Only what may go on for ever or for very long (``stream``) stops there,
  with :class:`BrokenPipeError`.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final, TextIO

from controller.not_done import NOT_PERMITTED, NOT_WELL, WRONG_USE
from controller.regular_files import lead_nowhere
from controller.verbs import INTERRUPTED
from drivers.printable import printable

DONE: Final = 0
NO_CONTROLLER: Final = 4
MEANING: Final = {
    DONE: "done",
    NOT_WELL: "the thing checked is not well, or a file could not be read or written",
    WRONG_USE: "wrong use, or a wrong configuration",
    NOT_PERMITTED: "not permitted now, or not to this user",
    NO_CONTROLLER: "no controller answers; where a command was under way it may have been done",
    INTERRUPTED: "interrupted (Ctrl-C)",
}
"""What a code says, in the words of a manual."""


def prepare() -> None:
    """Make both streams such that writing text to them cannot fail for the text's sake."""
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def print_line(text: str = "") -> None:
    """A line of what was asked for."""
    _write(sys.stdout, f"{text}\n")


def print_json(value: object) -> None:
    """A value as one line of JSON."""
    _write(sys.stdout, json.dumps(value, allow_nan=False) + "\n")


def print_answer(options: argparse.Namespace, value: object, lines: Iterable[str]) -> None:
    """What was asked for: the value with ``--json``, else these lines, which are not made before
    they are needed where a generator makes them."""
    if options.json:
        print_json(value)
    else:
        print_line("\n".join(lines))


def stream(text: str) -> None:
    """A line of many; ``BrokenPipeError`` when nobody reads any more."""
    sys.stdout.write(f"{printable(text, lines=True)}\n")


def clear_screen() -> None:
    """Have the terminal begin anew at its top."""
    sys.stdout.write("\x1b[H\x1b[2J")


def complain(text: str) -> None:
    """A message for the person, on standard error."""
    finish()
    _write(sys.stderr, f"tablectl: {text}\n")


def finish() -> None:
    """Let out what was said so far; ``OSError`` when it cannot be kept (a full disk), once."""
    try:
        sys.stdout.flush()
    except OSError as error:
        lead_nowhere(sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            raise


def _write(to: TextIO, text: str) -> None:
    try:
        to.write(printable(text, lines=True))
    except BrokenPipeError:
        lead_nowhere(to.fileno())


def _nowhere() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")
