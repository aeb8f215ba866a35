"""Draws recomputed from exported lines: what follows is left alone, all else is said."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.draw.evidence import READ, REMEMBERED, Evidence
from controller.draw.generator import draw
from controller.draw.weights import Weights
from controller.files.rules import load_rules
from controller.game.rules.loader import dump_rules

OLD, NEW = Weights(((25, 1), (10, 3))), Weights(((25, 3), (10, 4)))
Line = dict[str, Any]
BY_BODY = ("start", "pressed", "shown", "supervisor")


class Story:
    """The lines of a journal in which box 1 wins, with places to change one."""

    def __init__(self, weights: Weights = OLD) -> None:
        self.lines: list[Line] = []
        self.weights = weights
        self.start(weights, "idle")

    def add(self, type_: str, state: str = "", **fields: Any) -> Line:
        line = {"seq": len(self.lines) + 1, "type": type_, **fields}
        after = line.setdefault("body", line) if type_ in BY_BODY else line
        after["after"] = {"state": state, **after.pop("made", {})}
        self.lines.append(line)
        return line

    def start(self, weights: Weights, state: str) -> None:
        pairs = [list(pair) for pair in weights.pairs]
        self.add("start", state, body={"settings": {"weights": pairs, "rules": RULES}})

    def round(self, offer: int = 1, *, read: bool = False) -> Line:
        """A press, its draw, the readback and the payment; the draw's line."""
        self.add("dealer", "jackpot.armed", body={"after": {}})
        press: object = {"session": 77, "event_no": offer}
        if read:
            press = READ
            self.add("pressed", "jackpot.drawing", body={"offer_id": offer})
        else:
            self.add("PRESS", "jackpot.drawing", session=77, event_no=offer, offer_id=offer)
        drawn: dict[str, Any] = draw(self.weights).as_body()
        line = self.add("draw", "jackpot.drawing", offer=offer, box=1, press=press, **drawn)
        self.add(
            "SHOWN",
            "jackpot.paying",
            session=77,
            event_no=100 + offer,
            offer_id=offer,
            multiplier=drawn["multiplier"],
            made={"settlements": [won(drawn["multiplier"])]},
        )
        return line

    def faults(self) -> list[tuple[int, str]]:
        evidence = Evidence()
        found = [
            (line["seq"], fault)
            for line in json.loads(json.dumps(self.lines))
            for fault in evidence.check_line(line)
        ]
        assert evidence.draws == sum(line["type"] == "draw" for line in self.lines)
        return found


RULES = dump_rules(load_rules("mbs-pontoon-pandemonium-v5"))


def won(multiplier: int, box: int = 1) -> Line:
    return {"kind": "pandemonium", "outcome": "win", "box": box, "odds": f"{multiplier}:1"}


def test_what_is_won_without_a_start_before_it_is_looked_at() -> None:
    line = {"seq": 1, "type": "SHOWN", "offer_id": 1, "multiplier": 25, "after": {}}
    line["after"] = {"state": "jackpot.paying", "settlements": [won(25)]}
    assert Evidence().check_line(line) == ["has box 1 win 25:1, which drew nothing"]


def test_a_correction_behind_an_archived_journal_settles_what_was_drawn_in_that() -> None:
    """Until the next round is opened; of that one everything is in this journal."""
    after = {"state": "settled", "settlements": [won(25)]}
    line = {"type": "supervisor", "body": {"command": "done", "after": after}}
    evidence = Evidence()
    assert evidence.check_line({"seq": 11, "type": "snapshot", "body": {}}) == []
    assert evidence.check_line({**line, "seq": 12}) == []
    evidence.check_line({"seq": 13, "type": "dealer", "body": {"after": {"state": "idle"}}})
    evidence.check_line({"seq": 14, "type": "dealer", "body": {"after": {"state": "betting"}}})
    assert evidence.check_line({**line, "seq": 15}) == ["has box 1 win 25:1, which drew nothing"]


@pytest.mark.parametrize("rules", [None, 5, {"side_wagers": {"x": {}}}])
def test_a_start_with_unreadable_rules_keeps_its_weights(rules: object) -> None:
    story = Story()
    story.lines[0]["body"]["settings"]["rules"] = rules
    story.round()
    assert [seq for seq, _ in story.faults()] == [story.lines[0]["seq"]]


@pytest.mark.parametrize("read", [False, True])
def test_a_draw_that_follows_is_left_alone_and_traced(read: bool) -> None:
    story = Story()
    line = story.round(read=read)
    assert story.faults() == []
    evidence = Evidence()
    for told in story.lines:
        evidence.check_line(told)
    trace = evidence.last
    assert trace is not None
    assert (trace.offer, trace.box, trace.multiplier) == (1, 1, line["multiplier"])
    assert (trace.pressed, trace.drawn) == (3, 4)
    assert trace.shown == [(5, line["multiplier"])]
    assert trace.settled == [(5, f"{line['multiplier']}:1")]
    assert trace.confirmed


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"ticket": 99}, "not below the total"),
        ({"total": 5}, "add up to 4"),
        ({"bits": 3}, "needs 2"),
        ({"mapping": "other"}, "names the mapping"),
        ({"weights": NEW.identity}, "other weights"),
        (
            {"press": {"session": 77, "event_no": 2}},
            "answers a press (event 2 of 77) of offer 1 not found",
        ),
        ({"press": READ}, "answers a press (read from the unit) of offer 1"),
        ({"offer": 2}, "not found before it"),
        ({"box": 2}, "has box 1 win"),
        ({"ticket": "19"}, "cannot be read as evidence"),
        ({"rejected": None}, "cannot be read as evidence"),
    ],
)
def test_what_does_not_follow_is_said(changes: Line, said: str) -> None:
    story = Story()
    story.round()
    story.lines[3] |= changes
    evidence = Evidence()
    faults = [fault for line in story.lines for fault in evidence.check_line(line)]
    assert [fault for fault in faults if said in fault]


def test_a_press_that_comes_behind_its_draw_is_none() -> None:
    story = Story()
    story.round()
    story.lines[2], story.lines[3] = story.lines[3], story.lines[2]
    assert [seq for seq, _ in story.faults()] == [4]


def test_nothing_is_won_before_the_meter_has_shown_it() -> None:
    story = Story()
    drawn = story.round()
    other = 25 if drawn["multiplier"] == 10 else 10
    story.lines[-1]["multiplier"] = other  # and was paid all the same
    [(seq, fault)] = story.faults()
    assert seq == 5
    assert "the meter had not reported" in fault
    story.lines[-1]["after"] = {"state": "held.jackpot.drawing"}  # but held: no fault
    assert story.faults() == []


def test_nothing_else_is_won_than_was_drawn() -> None:
    story = Story()
    story.round()
    story.lines[-1]["after"]["settlements"] = [won(100), won(25, box=5)]
    assert [fault for _, fault in story.faults()] == [
        f"has box 1 win 100:1, which drew {story.lines[3]['multiplier']}x",
        "has box 5 win 25:1, which drew nothing",
    ]


@pytest.mark.parametrize("verb", ["seen", "pay"])
def test_a_supervisor_may_say_that_he_saw_it_or_have_it_paid_from_the_screen(verb: str) -> None:
    story = Story()
    multiplier = story.round()["multiplier"]
    story.lines.pop()
    made = {"settlements": [won(multiplier)]}
    story.add("supervisor", body={"command": f"{verb} {multiplier}", "made": made})
    assert story.faults() == []
    story.lines[-1]["body"]["command"] = f"{verb} {multiplier + 1}"
    assert len(story.faults()) == 1
    story.lines[-1]["body"]["command"] = "resume"
    assert len(story.faults()) == 1


def test_what_a_look_at_the_unit_found_shown_is_shown() -> None:
    story = Story()
    multiplier = story.round()["multiplier"]
    story.lines.pop()
    body = {"offer_id": 1, "multiplier": multiplier, "made": {"settlements": [won(multiplier)]}}
    story.add("shown", "jackpot.paying", body=body)
    assert story.faults() == []
    body["multiplier"] = multiplier + 1
    assert len(story.faults()) == 1


def test_a_round_keeps_the_weights_that_it_began_with() -> None:
    story = Story(OLD)
    story.add("dealer", "play.decide", body={"after": {}})
    story.start(NEW, "play.decide")  # in the middle of a round: from the next one on
    story.round(1)
    assert story.faults() == []
    story.add("dealer", "settled", body={"after": {}})
    story.add("dealer", "betting", body={"after": {}})
    story.round(2)
    assert [fault.partition(" (")[0] for _, fault in story.faults()] == [
        "is a draw that was drawn with other weights"
    ]
    story.lines = story.lines[:-4]
    story.weights = NEW
    story.round(2)
    assert story.faults() == []


@given(st.integers(1, 4 * REMEMBERED))
def test_any_number_of_offers_is_followed(offers: int) -> None:
    story = Story()
    for offer in range(1, offers + 1):
        story.round(offer, read=offer % 7 == 0)
    assert story.faults() == []


lines = st.recursive(
    st.none() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@given(
    st.sampled_from(["start", "PRESS", "pressed", "draw", "SHOWN", "supervisor", "CARD", "dealer"]),
    st.sampled_from(["body", "offer_id", "multiplier", "after", "press", "rejected", "offer"]),
    lines,
)
def test_a_line_that_makes_no_sense_is_a_fault_and_no_traceback(
    type_: str, field: str, value: Any
) -> None:
    story = Story()
    story.round()
    evidence = Evidence()
    for line in story.lines:
        if line["type"] == type_:
            line[field] = value
        assert all(isinstance(fault, str) for fault in evidence.check_line(line))
