"""Settlements of side wagers, by their descriptions in the rules.

Each function closes wagers of the round and appends their settlements, with the clause that
decides: by kind in the order of the rules, then box in the order of play, then bettor.
"""

from __future__ import annotations

from controller.game.round.model import Box, Hand
from controller.game.round.settling.bookkeeping import write
from controller.game.round.state import Round


def settle_on_first_two(rnd: Round) -> None:
    """Settle the wagers that the first two cards decide."""
    for kind, rule in rnd.rules.side_wagers.items():
        if not rule.at_button:
            for box in rnd.boxes.values():
                if kind in box.sides:
                    _settle_kind(rnd, box, kind)


def settle_by_card(rnd: Round, hand: Hand) -> None:
    """Settle those of its box that a card decides which has come to the hand in its turn: all of
    them, where that was its second card, with which it can make no Pontoon."""
    if hand.split or len(hand.cards) != 2:
        return
    box, settled = rnd.boxes[hand.box], _settled(rnd)
    for kind, rule in rnd.rules.side_wagers.items():
        if _is_decided(box, kind, settled):
            continue
        if rule.at_button:
            _lose_at_button(rnd, box, kind)
        else:
            _settle_kind(rnd, box, kind)


def return_undecided(rnd: Round) -> None:
    """Return every side wager that no card has decided when the round ends: its box lacked them."""
    clause = rnd.rules.settled_by["void"]
    settled = _settled(rnd)
    for kind, rule in rnd.rules.side_wagers.items():
        for box in rnd.boxes.values():
            wagers = box.side(kind)
            waits = rule.at_button and box.hands[0].is_pontoon  # for the button
            if wagers and not waits and not _is_decided(box, kind, settled):
                for bettor, stake in wagers.items():
                    write(rnd, (box.number, bettor, 1), kind, stake, "returned", clause)


def _settled(rnd: Round) -> set[tuple[int, str, str]]:
    return {(s.box, s.bettor, s.kind) for s in rnd.settlements}


def _is_decided(box: Box, kind: str, settled: set[tuple[int, str, str]]) -> bool:
    """Whether a card has decided the wagers of that kind on the box. One that was given back says
    nothing about the others."""
    return any((box.number, bettor, kind) in settled for bettor in box.side(kind))


def _settle_kind(rnd: Round, box: Box, kind: str) -> None:
    wagers = box.side(kind)
    if not wagers or len(cards := box.first_two) < 2:
        return
    rule = rnd.rules.side_wagers[kind]
    combination = rule.combination(cards)
    for bettor, stake in wagers.items():
        where = (box.number, bettor, 1)
        if combination is None:
            write(rnd, where, kind, stake, "lose", rule.settled_by["lose"])
        else:
            clause, odds = rule.clause_of_win(combination), rule.pays[combination].value
            write(rnd, where, kind, stake, "win", clause, odds)


def settle_lost_at_button(rnd: Round) -> None:
    """Settle the wagers of the button on boxes without a Pontoon."""
    kind = rnd.rules.button_wager
    if kind is None:
        return
    for box in rnd.boxes.values():  # one card decides nothing yet
        if kind in box.sides and len(box.first_two) >= 2 and not box.hands[0].is_pontoon:
            _lose_at_button(rnd, box, kind)


def _lose_at_button(rnd: Round, box: Box, kind: str) -> None:
    clause = rnd.rules.side_wagers[kind].settled_by["lose"]
    for bettor, stake in box.side(kind).items():
        write(rnd, (box.number, bettor, 1), kind, stake, "lose", clause)


def settle_won_at_button(rnd: Round) -> None:
    """Settle the winning wagers of the box that pressed, at the multiplier shown."""
    assert rnd.armed is not None
    assert rnd.multiplier is not None
    rnd.draws[rnd.armed] = rnd.multiplier
    settle_won(rnd, rnd.armed, rnd.multiplier)


def settle_won(rnd: Round, number: int, multiplier: int) -> None:
    """Settle the winning wagers of a box at the button, at that multiplier."""
    kind = rnd.rules.button_wager
    assert kind is not None
    settled_by = rnd.rules.side_wagers[kind].settled_by
    box = rnd.boxes[number]
    for place, (bettor, stake) in enumerate(box.side(kind).items()):
        decision = "win"
        if bettor not in box.main:
            decision = "win_without_main"
        elif place:
            decision = "win_shared"
        where = (box.number, bettor, 1)
        write(rnd, where, kind, stake, "win", settled_by[decision], (multiplier, 1))
