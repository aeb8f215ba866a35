"""``config``: what the daemon would say of a configuration, without starting one.

``config check FILE``: exit 0, or 2 with file, key and reason, as the daemon would end; its places
are judged as the daemon's user would find them. What would not keep it from starting, but is
probably a mistake on this machine, is a note: a group that nobody has here, a port that is not
there or may not be opened, a place where no closed journal could be taken. With ``--json``:
``ok``, ``file``, ``digest``, ``faults`` (a line for each) and ``notes``.
"""

from __future__ import annotations

import argparse

from controller.cli.arguments import add_option
from controller.cli.group import Group
from controller.cli.output import DONE, complain, print_answer, print_json
from controller.configuration.model import ArchiveSettings, Configuration
from controller.configuration.places import doubts, unusable
from controller.configuration.reading import load_configuration
from controller.configuration.tables import BadConfiguration
from controller.game.money import write_amount
from controller.not_done import WRONG_USE
from controller.plain_text import columns


def register(top: Group) -> None:
    """Add the command."""
    group = top.group("config")
    check = group.command("check", _check, "What the daemon would say of a configuration")
    add_option(check, "file FILE", "the configuration")


def _check(options: argparse.Namespace) -> int:
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
