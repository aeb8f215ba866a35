"""A made floor's play: the journal of a table, gaming day by gaming day, by a clock of its own.

Rounds are played by the real table under a real rule document, and written through the journal's
own store. At three boxes there are players by rules of thumb, as ``tablectl simulate --strategy
simple`` has them, so what that expects is to be expected here. They are there for twenty hours of
each day, in three shifts; now and then a supervisor makes a round void. At a table that is
``planted`` one draw in so many is the highest multiplier, whatever was drawn: the record of
each draw is in order, and only their number shows it.

A round's entries are two commits, one when bets close and one at its end: nothing lies between that
facts would show.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from controller.configuration.reading import load_configuration
from controller.daemon.runtime import settings_of
from controller.draw.generator import Drawn
from controller.draw.weights import Weights
from controller.forms.json_values import JsonObject
from controller.game.round.states import State
from controller.journal.export import lines
from controller.journal.keys import ControllerKey
from controller.journal.model import Draft
from controller.journal.reader import JournalReader
from controller.journal.store import Journal
from controller.program import this_program
from controller.replay.counted_table import CountedTable
from controller.table.settings import Settings
from controller.table.shoe.shuffling import burn_due
from figures.rounds.playing import SimulatedTable, Simulation
from hil_tests.bench.setup import MBS, RWS, configuration_text, setup_for
from proof.torture.year import LOW_SHOE, Year

BOXES: Final = (1, 2, 3)
STRATEGY: Final = "simple"
MAIN: Final = (10, 25, 50, 100, 200)
SIDE: Final = 5
BETS_SIDE: Final = 0.3
"""How often a box has a side wager, of each kind."""
BETS_BUTTON: Final = 0.9
"""The same of the wager that the button belongs to: a Pontoon with it brings a draw."""
CHANGES: Final = 0.05
"""How often a box has another main wager than in the round before."""
VOID: Final = 0.002
SUPERVISORS: Final = ("Ana Lim", "Ben Tan", "Chandra Rao")
"""Of the shifts of a day."""

ZONE: Final = ZoneInfo("Asia/Singapore")
OPENS: Final = time(6, 10)
OPEN_FOR: Final = timedelta(hours=20)

Written = tuple[Sequence[Draft], datetime]
"""Drafts that are committed together, and when."""


@dataclass(frozen=True, slots=True)
class PlannedTable:
    """A table to be made in ``folder``, as the house calls it and by the rule document by which it
    plays: so many days from ``first`` on, so many rounds a day. One draw in ``planted`` is the
    highest multiplier; 0: as chance has it."""

    folder: Path
    name: str
    document: str
    seed: int
    first: date
    days: int
    rounds: int
    planted: int

    @property
    def configuration(self) -> Path:
        """The file of its configuration."""
        return self.folder / "table.toml"

    @property
    def key(self) -> Path:
        """The file of its journal's key."""
        return self.folder / "state" / "key"

    @property
    def exported(self) -> Path:
        """The file of its journal's lines, once it is made."""
        return self.folder / "lines"


class FloorPlay(Year):
    """Days of play of one table."""

    def __init__(self, settings: Settings, seed: int, digests: JsonObject, *, planted: int) -> None:
        super().__init__(settings, seed, CountedTable(), {"digests": digests})
        self._planted = planted
        limits, weights = settings.limits, Weights(settings.weights) if settings.weights else None
        self._players = Simulation(
            SimulatedTable(
                *(settings.rules, settings.decks, len(BOXES), limits, limits.min, limits.side_min),
                *(STRATEGY, 100, weights),
            )
        )

    def days(self, first: date, days: int, rounds: int) -> Iterator[Written]:
        """What each round leaves, and when, on so many gaming days."""
        for day in range(days):
            opens = datetime.combine(first + timedelta(day), OPENS, ZONE).astimezone(UTC)
            pace, shift = OPEN_FOR / rounds, -(-rounds // len(SUPERVISORS))
            self._begin_day()
            yield self._take_drafts(), opens - timedelta(minutes=5)
            for number in range(rounds):
                begins = opens + number * pace
                if number % shift == 0:
                    self.order_by("shift", SUPERVISORS[number // shift])
                yield self._bets(), begins
                self._play(SUPERVISORS[number // shift])
                yield self._take_drafts(), begins + pace * 0.8

    def _bets(self) -> list[Draft]:
        """Bets are placed and closed; what is written of it."""
        table, chance, rules = self.table, self._chance, self.settings.rules
        if len(self._shoe) < LOW_SHOE + 40:
            self.load()
        self.give_commands("open")
        if burn_due(table):
            self.give_commands("burn")
            self._card()
        for box in BOXES:
            if box not in table.betting.sheet.boxes or chance.random() < CHANGES:
                self.give_commands(f"wager {box} main {chance.choice(MAIN)}")
            for kind, rule in rules.side_wagers.items():
                if chance.random() < (BETS_BUTTON if rule.at_button else BETS_SIDE):
                    self.give_commands(f"wager {box} {kind} {SIDE}")
        self.give_commands("close")
        return self._take_drafts()

    def _play(self, supervisor: str) -> None:
        """The round is played."""
        table, voided = self.table, self._chance.random() < VOID
        while table.phase == "playing":
            rnd = table.rnd
            assert rnd
            if voided and rnd.state == State.PLAY_DECIDE and not rnd.multipliers:
                self.order_by("void", supervisor)
            elif rnd.state in (State.PLAY_DECIDE, State.OFFERS_OPEN, State.PLAY_WITHDRAW):
                step = self._players.next_step(rnd)
                self.give_commands(str(step)) if step else self._card()
            else:
                self._go_on()
        self.give_commands("next")
        self.rounds += 1

    def order_by(self, command: str, by: str) -> None:
        """A supervisor's command; the gate is locked for what it leaves over."""
        self.order(command, by, "as seen at the table", "supervisor")
        if self.table.entering.leftover is not None:
            self.lock()

    def _drawn(self) -> Drawn:
        drawn = super()._drawn()
        if self._planted and self._chance.randrange(self._planted) == 0:
            highest = max(multiplier for multiplier, _ in self.settings.weights)
            while drawn.multiplier != highest:
                drawn = super()._drawn()
        return drawn


def draws(document: str) -> bool:
    """Whether multipliers are drawn under it."""
    return document in (MBS, RWS)


def make_journal(planned: PlannedTable) -> int:
    """Make the table's journal and write its lines down; how many rounds it has."""
    planned.key.parent.mkdir(parents=True)
    devices = ("shoe", "jackpot") if draws(planned.document) else ("shoe",)
    setup = setup_for(planned.document, table=planned.name, devices=devices)
    planned.configuration.write_text(configuration_text(setup), encoding="utf-8")
    config = load_configuration(planned.configuration)
    digests: JsonObject = {**this_program().digests, **config.digests}
    play = FloorPlay(settings_of(config), planned.seed, digests, planted=planned.planted)
    state = planned.key.parent
    with Journal(state, ControllerKey(planned.key), boot_id="made") as journal:
        journal.connection.execute("PRAGMA synchronous = OFF")
        for number, (drafts, at) in enumerate(
            play.days(planned.first, planned.days, planned.rounds)
        ):
            mono_ns = round(at.timestamp() * 1e9)
            journal.append(drafts, mono_ns, at.isoformat(timespec="milliseconds"))
            if number % 100 == 0:
                journal.checkpoint()
    with JournalReader(state) as reader, planned.exported.open("w", encoding="ascii") as file:
        file.writelines(f"{line}\n" for line in lines(reader))
    return play.rounds
