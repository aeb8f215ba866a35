"""Rounds in which anything may go wrong at any moment, at random: what must hold all the same.

A refused step changes nothing; a round played again from what it was given stands exactly as it
stands; there is always a way on; every wager that was made is settled once, and what was told of it
adds up to that, reversals included; cards come from the shoe only; no box draws twice; no card
waits when the round is over.
"""

from __future__ import annotations

import os
from collections import Counter
from contextlib import suppress
from dataclasses import fields, replace
from random import Random
from typing import Any

import pytest

from controller.files.rules import load_rules, rule_files
from controller.game.commands.values import write_amount
from controller.game.round import play
from controller.game.round.irregular.replaying import known_cards, on_the_table
from controller.game.round.log import cards_out
from controller.game.round.looks import card_expected
from controller.game.round.permitted import permitted_steps
from controller.game.round.refusal import Refused
from controller.game.round.remedies import parse_step
from controller.game.round.results import account, lying
from controller.game.round.state import Round
from controller.game.round.steps import Insure, Raise, Step
from controller.game.round.wagers import Limits, Sheet
from controller.game.rules.cards import Card
from controller.game.rules.schema import RuleSet

ROUNDS = int(os.environ.get("TABLE_WALKS", "33"))
"""Of each document; every one tells its seed."""

FOUND = (1305, 4341, 6678, 7407)
"""Seeds of longer walks that found something."""

REPORTS = (
    "misdeal",
    "no-card 1",
    "one-card 2",
    "dealer-no-card",
    "passed-over 1",
    "wrong-decision 2",
    "not-burned",
    "missed-insurance 1",
    "missed-surrender 2",
    "over-maximum 1 50",
    "late-bet 1",
    "shoe-empty",
    "power",
    "count",
    "damaged",
    "other",
)
RANKS = (1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 11, 12, 13)


def _sheet(rules: RuleSet, chance: Random) -> Sheet:
    sheet = Sheet()
    for box in range(1, chance.randint(2, 4)):
        sheet.set("main", box, "a", 10_000)
        if rules.betting.bettors_max.value > 1 and chance.random() < 0.4:
            sheet.set("main", box, "b", 4000)
        for kind in rules.side_wagers:
            if chance.random() < 0.3:
                sheet.set(kind, box, "a", 500)
    return sheet


def _stands(rnd: Round) -> dict[str, str]:
    """Everything that can be seen of a round but how it came about."""
    hidden = ("rules", "limits", "sheet", "log", "remarks", "history", "covered")
    parts = (rnd, rnd.irregular)
    seen = [(part, known.name) for part in parts for known in fields(part)]
    return {
        name: str(getattr(part, name))
        for part, name in seen
        if name not in hidden and name != "irregular"
    }


def _card(chance: Random) -> Card:
    return Card(chance.choice(RANKS), chance.randint(1, 4))


def _loose(rnd: Round, chance: Random) -> Round:
    cards = [_card(chance) for _ in range(chance.choice((1, 1, 2, 3)))]
    trigger = "together" if len(cards) > 1 else chance.choice(("face-up", "foreign", "drawn"))
    if trigger == "drawn":
        return play.lay_aside(rnd, cards, trigger)
    return play.lay_aside(rnd, cards, trigger, asked=True) if card_expected(rnd) else rnd


def _steps(rnd: Round) -> list[Step]:
    steps = permitted_steps(rnd)
    if rnd.state == "jackpot.armed" and not rnd.irregular.irregularity:
        steps.append(parse_step(f"press {rnd.armed}"))
    return [replace(s, amount=2000) if isinstance(s, Raise | Insure) else s for s in steps]


def _correction(rnd: Round, chance: Random) -> Step:
    number = chance.randint(1, max(1, len(cards_out(rnd.log))))
    if chance.random() < 0.5:
        return parse_step(f"correct {number} {_card(chance)}")
    hands = [(hand.box, hand.number) for hand in rnd.hands]
    places = ["dealer", "out", "5", *(f"{box}.{hand}" for box, hand in hands)]
    return parse_step(f"lies {number} {chance.choice(places)}")


def _something_happens(rnd: Round, chance: Random) -> Round:
    if rnd.irregular.irregularity and rnd.is_over and chance.random() < 0.7:
        return play.take_step(rnd, chance.choice(_steps(rnd)))  # of a hand that was not asked
    if chance.random() < 0.08 or rnd.is_over:
        return play.take_step(rnd, _correction(rnd, chance))
    if rnd.irregular.edits:
        return play.judge(rnd)
    if rnd.state == "jackpot.drawing" and rnd.multiplier is None:
        return play.draw(rnd, 5)
    steps, luck = _steps(rnd), chance.random()
    if not rnd.irregular.irregularity and luck < 0.02:
        return play.take_step(rnd, parse_step(f"report drawn {chance.choice((1, 2, 'dealer'))}"))
    if not rnd.irregular.irregularity and luck < 0.12:
        return play.take_step(rnd, parse_step(f"report {chance.choice(REPORTS)}"))
    if not rnd.irregular.irregularity and luck < 0.2:
        return _loose(rnd, chance)
    if rnd.state == "jackpot.drawing":
        return play.show_multiplier(rnd)
    if steps and (luck < 0.75 or not card_expected(rnd) or rnd.irregular.irregularity):
        return play.take_step(rnd, chance.choice(steps))
    if card_expected(rnd):
        waits = rnd.irregular.waiting
        return play.take_waiting(rnd) if waits else play.take_card(rnd, _card(chance))
    return rnd


def _made(rnd: Round) -> Counter[tuple[Any, ...]]:
    """The wagers that were made: box, bettor, hand and kind."""
    made: Counter[tuple[Any, ...]] = Counter()
    for box in rnd.boxes.values():
        for hand in box.hands:
            for bettor, bet in hand.bets.items():
                made[box.number, bettor, hand.number, "main" if bet.original else "split"] += 1
                made[box.number, bettor, hand.number, "double"] += bet.doubled
                made[box.number, bettor, hand.number, "buy"] += len(bet.buys)
        for kind, wagers in box.sides.items():
            for bettor in wagers:
                made[box.number, bettor, 1, kind] += 1
    takers = [key[0] for key in rnd.insurance] + [key[0] for key in rnd.irregular.dropped_insurance]
    for taker in takers:
        made[taker[0], taker[1], 1, "insurance"] += 1
    return +made


def _check(rnd: Round, seed: int) -> None:
    """What holds at every moment of a round."""
    way_on = rnd.is_over or rnd.irregular.edits or card_expected(rnd) or permitted_steps(rnd)
    assert way_on or rnd.state.startswith("jackpot."), f"seed {seed}: no way on from {rnd.state}"
    assert rnd.irregular.edits or on_the_table(rnd) <= Counter(known_cards(rnd)), (
        f"seed {seed}: a card from nowhere"
    )
    assert rnd.armed not in rnd.draws or rnd.state != "jackpot.armed", f"seed {seed}: a second draw"
    told = sum(settlement.net or 0 for settlement in rnd.all_settlements)
    due = sum(settlement.net or 0 for settlement in rnd.settlements)
    assert told == due, f"seed {seed}: what was told does not add up"
    if rnd.state != "void":
        _check_account(rnd, seed)


KINDS = {"bought": "buy"}
BONUS = ("super_bonus", "super_bonus_share")


def _check_account(rnd: Round, seed: int) -> None:
    """Every wager that was made either lies, or is settled, and the account says which."""
    lies = Counter(
        (one.box, one.bettor, one.hand or 1, KINDS.get(one.kind, one.kind)) for one in lying(rnd)
    )
    made = _made(rnd)
    for (box, bettor, hand, kind), count in list(made.items()):
        if kind == "split":  # where it lies it is the main wager of an added hand
            del made[box, bettor, hand, kind]
            made[box, bettor, hand, "main"] += count
    settled = Counter(
        (one.box, one.bettor, one.hand, "main" if one.kind == "split" else one.kind)
        for one in rnd.settlements
        if one.kind not in BONUS
    )
    assert lies + settled == made, f"seed {seed}: a wager neither lies nor is settled, or is both"
    sums: Counter[tuple[int, str]] = Counter()
    for settlement in rnd.all_settlements:
        sums[settlement.box, settlement.bettor] += settlement.net or 0
    stakes: Counter[tuple[int, str]] = Counter()
    for one in lying(rnd):
        stakes[one.box, one.bettor] += one.stake or 0
    for its in account(rnd, []):
        who = its["box"], its["bettor"]
        assert its["net"] == write_amount(sums[who]), f"seed {seed}: {its}"
        assert its["at_stake"] == write_amount(stakes[who]), f"seed {seed}: {its}"
        assert its["now"] == "0.00"


@pytest.mark.parametrize("rules", [load_rules(name) for name in rule_files()], ids=lambda r: r.id)
def test_whatever_goes_wrong(rules: RuleSet) -> None:
    ended = 0
    for seed in [*range(ROUNDS), *FOUND]:
        chance = Random(f"{rules.id} {seed}")
        rnd = play.begin_round(rules, Limits(), _sheet(rules, chance))
        for _ in range(90):
            if rnd.is_over and not rnd.irregular.edits and chance.random() < 0.7:
                break
            before, stood = rnd, _stands(rnd)
            with suppress(Refused):
                rnd = _something_happens(rnd, chance)
            assert _stands(before) == stood, f"seed {seed}: a verb has changed what it was given"
            _check(rnd, seed)
            if not rnd.is_over and not rnd.irregular.edits:
                again = _stands(play.play_again(rnd, rnd.log))
                assert again == _stands(rnd), f"seed {seed}: played again it stands otherwise"
        with suppress(Refused):
            rnd = play.judge(rnd)
        if rnd.is_over and not rnd.irregular.edits and not rnd.irregular.irregularity:
            ended += 1
            settled = Counter(
                (s.box, s.bettor, s.hand, s.kind) for s in rnd.settlements if s.kind not in BONUS
            )
            assert settled == _made(rnd), f"seed {seed}: not every wager is settled once"
            assert not rnd.irregular.waiting, (
                f"seed {seed}: a card waits although the round is over"
            )
    assert ended > ROUNDS // 2
