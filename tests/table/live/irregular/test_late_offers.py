"""Insurance and surrender that were not offered in time (Division 15, 16.11, 16.12): prompt,
keypad, gate and what is permitted agree until the late offer is taken up or declined."""

from __future__ import annotations

import pytest

from tests.table.live.driver import DIV, Live, dealt

TWO = "1 main 10, 2 main 10"


def _table(cards: str = "9C 8D AD 5H 6S") -> Live:
    return dealt(cards, TWO, DIV).play("done", "stand 1")


def _offered() -> Live:
    table = _table()
    table.say("report missed-insurance 1")
    return table


def test_it_is_permitted_and_shown_and_the_gate_is_locked() -> None:
    table = _offered()
    told = table.status()
    assert told["permitted"][:2] == ["insure 1 AMOUNT", "done"]
    assert told["prompt"].startswith("Insurance is offered late to box 1: take it up, or done.")
    assert told["awaiting"] == "dealer"
    assert table.rows()[0] == "LATE INSURE B1? E"
    assert table.wants().gate_cards == 0
    for other in ("stand 2", "hit 2", "insure 2 5"):
        table.refuses(other, "insurance is offered late to box 1: insure 1, or done")


@pytest.mark.parametrize("entry", ["insure 1 5", "done"])
def test_play_goes_on_when_it_is_taken_up_or_declined(entry: str) -> None:
    table = _offered()
    table.say(entry)
    assert table.wants().gate_cards == 1
    assert table.rows()[0].startswith("BOX 2 14: CARD")
    table.play("stand 2", "KC")
    kinds = [made["kind"] for made in table.status()["settlements"]]
    assert ("insurance" in kinds) is (entry != "done")


def test_each_bettor_of_the_box_may_take_it_up() -> None:
    table = dealt("9C 8D AD 5H 6S", f"{TWO}, 1b main 10", DIV)
    table.say("done", "stand 1", "report missed-insurance 1")
    assert table.status()["permitted"][:3] == ["insure 1 AMOUNT", "insure 1b AMOUNT", "done"]
    table.say("insure 1b 5")
    assert table.status()["permitted"][:2] == ["insure 1 AMOUNT", "done"]
    assert table.wants().gate_cards == 0
    table.say("insure 1 5")
    assert table.status()["turn"] == {"box": 2, "hand": 1}
    assert table.wants().gate_cards == 1


def test_while_it_is_offered_anyway_nothing_waits_for_it() -> None:
    table = dealt("9C 8D AD 5H 6S", TWO, DIV).play("report missed-insurance 1")
    assert table.wants().gate_cards == 1
    table.say("insure 1 5", "insure 2 5", "stand 1")
    assert table.status()["turn"] == {"box": 2, "hand": 1}


def test_behind_the_last_decision_the_dealers_card_waits_for_it() -> None:
    table = _table("9C 8D KD 5H 6S")
    table.say("stand 2")
    assert table.wants().gate_cards == 1
    table.say("report missed-surrender 2")
    assert table.wants().gate_cards == 0
    assert table.rows()[0] == "LATE SURRENDER B2? E"
    table.say("surrender 2")
    assert table.wants().gate_cards == 1
    table.deal("9D")
    assert [made["outcome"] for made in table.status()["settlements"]] == ["lose", "surrendered"]


def test_a_card_that_leaves_all_the_same_came_through_a_locked_gate() -> None:
    table = _offered()
    table.slip("KC")
    assert table.status()["held"]["fault"] == "card-locked"
