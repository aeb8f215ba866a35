"""The dealers' page and the states, as the code has them."""

from __future__ import annotations

import json

import pytest

from controller.faults.catalogue import CATALOGUE
from controller.files.rules import load_rules, rule_files
from controller.game.commands.command import read_dealers, read_open, read_supervisors
from controller.game.commands.verbs import VERBS
from controller.game.round.guards import CHECKS
from controller.game.round.machine import ARROWS, waiting_states
from controller.game.round.states import PASSING
from controller.game.rules.cases import TRIGGERS
from controller.table.entering.choices import offered
from controller.table.showing.actions import Action, actions_of
from controller.table.showing.status import status
from controller.table.state.entering import ROW_LENGTH
from pages.generated import DOCS, between
from pages.table import states as describe_states
from pages.table.tours import tour_of
from tests.table.play import step_occurs


def test_a_page_without_markers_is_no_page() -> None:
    with pytest.raises(ValueError, match="no markers <!-- keys: begin -->"):
        between("text", "keys", [])


def test_there_is_a_page_for_every_document_and_no_other() -> None:
    assert sorted(path.stem for path in (DOCS / "states").iterdir()) == sorted(rule_files())


@pytest.mark.parametrize("rules", rule_files())
def test_what_is_drawn_is_what_the_machine_has_for_the_document(rules: str) -> None:
    """Of rounds in which nothing goes wrong; an arrow that these rules cannot take is none."""
    arrows = {(arrow.source, arrow.trigger, arrow.dest or arrow.source) for arrow in ARROWS}
    assert tour_of(rules).passages == {arrow for arrow in arrows if _occurs(rules, *arrow)}


BY_CORRECTION = {
    ("play.next_hand", "play.double_card"),
    ("play.next_hand", "play.bought_card"),
}
"""The card of a double or a buy that is still to come when a correction is judged."""


def _occurs(name: str, source: str, trigger: str, dest: str) -> bool:
    rules = load_rules(name)
    states = waiting_states(rules) | PASSING | {"settled"}
    if "offers.again" in (source, dest) or "play.dealer_card" in (source, dest):
        return False  # after a remedy only
    if (source, dest) in BY_CORRECTION:
        return False
    if trigger == "regroup" or not {source, dest} <= states:
        return False
    if source == "play.next_hand" and dest in ("play.next_hand", "final"):
        by_house = dest == "play.next_hand"
        return (
            "absent" not in rules.not_played
            if by_house
            else rules.dealer.moot_draw.value != "either"
        )
    guarded = {kind.verb for kind in CHECKS}
    return trigger not in guarded or step_occurs(rules, source, trigger)


def test_every_arrow_of_a_round_is_in_some_diagram() -> None:
    drawn = set().union(*(tour_of(name).passages for name in rule_files()))
    arrows = {(arrow.source, arrow.trigger, arrow.dest or arrow.source) for arrow in ARROWS}
    assert len(arrows) == len(ARROWS)  # so that a passage tells which arrow it was
    by_remedy = {a for a in arrows if a[1] == "regroup" or "offers.again" in a}
    by_remedy |= {a for a in arrows if "play.dealer_card" in a or (a[0], a[2]) in BY_CORRECTION}
    assert arrows - drawn == by_remedy


def test_a_diagram_has_a_line_for_every_edge() -> None:
    pages = describe_states.pages()
    for name in rule_files():
        edges = describe_states.edges_of(load_rules(name), tour_of(name).passages)
        text = pages[f"states/{name}.md"]
        assert text.count(" --> ") == len(edges) + 2  # the beginning and the end
        assert all(f'"{state}' in text for state in describe_states.states_of(edges))
        assert "interim.bonus" not in text or name == "rws-pontoon-plus-v5"


def test_every_fault_is_explained_to_supervisors() -> None:
    page = (DOCS / "supervisor.md").read_text(encoding="utf-8")
    rows = {
        code.replace("-", " ").upper()[:ROW_LENGTH]
        for code, fault in CATALOGUE.items()
        if fault.holds and code not in TRIGGERS
    }
    assert len(rows) > 20
    assert {row for row in rows if f"`{row}`" not in page} == set()


# What is permitted, as objects -------------------------------------------------------------------


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
