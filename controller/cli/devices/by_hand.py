"""``devices test NAME --by-hand``: its options, and a device of the running table tried."""

from __future__ import annotations

import argparse
from typing import Final

from controller.cli.arguments import add_option, integer, seconds
from controller.cli.connection import connect, socket_path
from controller.cli.person import PersonAtTerminal
from controller.commissioning.by_hand.bench import Bench, WantedTrial
from controller.commissioning.by_hand.trials import TRIALS, tried
from controller.commissioning.outcome import TestOutcome
from controller.forms.json_values import checked
from controller.game.rules.cards import parse_card
from controller.not_done import NOT_PERMITTED, WRONG_USE, NotDone
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
        type=_cards,
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
    try:
        cards = tuple(str(parse_card(card)) for card in text.split())
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    if not cards:
        raise argparse.ArgumentTypeError("expected cards, as 'AS 9D TC'")
    return cards


def in_service(options: argparse.Namespace) -> tuple[str, WantedTrial]:
    """The kind of the device that is to be tried, and what of it; the table is in service.

    Raises:
        NotDone: it is not, or there is no such device or test.
    """
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
