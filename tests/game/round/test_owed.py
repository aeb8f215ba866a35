"""What is owed, in words."""

from __future__ import annotations

from controller.cli.table.status import every_line
from controller.game.round.model import Settlement
from controller.game.round.results import owed_lines, round_result
from controller.sheets.accounts import account
from controller.table.showing.layout import shown_hands
from tests.table.live.driver import MBS, Live, dealt


def _lines(*settlements: Settlement) -> list[str]:
    return owed_lines([one.as_result() for one in settlements])


def test_settlements_come_in_order_and_each_box_with_its_totals() -> None:
    pontoon = Settlement(1, "a", 1, "main", 10000, "win", "3:2", 15000, "3.19")
    assert _lines(
        pontoon,
        Settlement(3, "b", 2, "split", 2500, "lose", None, -2500, "3.31"),
        Settlement(3, "a", 1, "main", 1000, "surrendered", None, -500, "3.24.3"),
        Settlement(3, "a", 1, "pair", 500, "returned", None, 0, "5.14"),
        Settlement(4, "a", 1, "main", 500, "stand_off", None, 0, "4.6.1"),
        pontoon.reversed(),
    ) == [
        "box 1a hand 1 main: pay 150.00 at 3:2 (3.19)",
        "box 3b hand 2 split: take 25.00 (3.31)",
        "box 3a hand 1 main: take 5.00 (3.24.3)",
        "box 3a hand 1 pair: return 5.00 (5.14)",
        "box 4a hand 1 main: stand-off (4.6.1)",
        "box 1a hand 1 main: take back 150.00 (3.19)",
        "box 1 now: pay 150.00, take 150.00",
        "box 3 now: take 30.00",
        "box 4 now: nothing either way",
    ]


def test_without_amounts_the_odds_are_said() -> None:
    won = Settlement(2, "a", 1, "main", None, "win", "1:1", None, "4.3.2")
    lost = Settlement(2, "b", 1, "main", None, "lose", None, None, "4.4.1")
    half = Settlement(2, "c", 1, "main", None, "surrendered", None, None, "3.24.3")
    back = Settlement(2, "c", 1, "pair", None, "returned", None, None, "5.14")
    assert _lines(won, lost, half, back, lost.reversed()) == [
        "box 2a hand 1 main: pay at 1:1 (4.3.2)",
        "box 2b hand 1 main: take the wager (4.4.1)",
        "box 2c hand 1 main: take half of the wager (3.24.3)",
        "box 2c hand 1 pair: return the wager (5.14)",
        "box 2b hand 1 main: undo what was done (4.4.1)",
        "box 2 now: what the odds say",
    ]


def test_a_loss_taken_back_is_given_back() -> None:
    lost = Settlement(2, "b", 1, "main", 1000, "lose", None, -1000, "4.4.1")
    assert _lines(lost.reversed())[0] == "box 2b hand 1 main: give back 10.00 (4.4.1)"


def test_that_a_surrender_is_void_is_said_in_words() -> None:
    """MBS 3.24.2: the dealer has a Pontoon, and the whole wager is lost; box 2 was bust before."""
    table = dealt("9S 9C KD 3H 5C", "1 main 100, 2 main 50, 2b main 40", MBS)
    table.say("surrender 1", "done")
    table.deal("KC")  # box 2: 24
    assert [line.partition(": ")[2] for line in _told(table)[:2]] == [
        "take 50.00 (3.31)",
        "take 40.00 (3.31)",
    ]
    table.deal("AD")
    line = "box 1a hand 1 main: take 100.00; the dealer has a Pontoon (3.24.2)"
    assert _told(table)[0] == line
    assert f"  owed: {line}" in every_line(table.status())
    assert table.status()["due"][-1] == (
        "box 1a hand 1 main: lose -100.00, the dealer has a Pontoon (3.24.2)"
    )
    assert table.table.rnd
    shown = "\n".join(account(round_result(table.table.rnd, "")))
    assert "[3.24.2]  the dealer has a Pontoon" in shown
    assert shown.count("the dealer has a Pontoon") == 1


def _told(table: Live) -> list[str]:
    status = table.status()
    return owed_lines(status["owed"], (), *shown_hands(status))
