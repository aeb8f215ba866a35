"""Every device unplugged in every state of every document, and the round played to its end.

For every state in which a document's table can wait there is a round that reaches it, most of them
worked out by hand (tests/rounds). It is dealt at a live table by a dealer who unplugs a cable there
(:mod:`hil_tests.people.unplugging_dealer`), and must settle as it does undisturbed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from controller.game.round.draft import apply_input, deal, take_step
from controller.game.round.machine import waiting_states
from controller.game.round.state import Round
from controller.game.round.states import WINDOWS, State
from controller.game.round.steps import Done, Step
from controller.game.scripts import script_play
from controller.game.scripts.runner import play_script
from controller.game.scripts.script import read_json, read_script
from hil_tests.bench.interface import Json
from hil_tests.bench.setup import setup_for
from hil_tests.people.record import result_of, rules_by_name
from hil_tests.people.unplugging_dealer import BETWEEN, LOST, WAYS, Unplugging, UnpluggingDealer
from hil_tests.tables.comparison import Comparison, Witness, compare
from hil_tests.tables.reused_table import ReusedTable
from hil_tests.tables.scripted import ScriptedTable, boxes_of
from hil_tests.tables.worked_rounds import worked_rounds

SPIN_MS: Final = 500
LIMITS: Final[dict[str, Any]] = {"limits": (1, 100_000), "side_limits": (1, 100_000)}

GOES_WRONG: Final = frozenset({"report", "void", "void-hand", "reconstruct", "correct", "discard"})
"""Steps of rounds in which something goes wrong: taken only where no other comes there."""

LATE: Final = "play.dealer_card"
LATE_CARD: Final[Json] = {
    "title": "the dealer's first card is missed late; play goes on and he is given it in turn",
    "wagers": [{"box": 1, "main": 100}, {"box": 2, "main": 40}],
    "shoe": "5S 8S 6D 4S 7H 8C KC AD",
    "steps": ["hit 1", "report dealer-no-card", "continue", "stand 1", "stand 2"],
    "limits": {"min": 1, "max": 100_000},
}
"""For documents of which no round worked out by hand comes to :data:`LATE` and deals there."""


def unpluggings(rules: str) -> Iterator[Unplugging]:
    """Every device of a document's table in each of its states, in each way."""
    for state in rounds_through(rules):
        for device in setup_for(rules).devices:
            for way in WAYS:
                yield Unplugging(state, device, way)


class UnpluggedTable(ReusedTable[UnpluggingDealer]):
    """A table of one document at which such rounds are played; a context manager. ``compared``: its
    journal compared with what was seen, when it is closed."""

    def __init__(self, rules: str) -> None:
        self.compared = Comparison()
        self.rounds = rounds_through(rules)
        setup = setup_for(rules, increment=0.01, spin_ms=SPIN_MS, **LIMITS)
        super().__init__(setup, UnpluggingDealer)

    def play(self, unplugging: Unplugging) -> list[str]:
        """Play the round of this state with this unplugging; what was not as it should be."""
        try:
            with self.round() as dealer:
                return list(self._play(dealer, unplugging))
        except Exception as error:
            return [f"{type(error).__name__}: {error}"]

    def check_journal(self, state: Path, shoe: Json) -> None:
        """Compare it with what was seen."""
        compare(self.compared, Witness.of_dealer(self._dealer, self.settled, {"shoe": shoe}), state)

    def _start(self) -> None:
        super()._start()
        self._dealer.ask_ready()

    def _play(self, dealer: UnpluggingDealer, unplugging: Unplugging) -> Iterator[str]:
        line = self.rounds[unplugging.state]
        dealer.plan(unplugging)
        state = ScriptedTable(dealer, line["script"]).play()
        drawn, expected = dealer.record.multipliers, line["expect"]
        if drawn:
            expected = result_of({**line["script"], "multipliers": drawn})
        told = {**state, "outcome": state["state"], "boxes": boxes_of(state)}
        for name in ("outcome", "settlements", "dealer", "boxes"):
            if told[name] != expected[name]:
                yield f"{name}: {told[name]}, undisturbed {expected[name]}"
        self.clear(state)
        self.compared.rounds += 1
        if not dealer.unplugged:
            yield "the round never came to that state"
        holds = unplugging.way == LOST and unplugging.state not in BETWEEN
        if dealer.held != ("device-restarted" if holds else None):
            yield f"held for {dealer.held}"


def rounds_through(rules: str) -> dict[str, Json]:
    """For every state in which a table of these rules waits, the shortest round that comes there:
    lines of tests/rounds; in the order of a round.

    Raises:
        LookupError: no round comes to one of them.
    """
    found: dict[str, Json] = {}
    for line in sorted(_lines(rules), key=_length):
        for state in (*BETWEEN, *_states(json.dumps(line["script"]))):
            if state != LATE or line["expect"]["dealer"]["cards"]:  # else no card comes there
                found.setdefault(state, line)
    wanted = {*BETWEEN, *waiting_states(rules_by_name()(rules))}
    if LATE in wanted - found.keys():
        late = {**LATE_CARD, "rules": rules}
        found[LATE] = {"script": late, "expect": result_of(late)}
    if missing := wanted - found.keys():
        raise LookupError(f"{rules}: no round comes to {', '.join(sorted(missing))}")
    order = ("idle", "betting", *State)
    return {state: found[state] for state in order if state in wanted}


def _lines(rules: str) -> Iterator[Json]:
    """The rounds of a document that are settled and need nobody to cut the power."""
    for line in (line for lines in worked_rounds().values() for line in lines):
        script = line["script"]
        if script["rules"] != rules or "limits" in script or "report power" in script["steps"]:
            continue
        if line["expect"].get("outcome") == "settled":
            yield line


def _length(line: Json) -> tuple[bool, int]:
    steps = [step.split()[0] for step in line["script"]["steps"]]
    return not GOES_WRONG.isdisjoint(steps), len(line["script"]["shoe"])


@cache
def _states(script: str) -> frozenset[str]:
    """The states in which this round waits."""
    seen: set[str] = set()
    passed = False

    def noting(verb: Callable[..., Round]) -> Callable[..., Round]:
        """The verb; it notes in which state it is called. A window is closed at a live table by the
        next step itself, which is said in it."""

        def happens(rnd: Round, *given: Any) -> Round:
            nonlocal passed
            step = bool(given) and isinstance(given[0], Step)
            if not (step and passed):
                seen.add(rnd.state)
            passed = step and given[0] == Done() and rnd.state in WINDOWS
            return verb(rnd, *given)

        return happens

    with (
        patch.object(script_play, "take_step", noting(take_step)),
        patch.object(script_play, "apply_input", noting(apply_input)),
        patch.object(script_play, "deal", noting(deal)),
    ):
        play_script(read_script(read_json(script), rules_by_name()))
    return frozenset(seen)
