"""``setup``: commissioning of a table (:mod:`controller.commissioning.steps`), and what is said of
it: to a person in sections, to a script as one object.

``--json``: ``found`` (every place with who answers), ``devices`` (by name: ``port`` or ``usb`` of
the configuration, ``at``, ``kind``, ``serial``, ``firmware``), ``configuration`` (``path``,
``changed``, ``diff``), ``udev`` (``path``, ``changed``, ``names``: each with ``old`` and ``new``
number), ``tests`` (``name``, ``ok``, ``what``), ``problems``, ``left`` (what is left to do),
``written`` (files) and ``started``.
"""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields

from controller.cli.arguments import add_option, integer
from controller.cli.configuration import facts
from controller.cli.connection import socket_path
from controller.cli.draw import odds_lines
from controller.cli.group import Group
from controller.cli.journal.key import CONFIGURATION, STORE, UNIT
from controller.cli.output import DONE, finish, print_json, print_line
from controller.cli.person import PersonAtTerminal
from controller.commissioning.account import Account
from controller.commissioning.choice import Chosen
from controller.commissioning.machine_tests import TestOutcome
from controller.commissioning.place import RULES, DevicePlace, read_names
from controller.commissioning.this_machine import Attendant, ThisMachine
from controller.commissioning.written_files import NewText
from controller.configuration.keys import FASTEST, SLOWEST
from controller.configuration.model import Configuration
from controller.draw.odds import describe
from controller.evidence.keys.credential import BINDINGS
from controller.forms.json_values import JsonObject
from controller.not_done import NOT_WELL, NotDone
from controller.plain_text import columns
from controller.regular_files import MARK


def as_json(account: Account) -> JsonObject:
    """For a script."""
    udev, config = account.files
    return {
        "found": [place.as_json() for place in account.found],
        "devices": {name: _device(one) for name, one in account.devices.items()},
        "configuration": {
            "path": str(config.path),
            "changed": config.differs,
            "diff": diff(config),
        },
        "udev": {
            "path": str(udev.path),
            "changed": udev.differs,
            "names": {name: {"old": old, "new": new} for name, old, new in bindings(udev)},
        },
        "tests": [dict(test) for test in account.tests],
        "problems": account.problems,
        "left": account.left,
        "written": account.written,
        "started": account.started,
    }


def _device(one: Chosen) -> JsonObject:
    place = one.place
    return {
        one.key: one.value,
        "at": place.port,
        "kind": one.kind,
        "serial": place.serial,
        "firmware": place.firmware,
    }


class ToldSetup:
    """What a person is told of each step, in sections; nothing where it is ``quiet``."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet

    def show_places(self, places: Sequence[DevicePlace]) -> None:
        """See :class:`controller.commissioning.steps.Listener`."""
        self._print_lines(_place_lines(places))

    def names(self, udev: NewText) -> None:
        """See :class:`controller.commissioning.steps.Listener`."""
        self._print_lines(_names(udev))

    def proposed(self, file: NewText, config: Configuration) -> None:
        """What is to stand in the configuration, and what its weights return."""
        self._print_lines(_proposed(file, config))

    def tested(self, tests: Sequence[TestOutcome]) -> None:
        """The tests, each with how it went."""
        rows = (("ok" if test["ok"] else "!!", test["name"], test["what"]) for test in tests)
        self._print_lines(("Tests", columns(rows)))

    def listed(self, heading: str, items: Sequence[str]) -> None:
        """A list under a heading; nothing where it is empty."""
        if items:
            self._print_lines((heading, *(f"  - {item}" for item in items)))

    def _print_lines(self, lines: Iterable[str]) -> None:
        text = "\n".join(lines)
        if text and not self._quiet:
            print_line(f"{text}\n")
            finish()


def _place_lines(places: Sequence[DevicePlace]) -> Iterator[str]:
    yield "Plugged in"
    rows = []
    for place in places:
        at = place.at
        number = at.number or ("no serial number" if at.usb else "")
        on = " ".join(filter(None, (at.usb, "" if place.is_unit else number)))
        rows.append((at.path, on or at.description, _device_words(place)))
    yield columns(rows) or "  nothing: no serial port, no USB unit"


def _device_words(place: DevicePlace) -> str:
    held = f"; {place.held_by} has it" if place.held_by else ""
    if not place.kind:
        return place.trouble.removeprefix(f"{place.port}: ")
    trouble = f"; {place.trouble}" if place.trouble else ""
    return f"{place.kind} {place.serial}, firmware {place.firmware}{held}{trouble}"


def _names(udev: NewText) -> Iterator[str]:
    changed = [(name, old, new) for name, old, new in bindings(udev) if old != new]
    if not changed:
        return
    yield f"Names of ports, {udev.path}"
    yield columns(
        (f"/dev/table/{name}", f"{old or 'new'}", "->", new or "taken out")
        for name, old, new in changed
    )


def bindings(udev: NewText) -> Iterator[tuple[str, str | None, str | None]]:
    """Each name with the number that it is bound to, before and then."""
    old, new = read_names(udev.before or ""), read_names(udev.text)
    for name in dict.fromkeys((*old, *new)):
        yield name, old.get(name), new.get(name)


def _proposed(file: NewText, config: Configuration) -> Iterator[str]:
    if file.before is None:
        yield f"Configuration, new: {file.path}"
        yield from (f"  {line}".rstrip() for line in file.text.splitlines())
    elif file.differs:
        yield f"Configuration, changed: {file.path}"
        yield from (f"  {line}" for line in diff(file))
    else:
        yield f"Configuration, as it is: {file.path}"
    yield ""
    elsewhere = ("SHA-256", "multiplier", "archive")
    yield columns(fact for fact in facts(config) if fact[0] not in elsewhere)
    if config.weights is not None:
        yield ""
        yield from odds_lines(describe(config.weights, config.table.decks), config.weights.identity)


def diff(file: NewText) -> list[str]:
    """The lines that differ, with one around them."""
    old, new = (file.before or "").splitlines(), file.text.splitlines()
    return list(difflib.unified_diff(old, new, "before", "proposed", n=1, lineterm=""))


def register(top: Group) -> None:
    """Add the command."""
    setup = top.command("setup", _setup)
    add_option(setup, "--config FILE", "where it is written", default=CONFIGURATION)
    add_option(setup, "--udev FILE", "the rules with names of ports", default=RULES)
    add_option(
        setup,
        "--set KEY=VALUE",
        "any key of the configuration, as table.min=25; again for others",
        type=_pair,
        action="append",
        default=[],
    )
    add_option(setup, "--unset KEY", "take a key or table out", action="append", default=[])
    add_option(
        setup,
        "--device NAME=PORT",
        "which device is where, as shoe=/dev/ttyUSB0; else found by asking every port",
        type=_pair,
        action="append",
        default=[],
    )
    add_option(
        setup,
        "--port PORT",
        "ask at this port, too: one that is not on USB",
        action="append",
        default=[],
    )
    add_option(setup, "--baud N", "of serial ports", type=integer(SLOWEST, FASTEST), default=115200)
    add_option(setup, "--yes", "write without asking")
    add_option(setup, "--dry-run", "show all, write nothing")
    add_option(setup, "--start", "enable and start the service when all is written")
    add_option(setup, "--page FILE", "install the key, its page for the safe there")
    add_option(
        setup, "--with-key", "what the key is encrypted with", choices=BINDINGS, default="auto"
    )
    add_option(setup, "--credential FILE", "where the key is stored", default=STORE)
    add_option(setup, "--unit DIR", "of the unit's drop-ins", default=UNIT)


def _pair(text: str) -> tuple[str, str]:
    # What was copied out of a file may have the file's byte order mark before it.
    key, sign, value = (part.removeprefix(MARK).strip() for part in text.partition("="))
    if not (sign and key and value):
        raise argparse.ArgumentTypeError(f"{text!r}: expected a name, '=' and what it is")
    return key, value


def _setup(options: argparse.Namespace) -> int:
    somebody = sys.stdin.isatty() and sys.stderr.isatty() and not options.json
    return set_up(options, ThisMachine(), PersonAtTerminal() if somebody else None)


def set_up(options: argparse.Namespace, machine: ThisMachine, person: Attendant | None) -> int:
    """Do it and say it; the command's exit code."""
    from controller.commissioning.steps import Commissioning, WantedTable

    wanted = WantedTable(**{one.name: getattr(options, one.name) for one in fields(WantedTable)})
    said = ToldSetup(quiet=options.json)
    commissioning = Commissioning(wanted, socket_path(options), machine, said, person)
    written, account = commissioning.set_up_table(), commissioning.account
    if options.json:
        print_json(as_json(account))
    if not written:
        raise NotDone(NOT_WELL, "nothing was written: say yes at a terminal, or give --yes")
    return DONE if all(test["ok"] for test in account.tests) else NOT_WELL
