"""What goes wrong in rounds opened under version 2 of the engine is put right as it was then."""

from __future__ import annotations

import pytest

from controller.round.refusal import Refused
from hil_tests.tables.lying import hands_of
from tests.table.live.driver import Live
from tests.table.live.entering.test_keypad_of_before import begun_before

TWO = ("open", "wager 1 main 10", "wager 2 main 10", "close")


def _dealt(cards: str, *steps: str) -> Live:
    table = begun_before()
    table.say(*TWO)
    table.deal(cards)
    table.say(*steps)
    return table


def test_a_correction_is_the_supervisors_and_judged_at_once() -> None:
    table = _dealt("9C 8D 7D 5H 6H")
    with pytest.raises(Refused, match="correct 4 4H is the supervisor's to give"):
        table.say("correct 4 4H")
    assert table.order("correct 4 4H").notes[-1] == "card 4 of the round was read 5H, it is 4H"
    assert hands_of(table.status(), 1)[0] == ("9C 4H", 13)
    counted = {str(card): count for card, count in table.table.shoe.used.items() if count}
    assert counted == {"9C": 1, "8D": 1, "7D": 1, "4H": 1, "6H": 1}


@pytest.mark.parametrize(
    ("cards", "steps", "reason"),
    [
        ("9C 8D 7D 5H 6H", ("stand 1",), "no card has just left the shoe that could be meant"),
        ("9C 8D 7D 5H 6H KC", (), "a wager has been settled on the strength of KC"),
    ],
)
def test_only_the_last_card_is_drawn_in_error_and_only_where_it_settled_nothing(
    cards: str, steps: tuple[str, ...], reason: str
) -> None:
    table = _dealt(cards, *steps)
    with pytest.raises(Refused, match=reason):
        table.say("report drawn")


def test_a_card_drawn_in_error_is_taken_out_of_its_hand() -> None:
    table = _dealt("9C 8D 7D 5H 6H 2C")
    table.say("report drawn seen")
    assert table.status()["boxes"]["1"]["hands"][0]["cards"] == "9C 5H"
    assert table.status()["held"]["cards"] == ["2C"]
