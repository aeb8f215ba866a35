"""What reports and remedies do alike: use cards, take them back, end an irregularity."""

from __future__ import annotations

from controller.game.round.irregular.cases import case_of, end_spent_options
from controller.game.round.irregular.settling_anew import settle_otherwise
from controller.game.round.looks import is_offered_on
from controller.game.round.moves import receive_waiting, regroup
from controller.game.round.settling.bookkeeping import return_sides
from controller.game.round.state import Irregularity, Round
from controller.game.round.steps import Surrender
from controller.game.rules.cards import Card, write_cards
from controller.game.rules.cases import KNOWN, Case


def open_options(rnd: Round, case: Case | None) -> None:
    """Open the players' options after the remedy; if it has none, earlier ones stay open."""
    if case and case.options:
        rnd.irregular.options = case
    end_spent_options(rnd)


def close(rnd: Round, case: Case) -> None:
    """End the irregularity; players may have options after it."""
    rnd.irregular.irregularity = None
    open_options(rnd, case)
    regroup(rnd)


def decline(rnd: Round, box: int) -> None:
    """Burn the cards that were offered to the next player, who has taken none (MBS 5.23.3.1)."""
    if rnd.irregular.offered_on is None or box == rnd.irregular.offered_on[0]:
        return
    if rnd.irregular.waiting:
        _, clause = rnd.irregular.offered_on
        rnd.remark(
            f"box {box} takes no card: {write_cards(rnd.irregular.waiting)} is burned ({clause})"
        )
        rnd.irregular.waiting.clear()
    rnd.irregular.offered_on = None


def undealt(rnd: Round, found: Irregularity) -> None:
    """Take the cards that a box did not get out of its hand, and what was settled on them."""
    got = KNOWN[found.trigger].dealt
    if got is None:
        return
    hand = rnd.boxes[found.box].hands[0]
    plays = any(not (bet.surrendered or bet.given_back) for bet in hand.bets.values())
    hand.over = not plays  # it is acted upon in its turn (MBS 5.16.1)
    hand.said = tuple(one for one in hand.said if isinstance(one.step, Surrender))
    hand.pontoon_barred = True
    if len(hand.cards) > got:

        def take_out() -> None:
            del hand.cards[got:]

        settle_otherwise(rnd, take_out)
        box, clause = rnd.boxes[found.box], case_of(rnd, found).clause
        for bettor in [bettor for bettor, bet in hand.bets.items() if bet.given_back]:
            return_sides(rnd, box, bettor, clause)  # he has left, and they are open again


def without_dealers_card(rnd: Round) -> None:
    """Take the card out of the dealer's hand that was not dealt to it: no Super Bonus was won
    against it, and neither insurance nor surrender was offered on it."""

    before_play = rnd.rules.surrender.offered.value == "before_play"

    def take_out() -> None:
        rnd.dealer.clear()
        for hand in rnd.hands if before_play else ():
            hand.said = tuple(one for one in hand.said if not isinstance(one.step, Surrender))

    settle_otherwise(rnd, take_out)


def come_next(rnd: Round, cards: list[Card], *, at_once: bool) -> None:
    """Have cards that waited come next: behind those that wait already, or ``at_once``."""
    rnd.irregular.irregularity, waiting = None, rnd.irregular.waiting
    rnd.irregular.waiting = [*cards, *waiting] if at_once else [*waiting, *cards]
    if at_once:
        receive_waiting(rnd)


def use(rnd: Round, found: Irregularity, card: Card, case: Case, chooser: int = 0) -> None:
    """Make the card the next one; those that left with it follow, or are discarded."""
    rest = found.cards.copy()
    card = rest.pop(rest.index(card))
    if {"use-one", "use-worst"} & set(case.remedies):
        rest = []
    come_next(rnd, [card, *rest], at_once=found.asked or is_offered_on(rnd))
    offer_on(rnd, case, chooser)


def offer_on(rnd: Round, case: Case, chooser: int) -> None:
    """Note which box has chosen or left cards that left together: those that it leaves may be the
    next player's to choose from (MBS 5.23.3.1)."""
    rnd.irregular.chooser = chooser
    declined = chooser and "decline" in case.options
    rnd.irregular.offered_on = (chooser, case.clause_of("discard")) if declined else None
    open_options(rnd, case)
