"""Killed at any instruction: nothing lost, nothing twice; and whoever counts kills can tell."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from controller.journal.model import Draft
from hil_tests.bench.controller_process import DidNotStart
from hil_tests.bench.setup import MBS, PLUS, RWS
from hil_tests.benches.virtual.virtual_bench import VirtualBench
from hil_tests.kills.killable_dealer import EVENT, PRESS, Account, kinds_of
from hil_tests.kills.killed_daemon import (
    BEFORE,
    DURABLE,
    EFFECT,
    INSIDE,
    CommitKiller,
    Moment,
    Plan,
)
from hil_tests.kills.rounds import KilledRounds, kill_setup
from hil_tests.kills.ways import (
    CommitDealer,
    RandomMomentDealer,
    at_commits,
    at_held_lines,
    at_random,
)
from hil_tests.people.playing import basic
from hil_tests.tables.comparison import Witness, compare, exported_entries
from hil_tests.tables.strategy import CARDS

SEED = int(os.environ.get("TABLE_KILLS_SEED", "20261120"))
HELD, IN_DOUBT, SPINS = 12, 8, 1
PLANNED, ANYWHERE = 6, 6


@pytest.mark.parametrize("rules", [MBS, RWS])
def test_killed_at_moments_that_last(rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    account = at_held_lines(rules, SEED, HELD, IN_DOUBT, SPINS)
    _kept_its_word(account, capsys)
    assert account.in_doubt >= IN_DOUBT


def test_killed_about_a_commit(capsys: pytest.CaptureFixture[str]) -> None:
    account = at_commits(MBS, SEED, PLANNED)
    _kept_its_word(account, capsys)
    assert account.kills >= PLANNED


def test_killed_at_any_instruction(capsys: pytest.CaptureFixture[str]) -> None:
    _kept_its_word(at_random(PLUS, SEED, ANYWHERE), capsys)


def _kept_its_word(account: Account, capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print("\n" + "\n".join(account.summary()))
    assert (account.lost, account.twice, account.wrong) == (0, 0, [])


@pytest.mark.parametrize(
    ("moment", "stored", "unacked"),
    [
        (Moment(1, BEFORE), 0, 1),
        (Moment(1, INSIDE), 0, 1),
        (Moment(1, DURABLE), 1, 1),
        (Moment(1, EFFECT, 1), 1, 0),
    ],
)
def test_dies_where_it_is_told(moment: Moment, stored: int, unacked: int) -> None:
    dealer = CommitDealer.at_bench(VirtualBench(kill_setup(MBS, 1, 20)), random.Random(1))
    with closing(dealer.plan), dealer.bench as bench:
        dealer.wait_for_devices()
        dealer.open_bets()
        dealer.wager(1, main=100)
        dealer.no_more_bets()
        dealer.shoe.wait_for(lambda shoe: shoe["gate"] == "unlocked" and shoe["signal"] == "green")
        # The lamps are the last that the keypad is sent.
        bench.devices["keypad"].wait_for(lambda pad: pad["lamps"] == [1])
        dealer.plan.arm(moment)
        dealer.shoe.do("draw")
        assert bench.controller.was_killed(within_s=5)
        assert dealer.plan.killed_at.startswith("CARD, ")
        cards = [
            entry for entry in exported_entries(bench.state_directory) if entry["type"] == "CARD"
        ]
        assert len(cards) == stored
        look = dealer.shoe.wait_for(lambda shoe: shoe["unacked"] == unacked)
        assert list(kinds_of(look)) == [EVENT] * unacked


@pytest.mark.parametrize("over", [False, True])
def test_a_kill_that_its_round_has_not_reached_comes_never(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, over: bool
) -> None:
    """Else a stop, which waits for what devices answer, ended by it now and then."""
    with closing(Plan(tmp_path / "plan")) as plan:
        killed: list[str] = []
        monkeypatch.setattr(plan, "kill_here", killed.append)
        killer = CommitKiller(plan)
        plan.arm(Moment(1, EFFECT, 2))
        killer.begins([Draft("CARD", {})])
        killer.has_left()
        if over:
            plan.disarm()
        killer.has_left()
        assert killed == ([] if over else ["CARD, committed and 2 left"])


def test_a_start_that_was_to_be_killed_is_a_kill() -> None:
    """And no controller that was too slow to start, which would end the whole run."""

    class NeverReady(VirtualBench):
        def start_controller(self, within_s: float = 0.0) -> None:
            raise DidNotStart(None, "", within_s)

    table = RandomMomentDealer(NeverReady(kill_setup(MBS, 1, 20)), random.Random(1), chance=2.0)
    with pytest.raises(DidNotStart) as told:
        table.start()
    assert told.value.status == -signal.SIGKILL


@pytest.fixture
def played() -> Iterator[tuple[Witness, Path]]:
    """A round played in peace: what was seen, and where its journal is."""
    source = random.Random(1)
    dealer = CommitDealer.at_bench(VirtualBench(kill_setup(MBS, 1, 20)), source)
    with closing(dealer.plan), dealer.bench as bench:
        dealer.wait_for_devices()
        rounds = KilledRounds(dealer, source)
        rounds.play(CARDS, basic)
        account = rounds.finish()
        assert (account.lost, account.twice, account.wrong) == (0, 0, [])
        yield rounds.witness, bench.state_directory


def test_notices_what_is_not_as_it_was_seen(played: tuple[Witness, Path]) -> None:
    witness, journal = played
    shoe = {**witness.devices["shoe"], "drawn": 99}
    round_ = witness.settled[0]
    others = {
        "card: lost {'AS': 1}": replace(witness, cards=[*witness.cards, "AS"]),
        "card: lost {}, twice {'9C': 1}": replace(witness, cards=witness.cards[:-1]),
        "card: in another order": replace(witness, cards=witness.cards[::-1]),
        "draw: lost {3000: 1}": replace(witness, shown=[3000]),
        "answered and not in the journal: stand 7": replace(
            witness, answered=[*witness.answered, "stand 7"]
        ),
        "the shoe has counted 99": replace(witness, devices={**witness.devices, "shoe": shoe}),
        "0 rounds were settled": replace(witness, settled=[]),
        "settlements on replay": replace(witness, settled=[{**round_, "settlements": []}]),
    }
    for told, seen in others.items():
        account = Account()
        compare(account, seen, journal)
        assert any(told in what for what in account.wrong), (told, account.wrong)


def test_tells_what_a_device_was_in() -> None:
    quiet = {"unacked": 0, "events": {}, "held_in": [], "held_out": []}
    pressed = {**quiet, "events": {"PRESS": 2, "SHOWN": 1}, "state": "spinning"}
    assert list(kinds_of(quiet)) == []
    assert list(kinds_of(pressed)) == [PRESS]
    shown = {**quiet, "events": {"PRESS": 2, "SHOWN": 2}, "state": "showing"}
    assert list(kinds_of(shown)) == []
    assert list(kinds_of({**shown, "unacked": 1})) == [EVENT, PRESS]
