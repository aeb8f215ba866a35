"""What the players do: the calculation against values from elsewhere, and known decisions."""

from __future__ import annotations

from fractions import Fraction

import pytest

from controller.draw.odds import odds
from controller.files.rules import load_rules, rule_files
from figures.rounds.exact import exact
from figures.rounds.expectation import Expectation, HandTotal
from figures.rounds.strategies import HIT, Basic, Situation, simple
from tests.figures.rounds.support import WEIGHTS

PANDEMONIUM, PLUS = "mbs-pontoon-pandemonium-v5", "rws-pontoon-plus-v5"
TRICK = "pontoon-five-card-trick"
FIRST_TWO = frozenset({"stand", "double"})


def at(ranks: str, against: str, *may: str, total: int = 0) -> Situation:
    known = "?A23456789TJQK"
    cards = tuple(known.index(rank) for rank in ranks)
    return Situation(cards, total, known.index(against), frozenset(may))


@pytest.mark.parametrize("document", list(rule_files()))
@pytest.mark.parametrize("against", range(1, 11))
def test_what_the_dealer_may_come_to_is_certain_to_come(document: str, against: int) -> None:
    dealer = Expectation(load_rules(document)).dealer(against)
    chances = [*dealer.totals.values(), dealer.bust, dealer.pontoon, dealer.trick]
    assert sum(chances) == pytest.approx(1)
    assert all(chance >= 0 for chance in chances)
    assert (dealer.pontoon > 0) == (against in (1, 10))
    assert (dealer.trick > 0) == (load_rules(document).trick is not None)


def test_without_tens_a_dealers_ace_is_a_pontoon_in_one_of_four() -> None:
    assert Expectation(load_rules(PANDEMONIUM)).dealer(1).pontoon == pytest.approx(3 / 12)
    assert Expectation(load_rules(TRICK)).dealer(1).pontoon == pytest.approx(4 / 13)


def test_standing_counts_wins_against_losses_and_leaves_equal_hands_out() -> None:
    expects = Expectation(load_rules(PANDEMONIUM))
    dealer = expects.dealer(10)
    stands = expects.standing(HandTotal(19, ace=False, cards=2), 10)
    wins = dealer.bust + dealer.totals[17] + dealer.totals[18]
    assert stands == pytest.approx(wins - dealer.totals[20] - dealer.totals[21] - dealer.pontoon)
    # Where equal hands lose, nineteen against nineteen does.
    trick = Expectation(load_rules(TRICK))
    against = trick.dealer(10)
    lower = against.bust + against.totals[17] + against.totals[18]
    assert trick.standing(HandTotal(19, ace=False, cards=2), 10) == pytest.approx(
        lower - (1 - lower)
    )


def test_a_doubled_hand_is_never_worth_less_than_its_withdrawal_or_its_bust() -> None:
    expects = Expectation(load_rules(PANDEMONIUM))
    # Sixteen doubled: 7 of 12 cards bust it, and of the rest one makes 21; four may withdraw.
    assert expects.doubled(HandTotal(16, ace=False, cards=2), 10) >= (-2 * 7 + 2 - 4) / 12
    assert expects.doubled(HandTotal(16, ace=False, cards=2), 10) < -0.9
    assert expects.doubled(HandTotal(11, ace=False, cards=2), 6) > 0


@pytest.mark.parametrize(
    ("situation", "verb"),
    [
        (at("66", "6", *FIRST_TWO), HIT),
        (at("67", "6", *FIRST_TWO), "stand"),
        (at("QK", "A", *FIRST_TWO, "split"), "stand"),
        (at("AA", "6", *FIRST_TWO, "split"), "split"),
        (at("88", "7", *FIRST_TWO, "split"), "split"),
        (at("56", "6", *FIRST_TWO), "double"),
        (at("46", "A", *FIRST_TWO), HIT),
        (at("9Q", "9", *FIRST_TWO), "stand"),
        (at("23", "4"), HIT),
        (at("A6", "9", *FIRST_TWO), HIT),
        (at("9Q", "Q", "stand", "surrender"), "stand"),
    ],
)
def test_basic_strategy_does_what_is_known_to_be_right(situation: Situation, verb: str) -> None:
    assert Basic(load_rules(PANDEMONIUM)).decide(situation) == verb


def test_a_stiff_hand_gives_up_where_half_is_all_that_it_loses() -> None:
    stiff, strong = (at(ranks, "T", "stand", "buy", "surrender") for ranks in ("T6", "T9"))
    basic = Basic(load_rules(TRICK))
    assert basic.surrenders(stiff)
    assert not basic.surrenders(strong)
    # Where the dealer's Pontoon takes the other half too, it is played.
    stiff = at("97", "A", *FIRST_TWO, "surrender")
    assert not Basic(load_rules(PANDEMONIUM)).surrenders(stiff)


def test_cards_are_bought_while_they_pay_and_the_trick_is_worth_a_card() -> None:
    basic = Basic(load_rules(TRICK))
    assert basic.decide(at("56", "6", "buy")) == "buy"
    assert basic.decide(at("5T", "T", "buy", "stand")) != "buy"
    assert basic.decide(at("2238", "6", "stand")) == HIT


def test_a_doubled_part_is_withdrawn_from_a_hopeless_hand_only() -> None:
    basic = Basic(load_rules(PANDEMONIUM))
    assert basic.withdraws(12, 13)
    assert not basic.withdraws(19, 13)
    assert not basic.withdraws(12, 6)


@pytest.mark.parametrize(
    ("situation", "verb"),
    [
        (at("97", "K", "stand", "surrender", total=16), "surrender"),
        (at("88", "K", "stand", "surrender", "split", total=16), "split"),
        (at("56", "9", "stand", "double", total=11), "double"),
        (at("56", "K", "stand", "double", total=11), HIT),
        (at("Q4", "6", "stand", total=14), "stand"),
        (at("Q4", "7", "stand", total=14), HIT),
        (at("Q7", "A", "stand", total=17), "stand"),
        (at("Q7", "A", total=17), HIT),
    ],
)
def test_the_rules_of_thumb(situation: Situation, verb: str) -> None:
    assert simple(situation) == verb


@pytest.mark.parametrize("decks", [4, 8])
def test_the_exact_pandemonium_figures_are_those_of_the_odds(decks: int) -> None:
    told = exact(load_rules(PANDEMONIUM), decks, WEIGHTS)["pandemonium"]
    known = odds(WEIGHTS, decks)
    assert told.chance == known.chance
    assert told.edge == known.edge


def test_the_exact_figures_of_pair_and_bonus() -> None:
    told = exact(load_rules(PLUS), 8, None)
    assert told["pair"].chance == Fraction(31, 383)
    assert told["pair"].edge == 1 - 12 * Fraction(31, 383)
    # An ace with anything, or a pair of anything else: 32 aces, 352 others in 11 denominations.
    aces = 1 - Fraction(352 * 351, 384 * 383)
    assert told["bonus"].chance == aces + Fraction(352 * 31, 384 * 383)
