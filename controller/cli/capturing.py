"""``devices capture``: what goes over a device's line, decoded, as it happens.

The rules:

- The table is not disturbed: what is not fetched in time is dropped by the controller, and said.
- The file holds JSON lines, in order: one ``capture`` (version of the format, device, when it began
  by the wall clock), a line for each message (``t_ms`` since then, ``dir`` ``in`` or ``out`` as
  seen from the controller, ``raw`` in hexadecimal without serial framing, ``message``, ``id``,
  ``fields``), ``{"dropped": N}`` where messages are missing, and one ``end`` with what there was.
- Nothing is overwritten. Ctrl-C ends it in good order.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

from controller.cli.connection import connect
from controller.cli.exits import DONE, WRONG_USE, CommandFailed
from controller.cli.output import complain, stream

if TYPE_CHECKING:
    from controller.cli.commands import Group

FORMAT: Final = 1
MOST_S: Final = 86_400.0


def register_capture(group: Group) -> None:
    """Add the command."""
    capture = group.command("capture", _capture, "A device's traffic, decoded, as it happens")
    capture.add_argument("name", metavar="NAME", help="as the configuration calls it")
    capture.add_argument(
        "--seconds", metavar="N", type=_seconds, help="for how long (until Ctrl-C)"
    )
    capture.add_argument("--out", metavar="FILE", type=Path, help="write JSON lines there, too")


def _seconds(text: str) -> float:
    with contextlib.suppress(ValueError):
        if 0 < float(text) <= MOST_S:
            return float(text)
    raise argparse.ArgumentTypeError(f"{text!r}: expected seconds, at most {MOST_S:.0f}")


def _capture(options: argparse.Namespace) -> int:
    with contextlib.ExitStack() as open_files:
        client = open_files.enter_context(connect(options))
        portions = client.capture(options.name)
        first = next(portions)
        file = None
        if options.out is not None:
            try:
                file = open_files.enter_context(options.out.open("x", encoding="ascii"))
            except FileExistsError:
                raise CommandFailed(
                    WRONG_USE, f"{options.out} is there already: name another file"
                ) from None
            except OSError as error:
                raise CommandFailed(WRONG_USE, f"{options.out}: {error.strerror}") from error
        writer = _Writer(file, as_json=options.json)
        writer.begin(first)
        with contextlib.suppress(KeyboardInterrupt):
            for portion in _for(options.seconds, first, portions):
                writer.portion(portion)
        writer.end()
    return DONE


def _for(
    seconds: float | None, first: Mapping[str, Any], rest: Iterator[Mapping[str, Any]]
) -> Iterator[Mapping[str, Any]]:
    """The portions, until the time is over and what had come by then is told."""
    until = None if seconds is None else time.monotonic() + seconds
    yield first
    for portion in rest:
        yield portion
        if until is not None and time.monotonic() >= until and not portion["more"]:
            return


class _Writer:
    """Tells what comes: as text or JSON lines on the terminal, and as JSON lines in a file."""

    def __init__(self, file: TextIO | None, *, as_json: bool) -> None:
        self._file = file
        self._as_json = as_json
        self._messages = 0
        self._dropped = 0

    def begin(self, first: Mapping[str, Any]) -> None:
        head = {"capture": FORMAT, "device": first["device"], "began": first["began"]}
        self._write(head, f"{first['device']} from {first['began']}")
        self._let_out()

    def portion(self, portion: Mapping[str, Any]) -> None:
        for frame in portion["frames"]:
            self._messages += 1
            self._write(frame, _line(frame))
        if portion["dropped"]:
            self._dropped += portion["dropped"]
            lost = {"dropped": portion["dropped"]}
            self._write(lost, f"  {portion['dropped']} messages not captured: they came too fast")
        self._let_out()

    def end(self) -> None:
        told = {"messages": self._messages, "dropped": self._dropped}
        self._write({"end": told}, "")
        if not self._as_json:
            complain(f"{self._messages} messages, {self._dropped} not captured")

    def _let_out(self) -> None:
        """Whoever follows the terminal or the file sees what has come."""
        sys.stdout.flush()
        if self._file is not None:
            self._file.flush()

    def _write(self, value: Mapping[str, Any], text: str) -> None:
        line = json.dumps(value)
        if self._file is not None:
            self._file.write(f"{line}\n")
        if self._as_json:
            stream(line)
        elif text:
            stream(text)


def _line(frame: Mapping[str, Any]) -> str:
    """A message as a person reads it."""
    fields = " ".join(f"{name}={_value(value)}" for name, value in frame["fields"].items())
    arrow = "->" if frame["dir"] == "out" else "<-"
    number = "" if not frame["id"] else f" #{frame['id']}"
    text = f"{frame['t_ms'] / 1000:10.3f} {arrow} {frame['message']}{number} {fields}"
    return text.rstrip()


def _value(value: object) -> str:
    return ".".join(map(str, value)) if isinstance(value, list) else str(value)
