"""Corrections and remedies: what lies on the table after them, and who is paid what."""

from __future__ import annotations

from decimal import Decimal

import pytest

from controller.game.commands.values import parse_amount
from controller.game.round import play
from controller.game.round.irregular.replaying import known_cards
from controller.game.round.permitted import permitted
from controller.game.round.refusal import Refused
from controller.game.round.state import Round
from controller.game.round.steps import Hit, Overdraw
from controller.game.rules.cards import parse_card, write_cards
from tests.game.round.played import DIVISION_15, MBS, PLUS, RWS, moved, played


def texts(rnd: Round) -> list[str]:
    """What is permitted, as people read it."""
    return list(map(str, permitted(rnd)))


def _settled(rnd: Round) -> list[tuple[str, str, str, int | None]]:
    return [(f"{s.box}{s.bettor}", s.kind, s.outcome, s.net) for s in rnd.settlements]


def _stakes(rnd: Round) -> list[dict[str, int | None]]:
    return [{b: bet.stake for b, bet in hand.bets.items()} for hand in rnd.hands]


# Corrections of cards that left the shoe in other ways than one by one ---------------------------


def test_a_card_that_lay_face_up_can_be_corrected() -> None:
    rnd = played(MBS, "1 main 10", "9S 9D")
    rnd = play.lay_aside(rnd, [parse_card("8S")], "face-up", asked=True)
    rnd = play.judge(moved(rnd, "correct 3 7S"))
    assert write_cards(rnd.boxes[1].hands[0].cards) == "9S 7S"
    assert rnd.irregular.remarks[-1] == "card 3 of the round was read 8S, it is 7S"


def test_a_card_too_many_for_the_dealer_can_be_corrected() -> None:
    rnd = played(MBS, "1 main 10", "9S 9D 9C", "stand 1", "KD")
    rnd = play.take_step(rnd, Overdraw(parse_card("5C")))
    rnd = play.judge(moved(rnd, "correct 5 6C"))
    assert write_cards(known_cards(rnd)) == "9S 9D 9C KD 6C"
    assert write_cards(rnd.dealer) == "9D KD"


def test_a_card_that_was_put_back_can_be_corrected() -> None:
    rnd = played(MBS, "1 main 10, 2 main 10", "9S 9C 9D 3S 9H", "hit 1", "2C")
    rnd = moved(moved(rnd, "report wrong-decision 1"), "reconstruct")
    assert write_cards(rnd.irregular.waiting) == "2C"
    rnd = play.judge(moved(rnd, "correct 6 4C"))
    assert write_cards(rnd.irregular.waiting) == "4C"


def test_nothing_is_done_with_a_correction_before_it_is_judged_but_to_end_it() -> None:
    rnd = moved(played(MBS, "1 main 10", "9S 9D 8S"), "correct 3 7S")
    assert texts(rnd) == ["done"]
    rnd = moved(rnd, "done")
    assert write_cards(rnd.boxes[1].hands[0].cards) == "9S 7S"
    assert rnd.state == "play.decide"


def test_a_correction_is_judged_before_the_next_step() -> None:
    rnd = played(MBS, "1 main 10", "8S 9D 9C", "correct 3 8C", "split 1", "9S")
    assert [write_cards(hand.cards) for hand in rnd.hands] == ["8S 9S", "8C"]
    with pytest.raises(Refused, match="box 1 has not two cards of equal value to split"):
        played(MBS, "1 main 10", "8S 9D 8C", "correct 3 9C", "split 1")


@pytest.mark.parametrize("rules", [MBS, RWS, DIVISION_15])
def test_a_card_that_was_said_to_lie_on_no_hand_lies_on_one_after_all(rules: str) -> None:
    rnd = played(rules, "1 main 10, 2 main 10", "9S 9C 9D 8S 8C", "hit 1", "3C", "lies 6 out")
    rnd = play.judge(rnd)
    assert write_cards(rnd.boxes[1].hands[0].cards) == "9S 8S"
    assert rnd.irregular.remarks[-1] == "3C lies on no hand: discard it"
    rnd = play.judge(moved(rnd, "lies 6 1"))
    assert write_cards(rnd.boxes[1].hands[0].cards) == "9S 8S 3C"
    assert rnd.turn == (1, 1)


# Decisions taken back ----------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "clause"), [(MBS, "3.19.1"), (RWS, "3.8.1")])
def test_a_multiplier_stays_drawn_when_the_decision_before_it_is_taken_back(
    rules: str, clause: str
) -> None:
    rnd = played(rules, "1 main 10, 2 main 10, 2 pandemonium 5", "9S AS 9D 8S 9H", "stand 1")
    rnd = moved(play.judge(moved(rnd, "correct 5 KS")), "press 2")  # the Pontoon brings its offer
    rnd = moved(play.show_multiplier(play.draw(rnd, 25)), "done")
    told = [(s.box, s.kind, s.outcome, s.net) for s in rnd.all_settlements]
    rnd = moved(moved(rnd, "report wrong-decision 1"), "reconstruct")
    assert rnd.turn == (1, 1)
    rnd = moved(moved(rnd, "hit 1"), "2C")
    rnd = play.judge(moved(rnd, "correct 1 8D"))  # the round is played again once more
    assert write_cards(rnd.boxes[1].hands[0].cards) == "8D 8S 2C"
    assert rnd.draws == {2: 25}
    assert [(s.box, s.kind, s.outcome, s.net) for s in rnd.all_settlements] == told
    assert told[-1] == (2, "pandemonium", "win", 12_500)
    assert rnd.all_settlements[-1].clause == clause


def test_a_first_card_is_not_burned_late_where_another_way_of_dealing_has_come() -> None:
    """MBS 5.21.2: with 5.21.1 every card would move up, one that lay face up too."""
    rnd = play.lay_aside(played(MBS, "1 main 10, 2 main 10", "9S"), [parse_card("8S")], "face-up")
    rnd = moved(rnd, "report not-burned")
    said = "the first card was not burned: play goes on as it is (5.21.2)"
    assert (rnd.irregular.irregularity, rnd.irregular.remarks[-1]) == (None, said)


# Hands that are void -----------------------------------------------------------------------------


def test_each_affected_hand_is_void_until_it_is_said_that_the_others_stand() -> None:
    """Division 15, 16.5(a)."""
    rnd = played(DIVISION_15, "1 main 10, 2 main 10, 3 main 10", "9S 9C 7S 9D 8S 8C 8H")
    rnd = moved(moved(rnd, "report misdeal"), "void-hand 1")
    rnd = moved(rnd, "void-hand 3")
    assert texts(rnd)[:2] == ["void-hand 2", "continue"]
    rnd = moved(rnd, "continue")
    assert texts(rnd)[0] == "hit 2"
    assert _settled(rnd) == [("1a", "main", "returned", 0), ("3a", "main", "returned", 0)]
    with pytest.raises(Refused, match="void-hand 2: nothing is wrong"):
        moved(rnd, "void-hand 2")


# Wagers above a maximum --------------------------------------------------------------------------


def test_what_pro_rata_leaves_over_goes_to_those_nearest_the_dealer() -> None:
    rnd = played(PLUS, "1 main 100, 1b main 100, 1c main 100", "9S 9D 8S")
    rnd = moved(rnd, "report over-maximum 1 100")
    assert _stakes(rnd) == [{"a": 3334, "b": 3334, "c": 3332}]


def test_a_maximum_limits_the_hands_that_a_bettor_has_a_wager_on() -> None:
    rnd = played(RWS, "1 main 80, 1b main 80", "8S 9D 8C", "split 1", "9C", "stand 1", "9H")
    rnd = moved(moved(rnd, "report over-maximum 1 50"), "cap")
    assert _stakes(rnd) == [{"a": 5000, "b": 5000}, {"a": 5000}]


@pytest.mark.parametrize("rules", [RWS, DIVISION_15])
def test_what_would_limit_no_wager_is_not_offered(rules: str) -> None:
    rnd = played(rules, "1 main 80, 1b main 80", "9S 9D 8S")
    rnd = moved(rnd, "report over-maximum 1 100")  # together they are above it, none by itself
    assert texts(rnd) == ["pro-rata", "continue"]


def test_a_void_round_returns_what_was_placed_above_the_maximum() -> None:
    rnd = moved(played(MBS, "1 main 80", "9S 9D 8S"), "report over-maximum 1 50")
    assert _stakes(rnd) == [{"a": 5000}]
    rnd = play.void(rnd, "5.2")
    assert [(s.stake, s.outcome, s.clause) for s in rnd.settlements] == [(8000, "returned", "5.2")]


# Wagers taken back -------------------------------------------------------------------------------


def test_who_takes_a_wager_back_during_the_deal_has_the_side_wagers_back_too() -> None:
    rnd = played(MBS, "1 main 10, 1 pair 5, 1b pandemonium 5, 2 main 10, 2 pair 5", "9S")
    rnd = moved(moved(moved(rnd, "report power"), "continue"), "choose 1 return")
    assert _settled(rnd) == [
        ("1a", "main", "returned", 0),
        ("1a", "pair", "returned", 0),
        ("1b", "pandemonium", "returned", 0),
    ]
    rnd = moved(rnd, "8C 9D 8D")
    assert write_cards(rnd.boxes[1].hands[0].cards) == "9S"
    assert _settled(rnd)[3:] == [("2a", "pair", "win", 5500)]


@pytest.mark.parametrize(
    ("rest", "settled"),
    [
        (("stand 1", "8D"), ("2a", "pair", "win", 5500)),
        (("surrender 2a", "stand 1", "KC"), ("2a", "pair", "returned", 0)),
    ],
)
def test_a_side_wager_is_settled_where_another_bettors_on_the_box_was_returned(
    rest: tuple[str, ...], settled: tuple[str, str, str, int]
) -> None:
    wagers = "1 main 10, 2 main 20, 2 pair 5, 2b main 20, 2b pair 5"
    rnd = played(MBS, wagers, "KS 8S KD 9S 9H", "report one-card 2", "choose 2 play")
    rnd = moved(rnd, "choose 2b return")
    for move in rest:
        rnd = moved(rnd, move)
    pairs = [one for one in _settled(rnd) if one[1] == "pair"]
    assert pairs == [("2b", "pair", "returned", 0), settled]


def test_who_has_taken_a_wager_back_has_no_share_of_a_super_bonus() -> None:
    rnd = played(MBS, "1 main 10, 2 main 10, 3 main 10", "9S 7D 9H 7C 8S 7D 8H")
    rnd = moved(moved(moved(rnd, "report power"), "continue"), "choose 1 return")
    rnd = moved(rnd, "7D")
    rnd = moved(moved(rnd, "stand 3"), "KC")
    shares = [(s.box, s.kind, s.net) for s in rnd.settlements if s.kind.startswith("super_bonus")]
    assert shares == [(2, "super_bonus", 100_000), (3, "super_bonus_share", 5000)]


# The dealer's missing first card -----------------------------------------------------------------


def test_a_dealers_card_noticed_missing_at_the_button_comes_after_the_button() -> None:
    rnd = played(MBS, "1 main 10, 1 pandemonium 5, 2 main 10", "AS 9C 9D KS 8C")
    rnd = moved(moved(rnd, "report dealer-no-card"), "use")
    assert rnd.state == "jackpot.armed"
    rnd = play.show_multiplier(play.draw(moved(rnd, "press 1"), 25))
    rnd = moved(rnd, "done")
    assert (rnd.state, rnd.dealer) == ("play.dealer_card", [])
    rnd = moved(rnd, "AD")
    assert rnd.state == "offers.open"
    assert "insure 2 AMOUNT" in texts(rnd)


# Amounts -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("given", [Decimal("1e999999"), Decimal("sNaN")])
def test_a_number_that_has_no_cents_is_no_amount(given: Decimal) -> None:
    with pytest.raises(ValueError, match="is not an amount: expected dollars, as in 25 or"):
        parse_amount(given)


# A hit and its card ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "between",
    [
        ("correct 2 7S", "done"),
        ("wager 2 main 20",),
    ],
)
def test_a_hit_is_noted_once_whatever_is_put_right_before_its_card(
    between: tuple[str, ...],
) -> None:
    rnd = played(MBS, "1 main 10, 2 main 10", "5S 6S 9D 6H 7C", "hit 1")
    for move in between:
        rnd = moved(rnd, move)
    rnd = moved(rnd, "KD")
    assert [str(one.step) for one in rnd.log if isinstance(one.step, Hit)] == ["hit 1"]


def test_a_card_that_was_used_is_that_of_the_hit_and_the_next_one_of_another() -> None:
    rnd = played(MBS, "1 main 10, 2 main 10", "5S 6S 9D 2H 7C", "hit 1")
    rnd = play.lay_aside(rnd, [parse_card("2D")], "face-up", asked=True)
    assert write_cards(rnd.boxes[1].hands[0].cards) == "5S 2H 2D"
    rnd = moved(rnd, "3D")
    assert [str(one.step) for one in rnd.log if isinstance(one.step, Hit)] == ["hit 1", "hit 1"]
