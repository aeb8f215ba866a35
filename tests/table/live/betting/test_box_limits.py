"""The most that a box, and one player on it, may hold (RWS Pontoon Plus 5.1, Division 15 15.2)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.game.round.refusal import Refused
from hil_tests.benches.driven_table import LIMITS
from tests.table.live.driver import DIV, MBS, PLUS, Live, settings

BOX_100 = replace(LIMITS, box_max=10_000)
CLAUSES = {PLUS: "5.1", DIV: "15.2", MBS: "3.6"}


def _open(rules: str, *, box_max: int = 10_000, player_max: int = 0) -> Live:
    return Live(rules, limits=replace(LIMITS, box_max=box_max, player_max=player_max)).play("open")


@pytest.mark.parametrize("rules", CLAUSES)
def test_what_makes_the_box_exceed_is_refused_with_the_excess(rules: str) -> None:
    table = _open(rules)
    table.say("wager 1 main 50", "wager 1b main 40", "wager 2b main 100")
    with pytest.raises(Refused, match=r"1c: box 1 would be 20.00 above its maximum of 100") as no:
        table.say("wager 1c main 30")
    assert (no.value.clause, no.value.short) == (CLAUSES[rules], "20 TOO MUCH")
    table.refuses("wager 1b main 52", r"1b: box 1 would be 2.00 above")
    with pytest.raises(Refused, match=r"of 3a: 20.00 above the maximum of box 3, 100.00") as no:
        table.say("wager 3 main 120")
    assert no.value.clause == CLAUSES[rules]
    table.say("wager 1c main 10", "close")


@pytest.mark.parametrize("rules", CLAUSES)
def test_the_seated_player_comes_first_and_c_takes_back_before_b(rules: str) -> None:
    table = _open(rules)
    table.say("wager 1b main 60", "wager 1c main 30", "wager 1 main 80")
    assert "close" not in table.status()["permitted"]
    with pytest.raises(Refused, match=r"30.00 of 1c and 40.00 of 1b must be taken back") as no:
        table.say("close")
    assert (no.value.clause, no.value.short) == (CLAUSES[rules], "1C: 30 LESS")
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
        with pytest.raises(Refused, match=r"10.00 above a player's maximum on box 1, 50.00") as no:
            table.say(f"wager {seat} main 60")
        assert no.value.clause == clause
    table.say("close")


def test_a_wager_without_an_amount_counts_for_nothing() -> None:
    table = _open(PLUS)
    table.say("wager 1 main", "wager 1b main 100", "wager 1c main", "close")


def test_a_box_that_new_limits_make_too_full_keeps_bets_open() -> None:
    table = Live(DIV).play("open", "wager 1 main 90", "wager 1b main 90", "close", "9C KD 9H")
    table.start("boot-2", settings(DIV, limits=BOX_100))
    for name in table.settings.devices:
        table.up(name)
    table.play("sue: resume", "done", "stand 1", "KS", "open")
    table.refuses("close", r"80.00 of 1b must be taken back")


def test_start_records_of_before_have_no_such_limits() -> None:
    plain = settings(PLUS).dump()
    limits = dict(plain["limits"])  # type: ignore[call-overload]
    del limits["box_max"], limits["player_max"]
    loaded = type(settings(PLUS)).load({**plain, "limits": limits})
    assert (loaded.limits.box_max, loaded.limits.player_max) == (0, 0)
