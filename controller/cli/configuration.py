"""``config``: what the daemon would say of a configuration, without starting one.

``config check FILE``: exit 0, or 2 with file, key and reason, as the daemon would end. What would
not keep it from starting, but is probably a mistake on this machine, is a note: a group that nobody
has here, a port that is not there. With ``--json``: ``ok``, ``file``, ``digest``, ``faults`` (a
line for each) and ``notes``.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.exits import DONE, WRONG_USE
from controller.cli.output import columns, complain, say, say_json

if TYPE_CHECKING:
    from controller.cli.group import Group
    from controller.configuration.model import Configuration


def register(top: Group) -> None:
    """Add the command."""
    group = top.group("config")
    check = group.command("check", _check, "What the daemon would say of a configuration")
    check.add_argument("file", metavar="FILE", type=Path, help="the configuration")


def _check(options: argparse.Namespace) -> int:
    from controller.configuration.errors import BadConfiguration
    from controller.configuration.reading import load_configuration

    try:
        config = load_configuration(options.file)
    except BadConfiguration as bad:
        if options.json:
            say_json({"ok": False, "file": str(bad.path), "faults": bad.faults, "notes": []})
        else:
            complain(str(bad))
        return WRONG_USE
    notes = _notes(config)
    if options.json:
        told = {"ok": True, "file": str(config.path), "digest": config.digest}
        say_json({**told, "faults": [], "notes": notes})
        return DONE
    say(f"{config.path}: a table can be started with it")
    say(columns(facts(config)))
    for note in notes:
        say(f"note: {note}")
    return DONE


def facts(config: Configuration) -> list[tuple[str, str]]:
    """What a configuration says, in words: what it is about, and what it says of that."""
    from controller.round.money import write_amount

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
        ("socket", f"{control.socket}, for {control.dealers} and {control.supervisors}"),
        ("SHA-256", config.digest),
    ]


def _notes(config: Configuration) -> list[str]:
    """What would not keep the daemon from starting."""
    from controller.control.peers import Groups

    control = config.control
    groups = Groups(control.dealers, control.supervisors, control.viewers)
    notes = [
        f"this machine knows no group {name!r}: nobody has that role by it"
        for name in groups.missing(groups.numbers())
    ]
    return notes + [
        f"devices.{device.name}: there is no {device.port} now"
        for device in config.devices.values()
        if device.port is not None and not Path(device.port).exists()
    ]
