"""People outside the box: side wagers, and in MBS insurance that another declined."""

from __future__ import annotations

import pytest

from controller.game.round.refusal import Refused
from tests.table.live.driver import MBS, PLUS, RWS, Live, dealt
from tests.table.live.grid import check_permitted


def test_a_side_wager_of_a_person_outside_the_box_is_settled_behind_those_on_it() -> None:
    table = dealt("9C 7D", "1 main 10, 1c pair 1, 1h pair 2, 1d pair 5, 1d pandemonium 5")
    wagers = table.status()["boxes"]["1"]["wagers"]
    assert wagers["d"] == {"pair": "5.00", "pandemonium": "5.00"}
    table.deal("9H")
    assert table.status()["boxes"]["1"]["wagers"] == {"a": {"main": "10.00"}}
    settled = [(s["bettor"], s["kind"], s["net"]) for s in table.status()["settlements"]]
    assert settled == [
        ("c", "pair", "11.00"),
        ("d", "pair", "55.00"),
        ("h", "pair", "22.00"),
        ("d", "pandemonium", "-5.00"),
    ]


@pytest.mark.parametrize("kind", ["pair", "pandemonium"])
def test_three_persons_at_most_have_one_of_a_kind_on_an_area(kind: str) -> None:
    table = Live(MBS)
    table.say("open", "wager 1 main 10", *(f"wager 1{b} {kind} 5" for b in "beh"))
    with pytest.raises(Refused, match=f"4 {kind} wagers on box 1: at most 3") as refused:
        table.say(f"wager 1 {kind} 5")
    assert refused.value.clause == "3.17.1"
    table.say(f"wager 1e {kind} 10", f"wager 1h {kind} 0", f"wager 1 {kind} 5", "close")


def test_any_number_of_persons_may_in_pontoon_plus() -> None:
    table = Live(PLUS)
    table.say("open", "wager 1 main 10", *(f"wager 1{b} bonus 5" for b in "abcdefgh"), "close")
    assert list(table.status()["boxes"]["1"]["wagers"]) == list("abcdefgh")


@pytest.mark.parametrize(("rules", "clause"), [(RWS, "3.3"), ("division-15-pontoon", "5.1")])
def test_nobody_outside_the_box_where_the_document_lets_none(rules: str, clause: str) -> None:
    table = Live(rules).play("open", "wager 1 main 10")
    with pytest.raises(Refused, match="there is no") as refused:
        table.say("wager 1d pair 5")
    assert refused.value.clause == clause


def test_no_side_wager_of_anybody_on_a_box_without_a_main_wager() -> None:
    table = Live(MBS).play("open", "wager 1 main 10", "wager 2d pair 5")
    table.refuses("close", "pair wager on box 2, which has no main wager")


def test_who_has_no_other_wager_takes_up_a_declined_insurance() -> None:
    table = dealt("9C 8C AD 5H 7H", "1 main 10, 1h pair 5, 2 main 100")
    assert "insure 2d@2 AMOUNT" in table.status()["permitted"]
    for taker in ("2b", "1d"):
        table.refuses(f"insure {taker}@2 20", f"{taker} is not in the round")
    table.say("insure 2d@2 20", "insure 1h@2 30")
    table.refuses("insure 2e@2 1", "at most half")
    table.refuses("insure 2d@2 1", "already taken up")
    check_permitted(table.table)
    table.say("done", "stand 1", "stand 2")
    [*_, second] = table.deal("KS").settlements[:2]
    assert [(s["bettor"], s["box"]) for s in table.outcomes[-1].settlements[:2]] == [
        ("h", 1),
        ("d", 2),
    ]
    assert (second["kind"], second["net"], second["clause"]) == ("insurance", "40.00", "3.26")


def test_of_people_without_a_wager_the_next_free_letter_is_listed_for_all() -> None:
    table = dealt("9C 8C AD 5H 7H", "1 main 10, 1d pair 5, 1b main 10, 2 main 100")

    def listed(owner: str) -> list[str]:
        """The outsiders of the box who may take up that bettor's insurance."""
        found = [words.split()[1] for words in table.status()["permitted"] if "@" in words]
        takers = [taker.removesuffix(f"@{owner}") for taker in found if taker.endswith(f"@{owner}")]
        return [taker for taker in takers if taker[0] == owner[0] and taker[1:] in tuple("defgh")]

    assert (listed("1"), listed("1b"), listed("2")) == (["1d", "1e"], ["1d", "1e"], ["2d"])
    table.say("insure 1e@1 1", "insure 2h@2 1", "insure 2d@2 1")
    assert (listed("1"), listed("1b"), listed("2")) == (["1d", "1f"], ["1d", "1f"], ["2e"])
    table.say("insure 1e@1b 1")  # the same person again: each letter is taken as before
    table.say("insure 1f@1b 1", "insure 1g@1b 1", "insure 1h@1b 1")
    assert (listed("1"), listed("1b")) == (["1d", "1f"], ["1d"])
    check_permitted(table.table)


@pytest.mark.parametrize("rules", [PLUS, "division-15-pontoon"])
def test_elsewhere_nobody_outside_insures(rules: str) -> None:
    table = dealt("9C AD 5H", "1 main 10", rules)
    table.refuses("insure 1d@1 5", "nobody may take part in another's insurance")
    check_permitted(table.table)


def test_the_keypad_names_them_by_digits() -> None:
    table = Live(MBS).play("open", "wager 3 main 50")
    table.keys("B3.4P5#")
    table.keys("B3.8J10#")
    assert table.status()["boxes"]["3"]["wagers"]["h"] == {"pandemonium": "10.00"}
    assert table.status()["boxes"]["3"]["wagers"]["d"] == {"pair": "5.00"}
    table.play("close", "9C AD 5H")
    table.keys("B3.7I20B3#")
    assert table.rows()[1] == "OK 3G@3 INSURE 20"
    assert "insure 3g@3 AMOUNT" not in table.status()["permitted"]
