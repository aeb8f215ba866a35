"""What lies, what is due and what the round has come to, shown at every step of whole rounds."""

from __future__ import annotations

from tests.table.live.driver import MBS, PLUS, Live, dealt

Row = tuple[str, str, str]


def accounts(table: Live) -> dict[str, Row]:
    """Of each bettor what lies, what is due now, and the round so far."""
    told = table.status()["account"]
    return {f"{o['box']}{o['bettor']}": (o["at_stake"], o["now"], o["net"]) for o in told}


def test_a_round_with_split_double_insurance_and_surrender() -> None:
    """MBS 3.15, 3.20, 3.24 to 3.26: by hand, a pair of eights pays 110, a doubled 21 100 and 100 at
    once (4.1.1.4), the dealer's 20 takes insurance 50, the other hand 100, half of 50."""
    table = Live(MBS).play("open", "wager 1 main 100", "wager 1 pair 10", "wager 2 main 50")
    assert accounts(table) == {"1a": ("110.00", "0.00", "0.00"), "2a": ("50.00", "0.00", "0.00")}
    table.play("close", "8C 9D AS 8H 2D")
    assert accounts(table)["1a"] == ("100.00", "110.00", "110.00")
    assert table.status()["boxes"]["1"]["wagers"] == {"a": {"main": "100.00"}}
    table.say("insure 1 50", "surrender 2")
    assert accounts(table) == {
        "1a": ("150.00", "110.00", "110.00"),
        "2a": ("50.00", "0.00", "0.00"),
    }
    boxes = table.status()["boxes"]
    assert boxes["1"]["insurance"] == {"a": [{"of": "1a", "amount": "50.00"}]}
    assert boxes["2"]["hands"][0]["marks"] == ["surrendered"]
    table.say("done", "split 1")
    assert accounts(table)["1a"] == ("250.00", "0.00", "110.00")
    table.play("3C", "double 1 100")
    first, second = table.status()["boxes"]["1"]["hands"]
    assert (first["stakes"], first["marks"]) == (
        {"a": {"main": "100.00", "double": "100.00"}},
        ["doubled", "split"],
    )
    assert (second["stakes"], second["marks"]) == ({"a": {"main": "100.00"}}, ["split"])
    assert accounts(table)["1a"] == ("350.00", "0.00", "110.00")
    table.deal("KC")
    first = table.status()["boxes"]["1"]["hands"][0]
    assert (first["stakes"], first["marks"]) == ({}, ["doubled", "settled", "split"])
    assert accounts(table)["1a"] == ("150.00", "200.00", "310.00")
    table.deal("5D")
    assert accounts(table)["1a"] == ("150.00", "0.00", "310.00")
    table.play("stand 1", "9H")
    assert accounts(table) == {
        "1a": ("0.00", "-150.00", "160.00"),
        "2a": ("0.00", "-25.00", "-25.00"),
    }
    assert "insurance" not in table.status()["boxes"]["1"]
    table.say("next")
    assert table.status()["account"] == []


def test_a_void_round_takes_back_what_was_told_and_says_it_once() -> None:
    """The answer, the status and the keypad have one list."""
    table = dealt("8C 9D 7D 8H 2D", "1 main 100, 1 pair 10, 2 main 50")
    answer = table.order("void")
    owed = table.status()["owed"]
    assert answer.settlements == owed
    assert [(one["kind"], one["outcome"], one["net"]) for one in owed if one["net"] != "0.00"] == [
        ("pair", "reversed", "-110.00")
    ]
    assert accounts(table) == {"1a": ("0.00", "-110.00", "0.00"), "2a": ("0.00", "0.00", "0.00")}
    assert table.keys(".") == "TAKE BACK 110"


def test_a_payment_that_was_wrong_is_told_without_what_was_taken_back() -> None:
    """Box 1 was told to be paid, the card was misread, and it is taken: 5.6.2, 3.31."""
    table = dealt("9C 8D 7D 5H 6S", "1 main 100, 2 main 10").play("7H")
    assert [one["net"] for one in table.status()["owed"]] == ["100.00"]
    table.play("sue: correct 6 8H", "sue: done")
    assert [one["net"] for one in table.status()["owed"]][-1] == "-100.00"
    notes = table.order("report wrong-payment 1").notes
    assert [one["net"] for one in table.status()["owed"] if one["box"] == 1] == ["-100.00"]
    assert accounts(table)["1a"] == ("0.00", "-100.00", "-100.00")
    [told] = [note for note in notes if note.startswith("box 1:")]
    assert "right is, for the whole round: take 100.00" in told
    assert "pay 100.00 at 1:1; take back 100.00; take 100.00" in told


def test_cards_that_lie_face_down_are_not_told_by_marks() -> None:
    table = Live(PLUS).play("open", "wager 1 main 10", "squeeze 1", "close", "AC 7D")
    assert table.status()["boxes"]["1"]["hands"][0]["marks"] == []
