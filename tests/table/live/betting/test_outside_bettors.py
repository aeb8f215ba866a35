"""People outside the box: side wagers, and in MBS insurance that another declined."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hil_tests.benches.driven_table import LIMITS
from tests.table.live.driver import DIV, MBS, PLUS, RWS, Live, dealt, settings
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
    assert (
        table.refuses(f"wager 1 {kind} 5", f"4 {kind} wagers on box 1: at most 3").clause
        == "3.17.1"
    )
    table.say(f"wager 1e {kind} 10", f"wager 1h {kind} 0", f"wager 1 {kind} 5", "close")


def test_any_number_of_persons_may_in_pontoon_plus() -> None:
    table = Live(PLUS)
    table.say("open", "wager 1 main 10", *(f"wager 1{b} bonus 5" for b in "abcdefgh"), "close")
    assert list(table.status()["boxes"]["1"]["wagers"]) == list("abcdefgh")


@pytest.mark.parametrize(("rules", "clause"), [(RWS, "3.3"), ("division-15-pontoon", "5.1")])
def test_nobody_outside_the_box_where_the_document_lets_none(rules: str, clause: str) -> None:
    table = Live(rules).play("open", "wager 1 main 10")
    assert table.refuses("wager 1d pair 5", "there is no").clause == clause


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


# The most that a box, and one player on it, may hold ---------------------------------------------


BOX_100 = replace(LIMITS, box_max=10_000)
CLAUSES = {PLUS: "5.1", DIV: "15.2", MBS: "3.6"}


def _open(rules: str, *, box_max: int = 10_000, player_max: int = 0) -> Live:
    return Live(rules, limits=replace(LIMITS, box_max=box_max, player_max=player_max)).play("open")


@pytest.mark.parametrize("rules", CLAUSES)
def test_what_makes_the_box_exceed_is_refused_with_the_excess(rules: str) -> None:
    table = _open(rules)
    table.say("wager 1 main 50", "wager 1b main 40", "wager 2b main 100")
    no = table.refuses("wager 1c main 30", r"1c: box 1 would be 20.00 above its maximum of 100")
    assert (no.clause, no.short) == (CLAUSES[rules], "20 TOO MUCH")
    table.refuses("wager 1b main 52", r"1b: box 1 would be 2.00 above")
    assert (
        table.refuses("wager 3 main 120", r"of 3a: 20.00 above the maximum of box 3, 100.00").clause
        == CLAUSES[rules]
    )
    table.say("wager 1c main 10", "close")


@pytest.mark.parametrize("rules", CLAUSES)
def test_the_seated_player_comes_first_and_c_takes_back_before_b(rules: str) -> None:
    table = _open(rules)
    table.say("wager 1b main 60", "wager 1c main 30", "wager 1 main 80")
    assert "close" not in table.status()["permitted"]
    no = table.refuses("close", r"30.00 of 1c and 40.00 of 1b must be taken back")
    assert (no.clause, no.short) == (CLAUSES[rules], "1C: 30 LESS")
    assert "70.00 above its maximum of 100.00: 30.00 of 1c" in table.status()["prompt"]
    assert table.rows()[0] == "1C: 30 LESS"
    table.say("wager 1c main 20")  # less of it is taken, although it is still too much
    table.say("wager 1c main 0")
    table.refuses("close", r"40.00 above its maximum of 100.00: 40.00 of 1b")
    table.say("wager 1b main 20", "close")
    assert table.state == "deal.first_cards"


@pytest.mark.parametrize(("rules", "clause"), [(PLUS, "5.1; 5.2"), (DIV, "15.2")])
def test_one_player_is_limited_by_himself(rules: str, clause: str) -> None:
    table = _open(rules, box_max=0, player_max=5_000)
    table.say("wager 1 main 50", "wager 1b main 50", "wager 1c main 50")
    for seat in ("1", "1b"):
        assert (
            table.refuses(
                f"wager {seat} main 60", r"10.00 above a player's maximum on box 1, 50.00"
            ).clause
            == clause
        )
    table.say("close")


def test_a_wager_without_an_amount_counts_for_nothing() -> None:
    table = _open(PLUS)
    table.say("wager 1 main", "wager 1b main 100", "wager 1c main", "close")


def test_a_box_that_new_limits_make_too_full_keeps_bets_open() -> None:
    table = Live(DIV).play("open", "wager 1 main 90", "wager 1b main 90", "close", "9C KD 9H")
    table.restart("boot-2", settings(DIV, limits=BOX_100))
    table.play("sue: resume", "done", "stand 1", "KS", "open")
    table.refuses("close", r"80.00 of 1b must be taken back")


def test_start_records_of_before_have_no_such_limits() -> None:
    plain = settings(PLUS).dump()
    limits = dict(plain["limits"])  # type: ignore[call-overload]
    del limits["box_max"], limits["player_max"]
    loaded = type(settings(PLUS)).load({**plain, "limits": limits})
    assert (loaded.limits.box_max, loaded.limits.player_max) == (0, 0)
