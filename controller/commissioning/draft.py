"""What is to be written of a choice: how it gets to each device, and the names of their ports."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from controller.commissioning.choice import Chosen, DeviceChoice
from controller.commissioning.port_names import bound, can_be_guarded, guarded, read_names
from controller.commissioning.proposal import USUAL_BAUD, Proposal
from controller.commissioning.written_files import NewText
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
    """The rules for udev, which are ``rules`` so far (None: there are none), with the names of the
    devices that were chosen."""
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
    if text != before:
        return NewText(path, rules, text)
    return NewText(path, rules or "", rules or "")


def full_port(port: str) -> str:
    """A port as the configuration can have it, wherever the command was given."""
    return port if USB_FORM.fullmatch(port) else str(Path.cwd() / port)


def link(one: Chosen) -> str:
    """The device's name under /dev/table."""
    return one.value.rpartition("/")[2]
