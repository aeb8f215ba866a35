"""What the dealer reads and keys where documents differ: buying, free cards, bonus wagers."""

from __future__ import annotations

import pytest

from tests.table.live.driver import DIV, EVERY, FIVE, PLUS, RWS, Live, betting, live


def _turn(cards: str, wagers: str = "1 main 10", rules: str = FIVE) -> Live:
    table = live(wagers, rules)
    table.deal(cards)
    return table


def _reads(table: Live) -> tuple[str, str]:
    return table.rows()[0], table.status()["prompt"]


def test_a_turn_of_the_five_card_trick_rules() -> None:
    table = _turn("8C 9D 8H")
    assert _reads(table) == (
        "BOX 1 16: CARD SYLU",
        "Box 1 has 16: card, buy, stand, split or surrender.",
    )
    table = _turn("2C 9D 2H")
    assert _reads(table)[0] == "BOX 1 4: CARD Y L U"
    assert table.keys("Y 10 #") == "OK 1 BUY 10"
    assert _reads(table) == ("BOX 1: BOUGHT CARD", "Box 1 has bought: one card.")
    table.deal("2S")
    assert _reads(table) == ("BOX 1 6: CARD Y", "Box 1 has 6: card or buy.")
    assert table.keys("Y #") == "OK 1 BUY 10"
    table.deal("3S")
    assert _reads(table)[1] == "Box 1 has 9 and must draw."  # free and forced: nothing to choose


def test_a_free_card_is_said_where_the_hand_may_also_stick() -> None:
    table = _turn("AC 9D AH")
    table.play("hit 1", "2S", "3D")
    assert "free 1" in table.status()["permitted"] or table.state == "play.forced_card"
    if table.state == "play.decide":
        assert "free card" in table.status()["prompt"]


def test_buying_is_refused_in_short() -> None:
    table = _turn("9C 9D 2H")
    assert table.keys("Y 20 #") == "NO: MOST 10"
    table.deal("5S")
    assert table.keys("Y 5 #") == "NO: TWISTED ALREADY"
    other = _turn("2C 9D 2H", rules=RWS)
    assert other.keys("Y 5 #") == "NO: NOT PLAYED HERE"


def test_who_is_not_there() -> None:
    table = _turn("2C 9D 5H", rules=DIV)
    assert "absent" not in table.status()["prompt"]
    assert table.keys("A 0 #") == "OK 1 ABSENT"
    assert (table.state, _reads(table)[0]) == ("play.forced_card", "BOX 1 7: CARD")


def test_where_a_single_wager_stays() -> None:
    table = _turn("8C 9D 8H", "1 main 10, 1b main 20", DIV)
    table.keys("L")
    assert table.keys("B 1 . 2 A 2 #") == "OK 1B PLACE 2"
    assert table.table.rnd is not None
    assert "b" in table.table.rnd.boxes[1].by_number[1].bets
    assert table.keys("A 4 . 2 #") == "NO: NO BUTTON NOW"


def test_bonus_wagers_are_counted() -> None:
    table = betting(rules=PLUS)
    assert table.keys("B 1 J 5 #") == "OK 1 BONUS 5"
    assert table.keys("P 5 #") == "OK 1 PAIR 5"
    assert "1 pair, 1 bonus" in table.status()["prompt"]
    assert table.keys("N") == "1 BOX 1 PAIR 1 BONUS"


@pytest.mark.parametrize(("rules", "row"), [(DIV, "1 BOX"), (FIVE, "1 BOX")])
def test_rules_without_side_wagers(rules: str, row: str) -> None:
    table = betting(rules=rules)
    assert table.status()["prompt"].startswith("Bets are open. Boxes in play: 1")
    assert table.keys("B 1 J 5 #").startswith("NO: NO ")
    assert table.keys("N") == row


@pytest.mark.parametrize("rules", [rules for rules in EVERY if rules != FIVE])
def test_the_dealer_is_told_where_a_supervisor_is_to_see_a_super_bonus(rules: str) -> None:
    """Division 15 9.2 and matrix A-57; the other documents pay it with the hand."""
    table = _turn("7S 9C 7D 7S 8C", "1 main 10, 2 main 10", rules)
    table.play("hit 1", "7S")
    assert "super_bonus" in [one["kind"] for one in table.status()["owed"] if one["box"] == 1]
    told = table.status()
    said = "(box 1: the supervisor sees the cards, then the Super Bonus is paid, 9.2; A-57)"
    assert (said in told["prompt"]) is (rules == DIV)
    codes = [notice["code"] for notice in told["asks"]["values"]["notices"]]
    assert ("super-bonus" in codes) is (rules == DIV)
