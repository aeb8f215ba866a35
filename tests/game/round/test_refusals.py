"""Steps, reports and corrections that a round refuses: with which reason, by which clause."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from controller.game.round import moves, play
from controller.game.round.refusal import Refused
from controller.game.rules.cards import parse_card
from tests.game.round.played import DIVISION_15, MBS, PLUS, RWS, TRICK, moved, played, step
from tests.table.play import is_state, state_of


class Case(NamedTuple):
    """The last of the moves is refused, with words of the reason and the clause."""

    rules: str
    wagers: str
    moves: tuple[str, ...]
    reason: str
    clause: str


CASES = {
    "a multiplier for who is not there": Case(
        MBS,
        "1 main 10, 1 pandemonium 5, 2b main 10",
        ("AS 9C 5D KS 8H", "nominate 1 2"),
        "2 is not in the round",
        "3.19.2",
    ),
    "insurance by who is not there": Case(
        MBS, "1 main 10, 2b main 10", ("9S 9C AD 8S 8H", "insure 2@1 5"), "2a is not", "3.26.3"
    ),
    "a box that has a wager": Case(
        MBS, "1 main 10", ("9S 9D", "report side-without-main 1"), "box 1 has a wager", "3.18"
    ),
    "a box that has none": Case(
        MBS, "1 main 10", ("9S 9D", "report no-card 2"), "box 2 is not in the round", "3.18"
    ),
    "a card that nobody has drawn": Case(
        MBS, "1 main 10", ("9S 9D", "report drawn"), "drawn: no card has left the shoe", "3.18"
    ),
    "a late bet beyond the last box": Case(
        MBS, "1 main 10", ("9S 9D", "report late-bet 9"), "there is no box 9", "Appendix A"
    ),
    "a ten in a set without": Case(
        MBS, "1 main 10", ("9S 9D 8S", "correct 1 TD"), "TD: the set has no tens", "2.1; A-04"
    ),
    "the card that it is": Case(
        MBS, "1 main 10", ("9S 9D 8S", "correct 1 9S"), "card 1 is 9S already", "3.14"
    ),
    "a card with which no step was possible": Case(
        MBS,
        "1 main 10",
        ("8S 9D 8C", "split 1", "correct 3 9C", "done"),
        "box 1 has split 8S 9C, which are not equal: take the split back first",
        "3.20",
    ),
    "a correction in a void round": Case(
        MBS, "1 main 10", ("9S 9D", "report misdeal", "void", "correct 1 8S"), "is void", "5.1.1"
    ),
    "a correction while the meter spins": Case(
        RWS,
        "1 main 10, 1 pandemonium 5, 2 main 10",
        ("AS 9S 9D KS 8S", "press 1", "correct 1 8S"),
        "the meter spins: correct cards when it has shown the multiplier",
        "1 Games Multiplier",
    ),
    "another place in the initial deal": Case(
        RWS,
        "1 main 10, 2 main 10",
        ("9S", "lies 1 2"),
        "cards of the initial deal are put where they should be (report misdeal)",
        "5.1.2",
    ),
    "another place while something else is wrong": Case(
        RWS,
        "1 main 10, 2 main 10",
        ("9S 9C 9D 8S 8C", "report other", "lies 1 2"),
        "something is wrong: a remedy first",
        "A-56",
    ),
    "a place beyond the last box": Case(
        RWS, "1 main 10", ("9S 9D 8S", "lies 1 9"), "there is no box 9", "2.1.1(a); A-28"
    ),
    "a hand that the box has not": Case(
        RWS, "1 main 10", ("9S 9D 8S", "lies 1 1.2"), "box 1 has no hand 2", "5.1.2"
    ),
    "a hand of a box that has none": Case(
        RWS, "1 main 10", ("9S 9D 8S", "lies 1 3.1"), "box 3 has no hand 1", "5.1.2"
    ),
    "which of two hands": Case(
        RWS,
        "1 main 10",
        ("8S 9D 8C", "split 1", "lies 2 1"),
        "box 1 has 2 hands: say which, as in 1.1",
        "5.1.2",
    ),
    "a card that was bought behind the end of the hand": Case(
        TRICK,
        "1 main 10",
        ("9S 9D 3C", "buy 1 10", "2C", "buy 1 10", "2D", "correct 4 KC", "done"),
        "box 1 has bought a card behind 9S 3C KC, which was over: take that back first",
        "[Buy]",
    ),
    "a card drawn in error while something else is wrong": Case(
        MBS,
        "1 main 10",
        ("9S 9D 8S", "hit 1", "2S", "report misdeal", "report drawn 1"),
        "something is wrong already: a remedy first",
        "3.14",
    ),
    "an end of what nobody has begun": Case(
        DIVISION_15, "1 main 10", ("9S 9D 8S", "continue"), "continue: nothing is wrong", "8.3"
    ),
    "more than the maximum where it is not": Case(
        RWS,
        "1 main 10",
        ("9S 9D 8S", "report over-maximum 1 50", "cap"),
        "cap is not permitted; permitted: continue",
        "A-56",
    ),
    "a maximum by itself where it is not exceeded": Case(
        MBS,
        "1 main 10",
        ("9S 9D 8S", "report over-maximum 1 50"),
        "no wager that is open on box 1 is known to be above its maximum",
        "3.6",
    ),
    "wagers of which one is not known": Case(
        PLUS,
        "1 main 80, 1b main",
        ("9S 9D 8S", "report over-maximum 1 50"),
        "is known to be above",
        "5.1; 5.2",
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_a_step_is_refused_and_changes_nothing(case: Case) -> None:
    *before, last = case.moves
    rnd = played(case.rules, case.wagers, *before)
    state = state_of(rnd)
    with pytest.raises(Refused) as refused:
        moved(rnd, last)
    assert case.reason in refused.value.reason
    assert refused.value.clause == case.clause
    assert len(refused.value.short) <= 16
    assert is_state(rnd, state)


def test_a_card_that_is_not_due_is_refused() -> None:
    rnd = played(MBS, "1 main 10", "KS 9D AS")
    with pytest.raises(Refused, match=r"no card may leave the shoe now \(settled\)") as refused:
        play.take_card(rnd, parse_card("9C"))
    assert refused.value.short == "CARD NOT DUE"


def test_what_is_no_step_of_a_round_is_refused() -> None:
    rnd = played(MBS, "1 main 10", "9S 9D 8S")
    with pytest.raises(Refused, match="'overdraw' is no step of a round") as refused:
        play.check(rnd, step("overdraw"))
    assert refused.value.short == "NO SUCH STEP"


def test_a_transition_whose_conditions_do_not_hold_is_refused() -> None:
    """The machine has the last word, whatever the guards have permitted."""
    rnd = played(MBS, "1 main 10", "9S 9D 8S", "stand 1")
    with pytest.raises(
        Refused, match=r"done is not permitted now \(dealer.second_card\)"
    ) as refused:
        moves.move(rnd, "done", step("done"))
    assert refused.value.clause == "3.33"


def test_a_box_draws_one_multiplier() -> None:
    rnd = played(MBS, "1 main 10, 1 pandemonium 5", "KS 9D AS", "press 1")
    rnd = play.draw(rnd, 25)
    with pytest.raises(Refused, match="is drawn already"):
        play.draw(rnd, 100)
    assert rnd.multipliers == [25]


def test_cards_that_left_together_are_not_others() -> None:
    rnd = played(MBS, "1 main 10", "9S 9D")
    rnd = play.lay_aside(rnd, [parse_card("8S"), parse_card("2H")], "together", asked=True)
    with pytest.raises(Refused, match="2C: together left 8S 2H"):
        moved(rnd, "report together 2C")


def test_who_has_his_wager_at_the_button_back_may_press_for_another() -> None:
    """RWS 3.8.2."""
    wagers = "1 main 10, 1 pandemonium 5, 2 main 10, 2 pandemonium 5"
    rnd = played(RWS, wagers, "KS KD 9D AS AD")
    with pytest.raises(Refused, match="2 has a winning Pandemonium wager"):
        play.check(rnd, step("nominate 1 2"))
    rnd.boxes[2].given_back = frozenset({("pandemonium", "a")})
    assert str(moved(rnd, "nominate 1 2").nominee) == "2"
