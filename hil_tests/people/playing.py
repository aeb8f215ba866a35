"""Playing a round to its end: whoever has a choice is asked, everything else just happens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from controller.control.client import Rejected
from hil_tests.bench.interface import Json
from hil_tests.people.players import CARD, Player

MOST_STEPS = 400
TRIES = 20
ENDED = ("settled", "void")


class Playable(Protocol):
    """A table at which what players decide is carried out: :class:`hil_tests.people.dealer.Dealer`
    at a live one, :class:`hil_tests.tables.offline.OfflineTable` without devices."""

    @property
    def status(self) -> Json:
        """The committed state."""

    def say(self, command: str) -> Json:
        """An entry of the dealer."""

    def card(self) -> str:
        """The next card."""

    def press(self) -> int:
        """The button is pressed; the multiplier."""


Told = Callable[[Json, str, str], None]
"""Told of the state before, what was done (``card``, ``press`` or an entry), and what came."""


def _silent(_: Json, __: str, ___: str) -> None:
    """Nobody is told."""


def play_to_end(table: Playable, player: Player, told: Told = _silent) -> Json:
    """Play until the round is over; the state then. Raises ``AssertionError`` when it stands."""
    for _ in range(MOST_STEPS):
        state = table.status
        if state["state"] in ENDED:
            return state
        if state["awaiting"] == "card":
            told(state, CARD, table.card())
        elif state["awaiting"] == "press":
            told(state, "press", str(table.press()))
        elif state["awaiting"] == "dealer":
            _decide(table, player, state, told)
        else:
            raise AssertionError(f"play stands: {state}")
    raise AssertionError(f"the round does not end: {table.status}")


def _decide(table: Playable, player: Player, state: Json, told: Told) -> None:
    """Ask the player until he says something that is taken."""
    for _ in range(TRIES):
        said = player(state)
        if said == CARD:
            told(state, CARD, table.card())
            return
        try:
            table.say(said)
        except Rejected as rejected:
            refusal = rejected
            continue
        told(state, said, "")
        return
    raise AssertionError(f"the player finds nothing permitted: {refusal}; {state}")
