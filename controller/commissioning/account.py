"""All that ``setup`` found, proposed and did, in sections that have their headings first; and what
is left to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from controller.commissioning.choice import Chosen
from controller.commissioning.machine_tests import TestOutcome, is_there
from controller.commissioning.place import DevicePlace, read_names
from controller.commissioning.survey import Running
from controller.commissioning.this_machine import SERVICE, ThisMachine
from controller.commissioning.written_files import NewText
from controller.configuration.model import Configuration
from controller.plain_text import columns

PEOPLE = "usermod -aG {group} NAME"


@dataclass(slots=True)
class Account:
    """All that was found, proposed and done."""

    found: list[DevicePlace] = field(default_factory=list)
    devices: dict[str, Chosen] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    files: list[NewText] = field(default_factory=list)
    """The rules for udev and the configuration."""
    tests: list[TestOutcome] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    started: bool = False


def place_lines(places: Sequence[DevicePlace]) -> Iterator[str]:
    """What is plugged in, and who answers."""
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


def name_lines(udev: NewText) -> Iterator[str]:
    """The names of ports that are to change; nothing where none is."""
    changed = [(name, old, new) for name, old, new in bindings(udev) if old != new]
    if changed:
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


def file_lines(file: NewText) -> Iterator[str]:
    """What is to stand in the configuration: all of a new one, else what differs."""
    if file.before is None:
        yield f"Configuration, new: {file.path}"
        yield from (f"  {line}".rstrip() for line in file.text.splitlines())
    elif file.differs:
        yield f"Configuration, changed: {file.path}"
        yield from (f"  {line}" for line in diff(file))
    else:
        yield f"Configuration, as it is: {file.path}"


def diff(file: NewText) -> list[str]:
    """The lines that differ, with one around them."""
    old, new = (file.before or "").splitlines(), file.text.splitlines()
    return list(difflib.unified_diff(old, new, "before", "proposed", n=1, lineterm=""))


def test_lines(tests: Sequence[TestOutcome]) -> Iterator[str]:
    """The tests, each with how it went."""
    yield "Tests"
    yield columns(("ok" if test["ok"] else "!!", test["name"], test["what"]) for test in tests)


def listed(heading: str, items: Sequence[str]) -> Iterator[str]:
    """A list under a heading; nothing where it is empty."""
    if items:
        yield heading
        yield from (f"  - {item}" for item in items)


def left_to_do(
    machine: ThisMachine,
    account: Account,
    config: Configuration,
    running: Running | None,
    credential: Path,
    page: Path | None,
) -> Iterator[str]:
    """What is left to do, in the order in which it is done: a sentence each, with the command."""
    yield from account.problems
    for test in account.tests:
        if not test["ok"]:
            yield f"{test['name']} is not well: {test['what']}"
    control = config.control
    for name in machine.without_people((control.dealers, control.supervisors)):
        yield f"nobody is in the group {name}: {PEOPLE.format(group=name)}, who then logs in again"
    if config.weights is not None:
        yield (
            f"compare the weights {config.weights.identity[:12]} and their odds with the house's "
            "approval"
        )
    if not all(config.approved.digests.values()):
        yield (
            "not all is approved yet: --set approved.program=DIGEST --set approved.rules=DIGEST "
            "--set approved.readings=DIGEST, of 'tablectl program --json', 'tablectl rules show ID "
            "--json' and the sheet that the house signs, 'tablectl rules readings ID --html FILE'"
        )
    if str(page) in account.written:
        yield f"bring the page {page} to the safe, and take the file off the stick"
    elif is_there(credential) is False:
        yield "install the key, before the first start: tablectl setup --page FILE"
    changed = any(file.differs for file in account.files[1:])
    if running is None and not account.started:
        yield f"start it: systemctl enable --now {SERVICE}"
    elif running and not account.started and (changed or running.digest != config.digest):
        yield f"what is new counts from the next start, between rounds: systemctl restart {SERVICE}"
    yield "before the table is opened: tablectl ready"
