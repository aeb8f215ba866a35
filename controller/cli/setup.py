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
import sys
from collections.abc import Iterable, Iterator
from dataclasses import fields

from controller.cli.arguments import add_option, integer
from controller.cli.configuration import facts
from controller.cli.connection import socket_path
from controller.cli.draw import odds_lines
from controller.cli.group import Group
from controller.cli.journal.key import CONFIGURATION, STORE, UNIT
from controller.cli.output import DONE, finish, print_json, print_line
from controller.commissioning.person import PersonAtTerminal
from controller.commissioning.place import RULES
from controller.commissioning.this_machine import ThisMachine
from controller.configuration.keys import FASTEST, SLOWEST
from controller.configuration.model import Configuration
from controller.draw.odds import describe
from controller.evidence.keys.credential import BINDINGS
from controller.not_done import NOT_WELL, NotDone
from controller.plain_text import columns
from controller.regular_files import MARK


def _in_words(config: Configuration) -> Iterator[str]:
    """What is to stand in the configuration, and what its weights return."""
    elsewhere = ("SHA-256", "multiplier", "archive")
    yield columns(fact for fact in facts(config) if fact[0] not in elsewhere)
    if config.weights is not None:
        yield ""
        yield from odds_lines(describe(config.weights, config.table.decks), config.weights.identity)


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


def set_up(
    options: argparse.Namespace, machine: ThisMachine, person: PersonAtTerminal | None
) -> int:
    """Do it and say it; the command's exit code."""
    from controller.commissioning.steps import Commissioning, WantedTable

    def tell(section: Iterable[str]) -> None:
        text = "\n".join(section)
        if text and not options.json:
            print_line(f"{text}\n")
            finish()

    wanted = WantedTable(**{one.name: getattr(options, one.name) for one in fields(WantedTable)})
    commissioning = Commissioning(wanted, socket_path(options), machine, person, tell, _in_words)
    written, account = commissioning.set_up_table(), commissioning.account
    if options.json:
        print_json(account.as_json())
    if not written:
        raise NotDone(NOT_WELL, "nothing was written: say yes at a terminal, or give --yes")
    return DONE if all(test["ok"] for test in account.tests) else NOT_WELL
