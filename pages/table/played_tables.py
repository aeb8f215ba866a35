"""Live tables for the documentation, played as the daemon plays them, event by event."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from typing import Final

from controller.files.rules import load_rules
from controller.game.commands.command import Command
from controller.game.round.wagers import Limits
from controller.game.rules.cards import parse_card
from controller.game.rules.schema import RuleSet
from controller.table.apply import apply
from controller.table.dry_run import Mould
from controller.table.events import of_controller
from controller.table.events.event import Event
from controller.table.events.of_people import DealerCommanded, SupervisorCommanded
from controller.table.events.reading import read_event
from controller.table.outcome import Outcome
from controller.table.settings import Settings
from controller.table.showing.status import status
from controller.table.showing.wanted import wants
from controller.table.state.table import Table
from drivers.vocabulary import KINDS, SHOE_LOADED

DEVICES: Final = tuple(KINDS.values())
_LIMITS: Final = Limits(min=1000, max=500_000, side_min=100, side_max=50_000, increment=100)


class Played:
    """A started table, all its devices up, and the events that brought it where it is."""

    def __init__(self, rules: RuleSet, *, box_max: int = 0) -> None:
        weights, limits = ((100, 4), (25, 96)), replace(_LIMITS, box_max=box_max)
        self.settings = Settings("T1", rules, 8, 7, limits, DEVICES, weights=weights)
        self.table = Table()
        self.events: list[Event] = []
        self.apply(start(self.settings))
        for name in DEVICES:
            self.apply(link_up(self.table, name))
        self.report("shoe", "SHOE_STATE", state=SHOE_LOADED, remaining=self.settings.shoe_size)

    def apply(self, event: Event) -> Outcome:
        """One event."""
        outcome = apply(self.table, event)
        self.events.append(event)
        return outcome

    def report(self, name: str, kind: str, /, **fields: object) -> Outcome:
        """A device's next event."""
        return self.apply(device_event(self.table, name, kind, **fields))

    def give_command(self, command: str) -> None:
        """A command of the dealer, waited for."""
        if self.apply(dealer(command)).entry is not None:
            self.apply(locked(self.table))

    def press_key(self, key: str, *, supervisor: bool = False) -> Outcome:
        """A key, the supervisor's key turned or not."""
        return self.report("keypad", "KEY", key=key, supervisor=int(supervisor))

    def press_button(self) -> None:
        """The player presses."""
        assert self.table.jackpot.offer
        self.report("jackpot", "PRESS", offer_id=self.table.jackpot.offer.number)

    def show_multiplier(self) -> None:
        """The meter shows what was drawn."""
        offer = self.table.jackpot.offer
        assert offer
        multiplier = offer.multiplier or 0
        self.report("jackpot", "SHOWN", offer_id=offer.number, multiplier=multiplier)

    def copy(self, mould: Mould | None = None) -> Played:
        """An independent copy; ``mould`` is one of the table as it is, if that has been made."""
        other = copy.copy(self)
        other.table = (mould or Mould(self.table)).cast()
        other.events = self.events.copy()
        return other


def brought(document: str, course: str) -> Played:
    """A table behind what happens in turn, separated by ``;``.

    ``keys`` of the keypad, ``turned``: with the supervisor's key; ``deal`` cards, ``order`` of the
    supervisor, ``down`` of a device's link, ``exchanged`` device, ``event`` of a device,
    ``condition`` of the controller; else a command of the dealer, which ``unlocked`` does not wait
    for the shoe.
    """
    played = Played(load_rules(document), box_max=_LIMITS.max)
    for part in course.split("; "):
        verb, _, rest = part.partition(" ")
        match verb:
            case "keys" | "turned":
                for key in rest.replace(" ", ""):
                    played.press_key(key, supervisor=verb == "turned")
                    while played.table.entering.pending:
                        played.apply(locked(played.table))
            case "deal":
                for one in map(parse_card, rest.split()):
                    played.apply(card(played.table, one.rank, one.suit))
            case "order":
                played.apply(order(rest))
            case "unlocked":
                played.apply(dealer(rest))
            case "down":
                played.apply(of_controller.LinkWent(device=rest, reason="it does not answer"))
            case "exchanged":
                played.apply(link_up(played.table, rest, serial="another", new_session=True))
            case "event":
                name, kind, *pairs = rest.split()
                fields = {key: int(value) for key, value in (one.split("=") for one in pairs)}
                played.report(name, kind, **fields)
            case "condition":
                fault, _, detail = rest.partition(" ")
                told = of_controller.ConditionChanged(fault=fault, present=True, detail=detail)
                played.apply(told)
            case _:
                played.give_command(part)
    return played


def start(settings: Settings, boot: str = "boot-1") -> Event:
    """The controller starts."""
    return of_controller.ControllerStarted(boot_id=boot, settings=settings.dump(), versions={})


def link_up(
    table: Table, name: str, *, serial: str = "", new_session: bool = False, lost: int = 0
) -> Event:
    """A device answers; of the events acknowledged to it, ``lost`` are missing."""
    known = table.devices[name]
    last = known.last_event + lost if lost or not new_session else 0
    return of_controller.LinkCame(
        device=name,
        session=(known.session or 1) + (new_session and not lost),
        kind=name,
        serial=serial or f"{name}-1",
        firmware=(1, 0, 0),
        new_session=new_session,
        last_event=last,
        taken=last,
        down_since=None,
        unheard=True if name == "jackpot" else None,
        lost=(known.last_event + 1, last) if lost else None,
    )


def device_event(table: Table, name: str, kind: str, /, **fields: object) -> Event:
    """A device's next event."""
    known = table.devices[name]
    return read_event(kind, fields, name, known.session, known.last_event + 1)


def card(table: Table, rank: int, suit: int, flags: int = 0) -> Event:
    """A card leaves the shoe."""
    seen = {"rank": rank, "suit": suit, "flags": flags, "card_uid": 0, "remaining": 0xFFFF}
    return device_event(table, "shoe", "CARD", **seen)


def dealer(command: str) -> DealerCommanded:
    """A command of the dealer."""
    return DealerCommanded(command=command, user="dora")


def order(command: str) -> SupervisorCommanded:
    """A command of the supervisor."""
    return SupervisorCommanded(command=command, by="Sue", why="seen", user="sue")


def locked(table: Table, *, entry: int | None = None) -> Event:
    """The shoe has locked its gate for what waits for it."""
    waits = table.entering.pending or table.entering.leftover
    number = entry if entry is not None else waits.number if waits else 0
    last = table.devices["shoe"].last_event
    return of_controller.GateLocked(device="shoe", entry=number, last_event=last)


def drawn(table: Table, multiplier: int = 25) -> Event:
    """The draw that the table wants."""
    due = wants(table).draw
    assert due is not None
    offer, box = due[:2]
    return of_controller.MultiplierDrawn(
        offer=offer, box=box, multiplier=multiplier, ticket=3, total=100, rejected=()
    )


def filled(command: Command) -> str:
    """A permitted command with its smallest values, as it is given."""
    amount = "0.01" if command.verb == "insure" else "10"
    smallest = {"box": "1", "bettor": "staff", "amount": amount, "card": "9D"}
    while (slot := command.next_slot) is not None:
        command = command.filled(smallest[slot.kind])
    return str(command)


def published_text(table: Table) -> str:
    """All that is published of a table, and what its devices should do, but the numbers of their
    events, as text."""
    now, wanted = status(table), wants(table)
    now["devices"] = {
        name: {key: value for key, value in device.items() if key != "last_event"}
        for name, device in now["devices"].items()
    }
    return json.dumps(now) + repr((wanted.meter, wanted.draw, wanted.shuffle, wanted.signal))
