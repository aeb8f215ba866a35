"""``devices list`` and ``devices probe``: links as the controller sees them, who is on a port."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

from controller.cli.connection import connect
from controller.cli.exits import DONE, NOT_WELL, WRONG_USE, CommandFailed
from controller.cli.output import columns, say, say_json
from controller.cli.status import device_table
from controller.daemon.configuration_devices import FASTEST, SLOWEST

if TYPE_CHECKING:
    from controller.cli.commands import Group


def register(top: Group) -> None:
    """Add the commands."""
    group = top.group("devices", "Links, identities, who is on a port")
    group.command("list", _list, "Every device's link, as the controller sees it")
    probe = group.command("probe", _probe, "Ask who is on a port; without one, list the ports")
    probe.add_argument(
        "port", metavar="PORT", nargs="?", help="a serial port, or VENDOR:PRODUCT[:SERIAL]"
    )
    probe.add_argument("--baud", metavar="N", type=_speed, default=115200, help="of a serial port")


def _speed(text: str) -> int:
    """A speed as the configuration takes it."""
    if not text.isascii() or not text.isdecimal() or not SLOWEST <= int(text[:20]) <= FASTEST:
        raise argparse.ArgumentTypeError(f"{text!r}: expected {SLOWEST} to {FASTEST}")
    return int(text)


def _list(options: argparse.Namespace) -> int:
    with connect(options) as client:
        devices = client.status().get("devices") or {}
    if options.json:
        say_json(devices)
    else:
        say(device_table(devices))
    return DONE


def _probe(options: argparse.Namespace) -> int:
    from drivers.api import DriverError
    from drivers.probe import list_ports, probe

    if options.port is None:
        ports = list_ports()
        if options.json:
            say_json([asdict(port) for port in ports])
        else:
            say(columns([(port.port, port.description) for port in ports]) or "no port found")
        return DONE
    if not options.port:
        raise CommandFailed(WRONG_USE, "'' is no port: name one, or none to list them")
    try:
        report = probe(options.port, options.baud)
    except (DriverError, ValueError) as error:
        raise CommandFailed(NOT_WELL, str(error)) from error
    if options.json:
        say_json(asdict(report))
        return NOT_WELL if report.faults else DONE
    who = report.identity
    say(f"{report.port}: {who.kind} {who.serial}")
    say(
        columns(
            [
                ("firmware", ".".join(map(str, who.firmware))),
                ("digest", who.digest),
                ("capabilities", f"{who.capabilities:#x}"),
                ("session", report.session),
                ("last event", f"{report.last_event}, {report.unacked} not acknowledged"),
                ("state", report.state),
                ("faults", ", ".join(report.faults) or "none"),
                ("up for", f"{report.uptime_ms / 1000:.1f} s"),
                ("round trip", f"{report.round_trip_ms:.1f} ms"),
            ]
        )
    )
    return NOT_WELL if report.faults else DONE
