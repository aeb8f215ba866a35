"""Facts of rounds, their settlements and draws.

The rules:

- A round is told once its bets are closed, and again with each entry that changes its end or its
  settlements: always as it stands, so what a correction, an ``undo`` or a void has changed is not
  told twice.
- An ``open`` that was taken back takes the round along.
- It belongs to the day in which it was opened, and to the shift in which it ended.
- A draw stays drawn, whatever becomes of its round.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from controller.counters.figures import weights_text
from controller.game.round.model import Settlement
from controller.game.round.state import Round
from controller.game.round.wagers import MAIN
from controller.journal.model import read_written
from controller.table.events.of_controller import MultiplierDrawn
from controller.table.state.table import Table
from floor.facts.kinds import NO_DAY, Batch, DrawFact, RoundFact, SettlementFact, Terms
from floor.facts.played_entry import OpenedRound, PlayedEntry

RETURNED = "returned"
_REMEMBERED = 3
"""Rounds that are remembered: the present one and those that it may go back to."""


def day_of(text: str) -> date:
    """A day that was remembered."""
    return date.fromisoformat(text) if text else NO_DAY


class RoundWatch:
    """Tells rounds and draws; ``opened`` are the last rounds, the oldest first, ``number`` that of
    the present one."""

    def __init__(self, opened: list[OpenedRound], number: int) -> None:
        self.opened = opened
        self._number = number
        self._told: tuple[int, str, list[Settlement]] = (0, "", [])

    def rest(self) -> None:
        """A snapshot was taken: who begins there does not know what was told last."""
        self._told = (0, "", [])

    def note_round(self, seen: PlayedEntry, batch: Batch) -> None:
        """Put into ``batch`` what the entry has changed."""
        table = seen.table
        number = table.round_number
        if table.outcome.opened == number:
            self._open(seen, number)
        self._forget_taken_back(number, batch)
        if isinstance(seen.event, MultiplierDrawn):
            batch.facts.append(self._drawn(seen, seen.event))
        rnd = table.rnd
        if rnd is None:
            return
        outcome = str(rnd.state) if rnd.is_over else ""
        if self._told != (number, outcome, rnd.settlements):
            self._told = number, outcome, rnd.settlements.copy()
            opened = self._opened_round(seen, number)
            batch.rounds[number] = _fact(seen, opened, rnd, outcome)
            _replace(batch, opened)

    def _open(self, seen: PlayedEntry, number: int) -> None:
        day = str(seen.at.day)
        before = next((one for one in self.opened if one.number == number), None)
        low = min(before.low, day) if before else day
        self._remember(
            OpenedRound(number, seen.at.seq, seen.entry.wall, day, low, rules_of(seen.table))
        )

    def _remember(self, opened: OpenedRound) -> None:
        others = [one for one in self.opened if one.number != opened.number]
        self.opened = [*others, opened][-_REMEMBERED:]

    def _opened_round(self, seen: PlayedEntry, number: int) -> OpenedRound:
        """How the round was opened; one that was opened before what is known began, with its first
        entry that is."""
        for one in self.opened:
            if one.number == number:
                return one
        self._open(seen, number)
        return self.opened[-1]

    def _forget_taken_back(self, number: int, batch: Batch) -> None:
        """Rounds behind the present one were taken back. They stay remembered for the days under
        which they may have been told."""
        if number < self._number:
            for one in self.opened:
                if one.number > number:
                    batch.rounds.pop(one.number, None)
                    _replace(batch, one)
        self._number = number

    def _drawn(self, seen: PlayedEntry, event: MultiplierDrawn) -> DrawFact:
        number = seen.table.round_number
        opened = next((one for one in self.opened if one.number == number), None)
        rules = opened.rules if opened else rules_of(seen.table)
        terms = _terms(seen, rules)
        return DrawFact(seen.at, number, event.box, event.offer, event.multiplier, terms)


def rules_of(table: Table) -> str:
    """The digest of the rule file, as the last start record has it."""
    return table.setup.digests.get("rules", "")


def _replace(batch: Batch, opened: OpenedRound) -> None:
    before = batch.rounds_from
    batch.rounds_from = opened.number if before is None else min(before, opened.number)
    batch.days_from = min(batch.days_from, day_of(opened.low))


def _terms(seen: PlayedEntry, rules: str) -> Terms:
    settings = seen.table.settings
    return Terms(settings.rules.id, rules, weights_text(settings.weights), seen.engine)


def _fact(seen: PlayedEntry, opened: OpenedRound, rnd: Round, outcome: str) -> RoundFact:
    settled = tuple(_settled(n, one) for n, one in enumerate(rnd.settlements))
    stakes = list(_played_for(rnd))
    return RoundFact(
        opened.number,
        day_of(opened.day),
        seen.at.shift,
        opened.first,
        read_written(opened.wall),
        seen.at.seq,
        seen.at.wall,
        outcome,
        sum(stakes),
        sum(stake * stake for stake in stakes),
        _terms(seen, opened.rules),
        settled,
    )


def _played_for(rnd: Round) -> Iterator[int]:
    """What the main wagers of each box came to before the deal, without what was given back: who
    share a hand win and lose together, so a box is one wager where they are squared."""
    played = {
        (one.box, one.bettor)
        for one in rnd.settlements
        if one.kind == MAIN and one.outcome != RETURNED
    }
    for number, box in rnd.boxes.items():
        yield sum(
            stake for bettor, stake in box.main.items() if stake and (number, bettor) in played
        )


def _settled(n: int, one: Settlement) -> SettlementFact:
    return SettlementFact(
        n,
        one.box,
        one.bettor,
        one.hand,
        one.kind,
        one.stake,
        one.net,
        one.outcome,
        one.odds,
        one.clause,
    )
