"""The dealers' page and the states, as the code has them."""

from __future__ import annotations

import pytest

from controller.faults.catalogue import CATALOGUE
from controller.files.rules import load_rules, rule_files
from controller.game.round.guards import CHECKS
from controller.game.round.machine import ARROWS, waiting_states
from controller.game.round.states import PASSING
from controller.game.rules.cases import TRIGGERS
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
