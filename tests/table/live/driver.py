"""A live table driven by events, as the journal stores them and the daemon brings them.

Every event goes through JSON. A model shoe gives only what the wants allow (:meth:`Live.deal`),
unless it is told to slip (:meth:`Live.slip`). After every event the table is examined
(:mod:`tests.table.live.examine`); an entry that is refused must have changed nothing.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from typing import Any, Self

import pytest

from controller.files.rules import load_rules, rule_files
from controller.game.commands.values import Malformed
from controller.game.round.refusal import Refused
from controller.game.round.result_fields import SettlementResult
from controller.game.rules.schema import RuleSet
from controller.table.apply import apply
from controller.table.dry_run import Mould, twin
from controller.table.events.reading import read_event
from controller.table.outcome import Outcome
from controller.table.settings import Settings
from controller.table.showing.status import status
from controller.table.state.table import Table
from hil_tests.benches.driven_table import LIMITS, TableInProcess
from pages.codes import MEANINGS
from tests.table.live.examine import Lie, check, check_account, examine, follow, snapshot

MBS, RWS = "mbs-pontoon-pandemonium-v5", "rws-pontoon-pandemonium-v4"
PLUS, DIV, FIVE = "rws-pontoon-plus-v5", "division-15-pontoon", "pontoon-five-card-trick"
EVERY = (RWS, PLUS, MBS, DIV, FIVE)
ALL = ("shoe", "shuffler", "jackpot", "keypad")
REFUSABLE = frozenset({"dealer", "supervisor", "device-command"})
_RULES = {name: load_rules(name) for name in rule_files()}


def settings(rules: str | RuleSet = MBS, devices: Sequence[str] = ALL, **more: Any) -> Settings:
    """A table's settings, with something to change."""
    values: dict[str, Any] = {
        "table": "P12",
        "rules": _RULES[rules] if isinstance(rules, str) else rules,
        "decks": 8,
        "boxes": 7,
        "limits": LIMITS,
        "devices": tuple(devices),
        "weights": ((100, 4), (25, 96)),
    }
    return Settings(**{**values, **more})


def _check_listed(code: str) -> None:
    assert code in MEANINGS, code


class Live(TableInProcess):
    """A started table with its devices up, and the events that brought it where it is."""

    def __init__(
        self, rules: str | RuleSet = MBS, devices: Sequence[str] = ALL, **more: Any
    ) -> None:
        begun = _BEGUN.get(how := f"{rules} {devices} {more}")
        if begun is None:
            self._begin(rules, devices, **more)
            _BEGUN[how] = begun = self.copy()
        vars(self).update(vars(begun.copy()))

    def copy(self) -> Self:
        """Another one that has come as far by the same events."""
        other = copy.copy(self)
        other.table = twin(self.table)
        other.copied = len(self.events)
        other.told = {number: told.copy() for number, told in self.told.items()}
        for name in ("events", "outcomes", "numbers", "sessions"):
            setattr(other, name, copy.copy(getattr(self, name)))
        return other

    def _begin(self, rules: str | RuleSet, devices: Sequence[str], **more: Any) -> None:
        super().__init__(settings(rules, devices, **more))
        self.events: list[str] = []
        self.copied = 0  # so many of them it has in common with what it is a copy of
        self.outcomes: list[Outcome] = []
        self.told: dict[int, list[SettlementResult]] = {}
        self.lie: Lie = {}
        self.numbers = dict.fromkeys((*ALL, *devices), 0)
        self.sessions = {name: 100 + at for at, name in enumerate(self.numbers)}
        self.examined = True
        self.open()

    # ---- events -------------------------------------------------------------------------------

    def apply(self, kind: str, body: dict[str, Any], **more: Any) -> Outcome:
        """One event, as it comes out of a journal."""
        line = json.dumps({"type": kind, "body": body, **more})
        before = snapshot(self.table) if kind in REFUSABLE else None
        try:
            outcome = apply(self.table, read_event(**json.loads(line)))
        except (Refused, Malformed) as refused:
            assert snapshot(self.table) == before
            _check_listed(refused.code)
            raise
        self.events.append(line)
        self.outcomes.append(outcome)
        self.told.setdefault(self.table.round_number, []).extend(outcome.settlements)
        self.lie = follow(self.lie, kind, body, outcome)
        if self.examined:
            examine(self.table)
            check(self.lie, self.table)
            check_account(self.table, self.told[self.table.round_number])
        return outcome

    def down(self, name: str, reason: str = "it does not answer") -> Outcome:
        """A device's link goes down."""
        return self.apply("link", {"up": False, "reason": reason}, device=name)

    def restart(self, boot: str = "boot-1", new: Settings | None = None) -> Outcome:
        """The controller starts, and every device answers."""
        outcome = self.start(boot, new)
        for name in self.table.devices:
            self.up(name)
        return outcome

    def shoe(self, *reports: tuple[int, int]) -> Outcome:
        """The shoe tells its state (0: empty, 1: loaded, 2: its lid is open) and its cards."""
        outcome = Outcome()
        for state, remaining in reports:
            outcome = self.device("shoe", "SHOE_STATE", state=state, remaining=remaining)
        return outcome

    def holds_sets(self, one: int, two: int) -> None:
        """The shuffler tells its states of sets 1 and 2 (0: it has it not, 1: it has)."""
        for number, state in ((1, one), (2, two)):
            self.device("shuffler", "SHUFFLER_STATE", state=state, set=number, count=0, progress=0)

    # ---- cards --------------------------------------------------------------------------------

    def deal(self, cards: str) -> Outcome:
        """Cards leave through the open gate."""
        outcome = Outcome()
        if self.table.entering.leftover is not None:
            self.lock()
        for text in cards.split():
            assert self.wants().gate_cards > 0, f"{text}: the gate is locked in {self.table.state}"
            outcome = self.slip(text)
        return outcome

    def play(self, *moves: str) -> Self:
        """One after the other: cards leave through the open gate (``9C 8D``), the dealer gives a
        command (``stand 1``), or Sue, the supervisor, does (``sue: resume``)."""
        for move in moves:
            if move.startswith(by := "sue: "):
                self.order(move.removeprefix(by))
            elif move[:1].islower():
                self.say(move)
            else:
                self.deal(move)
        return self

    # ---- people -------------------------------------------------------------------------------

    say, shown = TableInProcess.give_commands, TableInProcess.meter_shows

    def refuses(self, command: str, because: str | None = None) -> Refused:
        """A dealer's command is refused, and what is said has this in it (a pattern)."""
        with pytest.raises(Refused, match=because) as refused:
            self.say(command)
        return refused.value

    def refuses_order(
        self, command: str, because: str | None = None, **more: str | None
    ) -> Refused:
        """The same of a supervisor's command."""
        with pytest.raises(Refused, match=because) as refused:
            self.order(command, **more)
        return refused.value

    # ---- what is to be seen -------------------------------------------------------------------

    def status(self) -> dict[str, Any]:
        """The status, as a client reads it."""
        told: dict[str, Any] = json.loads(json.dumps(status(self.table)))
        return told

    def hand(self, box: int = 1) -> str:
        """The cards of a box's first hand."""
        cards: str = self.status()["boxes"][str(box)]["hands"][0]["cards"]
        return cards

    def rows(self) -> tuple[str, str]:
        """The keypad's rows."""
        return self.wants().rows

    def replayed(self) -> Table:
        """Another table that has taken the same events."""
        begun = tuple(self.events[: self.copied])
        mould = _REPLAYED.get(begun)
        if mould is None:
            _REPLAYED[begun] = mould = Mould(_given(Table(), begun))
        return _given(mould.cast(), self.events[self.copied :])

    def check_replay(self) -> None:
        """It tells the same of itself."""
        assert json.dumps(status(self.replayed())) == json.dumps(status(self.table))


def _given(table: Table, events: Sequence[str]) -> Table:
    """The table after these events."""
    for line in events:
        apply(table, read_event(**json.loads(line)))
    return table


_REPLAYED: dict[tuple[str, ...], Mould] = {}
"""Tables that have taken the events which copies have in common, by these events."""

_BEGUN: dict[str, Live] = {}
"""Started tables, by how: starting one takes longer than most of what is done with it."""


def betting(wagers: str = "1 main 10", rules: str | RuleSet = MBS, **more: Any) -> Live:
    """A table with bets open on these wagers (separated by commas)."""
    entries = (f"wager {wager.strip()}" for wager in wagers.split(","))
    return Live(rules, **more).play("open", *entries)


def live(wagers: str = "1 main 10", rules: str | RuleSet = MBS, **more: Any) -> Live:
    """The same with bets closed; the first card is due."""
    return betting(wagers, rules, **more).play("close")


def dealt(cards: str, wagers: str = "1 main 10", rules: str | RuleSet = MBS, **more: Any) -> Live:
    """A table with bets closed and these cards dealt."""
    return live(wagers, rules, **more).play(cards)


def missing_dealers_card() -> Live:
    """Behind a hit it was found that the dealer lacks his first card, and play goes on."""
    table = dealt("7C KD 9D 7C 8H", "1 main 10, 2 main 10")
    table.say("hit 1")
    table.deal("7C")
    table.order("lies 3 out")
    table.order("done")
    table.say("use")
    return table


def button(wagers: str = "1 main 10, 1 pandemonium 5, 2 main 10") -> Live:
    """Box 1 has a Pontoon, and the button."""
    return dealt("AC 9D 7H KC 8D", wagers)


def spinning() -> Live:
    """It was pressed, 25x is drawn, and the meter spins."""
    table = button()
    table.press()
    table.draw(25)
    return table
