"""The configuration of a replayed table: what its start record says, in a folder of its own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from controller.configuration.model import Configuration, ControlSettings, TableSettings
from controller.draw.weights import Weights
from drivers.api import DeviceConfig
from drivers.capture.format import USB
from hil_tests.bench.configuration import USB_UNIT
from hil_tests.replay.case import Case


def configuration(case: Case, folder: Path) -> Configuration:
    """The table of a case, its devices carried as the captures say."""
    settings = case.settings
    table = TableSettings(
        settings.table, settings.rules, "", "", settings.decks, settings.boxes, settings.limits
    )
    kinds = dict(settings.kinds)
    devices = {
        name: _device(name, kinds.get(name, name), case.devices.get(name, {}))
        for name in settings.devices
    }
    return Configuration(
        path=folder / "table.toml",
        digest="",
        table=table,
        devices=devices,
        weights=Weights(settings.weights) if settings.weights else None,
        spin_ms=settings.spin_ms,
        state_directory=folder,
        copy=None,
        key=folder / "key",
        heads=folder / "heads.jsonl",
        people=folder / "people.json",
        control=ControlSettings(folder / "control.sock", "", ""),
    )


def _device(name: str, kind: str, head: Mapping[str, Any]) -> DeviceConfig:
    """A device as the capture's head says that it is carried."""
    if head.get("carrier") == USB:
        return DeviceConfig(name, usb=USB_UNIT, kind=kind)
    return DeviceConfig(name, port=name, kind=kind)
