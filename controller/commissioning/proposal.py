"""The configuration that ``setup`` proposes: a text, and what the daemon's own reader says of it.

The rules:

- A file that is there is the base; where there is none a commented one is written
  (:mod:`.configuration_text`).
- A value is TOML; what is not is text (``--set table.id=P12``).
- Whether it can be used says the daemon's reader, in its words.

Also: what of a choice is written, how the configuration gets to each device, and its port's name.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, time
from pathlib import Path
from typing import Final

import tomlkit
from tomlkit.exceptions import TOMLKitError

from controller.commissioning.choice import Chosen, DeviceChoice
from controller.commissioning.configuration_text import new_document, new_text, remove_key, set_key
from controller.commissioning.place import bound, can_be_guarded, guarded, read_names
from controller.commissioning.written_files import NewText
from controller.configuration.keys import FASTEST, SLOWEST
from controller.configuration.model import Configuration
from controller.configuration.reading import configuration_of
from controller.configuration.tables import BadConfiguration
from controller.not_done import WRONG_USE, NotDone
from controller.regular_files import NotUtf8, read_whole, text_of
from drivers.api import DeviceConfig
from drivers.probe import LINKS
from drivers.registry import USB_FORM


def enter(
    choice: DeviceChoice, proposed: Proposal, known: Mapping[str, DeviceConfig], baud: int
) -> None:
    """Put into the proposal how it gets to each device; ``known`` are those that it had, ``baud``
    is the speed of those that are new."""
    for name, one in choice.devices.items():
        where = f"devices.{name}"
        proposed.unset(f"{where}.{'usb' if one.key == 'port' else 'port'}")
        if name not in known:
            if one.kind != name:
                proposed.set(f"{where}.kind", one.kind)
            if one.key == "port" and baud != USUAL_BAUD:
                proposed.set(f"{where}.baud", baud)
        before = known.get(name)
        if before is None or one.value not in (before.port, before.usb):
            proposed.set(f"{where}.{one.key}", one.value)


def rules_with(choice: DeviceChoice, path: Path, rules: str | None) -> NewText:
    """The rules for udev, ``rules`` so far (None: none), with the names of these devices."""
    wanted = {link(one): one.adapter for one in choice.devices.values() if one.adapter}
    by_path = [
        one.value
        for one in choice.devices.values()
        if one.key == "port" and not one.adapter and can_be_guarded(one.value)
    ]
    before = rules or ""
    text = bound(before, wanted) if wanted else before
    if read_names(text) == read_names(before):
        text = before
    text = guarded(text, [port for port in by_path if not port.startswith(f"{LINKS}/")])
    return NewText(path, before if text == before else rules, text)


def full_port(port: str) -> str:
    """A port as the configuration can have it, wherever the command was given."""
    return port if USB_FORM.fullmatch(port) else str(Path.cwd() / port)


def link(one: Chosen) -> str:
    """The device's name under /dev/table."""
    return one.value.rpartition("/")[2]


USUAL_BAUD: Final = 115200


class Proposal:
    """What is to stand in the file at ``path``; ``before`` is its text now, None without one."""

    def __init__(self, path: Path, before: str | None) -> None:
        self.path, self.before = path, before
        self._document = new_document() if before is None else tomlkit.parse(before)

    @property
    def is_new(self) -> bool:
        """Whether there is no file yet."""
        return self.before is None

    @property
    def text(self) -> str:
        """The file as proposed."""
        return new_text(self._document) if self.is_new else tomlkit.dumps(self._document)

    def get(self, key: str) -> object:
        """The value of a dotted key; None where it is not given."""
        value: object = self._document.unwrap()
        for part in key.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
        return value

    def set(self, key: str, value: object) -> None:
        """Give a dotted key a value, unless it has it; raises ``NotDone`` (2) where it is no key,
        or leads through one that is no table."""
        *way, last = _parts(key)
        item = tomlkit.item(value)
        old, new = self.get(key), item.unwrap()
        if old == new and type(old) is type(new):
            return
        try:
            set_key(self._document, way, last, item)
        except KeyError:
            raise NotDone(
                WRONG_USE, f"{key}: what stands before its last dot is no table"
            ) from None

    def unset(self, key: str) -> None:
        """Take a dotted key out; nothing where it is not there."""
        *way, last = _parts(key)
        if self.get(key) is not None:
            remove_key(self._document, way, last)

    def devices(self) -> dict[str, DeviceConfig]:
        """The devices as far as they can be read; what is wrong with them the reader says."""
        given = self.get("devices")
        tables = given.items() if isinstance(given, Mapping) else ()
        return {name: self._device(name, one) for name, one in tables if isinstance(one, Mapping)}

    def _device(self, name: str, table: Mapping[str, object]) -> DeviceConfig:
        texts = {key: one for key, one in table.items() if isinstance(one, str)}
        port, baud = texts.get("port"), table.get("baud")
        return DeviceConfig(
            name,
            texts.get("driver") or "table-link",
            str(self.path.parent / port) if port else None,
            texts.get("usb"),
            baud if isinstance(baud, int) and SLOWEST <= baud <= FASTEST else USUAL_BAUD,
            texts.get("kind") or name,
        )

    def read_configuration(self) -> Configuration:
        """As the daemon would; raises :class:`BadConfiguration`."""
        return configuration_of(self.path, self.text.encode())

    def faults(self) -> list[str]:
        """What the daemon would say against it, a line each."""
        try:
            self.read_configuration()
        except BadConfiguration as bad:
            return bad.faults
        return []


def proposal(path: Path) -> Proposal:
    """That which leaves the file at ``path`` as it is, or begins a new one; raises
    ``BadConfiguration`` where it is no TOML, and ``OSError``."""
    try:
        raw = read_whole(path)
    except FileNotFoundError:
        return Proposal(path, None)
    try:
        return Proposal(path, text_of(raw))
    except (NotUtf8, TOMLKitError, RecursionError) as error:
        raise BadConfiguration(path, [f"is not TOML in UTF-8: {error}"]) from error


def value_of(text: str) -> object:
    """A value as the command line has it: TOML, and text where it is none, or a time, which no key
    takes but as text."""
    try:
        given = tomlkit.parse(f"value = {text}")
    except TOMLKitError:
        return text
    if list(given) != ["value"] or not text.strip() or isinstance(given["value"], date | time):
        return text
    return given["value"]


def _parts(key: str) -> list[str]:
    parts = key.split(".")
    if len(parts) < 2 or not all(part.strip() for part in parts):
        raise NotDone(WRONG_USE, f"{key!r} is no key: expected one such as table.min")
    return parts
