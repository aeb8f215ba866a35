"""Cards put where they are said to lie, and renamed as they are said to be; nothing is judged.

All that are said to lie elsewhere are taken up before one is put down, so that two which were taken
for each other change places. The others stay in the order in which they came to their hands.
"""

from __future__ import annotations

from dataclasses import replace

from controller.game.commands.values import HandAt, NoHand
from controller.game.round.irregular.going_on import number_of
from controller.game.round.irregular.replaying import known_cards
from controller.game.round.log import NumberedCard
from controller.game.round.model import Hand
from controller.game.round.remedies import Correct, Correction, Lies
from controller.game.round.state import Round
from controller.game.rules.cards import Card


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
                    if pile is hand.cards:
                        _loses(hand, place)
                del pile[place]
                return NumberedCard.numbered(lying, number, lying.came)
    return NumberedCard.numbered(known_cards(rnd)[number - 1], number)


def _loses(hand: Hand, place: int) -> None:
    """Have what was decided behind the card at that place be decided without it."""
    hand.said = tuple(replace(one, at=one.at - (one.at > place)) for one in hand.said)


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
        rnd.irregular.remarks.append(f"{card} lies on no hand: discard it")
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
