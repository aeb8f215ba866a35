"""Settlements of side wagers, by their descriptions in the rules.

Each function closes wagers of the round and appends their settlements, with the clause that
decides: by kind in the order of the rules, then box in the order of play, then bettor.
"""

from __future__ import annotations

from controller.round.settling.bookkeeping import write
from controller.round.state import Round


def settle_on_first_two(rnd: Round) -> None:
    """Settle the wagers that the first two cards decide."""
    for kind, rule in rnd.rules.side_wagers.items():
        if rule.at_button:
            continue
        for box in rnd.boxes.values():
            cards, wagers = box.hands[0].cards, box.side(kind)
            if not wagers or len(cards) < 2:
                continue
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
    clause = rnd.rules.side_wagers[kind].settled_by["lose"]
    for box in rnd.boxes.values():
        if not box.hands[0].is_pontoon:
            for bettor, stake in box.side(kind).items():
                write(rnd, (box.number, bettor, 1), kind, stake, "lose", clause)


def settle_won_at_button(rnd: Round) -> None:
    """Settle the winning wagers of the box that pressed, at the multiplier shown."""
    kind = rnd.rules.button_wager
    assert rnd.armed is not None
    assert rnd.multiplier is not None
    assert kind is not None
    settled_by = rnd.rules.side_wagers[kind].settled_by
    box = rnd.boxes[rnd.armed]
    for place, (bettor, stake) in enumerate(box.side(kind).items()):
        decision = "win"
        if bettor not in box.main:
            decision = "win_without_main"
        elif place:
            decision = "win_shared"
        where = (box.number, bettor, 1)
        write(rnd, where, kind, stake, "win", settled_by[decision], (rnd.multiplier, 1))
