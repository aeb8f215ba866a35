"""Cards, hands and pay lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.files.rules import load_rules
from controller.game.rules import cards
from controller.game.rules.cards import RANKS, SUITS, Card, parse_card, write_cards

a_card = st.builds(Card, st.integers(1, 13), st.integers(1, 4))


def _hand(text: str) -> list[Card]:
    return [parse_card(word) for word in text.split()]


@given(a_card)
def test_a_card_is_read_as_it_is_written(card: Card) -> None:
    assert parse_card(str(card)) == card


@pytest.mark.parametrize("text", ["", "A", "1S", "10S", "as", "AX", "SA", "AS ", "??"])
def test_what_is_no_card_is_named(text: str) -> None:
    with pytest.raises(ValueError, match=f"is not a card: expected a rank of {RANKS}") as error:
        parse_card(text)
    assert SUITS in str(error.value)
    assert repr(text) in str(error.value)


def test_a_card_not_read_is_written_so() -> None:
    assert write_cards([Card(1, 4), None]) == "AS ??"


@pytest.mark.parametrize(
    ("text", "total", "soft"),
    [
        ("2S 3S", 5, False),
        ("AS KS", 21, True),
        ("AS AH", 12, True),
        ("AS AH AD AC", 14, True),
        ("AS 6H", 17, True),
        ("AS 6H KD", 17, False),
        ("AS 9H AD", 21, True),
        ("JS QS KS", 30, False),
        ("AS KS QS", 21, False),
        ("AS", 11, True),
    ],
)
def test_the_best_total_is_taken(text: str, total: int, soft: bool) -> None:
    assert (cards.hand_total(_hand(text)), cards.is_soft(_hand(text))) == (total, soft)


@pytest.mark.parametrize(
    ("text", "hard_aces", "total"),
    [
        ("AS 5H 4D", 1, 10),  # the document's own example
        ("AS 9H AD", 1, 21),  # the ace drawn may count 11
        ("AS AH AD", 2, 13),
        ("5S 6H AD", 0, 12),
        ("8S 2H AD", 0, 21),
    ],
)
def test_an_ace_of_a_doubled_hand_counts_one(text: str, hard_aces: int, total: int) -> None:
    assert cards.hand_total(_hand(text), hard_aces) == total


@given(st.lists(a_card, min_size=1, max_size=9))
def test_a_total_is_the_best_of_all_ways_to_count_the_aces(hand: list[Card]) -> None:
    hard = sum(card.points for card in hand)
    aces = sum(card.rank == 1 for card in hand)
    ways = [hard + 10 * elevens for elevens in range(aces + 1)]
    assert cards.hand_total(hand) == max((way for way in ways if way <= 21), default=hard)
    assert cards.hand_total(hand) == cards.hand_total(hand[::-1])


@pytest.mark.parametrize(
    ("text", "pontoon"),
    [
        ("AS KS", True),
        ("JH AD", True),
        ("AS 9H", False),
        ("KS QS", False),
        ("AS 5H 5D", False),
        ("AS KH QD", False),
    ],
)
def test_pontoon_is_an_ace_and_a_picture_in_two_cards(text: str, pontoon: bool) -> None:
    assert cards.is_pontoon(_hand(text)) == pontoon


@pytest.mark.parametrize(
    ("text", "pair", "splittable"),
    [
        ("5S 5H", True, True),
        ("KS KH", True, True),
        ("KS QH", False, True),
        ("AS AS", True, True),
        ("AS JS", False, False),
        ("8S 9S", False, False),
    ],
)
def test_a_pair_is_of_one_rank_a_split_of_one_value(
    text: str, pair: bool, splittable: bool
) -> None:
    assert (cards.same_rank(_hand(text)), cards.same_value(_hand(text))) == (pair, splittable)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("KS AS", "regular"),
        ("KS 5S 6S", "regular"),
        ("2S 3S 5S JS AS", "cards_5"),
        ("2S 3S 5S 5S 5S AS", "cards_6"),
        ("2S 3S 3S 3S 5S 4S AS", "cards_7_or_more"),
        ("AS AS AS AS 2S 2S 2S AS", "cards_7_or_more"),
        ("6S 7H 8D", "678_mixed"),
        ("8S 6S 7D", "678_mixed"),
        ("7D 8D 6D", "678_suited"),
        ("8S 6S 7S", "678_spades"),
        ("7S 7S 7H", "777_mixed"),
        ("7C 7C 7C", "777_suited"),
        ("7S 7S 7S", "777_spades"),
        ("7S 7S 5S 2S", "regular"),
    ],
)
def test_the_line_of_a_21(text: str, line: str) -> None:
    assert cards.line_for_21(_hand(text)) == line


def test_winnings_are_whole_cents_or_none() -> None:
    assert cards.winnings(2502, (3, 2)) == 3753
    with pytest.raises(cards.Indivisible, match="1 cents cannot be paid 3:2"):
        cards.winnings(1, (3, 2))


@pytest.mark.parametrize("name", ["rws-pontoon-pandemonium-v4", "mbs-pontoon-pandemonium-v5"])
@pytest.mark.parametrize(
    ("cents", "dollars"),
    [(999, 0), (1000, 1000), (9900, 1000), (9999, 1000), (10_000, 5000), (10**8, 5000)],
)
def test_the_brackets_of_the_super_bonus(name: str, cents: int, dollars: int) -> None:
    rule = load_rules(name).super_bonus
    assert rule
    assert rule.sum_for(cents) == dollars * 100
