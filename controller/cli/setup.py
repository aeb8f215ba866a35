"""``setup``: commissioning of a table (:mod:`controller.commissioning.steps`), and what is said of
it: to a person in sections, to a script as one object. ``config check``: what the daemon would say
of a configuration, without starting one; its places are judged as the daemon's user would find
them. What would not keep it from starting, but is probably a mistake on this machine, is a note: a
group that nobody has here, a port that may not be opened, a place that takes no closed journal.

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
from controller.cli.connection import socket_path
from controller.cli.draw import odds_lines
from controller.cli.group import Group
from controller.cli.journal.key import CONFIGURATION, STORE, UNIT
from controller.cli.output import DONE, complain, finish, print_answer, print_json, print_line
from controller.commissioning.account import Account, bindings, diff
from controller.commissioning.person import PersonAtTerminal
from controller.commissioning.place import RULES
from controller.commissioning.this_machine import ThisMachine
from controller.commissioning.written_files import NewText
from controller.configuration.keys import FASTEST, SLOWEST
from controller.configuration.model import ArchiveSettings, Configuration
from controller.configuration.places import doubts, unusable
from controller.configuration.reading import load_configuration
from controller.configuration.tables import BadConfiguration
from controller.draw.odds import describe
from controller.evidence.keys.credential import BINDINGS
from controller.forms.json_values import JsonObject
from controller.game.commands.values import write_amount
from controller.not_done import NOT_WELL, WRONG_USE, NotDone
from controller.plain_text import columns
from controller.regular_files import MARK


def _check_file(options: argparse.Namespace) -> int:
    try:
        config = load_configuration(options.file)
        if stops := [f"{key}: {cause}" for key, cause in unusable(config) if not cause.heals]:
            raise BadConfiguration(config.path, stops)
    except BadConfiguration as bad:
        if options.json:
            print_json({"ok": False, "file": str(bad.path), "faults": bad.faults, "notes": []})
        else:
            complain(str(bad))
        return WRONG_USE
    notes = doubts(config)
    told = {"ok": True, "file": str(config.path), "digest": config.digest, "faults": []}
    said = f"{config.path}: a table can be started with it"
    print_answer(
        options,
        {**told, "notes": notes},
        [said, columns(facts(config)), *(f"note: {note}" for note in notes)],
    )
    return DONE


def facts(config: Configuration) -> list[tuple[str, str]]:
    """What a configuration says, in words: what it is about, and what it says of that."""
    table, limits = config.table, config.table.limits
    amounts = (limits.min, limits.max, limits.side_min, limits.side_max, limits.increment)
    low, high, side_low, side_high, step = map(write_amount, amounts)
    facts = [
        ("table", f"{table.id}, {table.rules.id}, {table.decks} decks, {table.boxes} boxes"),
        ("wagers", f"main {low} to {high}, side {side_low} to {side_high}, in steps of {step}"),
    ]
    facts += [
        (name, f"{device.driver} on {device.port or f'USB {device.usb}'}")
        for name, device in config.devices.items()
    ]
    if config.weights is not None:
        pairs = ", ".join(f"{multiplier}x {weight}" for multiplier, weight in config.weights.pairs)
        facts.append(("multiplier", f"{pairs}; what that returns: draw odds"))
    control = config.control
    return [
        *facts,
        ("state", str(config.state_directory)),
        ("archive", _archive(config.archive)),
        ("socket", f"{control.socket}, for {control.dealers} and {control.supervisors}"),
        ("SHA-256", config.digest),
    ]


def _archive(archive: ArchiveSettings) -> str:
    if not archive.closes:
        return "the journal is never closed, it only grows"
    due = [] if archive.after_days is None else [f"{archive.after_days} days"]
    if archive.after_bytes is not None:
        due.append(f"{archive.after_bytes >> 20} MiB")
    closed = f"the journal is closed after {' or '.join(due)}"
    if archive.to is None:
        return f"{closed}, and stays here"
    return f"{closed}, taken to {archive.to}, and kept here {archive.keep_days} days more"


def _as_json(account: Account) -> JsonObject:
    udev, config = account.files
    return {
        "found": [place.as_json() for place in account.found],
        "devices": {
            name: {
                one.key: one.value,
                "at": one.place.port,
                "kind": one.kind,
                "serial": one.place.serial,
                "firmware": one.place.firmware,
            }
            for name, one in account.devices.items()
        },
        "configuration": {**_file(config), "diff": diff(config)},
        "udev": {
            **_file(udev),
            "names": {name: {"old": old, "new": new} for name, old, new in bindings(udev)},
        },
        "tests": [dict(test) for test in account.tests],
        "problems": account.problems,
        "left": account.left,
        "written": account.written,
        "started": account.started,
    }


def _file(file: NewText) -> JsonObject:
    return {"path": str(file.path), "changed": file.differs}


def _in_words(config: Configuration) -> Iterator[str]:
    """What is to stand in the configuration, and what its weights return."""
    elsewhere = ("SHA-256", "multiplier", "archive")
    yield columns(fact for fact in facts(config) if fact[0] not in elsewhere)
    if config.weights is not None:
        yield ""
        yield from odds_lines(describe(config.weights, config.table.decks), config.weights.identity)


def register(top: Group) -> None:
    """Add the commands."""
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
    check = top.group("config").command(
        "check", _check_file, "What the daemon would say of a configuration"
    )
    add_option(check, "file FILE", "the configuration")


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

    def print_section(section: Iterable[str]) -> None:
        text = "\n".join(section)
        if text and not options.json:
            print_line(f"{text}\n")
            finish()

    wanted = WantedTable(**{one.name: getattr(options, one.name) for one in fields(WantedTable)})
    commissioning = Commissioning(
        wanted, socket_path(options), machine, person, print_section, _in_words
    )
    written, account = commissioning.set_up_table(), commissioning.account
    if options.json:
        print_json(_as_json(account))
    if not written:
        raise NotDone(NOT_WELL, "nothing was written: say yes at a terminal, or give --yes")
    return DONE if all(test["ok"] for test in account.tests) else NOT_WELL
