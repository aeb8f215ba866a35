"""The simulated shoe: shuffled, burned and cut as the documents say."""

from __future__ import annotations

from collections import Counter
from itertools import count

import pytest

from controller.files.rules import load_rules
from controller.game.rules.cards import Card
from figures.rounds.shoe import ShoeRanOut, SimulatedShoe, full_shoe

FINISHES, AT_ONCE = "mbs-pontoon-pandemonium-v5", "division-15-pontoon"
NEVER_BURNS = "pontoon-five-card-trick"


def unshuffled(_: list[Card]) -> None:
    pass


def round_of(shoe: SimulatedShoe, cards: int) -> bool:
    shuffled = shoe.begin_round()
    for _ in range(cards):
        shoe.next_card()
    shoe.end_round()
    return shuffled


@pytest.mark.parametrize(("document", "cards"), [(FINISHES, 48), (NEVER_BURNS, 52)])
def test_a_shoe_holds_every_card_of_its_decks(document: str, cards: int) -> None:
    shoe = full_shoe(load_rules(document), 4)
    assert len(shoe) == 4 * cards
    assert set(Counter(shoe).values()) == {4}
    assert any(card.rank == 10 for card in shoe) == (cards == 52)


@pytest.mark.parametrize(("document", "burned"), [(FINISHES, 1), (NEVER_BURNS, 0)])
def test_the_first_card_is_burned_where_the_document_burns_it(document: str, burned: int) -> None:
    rules = load_rules(document)
    shoe = SimulatedShoe(rules, 4, 75, unshuffled)
    shoe.begin_round()
    assert shoe.next_card() == full_shoe(rules, 4)[burned]


@pytest.mark.parametrize(
    ("document", "cards", "rounds"),
    [
        # 192 cards, one burned, the cutting card behind the 96th.
        (FINISHES, 94, 2),  # the 96th is the next round's first: the card comes within that one
        (FINISHES, 95, 2),  # it is the next thing out: that round is still played
        (FINISHES, 96, 1),  # it came in the first round
        (AT_ONCE, 94, 2),
        (AT_ONCE, 95, 1),  # it would be the round's first: shuffled at once
        (AT_ONCE, 96, 1),
    ],
)
def test_the_cutting_card_ends_the_shoe_as_the_document_says(
    document: str, cards: int, rounds: int
) -> None:
    shoe = SimulatedShoe(load_rules(document), 4, 50, unshuffled)
    assert round_of(shoe, cards)
    played = next(n for n in count(1) if round_of(shoe, 2))
    assert played == rounds
    assert shoe.shuffles == 2


@pytest.mark.parametrize(("document", "goes_on"), [(FINISHES, False), (AT_ONCE, True)])
def test_a_shoe_that_runs_out_is_refilled_with_what_is_not_on_the_table(
    document: str, *, goes_on: bool
) -> None:
    rules = load_rules(document)
    shoe = SimulatedShoe(rules, 4, 95, unshuffled)
    round_of(shoe, 180)
    shoe.begin_round()
    out = [shoe.next_card() for _ in range(20)]  # 11 are left
    assert shoe.refills == 1
    assert not Counter(out) - Counter(full_shoe(rules, 4))
    shoe.end_round()
    assert shoe.begin_round() != goes_on


def test_what_is_put_in_again_is_cut_again() -> None:
    """Division 15, 16.7 with 7.6: it goes on for 75 percent of the discards, not for ever."""
    shoe = SimulatedShoe(load_rules(AT_ONCE), 4, 75, unshuffled)
    round_of(shoe, 140)
    round_of(shoe, 60)  # 191 in all: 9 of the 140 are taken, 105 are in front of the cutting card
    assert shoe.refills == 1
    assert not round_of(shoe, 95)
    assert not round_of(shoe, 2)
    assert round_of(shoe, 2)


def test_a_round_that_needs_more_cards_than_there_are_says_so() -> None:
    shoe = SimulatedShoe(load_rules(NEVER_BURNS), 1, 75, unshuffled)
    shoe.begin_round()
    for _ in range(52):
        shoe.next_card()
    with pytest.raises(ShoeRanOut, match="all 52 cards"):
        shoe.next_card()
