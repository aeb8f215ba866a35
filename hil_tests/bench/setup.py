"""The table that a bench is set up as: its rule document, limits, devices and their options; and
the configuration files that say so, one of them the smallest.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

USB_UNIT = "1209:0001"


def configuration_text(
    setup: Setup,
    usb: Collection[str] = (),
    ports: str | Mapping[str, Path] = "",
    state: str = "state",
    socket: str = "control.sock",
    *,
    people: str = "",
    more: str = "",
) -> str:
    """The TOML of a table so set up, whose ports, state and socket lie beside the file unless told
    otherwise; devices in ``usb`` are found by vendor and product instead. ``people``: the group of
    dealers and of supervisors; ``more`` goes to ``[state]``."""
    unit = f"{USB_UNIT}:{setup.unit_serial}" if setup.unit_serial else USB_UNIT
    lines = [
        "[table]",
        f"id = {json.dumps(setup.table)}",
        f"rules = {json.dumps(setup.rules)}",
        f"decks = {setup.decks}",
        f"boxes = {setup.boxes}",
        f"min = {setup.limits[0]}\nmax = {setup.limits[1]}",
        *(f"{name} = {most}" for name, most in setup.box_limits.items()),
        *_side_limits(setup),
        f"increment = {setup.increment:g}",
        *(
            f"[devices.{name}]\n"
            + (f"kind = {json.dumps(setup.kinds[name])}\n" if name in setup.kinds else "")
            + (f"usb = {json.dumps(unit)}" if name in usb else "port = " + _port(ports, name))
            for name in setup.devices
        ),
    ]
    if setup.weights:
        weights = ", ".join(f"{value} = {share}" for value, share in setup.weights.items())
        lines.append(f"[multiplier]\nweights = {{ {weights} }}\nspin_ms = {setup.spin_ms}")
    lines += [f"[state]\ndirectory = {json.dumps(state)}\n{more}[control]"]
    lines += [f"socket = {json.dumps(socket)}"]
    lines += [f'{role} = "{people}"' for role in ("dealers", "supervisors") if people]
    return "\n".join(lines) + "\n"


def _port(ports: str | Mapping[str, Path], name: str) -> str:
    return json.dumps(ports + name if isinstance(ports, str) else str(ports[name]))


def _side_limits(setup: Setup) -> list[str]:
    if setup.side_limits is None:
        return []
    return [f"side_min = {setup.side_limits[0]}", f"side_max = {setup.side_limits[1]}"]


def least_configuration(
    links: Mapping[str, Path],
    state: Path,
    socket: Path,
    *,
    table: str = "T1",
    rules: str = "mbs-pontoon-pandemonium-v5",
    people: str = "root",
    spin_ms: int = 4000,
    more: str = "",
) -> str:
    """The TOML of a table with serial devices at these ``links``, whose people are ``people``; see
    :func:`configuration_text`."""
    setup = Setup(rules, table, spin_ms=spin_ms, devices=tuple(links))
    return configuration_text(
        setup, ports=links, state=str(state), socket=str(socket), people=people, more=more
    )


MBS = "mbs-pontoon-pandemonium-v5"
RWS = "rws-pontoon-pandemonium-v4"
PLUS = "rws-pontoon-plus-v5"
DIVISION_15 = "division-15-pontoon"
TRICK = "pontoon-five-card-trick"
DOCUMENTS = (RWS, PLUS, MBS, DIVISION_15, TRICK)

WEIGHTS: Mapping[int, int] = {100: 4, 50: 8, 25: 20, 20: 20, 10: 24, 5: 12, 3: 7, 2: 5}
"""An example; no document gives them."""


DEVICES: Final = ("shoe", "shuffler", "jackpot", "keypad")
"""The devices of a table that has all that play may need."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The table that a bench is to be: what its configuration says, and its devices' options."""

    rules: str = MBS
    table: str = "P12"
    decks: int = 8
    boxes: int = 7
    limits: tuple[int, int] = (10, 5000)
    side_limits: tuple[int, int] | None = (1, 500)
    box_limits: Mapping[str, float] = field(default_factory=dict)
    """``box_max`` and ``player_max``, where the configuration is to give them."""
    increment: float = 1
    spin_ms: int = 20
    weights: Mapping[int, int] = field(default_factory=lambda: dict(WEIGHTS))
    seed: int = 1
    devices: tuple[str, ...] = DEVICES
    kinds: Mapping[str, str] = field(default_factory=dict)
    """Of the devices that are not named after theirs."""
    unit_serial: str = ""
    """Of the jackpot unit on USB, where it is configured by it; "": any unit of its kind."""
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def setup_for(rules: str, **more: Any) -> Setup:
    """A table as the document needs it: no jackpot unit where there is no Pandemonium wager, no
    limits of side wagers where there are none, tens where the game has them."""
    needed: dict[str, Any] = {"rules": rules}
    if rules not in (MBS, RWS):
        needed |= {"weights": {}, "devices": ("shoe", "shuffler", "keypad")}
    if rules in (DIVISION_15, TRICK):
        needed["side_limits"] = None
    if rules == TRICK:
        needed["options"] = {"shoe": ("--tens",), "shuffler": ("--count", "416")}
    return Setup(**(more | needed))
