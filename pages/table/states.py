"""The sequence of a table and the states of a round, both as their machines have them.

Of rounds there are a page for each rule document, and an index. Their diagrams show what occurs in
rounds that are really played (:mod:`~.tours`); conditions are those of the machine's own table of
transitions, and the clauses those of the rule files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from typing import Final, NamedTuple

from controller.files.rules import load_rules, rule_files
from controller.game.round.machine import ARROWS, Arrow
from controller.game.round.states import ENDED, PASSING, State
from controller.game.rules.schema import RuleSet
from controller.table.sequence import ARROWS as SEQUENCE
from controller.table.sequence import PULLED, REFUSALS, PhaseArrow
from controller.table.state.parts import Phase
from pages.generated import as_table, prose
from pages.table.tours import Passage, tour_of

INDEX: Final = "states.md"
STATES: Final = ("idle", "betting", *State)
PASSES: Final = "\u2020"
PUT_RIGHT: Final = "regroup"
"""What brings a round back into its order after a remedy."""


class Edge(NamedTuple):
    """An arrow of a diagram."""

    source: str
    dest: str
    label: str


_EMPTY: Final[Mapping[str, Callable[[RuleSet], bool]]] = {
    "interim.side_wagers": lambda rules: all(one.at_button for one in rules.side_wagers.values()),
    "interim.button": lambda rules: rules.button_wager is None,
}
"""Passing states, and whether nothing happens in them under these rules."""


def pages() -> dict[str, str]:
    """Every page by its path below ``docs``."""
    documents = [load_rules(name) for name in rule_files()]
    edges = {rules.id: edges_of(rules, tour_of(rules.id).passages) for rules in documents}
    made = {f"states/{rules.id}.md": page(rules, edges[rules.id]) for rules in documents}
    return {INDEX: _index(documents, edges), **made}


def edges_of(rules: RuleSet, seen: Set[Passage]) -> list[Edge]:
    """The passages in the machine's order, those joined between which nothing can happen because
    the document has no such wager."""
    edges = [
        Edge(arrow.source, arrow.dest or arrow.source, f"{arrow.trigger}{_condition_text(arrow)}")
        for arrow in ARROWS
        if (arrow.source, arrow.trigger, arrow.dest or arrow.source) in seen
    ]
    for state, is_empty in _EMPTY.items():
        if is_empty(rules):
            edges = list(_joined(edges, state))
    return edges


def _joined(edges: list[Edge], empty: str) -> Iterator[Edge]:
    """The edges without the empty state."""
    onward = [edge for edge in edges if edge.source == empty]
    for edge in edges:
        if edge.dest == empty:
            for after in onward:
                held = after.label.removeprefix("advance")
                yield Edge(edge.source, after.dest, edge.label + held)
        elif edge.source != empty:
            yield edge


def states_of(edges: list[Edge]) -> list[str]:
    """The states of these edges, in the machine's order."""
    there = {state for edge in edges for state in (edge.source, edge.dest)}
    return [state for state in State if state in there and state is not State.VOID]


def _index(documents: list[RuleSet], edges: dict[str, list[Edge]]) -> str:
    occur = {name: {"idle", "betting", "void", *states_of(edges[name])} for name in edges}
    everywhere = set().union(*occur.values())
    rows = []
    for state in dict.fromkeys(
        (*STATES, *(state for rules in documents for state in rules.states))
    ):
        none = "\u2013" if state in everywhere else "after a remedy"
        usual = ("" if state in occur[rules.id] else none for rules in documents)
        cells = (one.states.get(state, there) for one, there in zip(documents, usual, strict=True))
        rows.append((f"`{state}`{_mark(state)}", *cells))
    table = as_table(("state", *(f"`{rules.id}`" for rules in documents)), rows)
    listed = [f"- [{rules.document.title}](states/{rules.id}.md)" for rules in documents]
    return prose("states/index.md").format(listed="\n".join(listed), table="\n".join(table))


def page(rules: RuleSet, edges: list[Edge]) -> str:
    """A document's page."""
    occur = states_of(edges)
    clauses = (
        (f"`{state}`{_mark(state)}", rules.states.get(state, ""))
        for state in ("idle", "betting", *occur, "void")
    )
    onward = (
        (f"`{arrow.source}`", f"`{arrow.dest}`{_condition_text(arrow)}")
        for arrow in ARROWS
        if arrow.trigger == PUT_RIGHT and arrow.source in occur
    )
    return prose("states/page.md").format(
        title=rules.document.title,
        version=rules.document.version,
        diagram="\n".join(_diagram(_lines(edges, occur))),
        clauses="\n".join(as_table(("state", "clause"), clauses)),
        onward="\n".join(as_table(("from", "to"), onward)),
    )


def _lines(edges: list[Edge], occur: list[str]) -> Iterator[str]:
    yield from (f'state "{state}{_mark(state)}" as {_name(state)}' for state in occur)
    yield f"[*] --> {_name(occur[0])}: bets are closed"
    yield from (f"{_name(one.source)} --> {_name(one.dest)}: {one.label}" for one in edges)
    yield from (f"{_name(state)} --> [*]" for state in occur if state in ENDED)


def _diagram(lines: Iterable[str]) -> Iterator[str]:
    yield from ("```mermaid", "stateDiagram-v2", *(f"    {line}" for line in lines), "```")


def _mark(state: str) -> str:
    return f" {PASSES}" if state in PASSING else ""


def _name(state: str) -> str:
    return state.replace(".", "_")


def _condition_text(arrow: Arrow | PhaseArrow) -> str:
    names = (one if isinstance(one, str) else one.__name__ for one in arrow.conditions)
    conditions = " and ".join(name.replace("_", " ") for name in names)
    return f" [{conditions}]" if conditions else ""


def sequence() -> Iterator[str]:
    """The diagram of a table's phases."""
    arrows = (
        f"{one.source} --> {one.dest}: {one.trigger}{_condition_text(one)}"
        for one in SEQUENCE
        if one.dest is not None
    )
    return _diagram([f"[*] --> {Phase.IDLE}", *arrows])


def pairs() -> Iterator[str]:
    """Every pair of phase and trigger."""
    rows = (
        (f"`{trigger}`", *(_cell(trigger, phase) for phase in Phase))
        for trigger in dict.fromkeys(arrow.trigger for arrow in SEQUENCE)
    )
    return as_table(("trigger", *(f"`{phase}`" for phase in Phase)), rows)


def _cell(trigger: str, phase: Phase) -> str:
    arrows = [a for a in SEQUENCE if (a.trigger, a.source) == (trigger, phase)]
    if not arrows:
        return "\u2013" if trigger in PULLED else "refused"
    return "<br>".join(
        (f"\u2192 `{arrow.dest}`" if arrow.dest else "stays") + _condition_text(arrow)
        for arrow in arrows
    )


def refusals() -> Iterator[str]:
    """What is said of a trigger that is refused."""
    rows = []
    for trigger, refusal in REFUSALS.items():
        short = refusal.short
        said = short if isinstance(short, str) else ", ".join(dict.fromkeys(short.values()))
        rows.append((f"`{trigger}`", refusal.text.format(state="STATE", what="ENTRY"), said))
    return as_table(("trigger", "on a screen", "on the keypad"), rows)
