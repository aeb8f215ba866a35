"""What the devices do not tell: asked of whoever sets the table up, key by key.

The rules:

- Asked is what the reader of configurations misses, in its words; whether an answer can be used it
  says, too, and then the question comes again.
- A default stands in brackets only where there is one that decides about no money. Weights are
  never proposed.
- Where nobody is, or nobody answers any more, nothing is made up: what is missing is told.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from controller.commissioning.person import PersonAtTerminal
from controller.commissioning.place import DevicePlace
from controller.commissioning.proposal import Proposal, value_of
from controller.files.rules import load_rules, rule_files
from controller.game.rules.loader import RulesError
from controller.game.rules.schema import RuleSet
from controller.not_done import WRONG_USE, NotDone
from controller.plain_text import columns

MISSING: Final = " is missing: expected "
KEYS: Final = (
    *("table.id", "table.rules", "table.decks", "table.boxes"),
    *("table.min", "table.max", "table.side_min", "table.side_max", "table.increment"),
)
"""What may be asked, in this order; then the weights."""
DEFAULTS: Final = {"table.increment": 1}
TEXTS: Final = frozenset({"table.id", "table.rules"})
"""Keys whose answer is text, also where it looks like a number."""
WEIGHTS: Final = "multiplier.weights"
HOW: Final = "--set 'multiplier.weights={ 100 = N, 50 = N, … }'"
NEVER: Final = (
    f"{WEIGHTS}: no document gives them and none are ever proposed: take them from the "
    f"house's approval, and give them with {HOW}"
)


def complete(proposal: Proposal, person: PersonAtTerminal | None) -> None:
    """Ask for what is missing, if there is a ``person``; raises ``NotDone`` (2) where nobody says
    it."""
    before = proposal.text
    if person is not None:
        for key in KEYS:
            if proposal.get(key) is None and _is_asked(proposal, key):
                _ask_key(proposal, person, key)
    rules = rules_of(proposal)
    if rules is not None and rules.pandemonium and proposal.get(WEIGHTS) is None:
        if person is None:
            faults = [f"{proposal.path}: {fault}" for fault in proposal.faults()]
            raise NotDone(WRONG_USE, "\n".join([*faults, NEVER]))
        _ask_weights(proposal, person, rules.pandemonium.multipliers.value)
    if person is not None and proposal.text != before:
        person.write_line("")


def rules_of(proposal: Proposal) -> RuleSet | None:
    """The rule set; None where there is none that can be read."""
    given = proposal.get("table.rules")
    try:
        return load_rules(given, proposal.path.parent) if isinstance(given, str) else None
    except RulesError:
        return None


def which(
    person: PersonAtTerminal | None, what: str, places: Sequence[DevicePlace]
) -> DevicePlace | None:
    """Have the person say which of several places has a device; None: nobody says."""
    if person is None:
        return None
    rows = [
        (number, place.port, place.serial, place.at.number or "no adapter's number")
        for number, place in enumerate(places, 1)
    ]
    person.write_line(f"{len(places)} devices are each a {what}:\n{columns(rows)}")
    while (answer := person.answer(f"which is the table's? 1 to {len(places)}")) is not None:
        if answer in map(str, range(1, len(places) + 1)):
            return places[int(answer) - 1]
    return None


def _is_asked(proposal: Proposal, key: str) -> bool:
    if key in DEFAULTS:
        return proposal.is_new
    return any(fault.startswith(key + MISSING) for fault in proposal.faults())


def _ask_key(proposal: Proposal, person: PersonAtTerminal, key: str) -> None:
    expected = next(
        (
            fault.removeprefix(key + MISSING)
            for fault in proposal.faults()
            if fault.startswith(key + MISSING)
        ),
        "the smallest step of any wager, in dollars",
    )
    known = list(rule_files())
    if key == "table.rules":
        person.write_line(columns(enumerate(known, 1)))
        expected = "the table's rules, by number or name, or the path of a rule file"
    default = DEFAULTS.get(key)
    shown = "" if default is None else f" [{default}]"

    def typed_value() -> object:
        answer = _answer(person, f"{key}, {expected}{shown}")
        if key == "table.rules" and answer in map(str, range(1, len(known) + 1)):
            return known[int(answer) - 1]
        if default is not None and not answer:
            return default
        return answer if key in TEXTS else value_of(answer)

    _set_until_usable(proposal, person, key, typed_value)


def _ask_weights(proposal: Proposal, person: PersonAtTerminal, multipliers: Sequence[int]) -> None:
    person.write_line("The weights of the draw, as the house has them approved; none are proposed.")

    def typed_value() -> object:
        return {
            str(multiplier): value_of(_answer(person, f"weight of {multiplier} to 1"))
            for multiplier in multipliers
        }

    _set_until_usable(proposal, person, WEIGHTS, typed_value)


def _set_until_usable(
    proposal: Proposal, person: PersonAtTerminal, key: str, ask: Callable[[], object]
) -> None:
    """Ask until no answer brings a fault; that another key is missing then is none of its."""
    before = set(proposal.faults())
    while True:
        proposal.set(key, ask())
        new = [fault for fault in proposal.faults() if fault not in before]
        wrong = [fault for fault in new if " is missing" not in fault.split(": ")[0]]
        if not wrong:
            return
        person.write_line("\n".join(wrong))
        proposal.unset(key)


def _answer(person: PersonAtTerminal, question: str) -> str:
    answer = person.answer(question)
    if answer is None:
        raise NotDone(WRONG_USE, "nobody answers: nothing was written")
    return answer
