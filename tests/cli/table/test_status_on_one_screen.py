"""``status`` fits a terminal of 80 by 24, whatever the table is in; a line is the shell's."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from controller.cli.table.status import ELSEWHERE, every_line, lines
from controller.game.round.result_fields import SettlementResult
from controller.table.showing.layout import sums
from controller.table.showing.status_fields import ShownBox, ShownHand, Status
from pages.moments import MOMENTS, NOW, full, held_table, link_lost, playing

KINDS = ("main", "pair", "pandemonium", "bonus")
amounts = st.none() | st.integers(1, 500_000).map(lambda cents: f"{cents / 100:.2f}")
hands = st.builds(
    ShownHand,
    cards=st.lists(st.sampled_from(["AS", "KH", "9C", "??"]), max_size=6).map(" ".join),
    total=st.integers(0, 21),
)


@st.composite
def boxes(draw: st.DrawFn) -> dict[str, ShownBox]:
    told: dict[str, ShownBox] = {}
    for number in range(1, draw(st.integers(0, 7)) + 1):
        bettors = draw(st.integers(1, 5))
        told[str(number)] = {
            "hands": draw(st.lists(hands, max_size=4)),
            "wagers": {
                bettor: {kind: draw(amounts) for kind in KINDS[: draw(st.integers(1, 4))]}
                for bettor in "abcde"[:bettors]
            },
            "absent": draw(st.sampled_from([[], ["b"]])),
        }
    return told


@given(boxes(), st.sampled_from(list(MOMENTS)), st.integers(0, 7))
def test_it_fits_and_says_first_what_holds(
    boxes: dict[str, ShownBox], moment: str, turn: int
) -> None:
    state = MOMENTS[moment]()
    state["boxes"] = boxes
    state["turn"] = {"box": turn, "hand": 1} if turn else None
    state["owed"] = [{**one, "box": box} for box in range(1, 8) for one in state.get("owed", [])]
    told = lines(state)
    assert len(told) <= 23
    assert max(map(len, told)) <= 80
    text = "\n".join(told)
    for number in boxes:
        assert f"box {number}" in text
    if hold := state.get("held"):
        assert f"HELD, {hold['fault']}" in text
        assert "next step: " in text
        assert "supervisor may: " in text
    for name, device in state["devices"].items():
        assert name in text
        assert device["link"] == "up" or f"{name}: down since" in text or " down " in text


def test_the_fullest_table_held_in_seven_boxes_of_three_bettors() -> None:
    state: Status = full()
    state["held"] = held_table()["held"]
    state["owed"] = [{**one, "box": box} for box in range(1, 8) for one in state["owed"]]
    state["permitted"] = ["hit 3", "double 3 AMOUNT", "report FAULT"] * 6
    told = lines(state)
    assert len(told) <= 23
    assert told[-1] == ELSEWHERE
    assert "> box 3  8S 5C 6D 19 | >8D 3C 11  a 90.00 in 3; b 105.00 in 3; c 120.00 in 3" in told


def test_what_leaves_out_clauses_and_serial_numbers_says_where_they_are() -> None:
    told = lines(playing())
    assert "  box 1  AS QH 21  a: main 100.00, pair 10.00, pandemonium 5.00" in told
    assert told[-1] == ELSEWHERE
    assert len(ELSEWHERE) <= 80


def test_a_text_that_ends_in_the_sign_of_a_cut_is_none() -> None:
    assert lines({"table": "P12", "prompt": "wait …"})[-1] == "  wait …"


def test_without_a_screen_every_wager_settlement_and_serial_number_is_told() -> None:
    state = full()
    state["held"] = held_table()["held"]
    owed: list[SettlementResult] = [
        {**one, "box": box, "bettor": bettor, "clause": f"{box}.{at}"}
        for box in range(1, 8)
        for bettor in "abc"
        for at, one in enumerate(state["owed"])
    ]
    state["owed"] = owed
    state["prompt"] = "Look. " * 300
    told = every_line(state)
    text = "\n".join(told)
    for number, box in state["boxes"].items():
        [row] = [one for one in told if one.strip(" >").startswith(f"box {number} ")]
        for bettor, placed in box["wagers"].items():
            said = ", ".join(f"{kind} {amount}" for kind, amount in placed.items())
            assert f"{bettor}: {said}" in row
    for one in owed:
        name = f"  owed: box {one['box']}{one['bettor']} hand {one['hand']} {one['kind']}: "
        assert any(line.startswith(name) and f"({one['clause']})" in line for line in told)
    for device in state["devices"].values():
        assert f" {device['serial']} " in text
    assert text.count("Look.") == 300
    assert ELSEWHERE not in told


def test_a_link_that_is_down_has_a_line_with_its_reason() -> None:
    told = "\n".join(lines(link_lost(), now=NOW))
    assert "  link jackpot: down since 8 s ago; no USB unit 1209:0001 is plugged in" in told


def test_wagers_without_amounts_and_who_is_not_there_are_told_briefly() -> None:
    state = full()
    for box in state["boxes"].values():
        box["wagers"]["a"] = {"main": None}
        box["absent"] = ["b"]
    text = "\n".join(lines(state))
    assert "a on; b 55.00 in 3; c 70.00 in 3; not there: b" in text


def test_a_sum_says_how_many_wagers_are_not_in_it() -> None:
    wagers: dict[str, dict[str, str | None]] = {
        "a": {"main": "10.00", "pair": None},
        "b": {"main": "10.00", "pair": "2.50", "bonus": None},
        "c": {"main": None, "pair": None},
    }
    assert sums({"wagers": wagers}) == [
        "a 10.00 + 1 without a sum",
        "b 12.50 in 2 + 1 without a sum",
        "c on in 2",
    ]


def test_more_devices_than_lines_are_cut_and_it_is_said() -> None:
    state = link_lost()
    lost = state["devices"]["jackpot"]
    state["devices"] = {f"display-{number}": lost for number in range(30)}
    told = lines(state)
    assert (len(told), told[-1]) == (23, ELSEWHERE)


def test_a_larger_screen_has_more() -> None:
    assert ELSEWHERE not in lines(full(), 200, 60)


def test_before_the_dealer_has_a_card_a_small_screen_says_nothing_of_him() -> None:
    state = full()
    assert "  dealer  6C 6" in lines(state)
    state["dealer"] = ShownHand(cards="", total=0)
    assert not any("  dealer  " in line for line in lines(state))


def test_what_the_shoe_is_in() -> None:
    state = playing()
    state["shoe"] = {
        "set": None,
        "remaining": None,
        "burned": "AS",
        "burn_due": True,
        "shuffle_due": True,
        "blocked": {"1": "a card is missing"},
    }
    text = " ".join(line.strip() for line in lines(state))
    assert (
        "shoe: not counted, burned AS, its first card is to be burned, a shuffle is due, "
        "set 1 may not be played: a card is missing" in text
    )


def test_a_table_with_little_has_a_row_for_each_hand() -> None:
    state: Status = {
        "table": "P12",
        "boxes": {"1": {"hands": [ShownHand(cards="8S 8D", total=16)], "wagers": {}}},
        "dealer": ShownHand(cards="6C", total=6),
    }
    assert lines(state)[-2:] == ["    box 1   8S 8D  16", "    dealer  6C      6"]
