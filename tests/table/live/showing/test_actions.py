"""What is permitted, as objects: the same in the same order, and with values that are taken."""

from __future__ import annotations

import json

import pytest

from controller.files.rules import rule_files
from controller.game.commands.command import read_dealers, read_open, read_supervisors
from controller.game.commands.verbs import VERBS
from controller.table.entering.choices import offered
from controller.table.showing.actions import Action, actions_of
from controller.table.showing.status import status
from pages.table.tours import tour_of

KINDS = {"box", "bettor", "hand", "amount", "card", "place", "word"}
KEYS = {"text", "verb", "who", "box", "bettor", "hand", "slots", "proposed"}


def filled(action: Action, at: int) -> str:
    """The text with the first or last value in each slot, as who reads the object fills it."""
    text = action["text"]
    for slot in action["slots"]:
        values = slot.get("values") or [slot["from"] or "10.00", slot["to"] or "10.00"]
        text = text.replace(str(slot["name"]), str(values[at]), 1)  # type: ignore[index]
    return text


def check(action: Action) -> None:
    """The object says what its text says, and every value that it names can be read."""
    assert set(action) == KEYS
    said = read_open(action["text"])
    seat = said.seat
    assert (action["verb"], action["hand"]) == (said.verb, said.hand or None)
    assert action["box"] == (seat.box if seat else None)
    assert action["bettor"] == (seat.bettor if seat else None)
    assert [slot["name"] for slot in action["slots"]] == list(said.open)
    assert {slot["kind"] for slot in action["slots"]} <= KINDS
    assert set(action["proposed"]) <= set(said.open)
    read = read_dealers if action["who"] == "dealer" else read_supervisors
    if "TRIGGER" not in said.open:  # what stands behind one depends on it
        for at in (0, -1):
            assert not read(filled(action, at)).open


@pytest.mark.parametrize("rules", rule_files())
def test_the_same_stands_there_as_texts_and_as_objects(rules: str) -> None:
    verbs: set[str] = set()
    checked: set[str] = set()
    for played in tour_of(rules).met.values():
        told = status(played.table)
        assert [one["text"] for one in told["actions"]] == told["permitted"]
        assert {one["who"] for one in told["actions"]} <= {"dealer"}
        remedies = told["held"]["remedy_actions"] if told["held"] else []
        assert [one["text"] for one in remedies] == (
            told["held"]["remedies"] if told["held"] else []
        )
        assert {one["who"] for one in remedies} <= {"supervisor"}
        chosen = offered(played.table, supervisor=True)
        for action in (
            *told["actions"],
            *remedies,
            *actions_of(played.table, chosen, "supervisor"),
        ):
            if (spelled := json.dumps(action)) not in checked:
                check(action)
            checked.add(spelled)
            verbs.add(action["verb"])
    assert verbs <= VERBS.keys()
    assert len(verbs) > 15


def test_what_a_bare_command_means_is_proposed() -> None:
    proposed = {
        one["verb"]: (one["proposed"]["AMOUNT"], one["slots"][0]["to"])
        for played in tour_of("mbs-pontoon-pandemonium-v5").met.values()
        for one in status(played.table)["actions"]
        if one["proposed"]
    }
    assert proposed.keys() == {"double", "insure"}
    assert all(sum_ == most for sum_, most in proposed.values())
