"""Cards that left the shoe together, the first of which was dealt before the second was reported:
what it had settled is taken back at that moment, and told."""

from __future__ import annotations

from typing import Any

import pytest

from controller.game.round.results import round_result
from hil_tests.benches.driven_table import FACE_UP, LOCKED, TOGETHER
from tests.table.live.driver import DIV, MBS, PLUS, RWS, Live, dealt


def _owed(table: Live) -> list[tuple[str, str, str | None]]:
    return [(one["kind"], one["outcome"], one["net"]) for one in table.status()["owed"]]


def _told(table: Live) -> list[tuple[str, str, str | None]]:
    assert table.table.rnd
    result: Any = round_result(table.table.rnd, "")
    return [(one["kind"], one["outcome"], one["net"]) for one in result["settlements"]]


def _dealers_second(rules: str, second: str) -> Live:
    """Box 1 stands on 17 against a king; the dealer's second card settles the round."""
    table = dealt("9C KD 8C", "1 main 100", rules).play("stand 1")
    table.deal(second)
    assert table.state == "settled"
    return table


def test_plus_both_cards_of_the_dealers_hand_are_discarded_and_the_options_offered() -> None:
    """Plus 5.12.1, 5.12.2, 5.7: a Pontoon that the first of them made stands no more."""
    table = _dealers_second(PLUS, "AD")
    table.slip("9H", TOGETHER)
    status = table.status()
    assert (status["state"], status["dealer"]["cards"]) == ("held.dealer.second_card", "KD")
    assert "(5.12.1)" in status["held"]["reason"]
    assert _owed(table) == [("main", "lose", "-100.00"), ("main", "reversed", "100.00")]
    table.order("discard")
    assert table.status()["permitted"] == ["choose 1 return", "done", "shuffle 1", "shuffle 2"]
    table.play("done", "6S")
    assert table.state == "dealer.draw"
    table.deal("9S")
    assert _told(table) == [
        ("main", "lose", "-100.00"),
        ("main", "reversed", "100.00"),
        ("main", "win", "100.00"),
    ]


@pytest.mark.parametrize(("seen", "remedies"), [(False, "AD 9H"), (True, "AD")])
def test_mbs_the_pit_manager_chooses_for_the_dealer(seen: bool, remedies: str) -> None:
    """5.23.4.1: of two that nobody has seen either; 5.23.4.5: of two seen the one most detrimental,
    which 9H is beside a Pontoon."""
    table = _dealers_second(MBS, "AD")
    table.slip("9H", TOGETHER)
    if seen:
        table.order("report together AD 9H")
        remedies = "9H"
    held = table.status()["held"]
    offered = [one for one in held["remedies"] if one.startswith("use")]
    assert offered == [f"use {card}" for card in remedies.split()]
    table.order("use 9H")
    assert table.state == "settled"
    assert _told(table)[-1] == ("main", "lose", "-100.00")
    assert table.status()["dealer"]["total"] == 19


def test_mbs_a_card_that_completed_the_dealers_hand_and_the_next_one() -> None:
    table = _dealers_second(MBS, "9D")
    table.slip("2C", TOGETHER)
    table.play("sue: use 2C", "done")
    assert table.status()["dealer"]["cards"] == "KD 2C 9D"
    assert _told(table) == [
        ("main", "lose", "-100.00"),
        ("main", "reversed", "100.00"),
        ("main", "lose", "-100.00"),
    ]


@pytest.mark.parametrize("rules", [MBS, RWS])
def test_with_the_button_armed_the_pontoon_is_taken_back(rules: str) -> None:
    table = dealt("AC 7D KC", "1 main 100, 1 pandemonium 5", rules)
    assert table.state == "jackpot.armed"
    table.slip("9H", TOGETHER)
    assert _owed(table) == [("main", "win", "150.00"), ("main", "reversed", "-150.00")]
    assert table.wants().meter is None
    if rules == MBS:
        table.say("choose 1 KC")
        assert table.state == "jackpot.armed"
        assert _owed(table)[2:] == [("main", "win", "150.00")]
        return
    table.order("use 9H")
    assert _told(table)[-1] == ("pandemonium", "lose", "-5.00")
    assert table.state == "play.decide"


def test_a_double_that_was_told_is_taken_back_at_once() -> None:
    table = dealt("6C KD 5C", "1 main 100", RWS).play("double 1 100")
    table.deal("KC")  # 21
    paid = [("main", "win", "100.00"), ("double", "win", "100.00")]
    assert _owed(table) == paid
    table.slip("2S", TOGETHER)
    back = [("main", "reversed", "-100.00"), ("double", "reversed", "-100.00")]
    assert _owed(table) == [*paid, *back]
    table.order("use 2S")
    assert table.status()["boxes"]["1"]["hands"][0]["total"] == 13
    assert _told(table) == [*paid, *back]


def test_a_third_card_joins_although_the_gate_was_locked_for_the_second() -> None:
    table = dealt("9C 7D 5C", rules=PLUS)
    table.slip("2C")
    table.slip("3C", TOGETHER)
    table.slip("4C", TOGETHER | LOCKED)
    assert table.status()["held"]["cards"] == ["2C", "3C&", "4C&"]
    assert [one for one in table.status()["permitted"] if "choose" in one] == [
        "choose 1 2C",
        "choose 1 3C",
        "choose 1 4C",
        "choose 1 return",
    ]


def test_a_press_in_between_a_card_that_can_join_nothing_was_drawn_in_error() -> None:
    table = dealt("AC 7D KC", "1 main 100, 1 pandemonium 5", MBS)
    table.press()
    table.slip("9H", TOGETHER)
    assert table.status()["held"]["fault"] == "card-locked"
    table.say("use")
    table.draw(25)
    table.shown(25)
    assert _owed(table) == [("pandemonium", "win", "125.00")]


@pytest.mark.parametrize("rules", [MBS, RWS])
def test_it_joins_one_that_lay_face_up(rules: str) -> None:
    """Whether that one waits for a remedy (A-56), or was used by itself (MBS 5.5)."""
    table = dealt("9C 7D 5C", "1 main 100", rules)
    table.slip("2C", FACE_UP)
    table.slip("3C", TOGETHER)
    held = table.status()["held"]
    assert (held["fault"], held["cards"]) == ("cards-together", ["2C^", "3C&"])
    assert table.hand() == "9C 5C"


def test_a_card_to_an_empty_box_is_no_hit_and_takes_back_what_it_has_settled() -> None:
    """MBS 5.6.1: nothing was settled rightly; the offers are open, the card comes next."""
    table = dealt("9C AD 8C", "1 main 100", MBS)
    assert table.state == "offers.open"
    table.slip("KC")  # for a hit
    assert _owed(table) == [("main", "lose", "-100.00")]
    table.refuses("report empty-box 3", "takes settlements back")
    table.order("report empty-box 3")
    assert "box 3: KC (5.6.1)" in table.status()["held"]["reason"]
    table.order("reconstruct")
    assert _owed(table) == [("main", "lose", "-100.00"), ("main", "reversed", "100.00")]
    assert table.state == "offers.open"
    table.say("insure 1 50")


def test_cards_that_wait_when_nobody_is_left_are_put_away() -> None:
    """Division 15, A-66: every hand is void, and the cards lie there still."""
    table = dealt("9C 7D 8C", "1 main 100", DIV)
    table.slip("2C")
    table.slip("3C", TOGETHER)
    table.order("void-hand 1")
    assert table.status()["held"]["remedies"] == ["discard", "report together CARD"]
    table.order("discard")
    assert (table.state, table.status()["held"]) == ("settled", None)


def test_one_that_is_chosen_decides_the_side_wagers_of_a_box_with_one_card() -> None:
    """MBS 3.15.1, 3.15.2: by the first two cards, however the second one came."""
    wagers = "1 main 10, 2 main 10, 2 pair 5, 2 pandemonium 5"
    table = dealt("7C 9D KD 8C 8H", wagers, MBS)
    table.play("hit 1", "2C", "sue: lies 5 out", "sue: done", "choose 2 play", "hit 1")
    table.slip("2D", TOGETHER)
    table.slip("9H", TOGETHER)
    table.play("sue: report together 2D 9H", "choose 1 2D", "stand 1")
    before = _told(table)
    table.say("choose 2 9H")
    at_once = [("pair", "win", "55.00"), ("pandemonium", "lose", "-5.00")]
    assert _told(table) == before + at_once
    table.play("stand 2", "9C")
    assert _told(table)[len(before + at_once) :] == [
        ("main", "stand_off", "0.00"),
        ("main", "lose", "-10.00"),
    ]


def _chosen_from(rules: str) -> Live:
    """Box 1 stands on 19, box 2 takes a card on 19: two come, one of which it may choose."""
    table = dealt("KC 8C 5C 9S 7D", "1 main 10, 2 main 10", rules)
    table.play("stand 1", "hit 2", "4H", "hit 2")
    table.slip("2D")
    table.slip("4D", TOGETHER)
    assert table.status()["held"]["remedies"][:2] == ["choose 2 2D", "choose 2 4D"]
    return table


def test_mbs_they_are_the_dealers_where_a_correction_ends_the_hand_that_chose() -> None:
    """With 21 box 2 takes no card any more: 5.23.4.1 in place of 5.23.1, and 5.23.4.2."""
    table = _chosen_from(MBS)
    table.order("correct 5 9D")
    held = table.status()["held"]
    assert "(5.23.4.1)" in held["reason"]
    assert held["remedies"][:2] == ["use 2D", "use 4D"]
    table.play("sue: use 4D", "done")
    assert table.status()["dealer"]["cards"] == "5C 4D 2D"


def test_mbs_of_two_that_were_seen_the_worst_for_the_dealer_is_used_then() -> None:
    """5.23.4.5 in place of 5.23.3, and 5.23.4.6; which one that is, is not certain before 17."""
    table = _chosen_from(MBS)
    table.play("sue: report together 2D 4D", "sue: correct 5 9D")
    held = table.status()["held"]
    assert "(5.23.4.5)" in held["reason"]
    assert held["remedies"][:2] == ["use 2D", "use 4D"]
    table.order("use 4D")
    assert table.status()["dealer"]["cards"] == "5C 4D"
    table.play("done", "9S")
    assert table.status()["dealer"]["cards"] == "5C 4D 9S"


def test_plus_they_are_discarded_and_another_is_drawn_then() -> None:
    """5.12.1 in place of 5.12."""
    table = _chosen_from(PLUS)
    table.order("correct 5 9D")
    assert "(5.12.1)" in table.status()["held"]["reason"]
    table.play("sue: discard", "done", "9S")
    assert table.status()["dealer"]["cards"] == "5C 9S"


def test_they_are_put_away_where_a_correction_ends_the_round() -> None:
    """Box 2 has bust, and box 1 a Pontoon that is paid already."""
    table = _chosen_from(MBS)
    table.play("sue: correct 4 AS", "sue: correct 5 KD")
    assert table.state == "held.settled"
    assert table.status()["held"]["remedies"] == ["discard", "report together CARD"]
    table.order("discard")
    told = [(one["box"], one["outcome"], one["net"]) for one in table.status()["settlements"]]
    taken_back = [(2, "win", "10.00"), (2, "reversed", "-10.00")]
    assert told == [*taken_back, (1, "win", "15.00"), (2, "lose", "-10.00")]
