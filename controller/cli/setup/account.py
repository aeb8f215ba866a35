"""What ``setup`` says: to a person in sections, to a script as one object.

``--json``: ``found`` (every place with who answers), ``devices`` (by name: ``port`` or ``usb`` of
the configuration, ``at``, ``kind``, ``serial``, ``firmware``), ``configuration`` (``path``,
``changed``, ``diff``), ``udev`` (``path``, ``changed``, ``names``: each with ``old`` and ``new``
number), ``tests`` (``name``, ``ok``, ``what``), ``problems``, ``left`` (what is left to do),
``written`` (files) and ``started``.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence

from controller.cli.draws.draw import odds_lines
from controller.cli.output import finish, print_line
from controller.cli.setup.configuration import facts
from controller.commissioning.account import Account
from controller.commissioning.choice import Chosen
from controller.commissioning.outcome import TestOutcome
from controller.commissioning.place import DevicePlace
from controller.commissioning.port_names import read_names
from controller.commissioning.written_files import NewText
from controller.configuration.model import Configuration
from controller.draw.odds import describe
from controller.forms.json_values import JsonObject
from controller.plain_text import columns


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
