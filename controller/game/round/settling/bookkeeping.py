"""Recording settlements: one for each wager on each hand, with the clause that decides it.

The part added by doubling and each bought card have settlements of their own, after the wager's.
Money in cents, None where amounts are not entered.
"""

from __future__ import annotations

from controller.game.money import Stake
from controller.game.round.model import BETTORS, Bet, Hand, Settlement
from controller.game.round.state import Round
from controller.game.rules.pays import winnings

Odds = tuple[int, int]


def _net(stake: Stake, outcome: str, odds: Odds | None) -> Stake:
    if stake is None:
        return None
    if outcome == "win":
        assert odds
        return winnings(stake, odds)
    if outcome in ("lose", "withdrawn"):
        return -stake
    if outcome == "surrendered":
        return -stake // 2
    assert outcome in ("stand_off", "returned")
    return 0


def write(
    rnd: Round,
    where: tuple[int, str, int],
    kind: str,
    stake: Stake,
    outcome: str,
    clause: str,
    odds: Odds | None = None,
) -> None:
    """Append the settlement of a wager; ``where`` is box, bettor and hand; the net is computed from
    outcome and odds."""
    box, bettor, hand = where
    written = f"{odds[0]}:{odds[1]}" if odds else None
    rnd.settlements.append(
        Settlement(
            box, bettor, hand, kind, stake, outcome, written, _net(stake, outcome, odds), clause
        )
    )


def write_sum(
    rnd: Round, where: tuple[int, str, int], kind: str, stake: Stake, paid: Stake, clause: str
) -> None:
    """Append a fixed sum that is won because of a wager."""
    rnd.settlements.append(Settlement(*where, kind, stake, "win", None, paid, clause))


def open_bets(hand: Hand) -> list[tuple[str, Bet]]:
    """The open wagers on the hand with their bettors, in the order of the bettors."""
    return [
        (bettor, hand.bets[bettor])
        for bettor in BETTORS
        if bettor in hand.bets and hand.bets[bettor].open and not hand.bets[bettor].surrendered
    ]


def settle_bet(
    rnd: Round,
    hand: Hand,
    bettor: str,
    outcome: str,
    clause: str,
    odds: Odds | None = None,
    double_outcome: str | None = None,
    double_clause: str = "",
) -> None:
    """Settle a wager on a hand and, after it, what was added by doubling (its outcome and clause
    where they are others) and bought cards."""
    bet = hand.bets[bettor]
    bet.open = False
    where = (hand.box, bettor, hand.number)
    write(rnd, where, "main" if bet.original else "split", bet.stake, outcome, clause, odds)
    if bet.doubled:
        added = double_outcome or outcome
        paid = odds if added == "win" else None
        write(rnd, where, "double", bet.double, added, double_clause or clause, paid)
    if bet.buys:
        assert rnd.rules.buy
        by_default = rnd.rules.buy.pays.added_clause
        bought = f"{clause}; {by_default}" if outcome == "win" else clause
        for stake in bet.buys:
            write(rnd, where, "buy", stake, outcome, bought, odds)
