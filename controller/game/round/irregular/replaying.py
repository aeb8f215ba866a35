"""A round replayed from its inputs with one change; cards by their numbers, put where they are said
to lie, and what is told anew.

How a round is replayed is decided by :mod:`controller.game.round.draft`, which passes the function
in. All cards that are said to lie elsewhere are taken up before one is put down, so that two which
were taken for each other change places. The others stay in the order in which they came.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace

from controller.game.commands.values import HandAt, NoHand
from controller.game.round.log import Input, cards_out
from controller.game.round.model import REVERSED, Hand, Settlement
from controller.game.round.refusal import Refused
from controller.game.round.remedies import Correct, Correction, Lies
from controller.game.round.state import Round
from controller.game.rules.cards import TEN, Card, NumberedCard, number_of, write_cards

Replay = Callable[[Round, Iterable[Input]], Round]
"""Makes a new round of the same wagers and applies all inputs of a log to it; raises
:class:`Refused` where one is not permitted in the new round."""


def numbered(rnd: Round, replay: Replay, log: list[Input]) -> Round:
    """A copy of the round, which ``log`` has led to, with its cards numbered, and without the
    corrections that are not judged. A round that a snapshot has stored is played again for it."""
    if not all(isinstance(card, NumberedCard) for card in cards_out(log)):
        return replay(rnd, log)
    again = rnd.clone()
    again.irregular.edits = ()
    return again


def on_the_table(rnd: Round) -> Counter[Card]:
    """The cards that lie before players and dealer, or wait for their place."""
    hands = [hand.cards for hand in rnd.hands]
    return Counter(card for cards in [*hands, rnd.dealer, rnd.irregular.waiting] for card in cards)


def check_number(rnd: Round, number: int) -> None:
    """Check that so many cards have left the shoe."""
    out = cards_out(rnd.log)
    if number > len(out):
        raise Refused(
            f"there is no card {number}: {len(out)} have left the shoe: {write_cards(out)}",
            rnd.clause,
            short=f"ONLY {len(out)} CARDS",
            code="no-such-card",
        )


def check_other_card(rnd: Round, number: int, card: Card) -> None:
    """Check that the ``number``-th card of the round can be ``card``, and is another one so far."""
    tens = rnd.rules.cards.tens
    if card.rank == TEN and not tens.value:
        raise Refused(f"{card}: the set has no tens", tens.clause, "NO TENS IN SET")
    if known_cards(rnd)[number - 1] == card:
        raise Refused(f"card {number} is {card} already", rnd.clause, short="IT IS THAT CARD")


def known_cards(rnd: Round) -> list[Card]:
    """The cards that have left the shoe, as corrected so far."""
    out = cards_out(rnd.log)
    steps = [step for given in rnd.log for step in given.corrections]
    for step in [*steps, *rnd.irregular.edits]:
        if isinstance(step, Correct):
            out[step.number - 1] = step.card
    return out


def retell(again: Round, before: Round, remarks: Iterable[str]) -> None:
    """Have the round that replaces ``before`` tell what was told, what is reversed, what is due."""
    again.irregular.remarks = [*before.irregular.remarks, *remarks]
    told = before.settlements
    if not before.irregular.history and again.settlements[: len(told)] == told:
        return
    retell_from(again, before.all_settlements, told)


def retell_from(again: Round, told: list[Settlement], were: list[Settlement]) -> None:
    """The same, where ``told`` was told before, and ``were`` the settlements that were due."""
    due, gone = again.settlements.copy(), []
    for settlement in were:
        if settlement in due:
            due.remove(settlement)
        else:
            gone.append(settlement.reversed())
    again.irregular.history = [*told, *gone, *due]
    again.irregular.covered = len(again.settlements)


def takes_back(before: Round, after: Round) -> bool:
    """Whether the second round tells a reversal that the first one does not."""
    new = after.all_settlements[len(before.all_settlements) :]
    return any(settlement.outcome == REVERSED for settlement in new)


def lay(rnd: Round, steps: tuple[Correction, ...]) -> list[Lies]:
    """Move the cards to where they lie and give them their names; those that lie on no hand."""
    had = {(hand.box, hand.number): [one.at for one in hand.said] for hand in rnd.hands}
    last = {step.number: step for step in steps if isinstance(step, Lies)}
    lies = [step for step in last.values() if not _lies_there(rnd, step)]
    taken = [(step, _take_up(rnd, step.number)) for step in lies]
    strays = [step for step, card in taken if not _lay_card(rnd, step.place, card, had)]
    for step in steps:
        if isinstance(step, Correct):
            _rename(rnd, step)
    return strays


def _piles(rnd: Round) -> list[list[Card]]:
    """Every list in which a card of the round may be."""
    found = rnd.irregular.irregularity
    return [
        *(pile for hand in rnd.hands for pile in (hand.cards, hand.beyond)),
        rnd.dealer,
        rnd.irregular.beyond,
        rnd.irregular.waiting,
        *([found.cards] if found else []),
    ]


def _lies_there(rnd: Round, step: Lies) -> bool:
    """Whether the card lies in that hand already."""
    if step.place is NoHand.DEALER:
        pile = rnd.dealer
    elif isinstance(step.place, HandAt) and step.place.box in rnd.boxes:
        pile = _hand_at(rnd, step.place).cards
    else:
        return False
    return any(number_of(card) == step.number for card in pile)


def _hand_at(rnd: Round, place: HandAt) -> Hand:
    """The hand there; where the split was taken back since, what is left of the box."""
    box = rnd.boxes[place.box]
    hands = {hand.number: hand for hand in box.hands}
    return hands.get(place.hand or 1, box.hands[0])


def _take_up(rnd: Round, number: int) -> NumberedCard:
    """Take the card of that number from where it lies; discarded ones have no place."""
    for pile in _piles(rnd):
        for place, lying in enumerate(pile):
            if isinstance(lying, NumberedCard) and lying.number == number:
                for hand in rnd.hands:
                    if pile is hand.cards:  # what was decided behind it is decided without it
                        said = (replace(one, at=one.at - (one.at > place)) for one in hand.said)
                        hand.said = tuple(said)
                del pile[place]
                return NumberedCard.numbered(lying, number, lying.came)
    return NumberedCard.numbered(known_cards(rnd)[number - 1], number)


def _lay_card(
    rnd: Round, place: HandAt | NoHand, card: NumberedCard, had: dict[tuple[int, int], list[int]]
) -> bool:
    """Put the card where it lies; whether that is a hand. ``had`` says how many cards the hands had
    at each of their decisions, as it was known before."""
    if isinstance(place, HandAt) and place.box in rnd.boxes:
        hand = _hand_at(rnd, place)
        pile = hand.cards
        _gains(hand, _place_of(card, pile), card.number, had[hand.box, hand.number])
    elif place is NoHand.DEALER:
        pile = rnd.dealer
    else:
        rnd.remark(f"{card} lies on no hand: discard it")
        return False
    pile.insert(_place_of(card, pile), card)
    return True


def _place_of(card: NumberedCard, pile: list[Card]) -> int:
    """Where the card comes among those that lie there: as they came to the table."""
    later = (
        place
        for place, lying in enumerate(pile)
        if isinstance(lying, NumberedCard) and lying.came > card.came
    )
    return next(later, len(pile))


def _gains(hand: Hand, place: int, number: int, had: list[int]) -> None:
    """Have what was decided behind that place be decided with the card that comes there; just
    behind it, where the card had left the shoe by then, or comes for one that lay there."""
    hand.said = tuple(
        replace(
            one,
            at=one.at
            + (one.at > place or (one.at == place and (number <= one.out or one.at < were))),
        )
        for one, were in zip(hand.said, had, strict=True)
    )


def _rename(rnd: Round, step: Correct) -> None:
    found = rnd.irregular.irregularity
    for pile in _piles(rnd):
        for place, card in enumerate(pile):
            if isinstance(card, NumberedCard) and card.number == step.number:
                pile[place] = renamed = NumberedCard.numbered(step.card, step.number, card.came)
                renamed.forced = card.forced
                if found and pile is found.cards:
                    found.seen = tuple(step.card if one == card else one for one in found.seen)
