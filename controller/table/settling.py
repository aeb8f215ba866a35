"""What every wager comes to: the functions that write a round's settlements.

Each takes the round, closes wagers and appends :class:`Settlement` entries, with the clause that
decides. Order within one step: by box in the order of play, then bettor, then hand.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from controller.rules.hands import BUST_ABOVE, is_pair
from controller.rules.pays import line_for_21, super_bonus_sum, winnings
from controller.table.model import BETTORS, Bet, Box, Hand, Settlement
from controller.table.money import Stake

if TYPE_CHECKING:
    from controller.table.round_state import RoundState

Odds = tuple[int, int]


def _win(stake: Stake, odds: Odds) -> Stake:
    return None if stake is None else winnings(stake, odds)


def _lose(stake: Stake) -> Stake:
    return None if stake is None else -stake


def _write(
    rnd: RoundState,
    where: tuple[int, str, int],
    kind: str,
    stake: Stake,
    outcome: str,
    clause: str,
    odds: Odds | None = None,
) -> None:
    """Append one settlement; the net follows from outcome and odds."""
    box, bettor, hand = where
    if outcome == "win":
        assert odds
        net = _win(stake, odds)
    elif outcome in ("lose", "withdrawn"):
        net = _lose(stake)
    elif outcome == "surrendered":
        net = None if stake is None else -stake // 2
    else:
        net = None if stake is None else 0
    written = f"{odds[0]}:{odds[1]}" if odds else None
    rnd.settlements.append(
        Settlement(box, bettor, hand, kind, stake, outcome, written, net, clause)
    )


def _boxes(rnd: RoundState) -> Iterable[Box]:
    return rnd.boxes.values()


def _open_bets(hand: Hand) -> list[tuple[str, Bet]]:
    """Wagers on the hand that stand against it, in order of bettors."""
    return [
        (bettor, hand.bets[bettor])
        for bettor in BETTORS
        if bettor in hand.bets and hand.bets[bettor].open and not hand.bets[bettor].surrendered
    ]


def _kind(hand: Hand) -> str:
    return "main" if hand.number == 1 else "split"


def _settle_bet(
    rnd: RoundState,
    hand: Hand,
    bettor: str,
    outcome: str,
    clause: str,
    odds: Odds | None = None,
    double_outcome: str | None = None,
) -> None:
    """Settle a wager on a hand and, after it, what was added by doubling."""
    bet = hand.bets[bettor]
    bet.open = False
    where = (hand.box, bettor, hand.number)
    _write(rnd, where, _kind(hand), bet.stake, outcome, clause, odds)
    if bet.doubled:
        added = double_outcome or outcome
        _write(rnd, where, "double", bet.double, added, clause, odds if added == "win" else None)


def settle_pairs(rnd: RoundState) -> None:
    """Pair wagers, on the first two cards."""
    rules = rnd.rules
    for box in _boxes(rnd):
        cards = box.hands[0].cards
        wins = is_pair(cards) and (cards[0].rank != 1 or rules.pair.aces.value)
        for bettor, stake in box.pair.items():
            where = (box.number, bettor, 1)
            if wins:
                clause = rules.pair.aces.clause if cards[0].rank == 1 else ""
                _write(
                    rnd,
                    where,
                    "pair",
                    stake,
                    "win",
                    clause or rules.settled_by["pair.win"],
                    rules.pays["pair"].value,
                )
            else:
                _write(rnd, where, "pair", stake, "lose", rules.settled_by["pair.lose"])


def settle_pontoons(rnd: RoundState) -> None:
    """Pontoons at once, then the Pandemonium wagers that have lost."""
    rules = rnd.rules
    for box in _boxes(rnd):
        hand = box.hands[0]
        if hand.is_pontoon:
            hand.over = True
            for bettor, _ in _open_bets(hand):
                _settle_bet(
                    rnd,
                    hand,
                    bettor,
                    "win",
                    rules.settled_by["pontoon.win"],
                    rules.pays["pontoon"].value,
                )
    for box in _boxes(rnd):
        if not box.hands[0].is_pontoon:
            for bettor, stake in box.pandemonium.items():
                _write(
                    rnd,
                    (box.number, bettor, 1),
                    "pandemonium",
                    stake,
                    "lose",
                    rules.settled_by["pandemonium.lose"],
                )


def settle_pandemonium(rnd: RoundState) -> None:
    """The winning Pandemonium wagers of the box that pressed, at the multiplier shown."""
    assert rnd.armed is not None
    assert rnd.multiplier is not None
    box = rnd.boxes[rnd.armed]
    for place, (bettor, stake) in enumerate(box.pandemonium.items()):
        decision = "pandemonium.win"
        if bettor not in box.main:
            decision = "pandemonium.win_without_main"
        elif place:
            decision = "pandemonium.win_shared"
        _write(
            rnd,
            (box.number, bettor, 1),
            "pandemonium",
            stake,
            "win",
            rnd.rules.settled_by[decision],
            (rnd.multiplier, 1),
        )


def settle_hand(rnd: RoundState, hand: Hand) -> None:
    """A hand that has bust or has 21: taken or paid at once; others are left alone."""
    if hand.total > BUST_ABOVE:
        hand.over = True
        how = "doubled" if hand.doubled else "split" if hand.split else "plain"
        for bettor, _ in _open_bets(hand):
            _settle_bet(rnd, hand, bettor, "lose", rnd.rules.settled_by[f"bust.{how}"])
    elif hand.total == BUST_ABOVE:
        hand.over = True
        _pay_21(rnd, hand)


def _pay_21(rnd: RoundState, hand: Hand) -> None:
    rules = rnd.rules
    if hand.doubled:
        odds, clause = (1, 1), rules.settled_by["twentyone.doubled"]
    else:
        odds = rules.pays[line_for_21(hand.cards)].value
        clause = rules.settled_by["twentyone.split" if hand.split else "twentyone.plain"]
    winners = [bettor for bettor, _ in _open_bets(hand)]
    for bettor in winners:
        stayed_single = hand.doubled and not hand.bets[bettor].doubled
        by = rules.double.others_odds.clause if stayed_single else clause
        _settle_bet(rnd, hand, bettor, "win", by, odds)
    if not hand.split and not hand.doubled and _is_super_bonus(rnd, hand):
        for bettor in winners:
            _pay_super_bonus(rnd, hand, bettor)


def _is_super_bonus(rnd: RoundState, hand: Hand) -> bool:
    sevens = line_for_21(hand.cards) in ("777_suited", "777_spades")
    return sevens and rnd.dealer[0].rank == 7


def _pay_super_bonus(rnd: RoundState, hand: Hand, bettor: str) -> None:
    stake = hand.bets[bettor].stake
    paid = None if stake is None else super_bonus_sum(rnd.rules, stake)
    if paid == 0:
        return
    rnd.super_bonus.add((hand.box, bettor))
    rnd.settlements.append(
        Settlement(
            hand.box,
            bettor,
            hand.number,
            "super_bonus",
            stake,
            "win",
            None,
            paid,
            rnd.rules.settled_by["super_bonus.win"],
        )
    )


def settle_withdrawn(rnd: RoundState, hand: Hand, bettor: str) -> None:
    """The doubled part back, the original wager lost."""
    _settle_bet(
        rnd,
        hand,
        bettor,
        "withdrawn",
        rnd.rules.settled_by["withdrawn"],
        double_outcome="returned",
    )


def settle_insurance(rnd: RoundState, *, won: bool) -> None:
    """Every insurance, own and taken up, by the dealer's second card."""
    rules = rnd.rules
    for (taker, _), amount in sorted(rnd.insurance.items()):
        where = (taker[0], taker[1], 1)
        if won:
            _write(
                rnd,
                where,
                "insurance",
                amount,
                "win",
                rules.settled_by["insurance.win"],
                rules.pays["insurance"].value,
            )
        else:
            _write(rnd, where, "insurance", amount, "lose", rules.settled_by["insurance.lose"])


def settle_surrenders(rnd: RoundState) -> None:
    """Half of every surrendered wager."""
    for box in _boxes(rnd):
        _settle_surrendered(rnd, box)


def _settle_surrendered(rnd: RoundState, box: Box, bettors: Iterable[str] = BETTORS) -> None:
    hand = box.by_number[0]
    for bettor in bettors:
        bet = hand.bets.get(bettor)
        if bet and bet.open and bet.surrendered:
            _settle_bet(rnd, hand, bettor, "surrendered", rnd.rules.settled_by["surrender.half"])


def settle_against_pontoon(rnd: RoundState) -> None:
    """The dealer has a Pontoon: insurance wins, everything that still stands loses; of a doubled
    hand the original wager only."""
    settled_by = rnd.rules.settled_by
    settle_insurance(rnd, won=True)
    for box in _boxes(rnd):
        for bettor in BETTORS:
            for hand in box.by_number:
                bet = hand.bets.get(bettor)
                if bet is None or not bet.open:
                    continue
                if bet.surrendered:
                    clause = settled_by["surrender.dealer_pontoon"]
                elif bet.doubled:
                    clause = settled_by[f"dealer_pontoon.{'split_' if hand.split else ''}doubled"]
                else:
                    clause = settled_by[f"dealer_pontoon.{'split' if hand.split else 'plain'}"]
                _settle_bet(rnd, hand, bettor, "lose", clause, double_outcome="returned")


def settle_final(rnd: RoundState) -> None:
    """Compare what still stands with the dealer's hand; then the shares of a Super Bonus."""
    for box in _boxes(rnd):
        for bettor in BETTORS:
            _settle_surrendered(rnd, box, (bettor,))
            for hand in box.by_number:
                if any(bettor == open_bettor for open_bettor, _ in _open_bets(hand)):
                    _compare(rnd, hand, bettor)
    _settle_shares(rnd)


def _compare(rnd: RoundState, hand: Hand, bettor: str) -> None:
    settled_by = rnd.rules.settled_by
    odds = rnd.rules.pays["regular"].value
    dealer = rnd.dealer_total
    if dealer > BUST_ABOVE:
        _settle_bet(rnd, hand, bettor, "win", settled_by["compare.dealer_bust"], odds)
    elif hand.total > dealer:
        _settle_bet(rnd, hand, bettor, "win", settled_by["compare.higher"], odds)
    elif hand.total < dealer:
        _settle_bet(rnd, hand, bettor, "lose", settled_by["compare.lower"])
    else:
        _settle_bet(rnd, hand, bettor, "stand_off", settled_by["compare.equal"])


def _settle_shares(rnd: RoundState) -> None:
    """What a Super Bonus gives the other wagers of the round, once."""
    if not rnd.super_bonus:
        return
    rules = rnd.rules
    winning_boxes = {box for box, _ in rnd.super_bonus}
    for box in _boxes(rnd):
        for bettor, stake in box.main.items():
            if (box.number, bettor) in rnd.super_bonus:
                continue
            if rules.super_bonus.share_to.value == "seated_of_other_boxes" and (
                bettor != "a" or box.number in winning_boxes
            ):
                continue
            decision = (
                "super_bonus.share_on_winning_box"
                if box.number in winning_boxes
                else "super_bonus.share"
            )
            rnd.settlements.append(
                Settlement(
                    box.number,
                    bettor,
                    1,
                    "super_bonus_share",
                    stake,
                    "win",
                    None,
                    rules.super_bonus.share.value * 100,
                    rules.settled_by[decision],
                )
            )


def return_wagers(rnd: RoundState, clause: str) -> None:
    """The round is void: every wager made in it is returned, whatever was settled before."""
    rnd.settlements.clear()
    for box in _boxes(rnd):
        for kind in ("pair", "pandemonium"):
            for bettor, stake in getattr(box, kind).items():
                _write(rnd, (box.number, bettor, 1), kind, stake, "returned", clause)
        for bettor in BETTORS:
            for hand in box.by_number:
                bet = hand.bets.get(bettor)
                if bet:
                    bet.open = True
                    _settle_bet(rnd, hand, bettor, "returned", clause)
    for (taker, _), amount in sorted(rnd.insurance.items()):
        _write(rnd, (taker[0], taker[1], 1), "insurance", amount, "returned", clause)
    rnd.settlements.sort(key=lambda returned: (returned.box, returned.bettor, returned.hand))
