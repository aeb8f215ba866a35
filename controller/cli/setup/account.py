"""What ``setup`` says: to a person in sections, to a script as one object.

``--json``: ``found`` (every place with who answers), ``devices`` (by name: ``port`` or ``usb`` of
the configuration, ``at``, ``kind``, ``serial``, ``firmware``), ``configuration`` (``path``,
``changed``, ``diff``), ``udev`` (``path``, ``changed``, ``names``: each with ``old`` and ``new``
number), ``tests`` (``name``, ``ok``, ``what``), ``problems``, ``left`` (what is left to do),
``written`` (files) and ``started``.
"""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from controller.cli.draws.odds_page import odds_lines
from controller.cli.output import columns
from controller.cli.setup.configuration import facts
from controller.commissioning.choice import Chosen
from controller.commissioning.machine_tests import is_there
from controller.commissioning.new_text import NewText
from controller.commissioning.outcome import Test
from controller.commissioning.place import Place
from controller.commissioning.port_names import read_names
from controller.commissioning.services import SERVICE
from controller.commissioning.survey import Running
from controller.commissioning.this_machine import ThisMachine
from controller.configuration.model import Configuration
from controller.draw.odds import describe
from controller.json_values import JsonObject

PEOPLE = "usermod -aG {group} NAME"


@dataclass(slots=True)
class Account:
    """All that was found, proposed and done."""

    found: list[Place] = field(default_factory=list)
    devices: dict[str, Chosen] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    files: list[NewText] = field(default_factory=list)
    """The rules for udev and the configuration."""
    tests: list[Test] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    started: bool = False

    def as_json(self) -> JsonObject:
        """For a script."""
        udev, config = self.files
        return {
            "found": [place.as_json() for place in self.found],
            "devices": {name: _device(one) for name, one in self.devices.items()},
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
            "tests": [dict(test) for test in self.tests],
            "problems": self.problems,
            "left": self.left,
            "written": self.written,
            "started": self.started,
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


def found_lines(places: Sequence[Place]) -> Iterator[str]:
    """What is plugged in, and who answers."""
    yield "Plugged in"
    rows = []
    for place in places:
        at = place.at
        number = at.number or ("no serial number" if at.usb else "")
        on = " ".join(filter(None, (at.usb, "" if place.is_unit else number)))
        rows.append((at.path, on or at.description, _who(place)))
    yield columns(rows) or "  nothing: no serial port, no USB unit"


def _who(place: Place) -> str:
    held = f"; {place.held_by} has it" if place.held_by else ""
    if not place.kind:
        return place.trouble.removeprefix(f"{place.port}: ")
    trouble = f"; {place.trouble}" if place.trouble else ""
    return f"{place.kind} {place.serial}, firmware {place.firmware}{held}{trouble}"


def names_lines(udev: NewText) -> Iterator[str]:
    """The names that change."""
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


def proposal_lines(file: NewText, config: Configuration) -> Iterator[str]:
    """What is to stand in the configuration, and what its weights return."""
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


def tests_lines(tests: Sequence[Test]) -> Iterator[str]:
    """The self-tests, each with how it went."""
    yield "Tests"
    yield columns(("ok" if test["ok"] else "!!", test["name"], test["what"]) for test in tests)


def list_lines(heading: str, items: Sequence[str]) -> Iterator[str]:
    """A list under a heading; nothing where it is empty."""
    if items:
        yield heading
        yield from (f"  - {item}" for item in items)


def left_to_do(
    machine: ThisMachine,
    account: Account,
    config: Configuration,
    running: Running | None,
    options: argparse.Namespace,
) -> list[str]:
    """What is left to do, in the order in which it is done: a sentence each, with the command."""
    return [
        *account.problems,
        *_devices(account),
        *_people(machine, config),
        *_house(config),
        *_key(options, account),
        *_start(account, config, running),
        "before the table is opened: tablectl ready",
    ]


def _devices(account: Account) -> Iterator[str]:
    for test in account.tests:
        if not test["ok"]:
            yield f"{test['name']} is not well: {test['what']}"


def _people(machine: ThisMachine, config: Configuration) -> Iterator[str]:
    control = config.control
    for name in machine.without_people((control.dealers, control.supervisors)):
        yield f"nobody is in the group {name}: {PEOPLE.format(group=name)}, who then logs in again"


def _house(config: Configuration) -> Iterator[str]:
    if config.weights is not None:
        yield (
            f"compare the weights {config.weights.identity[:12]} and their odds with the house's "
            "approval"
        )
    if not (config.approved.program and config.approved.rules):
        yield (
            "nothing is approved yet: --set approved.program=DIGEST --set approved.rules=DIGEST, "
            "of 'tablectl program --json' and 'tablectl rules show ID --json'"
        )


def _key(options: argparse.Namespace, account: Account) -> Iterator[str]:
    if str(options.page) in account.written:
        yield f"bring the page {options.page} to the safe, and take the file off the stick"
    elif is_there(options.credential) is False:
        yield "install the key, before the first start: tablectl setup --page FILE"


def _start(account: Account, config: Configuration, running: Running | None) -> Iterator[str]:
    if account.started:
        return
    changed = any(file.differs for file in account.files[1:])
    if running is None:
        yield f"start it: systemctl enable --now {SERVICE}"
    elif changed or running.digest != config.digest:
        yield f"what is new counts from the next start, between rounds: systemctl restart {SERVICE}"
