"""Shifts in virtual time: nothing breaks, a seed is a course, and planted defects are found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest

from controller.daemon import owner
from controller.daemon.devices import fleet
from controller.daemon.devices.jackpot_steward import JackpotSteward
from controller.daemon.devices.stewards import ShoeSteward
from controller.daemon.owner import Owner
from controller.game.round.settling import bookkeeping, interim
from controller.journal.model import Draft, Entry
from controller.journal.store import Journal
from controller.table.apply import HANDLERS
from controller.table.events.of_controller import ReadinessReported
from controller.table.state.parts import Readiness
from controller.table.state.table import Table
from hil_tests.bench.setup import MBS
from proof.torture import play
from proof.torture.play import Account, play_shift
from proof.torture.virtual.ledger import Ledger
from simulators.cards import parse_cards

ROUNDS, FAULTS = 18, 12
COMES_TO_ALL = 25, 10
"""Rounds and faults of a shift in which every planted defect has its occasion."""
SEEDS = (43, 44, 45, 48, 51)
"""One of each document."""


def _well(account: Account) -> None:
    assert not account.broken, f"seed {account.seed}: {account.broken}"


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_is_lost_and_nothing_comes_twice(seed: int) -> None:
    account = play_shift(seed, ROUNDS, FAULTS)
    _well(account)
    assert account.sums["rounds"] == ROUNDS
    assert sum(account.faults.values()) == FAULTS


def test_a_seed_gives_the_same_course_every_time() -> None:
    first, second = play_shift(7, 12, 8), play_shift(7, 12, 8)
    first.real_s = second.real_s = 0.0
    assert first == second
    assert play_shift(8, 12, 8).course != first.course


def test_a_daemon_that_ends_as_the_shift_does_is_given_time_to_start() -> None:
    """It was killed at a send, which came only when everybody had come to rest."""
    _well(play_shift(770135, 6, 12))


def test_a_card_lost_with_its_shoe_is_not_taken_for_its_equal_from_the_next() -> None:
    """A 9S left, the shoe was exchanged before it was stored, and the next one's first was a 9S:
    the ledger, not the daemon, took one for the other."""
    ledger = Ledger()
    nine, jack = parse_cards(["9S", "JS"])
    ledger.card_left(nine, nine, session=1)
    ledger.shoe_forgets(1)
    for card in (nine, jack):
        ledger.card_left(card, card, session=2)
    for number, card in enumerate((nine, jack), 2):
        body = {"rank": card.rank, "suit": card.suit, "flags": card.flags}
        draft = Draft("CARD", body, device="shoe", session=2, event_no=number, t_ms=0)
        ledger._card(Entry(number, 1, 0, "", draft, 1, b""))
    assert list(ledger.missing()) == []


# ---- teeth: a defect is planted, and must be found ----------------------------------------------

Plant = Callable[[pytest.MonkeyPatch], None]


def acknowledges_at_once(patch: pytest.MonkeyPatch) -> None:
    """An event is acknowledged before it is durable."""
    honest = fleet.Fleet.device_event

    def hasty(self: fleet.Fleet, event: Any) -> None:
        honest(self, event)
        self._acknowledge(event)

    patch.setattr(fleet.Fleet, "device_event", hasty)


def forgets_a_card(patch: pytest.MonkeyPatch) -> None:
    """Every fiftieth card is acknowledged and never stored."""
    honest = Owner.device_event
    count = 0

    def forgetful(self: Owner, event: Any, t_ms: int, then: Any = None) -> None:
        nonlocal count
        count += event.type == "CARD"
        if event.type == "CARD" and count % 50 == 0:
            then(None)
        else:
            honest(self, event, t_ms, then)

    patch.setattr(Owner, "device_event", forgetful)


def shows_another(patch: pytest.MonkeyPatch) -> None:
    """The meter is told one more than was drawn."""
    honest = JackpotSteward.next_command

    def wrong(self: JackpotSteward, wants: Any) -> Any:
        command = honest(self, wants)
        if command is not None and command.name == "SHOW":
            multiplier = int(str(command.fields["multiplier"]))
            return type(command)("SHOW", {**command.fields, "multiplier": multiplier + 1})
        return command

    patch.setattr(JackpotSteward, "next_command", wrong)


def pays_another(patch: pytest.MonkeyPatch) -> None:
    """A Pandemonium wager is paid one more than was drawn."""

    def generous(rnd: Any, where: Any, kind: str, *what: Any) -> None:
        paid = [(part[0] + 1, part[1]) if isinstance(part, tuple) else part for part in what]
        honest(rnd, where, kind, *(paid if kind == "pandemonium" else what))

    honest = bookkeeping.write
    patch.setattr(interim, "write", generous)


def recovers_without_the_last(patch: pytest.MonkeyPatch) -> None:
    """A start leaves the last entry out."""
    honest = Journal.iterate

    def hasty(self: Journal, after: int = 0, upto: int | None = None) -> Any:
        return honest(self, after, max(self.head.seq - 1, 0) if upto is None else upto)

    patch.setattr(Journal, "iterate", hasty)


def locks_for_ever(patch: pytest.MonkeyPatch) -> None:
    """The gate is not opened any more after a while."""
    honest = ShoeSteward.next_command
    count = 0

    def tired(self: ShoeSteward, wants: Any) -> Any:
        nonlocal count
        count += 1
        command = honest(self, wants)
        opens = command is not None and command.name == "GATE" and command.fields["unlocked"]
        return None if opens and count > 500 else command

    patch.setattr(ShoeSteward, "next_command", tired)


def keeps_the_order_of_the_moment(patch: pytest.MonkeyPatch) -> None:
    """The report's counters stand as they were counted, and not as the journal has them."""

    def careless(table: Table, event: ReadinessReported) -> None:
        table.readiness = Readiness(event.at, dict(event.counted))

    patch.setattr(owner, "as_stored", lambda event: event)
    patch.setitem(cast("dict[Any, Any]", HANDLERS), ReadinessReported, careless)


@pytest.mark.parametrize(
    ("plant", "found"),
    [
        (acknowledges_at_once, "is acknowledged"),
        (forgets_a_card, "is acknowledged"),
        (shows_another, "the meter is told"),
        (pays_another, "is paid"),
        (recovers_without_the_last, "the recovered table differs"),
        (locks_for_ever, "play stands"),
        (keeps_the_order_of_the_moment, "table.readiness.counted is"),
    ],
)
def test_planted_defects_are_found(
    plant: Plant, found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    monkeypatch.setattr(play, "TABLES", (MBS,))
    assert found in play_shift(9, *COMES_TO_ALL).broken
