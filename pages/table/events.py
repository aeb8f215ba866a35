"""The page of every event in every state with its result.

Nothing of it is written by hand: every event of :func:`~.happenings.happenings` is given
to a table of each document in each of its states (:mod:`~.tours`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from controller.files.rules import rule_files
from controller.game.commands.values import Malformed
from controller.game.round.refusal import Refused
from controller.table.apply import apply
from controller.table.dry_run import Mould
from controller.table.entering.fence import needed_device
from controller.table.events.event import Event
from controller.table.state.table import Table
from pages.generated import as_table
from pages.table.happenings import happenings
from pages.table.played_tables import Played, locked, published_text
from pages.table.states import STATES
from pages.table.tours import tour_of

FATES: Final = ("accepted", "held", "refused", "ignored")
FAMILIES: Final = ("idle", "betting", "deal", "jackpot", "offers", "play", "dealer", "over", "held")
DOCUMENTS: Final = tuple(rule_files())
ENDS: Final = frozenset({"settled", "void"})

Fates = dict[tuple[str, str], set[str]]
"""What became of an event: by document and state."""


class Before(NamedTuple):
    """The status of a table, and whether and why it is held."""

    told: str
    held: bool
    holds: frozenset[str]


def state_before(table: Table) -> Before:
    """The table as it is."""
    reasons = frozenset(hold.reason for hold in table.holds.standing)
    return Before(published_text(table), needed_device(table) is not None, reasons)


def fate(table: Table, event: Event, before: Before) -> str:
    """What becomes of the event."""
    try:
        outcome = apply(table, event)
        if outcome.entry is not None:
            outcome = apply(table, locked(table))
    except (Refused, Malformed):
        return "refused"
    if any(answer.refused for answer in outcome.answered):
        return "refused"
    if event.type == "KEY" and table.entering.keypad.says.startswith("NO:"):
        return "refused"
    after = state_before(table)
    if after.holds - before.holds or (after.held and not before.held):
        return "held"
    noted = any(not note.endswith("ignored") for note in outcome.notes)
    return "accepted" if noted or outcome.carried_out or after.told != before.told else "ignored"


@cache
def play_events() -> dict[str, Fates]:
    """Give every event to a table in every state of every document: what became of it, by name."""
    seen: dict[str, Fates] = defaultdict(lambda: defaultdict(set))
    for document in DOCUMENTS:
        made = tour_of(document)
        for state, played in made.met.items():
            for name, became in _fates(played):
                seen[name][document, state].add(became)
        for verb, states in made.taken.items():
            for state in states:
                seen[f"dealer: `{verb}`"][document, state].add("accepted")
    return seen


def _fates(played: Played) -> Iterator[tuple[str, str]]:
    """What becomes of every event at that table; what is refused leaves it as it was, so that the
    same copy serves for the next. Of keys in one row the first speaks for all."""
    before, mould = state_before(played.table), Mould(played.table)
    trial, keys = None, set()
    for name, event in happenings(played):
        if name in keys:
            continue
        if event.type == "KEY":
            keys.add(name)
        trial = trial or mould.cast()
        became = fate(trial, event, before)
        if (
            became != "refused"
            or event.type == "KEY"
            or trial.entering.entries != played.table.entering.entries
        ):
            trial = None
        yield name, became


def event_rows() -> Iterator[str]:
    """What becomes of each event, by families of states."""
    rows = (
        (name, *(_fates_in(of, DOCUMENTS, family) for family in FAMILIES))
        for name, of in play_events().items()
    )
    return as_table(("event", *FAMILIES), rows)


def steps() -> Iterator[str]:
    """Where the dealer's commands are accepted, by document."""
    rows = (
        (name.removeprefix("dealer: "), *(_accepted(of, document) for document in DOCUMENTS))
        for name, of in play_events().items()
        if name.startswith("dealer: ")
    )
    return as_table(("command", *(f"`{document}`" for document in DOCUMENTS)), rows)


def _fates_in(of: Fates, documents: Sequence[str], family: str) -> str:
    """The fates in the states of a family; where documents differ, all that occur."""
    found = set().union(
        *(
            fates
            for (document, state), fates in of.items()
            if document in documents
            and family == ("over" if state in ENDS else state.partition(".")[0])
        )
    )
    return ", ".join(one for one in FATES if one in found)


def _accepted(of: Fates, document: str) -> str:
    taken = [s for s in STATES if of.get((document, s), set()) & {"accepted", "held"}]
    return ", ".join(f"`{state}`" for state in taken) or "\u2013"


def differences() -> Iterator[str]:
    """Events of devices, supervisors and the daemon whose fate depends on the document."""
    rows = []
    for name, of in play_events().items():
        for family in () if name.startswith(("dealer: ", "`KEY`")) else FAMILIES:
            fates = [_fates_in(of, [document], family) for document in DOCUMENTS]
            if len({one for one in fates if one}) > 1:
                rows.append((name, family, *(one or "\u2013" for one in fates)))
    return as_table(("event", "in", *(f"`{document}`" for document in DOCUMENTS)), rows)
