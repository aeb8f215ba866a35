"""Recording settlements: one for each wager on each hand, with the clause that decides it; and the
return of wagers: of a void round, of a void hand, of a bettor who takes them back.

The part added by doubling and each bought card have settlements of their own, after the wager's.
Earlier settlements stay, except when the whole round is void. Money in cents, None where amounts
are not entered.
"""

from __future__ import annotations

from collections.abc import Iterable

from controller.game.commands.values import Stake
from controller.game.round.model import BETTORS, Bet, BettorKey, Box, Hand, Settlement
from controller.game.round.state import Round
from controller.game.round.states import RoundPart
from controller.game.rules.cards import winnings

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
    """Append the settlement of a wager at box, bettor and hand; the net follows from the odds."""
    written, net = f"{odds[0]}:{odds[1]}" if odds else None, _net(stake, outcome, odds)
    rnd.settlements.append(Settlement(*where, kind, stake, outcome, written, net, clause))


def write_sum(
    rnd: Round, where: tuple[int, str, int], kind: str, stake: Stake, paid: Stake, clause: str
) -> None:
    """Append a fixed sum that is won because of a wager."""
    rnd.settlements.append(Settlement(*where, kind, stake, "win", None, paid, clause))


def open_bets(hand: Hand) -> list[tuple[str, Bet]]:
    """The open wagers on the hand with their bettors, in the order of the bettors."""
    return [(b, bet) for b, bet in sorted(hand.bets.items()) if bet.open and not bet.surrendered]


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
    """Settle a wager on a hand, then what was doubled (its own outcome and clause) and bought."""
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


def return_wagers(rnd: Round) -> None:
    """Return every wager of a void round, also those settled before."""
    clause = rnd.void_clause or rnd.rules.settled_by["void"]
    rnd.turn = None
    rnd.settlements.clear()
    rnd.irregular.history, rnd.irregular.covered = [], 0
    for box in rnd.boxes.values():
        for hand in box.by_number:
            for bettor, bet in sorted(hand.bets.items()):
                bet.count_in_full()
                settle_bet(rnd, hand, bettor, "returned", clause)
        for kind, wagers in box.sides.items():
            for bettor, stake in wagers.items():
                write(rnd, (box.number, bettor, 1), kind, stake, "returned", clause)
    insured = [(*key, amount) for key, amount in sorted(rnd.insurance.items())]
    for taker, _, amount in [*insured, *rnd.irregular.dropped_insurance]:
        if amount == 0:  # it did not lie there
            continue
        write(rnd, (taker[0], taker[1], 1), "insurance", amount, "returned", clause)
    rnd.settlements.sort(key=lambda returned: (returned.box, returned.bettor, returned.hand))


def void_hands(rnd: Round, box: Box, clause: str) -> None:
    """Void the hands of the box and the insurance on them."""
    insured = rnd.rules.settled_by.get("insurance.void", clause)
    return_bettors(rnd, box, BETTORS, clause, insured)


def return_bettors(
    rnd: Round, box: Box, bettors: Iterable[str], clause: str, insured: str = ""
) -> None:
    """Return the bettors' open wagers on the box; a hand without a wager takes no more cards.
    ``insured`` is the clause for insurance where it differs."""
    for bettor in [b for b in BETTORS if b in bettors]:
        _return_hands(rnd, box, bettor, clause)
        return_sides(rnd, box, bettor, clause)
        _return_insurance(rnd, (box.number, bettor), insured or clause)
    for hand in box.hands:
        if not hand.live:
            hand.over = True  # also where those that are left have surrendered (MBS A-70)
    if rnd.state.part is RoundPart.DEAL and all(hand.over for hand in box.hands):
        for bettor in BETTORS:  # no card will be dealt that could decide their side wagers
            return_sides(rnd, box, bettor, clause)


def return_bet(rnd: Round, box: Box, bettor: str, clause: str) -> None:
    """Return the bettor's wagers on the hands with their insurance; side wagers stay settled."""
    _return_hands(rnd, box, bettor, clause)
    _return_insurance(rnd, (box.number, bettor), clause)


def _return_hands(rnd: Round, box: Box, bettor: str, clause: str) -> None:
    for hand in box.by_number:
        bet = hand.bets.get(bettor)
        if bet and bet.open:
            bet.given_back, bet.may_withdraw = True, False
            settle_bet(rnd, hand, bettor, "returned", clause)


def _return_insurance(rnd: Round, who: BettorKey, clause: str) -> None:
    """Return the bettor's insurances, and those of others on the bettor's wager."""
    for key in sorted(rnd.open_insurance):
        if who in key:
            rnd.closed_insurance |= {key}
            rnd.irregular.returned_insurance |= {key}
            write(rnd, (*key[0], 1), "insurance", rnd.insurance[key], "returned", clause)


def drop_insurance(rnd: Round, key: tuple[BettorKey, BettorKey], clause: str) -> None:
    """Return one insurance that the cards do not offer; it may be made again when they do."""
    taker, owner = key
    amount = rnd.insurance.pop(key)
    rnd.irregular.dropped_insurance.append((taker, owner, amount))
    write(rnd, (*taker, 1), "insurance", amount, "returned", clause)


def return_sides(rnd: Round, box: Box, bettor: str, clause: str) -> None:
    """Return the bettor's side wagers that are not settled."""
    settled = {(s.box, s.bettor, s.kind) for s in rnd.settlements}
    for kind in box.sides:
        wagers = box.side(kind)
        if bettor in wagers and (box.number, bettor, kind) not in settled:
            write(rnd, (box.number, bettor, 1), kind, wagers[bettor], "returned", clause)
            box.given_back |= {(kind, bettor)}
