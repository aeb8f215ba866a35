"""``devices``: links as the controller sees them, who is on a port, tests, by hand too, traffic.

A self-test is the controller's to order while it runs, and only between rounds; without one a
device on a port is asked directly. Capturing is in :mod:`.capture`.
"""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Final

from controller.causes.port_holders import named
from controller.cli.arguments import add_option, integer, parsed, seconds
from controller.cli.connection import connect, socket_path
from controller.cli.devices import link_counters
from controller.cli.devices.capture import register_capture
from controller.cli.group import Group
from controller.cli.output import DONE, print_answer
from controller.cli.table.status import device_table
from controller.commissioning.by_hand.bench import Bench, WantedTrial
from controller.commissioning.by_hand.trials import TRIALS, tried
from controller.commissioning.machine_tests import TestOutcome, as_told, outcome, own_test
from controller.commissioning.person import PersonAtTerminal
from controller.configuration.keys import FASTEST, SLOWEST
from controller.control.answers import SelfTestOutcome
from controller.control.client import ControlClient
from controller.forms.json_values import checked
from controller.game.rules.cards import parse_card
from controller.not_done import NOT_PERMITTED, NOT_WELL, WRONG_USE, NotDone
from controller.plain_text import ago, columns
from controller.table.service import ON
from controller.table.showing.status_fields import status_of

WAIT_S: Final = 60.0
MOST_WAIT_S: Final = 3600.0
MOST_PASSES: Final = 100


def add_options(test: argparse.ArgumentParser) -> None:
    """Add them to the parser of ``devices test``."""
    add_option(test, "--by-hand", 'try what needs a person, in service (supervisor "service on")')
    hand = test.add_argument_group("by hand")
    add_option(hand, "--only TEST", "this test alone; may be repeated", action="append", default=[])
    add_option(
        hand,
        "--pack CARDS",
        "the known pack, as 'AS 9D TC' (a new pack: clubs, diamonds, hearts, spades)",
        type=parsed(_cards),
        default=(),
    )
    add_option(
        hand, "--passes N", "of the pack or the set (1)", type=integer(1, MOST_PASSES), default=1
    )
    add_option(hand, "--set", "of the shuffler (1)", type=int, choices=(1, 2), default=1)
    add_option(
        hand,
        "--wait SECONDS",
        f"how long you are waited for ({WAIT_S:.0f})",
        type=seconds(MOST_WAIT_S),
        default=WAIT_S,
    )


def _cards(text: str) -> tuple[str, ...]:
    if not text.split():
        raise ValueError("expected cards, as 'AS 9D TC'")
    return tuple(str(parse_card(card)) for card in text.split())


def in_service(options: argparse.Namespace) -> tuple[str, WantedTrial]:
    """The kind of the device that is to be tried, and what of it; raises ``NotDone`` where the
    table is not in service, or there is no such device or test."""
    with connect(options) as client:
        status = status_of(client.status())
    devices = status.get("devices", {})
    if options.name not in devices:
        known = ", ".join(devices)
        raise NotDone(WRONG_USE, f"no device {options.name!r}: expected one of {known}")
    kind = str(devices[options.name].get("kind") or options.name)
    for only in options.only:
        if only not in TRIALS[kind]:
            known = ", ".join(TRIALS[kind])
            raise NotDone(WRONG_USE, f"--only {only!r}: of a {kind} expected one of {known}")
    if str(status.get("state")).removeprefix("held.") != "service":
        raise NotDone(
            NOT_PERMITTED,
            f"devices are tried by hand in service, and the table is {status.get('state')}: "
            f"between rounds 'tablectl supervisor \"{ON}\"' begins it",
        )
    shoe = status.get("shoe", {})
    full = shoe.get("full")
    return kind, WantedTrial(
        options.only,
        options.pack,
        options.passes,
        options.set,
        figures=checked(list[int], status.get("figures", []), "figures"),
        count=full if isinstance(full, int) else None,
        tens=bool(shoe.get("tens")),
    )


def by_hand(options: argparse.Namespace, kind: str, wanted: WantedTrial) -> list[TestOutcome]:
    """What came of every test of that device, of that kind."""
    person = PersonAtTerminal()
    with Bench(socket_path(options), options.name, person, options.wait) as bench:
        return list(tried(bench, kind, wanted))


SPEED = integer(SLOWEST, FASTEST)

TESTED_WITHIN_S = 30.0
"""Longer than a device that is busy, then silent, is waited for."""


def register(top: Group) -> None:
    """Add the commands."""
    group = top.group("devices")
    listing = group.command("list", _list, "Every device's link, as the controller sees it")
    add_option(
        listing,
        "--stats",
        "with the links' counters over the last minute, hour and since the start",
    )
    probe = group.command("probe", _probe, "Ask who is on a port; without one, list the ports")
    add_option(probe, "port PORT", "a serial port, or VENDOR:PRODUCT[:SERIAL]", nargs="?")
    add_option(probe, "--baud N", "of a serial port", type=SPEED, default=115200)
    test = group.command("test", _test, "Test a device, between rounds; by hand in service")
    add_option(test, "name NAME", "as the configuration calls it", nargs="?", known="device")
    add_option(test, "--port PORT", "instead of NAME: a port, while no controller runs")
    add_option(test, "--baud N", "of a serial port", type=SPEED, default=115200)
    add_options(test)
    register_capture(group)


def _list(options: argparse.Namespace) -> int:
    with connect(options) as client:
        devices = named(status_of(client.status()).get("devices", {}))
        counts = _counts(client) if options.stats else {}
    stats = {name: {"stats": counts[name]} if name in counts else {} for name in devices}
    told = {name: {**device, **stats[name]} for name, device in devices.items()}
    print_answer(options, told, [device_table(devices), *link_counters.tables(counts)])
    return DONE


def _counts(client: ControlClient) -> dict[str, link_counters.CounterWindows]:
    start = checked(dict[str, dict[str, int]], client.request("links"))
    return link_counters.by_device(
        start, checked(dict[str, link_counters.RecentCounts], client.request("links_lately"))
    )


def _probe(options: argparse.Namespace) -> int:
    from drivers.api import DriverError
    from drivers.probe import list_ports, probe

    if options.port is None:
        ports = list_ports()
        listed = columns([(port.port, port.description) for port in ports]) or "no port found"
        print_answer(options, [asdict(port) for port in ports], [listed])
        return DONE
    if not options.port:
        raise NotDone(WRONG_USE, "'' is no port: name one, or none to list them")
    try:
        report = probe(options.port, options.baud)
    except (DriverError, ValueError) as error:
        raise _port_failed(error, options.port) from error
    who = report.identity
    rows = [
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
    said = [f"{report.port}: {who.kind} {who.serial}", columns(rows)]
    print_answer(options, asdict(report), said)
    return NOT_WELL if report.faults else DONE


def _test(options: argparse.Namespace) -> int:
    if (options.name is None) == (options.port is None):
        raise NotDone(WRONG_USE, "devices test: name a device, or give --port")
    if options.by_hand and options.port is not None:
        raise NotDone(WRONG_USE, "devices test: --by-hand takes the NAME of a device")
    hand = in_service(options) if options.by_hand else None
    result, tests = _test_port(options) if options.port is not None else _test_device(options)
    if hand is not None:
        tests += by_hand(options, *hand)
    well = all(test["ok"] for test in tests)
    failed = [test["name"] for test in tests if not test["ok"]]
    verdict = f"NOT WELL: {', '.join(failed)}" if failed else f"well, {len(tests)} tests"
    ordered = sorted(tests, key=lambda test: test["ok"])  # those that failed first
    rows = [("ok" if test["ok"] else "!!", test["name"], test["what"]) for test in ordered]
    said = [f"{result['device']}: {verdict}", columns(rows)]
    print_answer(options, {**result, "well": well, "tests": tests}, said)
    return DONE if well else NOT_WELL


def _test_device(options: argparse.Namespace) -> tuple[SelfTestOutcome, list[TestOutcome]]:
    with ControlClient(socket_path(options), answer_s=TESTED_WITHIN_S) as client:
        result = client.self_test(options.name)
        device = status_of(client.status()).get("devices", {}).get(options.name, {})
        minute = _counts(client).get(options.name, {"minute": {}})["minute"]
    since = ago(device.get("since") or "-")
    return result, list(link_counters.tests_of(device, since, minute, result))


def _test_port(options: argparse.Namespace) -> tuple[SelfTestOutcome, list[TestOutcome]]:
    from drivers.api import DriverError
    from drivers.self_test import self_test

    try:
        report = self_test(options.port, options.baud)
    except (DriverError, ValueError) as error:
        raise _port_failed(error, options.port) from error
    who = f"{report.kind} {report.serial}"
    result = as_told(f"{report.port}: {who}", report)
    return result, [outcome("identity", who), own_test(result)]


def _port_failed(error: Exception, port: str) -> NotDone:
    """A port that another process holds is not permitted now; anything else is not well. Where
    nobody answered, who reads what was meant for this one is named, if he can be seen."""
    from controller.causes.port_holders import beside_the_controller
    from controller.causes.ports import cause_of_error, read_by
    from drivers.api import NoAnswerError, PortBusyError

    if isinstance(error, NoAnswerError) and (readers := beside_the_controller([port])):
        return NotDone(NOT_WELL, f"{error}: {read_by(port, readers[port])}")
    code = NOT_PERMITTED if isinstance(error, PortBusyError) else NOT_WELL
    return NotDone(code, str(cause_of_error(error, port)))
