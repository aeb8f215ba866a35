"""What is left to be put right at a round's end and behind it, and what may still be said."""

from __future__ import annotations

import pytest

from controller.table.entering.supervising import supervisor_commands
from hil_tests.benches.driven_table import DAMAGED, LOCKED
from tests.table.live.driver import DIV, EVERY, FIVE, MBS, PLUS, RWS, Live, dealt


def _in_play(rules: str) -> Live:
    return Live(rules).play("open", "wager 1 main 10", "close", "9C 7D 9H")


def _finish(table: Live) -> None:
    table.play("stand 1", "KD")
    assert table.state == "settled"
    table.say("next")


def _reshuffled(rules: str) -> Live:
    table = _in_play(rules)
    table.order("report shoe-empty")
    assert "reshuffle" in table.status()["held"]["remedies"]
    table.order("reshuffle")
    _finish(table)
    return table


@pytest.mark.parametrize("rules", [MBS, RWS, FIVE])
def test_a_round_finished_with_the_discards_is_followed_by_a_shuffle(rules: str) -> None:
    table = _reshuffled(rules)
    table.refuses("open", "the discards were shuffled in this round")


def test_or_the_shuffled_discards_go_on() -> None:
    table = _reshuffled(DIV)
    table.say("open")


@pytest.mark.parametrize(
    ("rules", "phase"),
    [(DIV, "betting"), (MBS, "void"), (RWS, "void"), (PLUS, "void"), (FIVE, "void")],
)
def test_a_round_that_begins_with_its_first_card_is_not_void_before_it(
    rules: str, phase: str
) -> None:
    table = Live(rules).play("open", "wager 1 main 10", "close")
    table.order("void", by="Tan", why="wrong table")
    assert table.state == phase
    assert table.status()["boxes"]["1"]["wagers"] == {"a": {"main": "10.00"}}


@pytest.mark.parametrize("trigger", ["cutting-card-passed", "cutting-card-missing"])
def test_a_cutting_card_that_was_passed_over_is_followed_by_a_shuffle(trigger: str) -> None:
    table = _in_play(DIV)
    table.say(f"report {trigger}")
    assert table.status()["held"] is None
    _finish(table)
    table.refuses("open", "no shuffle has followed the cutting card")


def test_a_card_too_many_was_the_dealers_in_truth() -> None:
    table = dealt("KS 9D 8S").play("stand 1", "8D")
    assert table.state == "settled"
    table.slip("8C")
    table.play("discard", "sue: correct 4 3D", "sue: lies 5 dealer", "sue: done")
    assert table.status()["dealer"]["cards"] == "9D 3D 8C"
    assert [made["outcome"] for made in table.status()["settlements"]] == [
        "win",
        "reversed",
        "lose",
    ]


def test_hands_that_are_void_too_are_the_supervisors_to_name() -> None:
    table = dealt("9C 8C 7D 5H 6H", "1 main 10, 2 main 10", rules=DIV)
    table.play("sue: report misdeal", "sue: void-hand 1")
    assert table.status()["held"] is None
    assert {"void-hand 2", "continue"}.isdisjoint(table.status()["permitted"])
    table.refuses("continue", "the supervisor's to give")
    assert {"void-hand 2", "continue"} <= set(map(str, supervisor_commands(table.table)))
    table.order("void-hand 2")
    assert table.state == "settled"


def test_a_card_that_comes_before_a_correction_is_judged_waits_behind_it() -> None:
    table = dealt("KS QH 5C KS 6D", "1 main 10, 2 main 10", rules=RWS).play("lies 5 out")
    table.slip("4C")
    assert table.status()["held"]["fault"] == "one-card"
    assert table.status()["held"]["cards"] == ["4C"]


def test_a_press_has_a_correction_judged_first() -> None:
    table = dealt("AC 9C 7D KC 8H", "1 main 10, 1 pandemonium 5, 2 main 10", rules=RWS)
    assert table.wants().meter is not None
    table.order("correct 1 9D")
    assert table.wants().meter is None
    table.press(1)
    assert table.state == "play.decide"
    assert table.table.jackpot.offer is None


def test_what_waits_behind_the_round_is_put_away_first() -> None:
    table = dealt("KS 9D 8S").play("stand 1", "8D")
    table.slip("4C")
    table.refuses("correct 1 QS", "discard it first")
    table.refuses_order("report wrong-decision 1", "discard it first")


def test_a_card_that_comes_while_a_report_is_open_behind_the_round() -> None:
    table = dealt("KS 9D 8S").play("stand 1", "8D", "sue: report wrong-decision 1")
    table.slip("4C")
    table.play("sue: continue", "discard")
    assert table.state == "settled"
    table.play("sue: correct 5 5C", "sue: done")


def test_another_command_of_the_supervisor_has_a_correction_judged_first() -> None:
    table = dealt("9C 8C 7D 6D 5H", "1 main 10, 2 main 10")
    table.play("sue: correct 4 5D", "sue: report wrong-payment 1")
    assert not table.table.rnd.irregular.edits  # type: ignore[union-attr]
    assert table.hand() == "9C 5D"


# A correction that ends the round, judged as something happens that does not wait for it ---------


def _about_to_end(rules: str) -> Live:
    """The dealer has 16 and waits for a card; the second one was a king, which makes 17."""
    table = dealt("9C 7D KC", rules=rules).play("stand 1", "9H")
    assert table.wants().gate_cards
    table.order("correct 4 KH")
    return table


@pytest.mark.parametrize("rules", EVERY)
def test_a_power_cut_behind_its_last_correction_holds_nothing(rules: str) -> None:
    table = _about_to_end(rules)
    told = table.start("boot-2")
    assert told.notes[0] == "card 4 of the round was read 9H, it is KH"
    assert [(one["outcome"], one["net"]) for one in told.settlements] == [("win", "10.00")]
    for name in ("shoe", "shuffler", "jackpot", "keypad"):
        table.up(name)
    assert (table.state, table.status()["held"]) == ("settled", None)
    table.check_replay()


@pytest.mark.parametrize("rules", EVERY)
@pytest.mark.parametrize("flags", [0, LOCKED, DAMAGED, DAMAGED | LOCKED])
def test_a_card_behind_its_last_correction_is_not_played(rules: str, flags: int) -> None:
    table = _about_to_end(rules)
    told = table.slip("2C", flags)
    assert [(one["outcome"], one["net"]) for one in told.settlements] == [("win", "10.00")]
    assert table.status()["dealer"]["cards"] == "7D KH"
    held = table.status()["held"]
    assert held is not None
    assert held["cards"] == ["2C"]
    table.check_replay()


@pytest.mark.parametrize("rules", EVERY)
@pytest.mark.parametrize("kind", ["shoe", "keypad", "jackpot"])
def test_a_link_that_breaks_leaves_the_correction_to_be_judged(rules: str, kind: str) -> None:
    table = _about_to_end(rules)
    table.down(kind)
    assert table.table.rnd is not None
    assert table.table.rnd.irregular.edits
    table.up(kind)
    assert [one["net"] for one in table.say("done").settlements] == ["10.00"]


HAPPENS: tuple[tuple[str, str, dict[str, int]], ...] = (
    ("SHOE_STATE", "shoe", {"state": 2, "remaining": 0}),
    ("SHOE_STATE", "shoe", {"state": 3, "remaining": 200}),
    ("CUTTING_CARD", "shoe", {"remaining": 100}),
    ("FAULT", "shoe", {"faults": 1}),
    ("SHUFFLER_STATE", "shuffler", {"state": 1, "set": 2, "count": 384, "progress": 10}),
    ("CARD_DISCREPANCY", "shuffler", {"rank": 5, "suit": 1, "difference": 1}),
    ("PRESS", "jackpot", {"offer_id": 1}),
    ("SHOWN", "jackpot", {"offer_id": 1, "multiplier": 25}),
    ("COVER", "jackpot", {"open": 1}),
    ("STUCK", "jackpot", {"held_ms": 9000}),
)


@pytest.mark.parametrize("rules", EVERY)
@pytest.mark.parametrize(("kind", "device", "body"), HAPPENS)
def test_whatever_a_device_reports_behind_it_is_taken(
    rules: str, kind: str, device: str, body: dict[str, int]
) -> None:
    """What the table cannot take of a device stops the controller, at each start anew."""
    table = _about_to_end(rules)
    table.device(device, kind, **body)
    table.down(device)
    table.up(device, new_session=True, serial="another-1")
    table.start("boot-1")
    table.start("boot-2")
    table.check_replay()
