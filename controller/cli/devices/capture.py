"""``devices capture`` and ``devices pcap``: what goes over devices' lines; the same for Wireshark.

The rules:

- The table is not disturbed: what is not fetched in time is dropped by the controller, and said.
- The file is that of docs/captures.md; it is written as it comes, so an interrupted file is valid
  up to that point.
- Nothing is overwritten. Ctrl-C ends it in good order.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from controller.causes.finding import cause_of
from controller.causes.who_may import READ
from controller.cli.arguments import add_option, seconds
from controller.cli.connection import connect
from controller.cli.group import Group
from controller.cli.output import DONE, complain, print_answer, stream
from controller.control.answers import Portion
from controller.files.new_files import open_new
from controller.forms.json_values import JsonObject, checked
from controller.not_done import NOT_WELL, WRONG_USE, NotDone
from controller.regular_files import read_whole
from drivers.capture.format import dropped, end_line
from drivers.capture.pcapng import packets, write
from drivers.capture.reader import BadCapture, capture_of

ALL: Final = "all"
"""What the controller calls all devices that can be captured."""
MOST_S: Final = 86_400.0
MOST_BYTES: Final = 1 << 28
"""Of a capture that is read: more than a day of a busy table."""


def register_capture(group: Group) -> None:
    """Add the commands."""
    capture = group.command("capture", _capture, "A device's traffic, decoded, as it happens")
    add_option(capture, "name NAME", "as the configuration calls it", nargs="?", known="device")
    add_option(capture, "--all", "instead of NAME: every device")
    add_option(capture, "--seconds N", "for how long (until Ctrl-C)", type=seconds(MOST_S))
    add_option(capture, "--out FILE", "write it there, too")
    pcap = group.command("pcap", _pcap, "A capture as Wireshark reads it")
    add_option(pcap, "capture CAPTURE", "a file of devices capture")
    add_option(pcap, "out FILE", "the pcapng file to write")


def _capture(options: argparse.Namespace) -> int:
    if (options.name is None) != options.all:
        raise NotDone(WRONG_USE, "devices capture: name a device, or give --all")
    with contextlib.ExitStack() as open_files:
        client = open_files.enter_context(connect(options))
        portions = client.capture(ALL if options.all else options.name)
        first = next(portions)
        file = None
        out: Path | None = options.out
        if out is not None:
            file = open_files.enter_context(open_new(out))
        writer = _Writer(file, as_json=options.json)
        writer.write_head(checked(dict[str, object], first.get("head"), "head"))
        with contextlib.suppress(KeyboardInterrupt):
            for portion in _for(options.seconds, first, portions):
                writer.portion(portion)
        writer.write_end()
    return DONE


def _pcap(options: argparse.Namespace) -> int:
    try:
        capture = capture_of(options.capture, read_whole(options.capture, MOST_BYTES))
    except BadCapture as error:
        raise NotDone(NOT_WELL, str(error)) from error
    except OSError as error:
        raise NotDone(
            WRONG_USE,
            f"{options.capture} cannot be read: {cause_of(error, options.capture, wants=READ)}",
        ) from error
    out: Path = options.out
    with open_new(out) as file:
        write(capture, file)
    summary = {"packets": packets(capture), "missing": capture.missing, "trouble": capture.trouble}
    print_answer(options, summary, [f"{options.out}: {summary['packets']} packets"])
    if capture.missing and not options.json:
        complain(f"{options.capture}: {capture.missing} messages were not captured")
    if capture.trouble and not options.json:
        complain(f"{options.capture}: {capture.trouble}")
    return DONE


def _for(seconds: float | None, first: Portion, rest: Iterator[Portion]) -> Iterator[Portion]:
    """The portions, until the time is over and what had come by then is written."""
    until = None if seconds is None else time.monotonic() + seconds
    yield first
    for portion in rest:
        yield portion
        if until is not None and time.monotonic() >= until and not portion["more"]:
            return


class _Writer:
    """Tells what comes: as text or JSON lines on the terminal, and as JSON lines in a file."""

    def __init__(self, file: BinaryIO | None, *, as_json: bool) -> None:
        self._file = file
        self._as_json = as_json
        self._began_ns = 0
        self._width = 0
        self._messages = 0
        self._dropped = 0

    def write_head(self, head: JsonObject) -> None:
        self._began_ns = checked(int, head["began_ns"], "began_ns")
        names = list(checked(dict[str, object], head["devices"], "devices"))
        self._width = max(map(len, names)) + 1 if len(names) > 1 else 0
        self._write(head, f"{', '.join(names)} from {head['began']}")
        self._let_out()

    def portion(self, portion: Portion) -> None:
        for line in portion["lines"]:
            self._messages += 1
            at_s = (checked(int, line["at_ns"], "at_ns") - self._began_ns) / 1e9
            name = str(line["device"])[: self._width].ljust(self._width)
            self._write(line, f"{at_s:10.3f} {name}{seen_in_words(line)}".rstrip())
        if portion["dropped"]:
            self._dropped += portion["dropped"]
            lost = dropped(portion["dropped"])
            self._write(lost, f"  {portion['dropped']} messages not captured: they came too fast")
        self._let_out()

    def write_end(self) -> None:
        self._write(end_line(self._messages, self._dropped), "")
        if not self._as_json:
            complain(f"{self._messages} messages, {self._dropped} not captured")

    def _let_out(self) -> None:
        sys.stdout.flush()
        if self._file is not None:
            self._file.flush()

    def _write(self, value: JsonObject, text: str) -> None:
        line = json.dumps(value)
        if self._file is not None:
            self._file.write(f"{line}\n".encode("ascii"))
        if self._as_json:
            stream(line)
        elif text:
            stream(text)


def seen_in_words(line: JsonObject) -> str:
    """What a line tells, as a person reads it."""
    if "port" in line:
        reason = f": {line['reason']}" if line.get("reason") else ""
        return f"-- the port was {line['port']}{reason}"
    if "bytes" in line:
        return f"<- no frame in {line['bytes']}"
    given = checked(dict[str, object], line["fields"], "fields")
    fields = " ".join(f"{name}={_value(value)}" for name, value in given.items())
    arrow = "->" if line["dir"] == "out" else "<-"
    number = "" if not line["id"] else f" #{line['id']}"
    return f"{arrow} {line['message']}{number} {fields}"


def _value(value: object) -> str:
    return ".".join(map(str, value)) if isinstance(value, list) else str(value)
