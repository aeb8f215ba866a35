"""Live tables played into every state of a document, for the documentation.

A table is played as the daemon plays it, event by event, by the choices of
:class:`~.played_rounds.Sequel`; a copy is kept of the first one met in each state.
"""

from __future__ import annotations

import copy
import json
from collections import defaultdict
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final

from controller.files.rules import load_rules
from controller.forms.json_values import JsonObject
from controller.game.commands.command import Command
from controller.game.commands.verbs import VERBS, Fact
from controller.game.round.guards import CHECKS
from controller.game.round.machine import waiting_states
from controller.game.round.wagers import Limits
from controller.game.rules.schema import RuleSet
from controller.table.apply import apply
from controller.table.dry_run import Mould
from controller.table.entering.commands import dealer_commands
from controller.table.events import of_controller
from controller.table.events.event import Event
from controller.table.events.of_people import DealerCommanded, SupervisorCommanded
from controller.table.events.reading import read_event
from controller.table.outcome import Outcome
from controller.table.settings import Settings
from controller.table.showing.status import status
from controller.table.showing.wanted import wants
from controller.table.state.table import Table
from drivers.vocabulary import KINDS, LOCKED, SHOE_LOADED
from pages.table.played_rounds import Sequel

DEVICES: Final = tuple(KINDS.values())
MOST_EVENTS: Final = 300
FEWEST_ROUNDS: Final = 60
MOST_ROUNDS: Final = 600
BEHIND_REMEDIES: Final = frozenset({"play.dealer_card"})
"""States that only a remedy brings."""
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
        loaded = {"state": SHOE_LOADED, "remaining": self.settings.shoe_size}
        self.apply(device_event(self.table, "shoe", "SHOE_STATE", loaded))

    def apply(self, event: Event) -> Outcome:
        """One event."""
        outcome = apply(self.table, event)
        self.events.append(event)
        return outcome

    def give_command(self, command: str) -> None:
        """A command of the dealer, waited for."""
        if self.apply(dealer(command)).entry is not None:
            self.apply(locked(self.table))

    def copy(self, mould: Mould | None = None) -> Played:
        """An independent copy; ``mould`` is one of the table as it is, if that has been made."""
        other = copy.copy(self)
        other.table = (mould or Mould(self.table)).cast()
        other.events = self.events.copy()
        return other


# ---- events as the daemon makes them ------------------------------------------------------------


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


def device_event(table: Table, name: str, kind: str, body: JsonObject) -> Event:
    """A device's next event."""
    known = table.devices[name]
    return read_event(kind, body, name, known.session, known.last_event + 1)


def card(table: Table, rank: int, suit: int, flags: int = 0) -> Event:
    """A card leaves the shoe."""
    body = {"rank": rank, "suit": suit, "flags": flags, "card_uid": 0, "remaining": 0xFFFF}
    return device_event(table, "shoe", "CARD", body)


def dealer(command: str) -> DealerCommanded:
    """A command of the dealer."""
    return DealerCommanded(command=command, user="dora")


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


# ---- play ---------------------------------------------------------------------------------------


@dataclass
class Tour:
    """What was met in many rounds: the first table in each state, and the verbs of the commands
    that were taken in it."""

    rules: RuleSet
    met: dict[str, Played] = field(default_factory=dict)
    taken: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def give_command(self, played: Played, command: str) -> None:
        """A command of the dealer, which is taken."""
        state = played.table.state
        played.give_command(command)
        self.taken[command.split(maxsplit=1)[0]].add(state)


@cache
def tour_of(document: str) -> Tour:
    """The tour of a rule document, made once: whoever asks for it changes nothing of it."""
    return tour(load_rules(document))


def tour(rules: RuleSet) -> Tour:
    """Play until every state has been met, and some rounds more; then hold and void some."""
    made = Tour(rules)
    sequel, begun = Sequel(1), Played(rules)
    mould = Mould(begun.table)
    due = {"idle", "betting", "settled", *waiting_states(rules)} - BEHIND_REMEDIES
    verbs = {kind.verb for kind in CHECKS} - set(rules.not_played) - {"press"}
    if rules.betting.bettors_max.value == 1:
        verbs.discard("follow")
    for number in range(MOST_ROUNDS):
        if number >= FEWEST_ROUNDS and due <= set(made.met) and verbs <= set(made.taken):
            break
        _round(made, begun.copy(mould), sequel)
    families = {state.partition(".")[0]: state for state in made.met if "." in state}
    for state in families.values():
        held = made.met[state].copy()
        held.apply(card(held.table, 2, 1, LOCKED))
        made.met[f"held.{state}"] = held
        cut = made.met[state].copy()
        cut.apply(start(cut.settings, "boot-2"))
        for name in DEVICES:
            cut.apply(link_up(cut.table, name))
        made.met[f"held.{state} by a power cut"] = cut
    ended = made.met["play.decide"].copy()
    ended.apply(order("void"))
    made.met["void"] = ended
    return made


def _round(made: Tour, played: Played, sequel: Sequel) -> None:
    low = sequel.among((False, True))
    for _ in range(MOST_EVENTS):
        state = played.table.state
        if state not in made.met and (state != "betting" or played.table.betting.sheet.boxes):
            made.met[state] = played.copy()
        if state == "settled":
            made.give_command(played, "next")
            return
        _move(made, played, sequel, low=low)


def order(command: str) -> SupervisorCommanded:
    """A command of the supervisor."""
    return SupervisorCommanded(command=command, by="Sue", why="seen", user="sue")


def _move(made: Tour, played: Played, sequel: Sequel, *, low: bool) -> None:
    """What is awaited comes."""
    table = played.table
    match table.state:
        case "idle":
            made.give_command(played, "open")
        case "betting" if played.table.betting.sheet.boxes:
            made.give_command(played, "close")
        case "betting":
            _wagers(made, played, sequel)
        case "jackpot.armed":
            assert table.jackpot.offer
            made.taken["nominate"].add(table.state)
            played.give_command(f"nominate {table.jackpot.offer.box} staff")
            body = {"offer_id": table.jackpot.offer.number}
            played.apply(device_event(table, "jackpot", "PRESS", body))
        case "jackpot.drawing" if wants(table).draw:
            played.apply(drawn(table))
        case "jackpot.drawing":
            assert table.jackpot.offer
            offer = table.jackpot.offer
            body = {"offer_id": offer.number, "multiplier": offer.multiplier or 0}
            played.apply(device_event(table, "jackpot", "SHOWN", body))
        case _:
            _play(made, played, sequel, low=low)


def _wagers(made: Tour, played: Played, sequel: Sequel) -> None:
    """Bets on two boxes, a standing bettor where the document knows one."""
    rules = played.table.rules
    made.give_command(played, "wager 1 main 20")
    made.give_command(played, "wager 2 main 10")
    if rules.betting.bettors_max.value > 1:
        made.give_command(played, "wager 1b main 10")
    for kind in rules.side_wagers:
        if sequel.among((True, False)):
            made.give_command(played, f"wager {sequel.among((1, 2))} {kind} 5")


NO_PLAY: Final = {"report", "correct"} | {
    verb for verb, row in VERBS.items() if Fact.POSSIBLE | Fact.UNTOLD in row.facts
}
"""Verbs that a tour leaves out, so that a new one beside play does not send it elsewhere."""


def _play(made: Tour, played: Played, sequel: Sequel, *, low: bool) -> None:
    table = played.table
    commands = [one for one in dealer_commands(table) if one.verb not in NO_PLAY]
    if table.gate_cards and (not commands or sequel.among((True, False))):
        dealt = sequel.card(table.rules, low=low)
        if table.shoe.used[dealt] < table.settings.decks:
            played.apply(card(table, dealt.rank, dealt.suit))
        return
    made.give_command(played, filled(sequel.among(commands)))


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
