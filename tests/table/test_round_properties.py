"""What holds in every round, whatever the cards and whatever is decided."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.files.rules import RULES_DIRECTORY, load_rules, rules_in
from controller.game.round import play as verbs
from controller.game.round.model import Bet, Hand, Settlement
from controller.game.round.results import net_of, round_result
from controller.game.round.state import Irregular, Irregularity, Round
from controller.game.round.wagers import Limits
from controller.game.rules.cards import Card
from controller.game.scripts.runner import run_script
from controller.game.scripts.script import read_json, read_script
from tests.table.play import RULES, PlayedRound, begin, is_state, state_of

seeds = st.integers(0, 2**32)
each_rules = pytest.mark.parametrize("rules", RULES)
by_name = rules_in(Path())
CLAUSES = RULES_DIRECTORY.parent / "clauses"

Wager = tuple[int, str, int, str]


def _wagers(rnd: Round) -> Counter[Wager]:
    """Every wager that was made."""
    made: Counter[Wager] = Counter()
    for box in rnd.boxes.values():
        for kind, wagers in box.sides.items():
            made.update((box.number, bettor, 1, kind) for bettor in wagers)
        for hand in box.hands:
            for bettor, bet in hand.bets.items():
                kind = "main" if bet.original else "split"
                made[box.number, bettor, hand.number, kind] += 1
                made[box.number, bettor, hand.number, "double"] += bet.doubled
                made[box.number, bettor, hand.number, "buy"] += len(bet.buys)
    made.update((box, bettor, 1, "insurance") for (box, bettor), _ in rnd.insurance)
    return +made


def _of_wagers(settlements: list[Settlement]) -> Counter[Wager]:
    return Counter(
        (s.box, s.bettor, s.hand, s.kind)
        for s in settlements
        if not s.kind.startswith("super_bonus")
    )


def every_card_is_in_exactly_one_hand(play: PlayedRound) -> None:
    rnd = play.rnd
    hands = [card for box in rnd.boxes.values() for hand in box.hands for card in hand.cards]
    assert Counter(hands + rnd.dealer) == Counter(play.shoe)


def every_wager_is_settled_once_and_every_settlement_has_a_clause(play: PlayedRound) -> None:
    rnd = play.rnd
    assert rnd.state == "settled"
    assert _of_wagers(rnd.settlements) == _wagers(rnd)
    assert all(settlement.clause for settlement in rnd.settlements)


def the_money_adds_up(play: PlayedRound) -> None:
    rnd = play.rnd
    sums: Counter[str] = Counter()
    for s in rnd.settlements:
        assert s.stake is not None
        assert s.net is not None
        sums[f"{s.box}{s.bettor}"] += s.net
        if s.kind.startswith("super_bonus"):
            assert (s.outcome, s.odds, s.net > 0) == ("win", None, True)
            continue
        if s.outcome == "win":
            assert s.odds
            to, of = map(int, s.odds.split(":"))
            assert s.net * of == s.stake * to
        else:
            assert s.odds is None
            parts = {"lose": -2, "withdrawn": -2, "surrendered": -1}
            assert s.net * 2 == s.stake * parts.get(s.outcome, 0)
    written = {who: round(float(net or "nan") * 100) for who, net in net_of(rnd).items()}
    assert written == {who: sums[who] for who in written}
    assert set(sums) == set(written)


def what_the_players_gain_the_house_loses(play: PlayedRound) -> None:
    """Worked out from chips: what is put on the table, and what comes back from it."""
    rnd = play.rnd
    put = sum(_stakes(rnd))
    back = sum(_comes_back(s) for s in rnd.settlements)
    assert sum(s.net or 0 for s in rnd.settlements) == back - put


def _stakes(rnd: Round) -> Iterator[int]:
    """Every chip that was put on the table, as the round holds it."""
    for box in rnd.boxes.values():
        for wagers in box.sides.values():
            yield from (stake or 0 for stake in wagers.values())
        for hand in box.hands:
            for bet in hand.bets.values():
                yield bet.stake or 0
                yield (bet.double or 0) + sum(stake or 0 for stake in bet.buys)
    yield from (amount or 0 for amount in rnd.insurance.values())


def _comes_back(s: Settlement) -> int:
    """What the bettor picks up: his chips and what they have won."""
    stake = s.stake or 0
    if s.kind.startswith("super_bonus"):
        return s.net or 0  # a sum on the strength of a wager that is settled by itself
    match s.outcome:
        case "win":
            to, of = map(int, (s.odds or "").split(":"))
            return stake + stake * to // of
        case "lose" | "withdrawn":
            return 0
        case "surrendered":
            return stake // 2
    return stake


def only_what_the_pay_table_knows_is_won(play: PlayedRound) -> None:
    rnd = play.rnd
    tables = [rnd.rules.pays, *(one.pays for one in rnd.rules.side_wagers.values())]
    known = {f"{rule.value[0]}:{rule.value[1]}" for pays in tables for rule in pays.values()}
    if rnd.rules.pandemonium:
        known |= {f"{multiplier}:1" for multiplier in rnd.rules.pandemonium.multipliers.value}
    for s in rnd.settlements:
        assert s.odds is None or s.odds in known
        if s.outcome in ("lose", "withdrawn", "surrendered"):
            assert 0 <= -(s.net or 0) <= (s.stake or 0)


def every_clause_cited_is_one_of_the_document(play: PlayedRound) -> None:
    cited = {s.clause for s in play.rnd.settlements}
    known = _clauses(play.rnd.rules.id)
    assert {part for clause in cited for part in clause.split("; ")} <= known


@cache
def _clauses(rules: str) -> frozenset[str]:
    """The clauses of a document, and the defaults where it is silent."""
    listed = tomllib.loads((CLAUSES / f"{rules}.toml").read_text(encoding="utf-8"))
    defaults = tomllib.loads((CLAUSES / "defaults.toml").read_text(encoding="utf-8"))
    numbers = (clause["number"] for clause in listed["clauses"])
    return frozenset((*numbers, *(default["id"] for default in defaults["defaults"])))


def the_round_written_down_as_a_script_gives_the_same_result(play: PlayedRound) -> None:
    script = read_script(read_json(json.dumps(play.script())), by_name)
    assert run_script(script) == round_result(play.rnd, "")


PROPERTIES = (
    every_card_is_in_exactly_one_hand,
    every_wager_is_settled_once_and_every_settlement_has_a_clause,
    the_money_adds_up,
    what_the_players_gain_the_house_loses,
    only_what_the_pay_table_knows_is_won,
    every_clause_cited_is_one_of_the_document,
    the_round_written_down_as_a_script_gives_the_same_result,
)
"""Of a round that has ended. It is played once for all of them, since playing takes the time."""


@each_rules
@given(seeds)
def test_a_round_that_has_ended_is_in_order(rules: str, seed: int) -> None:
    play = begin(rules, seed)
    so_far: list[Settlement] = []
    for rnd in play.until_end():
        assert rnd.settlements[: len(so_far)] == so_far, "settlements are only ever added"
        so_far = rnd.settlements.copy()
    for holds in PROPERTIES:
        holds(play)


@each_rules
@given(seeds)
def test_without_amounts_a_round_runs_the_same(rules: str, seed: int) -> None:
    rnd = begin(rules, seed, amounts=False).finish()
    assert _of_wagers(rnd.settlements) == _wagers(rnd)
    assert all(s.clause for s in rnd.settlements)
    assert all(s.stake is None for s in rnd.settlements)
    # Of a 7-7-7 it is not known whether the wager is in a bracket, of shares the sum is.
    assert all(
        s.net is None or s.net == 0 for s in rnd.settlements if s.kind != "super_bonus_share"
    )


@each_rules
@given(seeds)
def test_a_copy_is_independent_and_ends_as_the_original_would(rules: str, seed: int) -> None:
    play = begin(rules, seed)
    chance = Random(seed)
    for rnd in play.until_end():
        if chance.random() < 0.2:
            before = state_of(rnd)
            other = begin(rules, seed)
            other.rnd = rnd.clone()
            assert is_state(other.rnd, before)
            other.finish()
            assert is_state(rnd, before)


@each_rules
@given(seeds, st.integers(0, 60))
def test_a_void_round_returns_every_wager(rules: str, seed: int, moves: int) -> None:
    play = begin(rules, seed)
    for _ in range(moves):
        if play.rnd.is_over:
            return
        play.move()
    if play.rnd.is_over:
        return
    rnd = verbs.void(play.rnd, "5.1")
    assert rnd.state == "void"
    assert _of_wagers(rnd.settlements) == _wagers(rnd)
    assert {(s.outcome, s.net, s.clause) for s in rnd.settlements} == {("returned", 0, "5.1")}


# Copies of bets and hands are whole --------------------------------------------------------------


@pytest.mark.parametrize("whole", [Bet(0), Hand(0, 0)])
def test_a_copy_has_every_field(whole: Bet | Hand) -> None:
    for known in fields(whole):
        if known.name not in ("cards", "bets", "beyond"):
            setattr(whole, known.name, f"the {known.name}")
    copy = whole.clone()
    assert copy == whole
    assert copy is not whole


def test_a_copy_of_a_round_has_every_field_and_shares_nothing_that_changes() -> None:
    whole = Round(load_rules("mbs-pontoon-pandemonium-v5"), Limits())
    for part in (whole, whole.irregular):
        for known in fields(part):
            value = getattr(part, known.name)
            if isinstance(value, (str, int, tuple, frozenset)) or value is None:
                setattr(part, known.name, f"the {known.name}")
    whole.irregular.irregularity = Irregularity("other")
    copy = whole.clone()
    assert copy == whole
    for part, copied in ((whole, copy), (whole.irregular, copy.irregular)):
        for known in fields(part):
            value = getattr(part, known.name)
            if known.name != "sheet" and isinstance(
                value, (list, dict, set, Irregularity, Irregular)
            ):
                assert getattr(copied, known.name) is not value


def test_a_copy_is_independent() -> None:
    hand = Hand(1, 1, bets={"a": Bet(100)})
    copy = hand.clone()
    copy.bets["a"].doubled = True
    copy.cards.append(Card(1, 1))
    assert not hand.bets["a"].doubled
    assert hand.cards == []
