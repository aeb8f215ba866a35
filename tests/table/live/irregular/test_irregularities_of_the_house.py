"""Power, a shoe that runs out, offers forgotten, a dealer who draws too many: as documents say."""

from __future__ import annotations

import pytest

from hil_tests.tables.scripted import hands_of
from tests.table.live.driver import DIV, FIVE, MBS, PLUS, RWS, Live, dealt

TWO = "1 main 10, 2 main 10"
POWER = {
    (MBS, False): ("5.29.1", ["resume"]),
    (MBS, True): ("5.29.2", ["resume"]),
    (RWS, False): ("A-61", ["resume", "void"]),
    (RWS, True): ("A-61", ["resume", "void"]),
    (PLUS, False): ("5.4.2", ["void"]),
    (PLUS, True): ("5.4.1", ["resume"]),
    (DIV, False): ("A-61", ["resume", "void"]),
    (DIV, True): ("A-61", ["resume", "void"]),
    (FIVE, False): ("A-61", ["resume", "void"]),
}
SHOE = {
    MBS: ("5.19", ["reshuffle"]),
    RWS: ("A-56", ["reshuffle", "void"]),
    PLUS: ("5.5.3", ["void"]),
    DIV: ("16.7", ["reshuffle"]),
    FIVE: ("matrix 3.5", ["reshuffle", "void"]),
}


def _cut(table: Live) -> None:
    table.restart("boot-2")


@pytest.mark.parametrize(("rules", "outcome"), POWER)
def test_power(rules: str, outcome: bool) -> None:
    clause, remedies = POWER[rules, outcome]
    cards = "AC 8D 7D KC 5H" if outcome else "9C 8D 7D 5H 6S"
    table = dealt(cards, TWO, rules)
    assert bool(table.status()["settlements"]) == outcome
    before = [hands_of(table.status(), box) for box in (1, 2)]
    _cut(table)
    held = table.status()["held"]
    assert (held["fault"], held["remedies"]) == ("power-failure", remedies)
    assert f"({clause})" in held["reason"]
    if "resume" not in remedies:
        table.refuses_order("resume", "permitted are void")
    table.order(remedies[0])
    assert table.state == ("void" if remedies == ["void"] else table.state)
    assert not table.table.holds.standing
    assert [hands_of(table.status(), box) for box in (1, 2)] == before
    table.check_replay()


def test_after_a_power_cut_who_likes_takes_his_wagers_back() -> None:
    table = dealt("9C 8D 7D 5H 6S", "1 main 10, 1b main 20, 2 main 10")
    _cut(table)
    table.order("resume")
    returned = table.say("choose 1b return").settlements
    assert [(made["bettor"], made["outcome"], made["clause"]) for made in returned] == [
        ("b", "returned", "5.29.1")
    ]
    table.say("done")
    assert "choose 1 return" not in table.status()["permitted"]
    table.check_replay()


@pytest.mark.parametrize("rules", SHOE)
def test_the_shoe_runs_out(rules: str) -> None:
    table = dealt("9C 8D 7D", TWO, rules, decks=1)
    table.shoe((0, 0))
    clause, remedies = SHOE[rules]
    held = table.status()["held"]
    assert (held["fault"], held["remedies"]) == ("shoe-empty", remedies)
    assert f"({clause})" in held["reason"]
    table.order(remedies[0])
    if remedies == ["void"]:
        assert table.state == "void"
        return
    assert table.status()["awaiting"] == "device"  # until it is loaded
    table.shoe((1, 30))
    assert table.status()["held"] is None
    assert {str(card): n for card, n in table.table.shoe.used.items() if n} == {
        "9C": 1,
        "8D": 1,
        "7D": 1,
    }
    table.deal("5H 6S")
    table.check_replay()


@pytest.mark.parametrize("rules", [MBS, PLUS, DIV])
def test_the_dealer_draws_one_too_many(rules: str) -> None:
    table = dealt("9C 8D 7D JH KS", TWO, rules).play("stand 1", "stand 2", "QC")
    assert table.state == "settled"
    due = table.status()["due"]
    table.slip("2C")
    told = table.status()
    assert (told["held"]["fault"], told["awaiting"]) == ("overdraw", "dealer")
    assert told["permitted"] == told["held"]["remedies"] == ["discard"]
    table.refuses("next", "held")
    table.say("discard")
    assert (table.state, table.status()["due"]) == ("settled", due)
    assert table.status()["dealer"]["cards"] == "7D QC"
    assert sum(table.table.shoe.used.values()) == 7
    table.say("next")
    table.check_replay()


@pytest.mark.parametrize("rules", [RWS, FIVE])
def test_one_too_many_where_the_document_is_silent(rules: str) -> None:
    table = dealt("9C 8D 7D JH KS", TWO, rules).play("stand 1", "stand 2", "KC")
    table.slip("2C")
    told = table.status()
    assert (told["held"]["remedies"], told["awaiting"]) == (["discard"], "supervisor")
    table.order("discard")
    assert table.state == "settled"


def test_insurance_that_was_forgotten_is_offered_late() -> None:
    table = dealt("9C 8D AD 5H 6S", TWO, DIV).play("done", "stand 1")
    [note] = table.say("report missed-insurance 1").notes
    assert note == "insurance was not offered: it is offered now (16.11)"
    table.play("insure 1 5", "stand 2", "KC")
    table.refuses("report missed-insurance 1", "it cannot be offered to box 1 any more")
    table.check_replay()


def test_a_late_bet_is_refused_and_noted() -> None:
    table = dealt("9C 8D 7D", TWO)
    [note] = table.say("report late-bet 3").notes
    assert note == "a wager placed or raised after bets were closed: it is refused (5.3)"
    assert table.status()["held"] is None


@pytest.mark.parametrize("rules", [RWS, FIVE])
def test_every_hand_void_ends_the_round(rules: str) -> None:
    table = dealt("9C 8D 7D 5H 6S", TWO, rules)
    table.slip("2C", 1)
    table.slip("??")  # behind it
    table.order("void-hand 1")
    assert table.status()["held"]["fault"] == "card-face-up"
    table.order("void-hand 2")
    assert table.state == "held.dealer.second_card"  # he may draw, and need not
    table.order("discard")
    assert table.status()["held"]["cards"] == ["??"]
    table.order("card KC")
    assert (table.state, table.status()["dealer"]["cards"]) == ("settled", "7D KC")
    assert {made["outcome"] for made in table.status()["settlements"]} == {"returned"}
    table.check_replay()
