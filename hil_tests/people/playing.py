"""A round played to its end: players are asked where there is a choice, all else is just done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from controller.control.client import RefusedByController
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

    def enter(self, command: str) -> Json:
        """A command of the dealer."""

    def card(self) -> str:
        """The next card."""

    def press(self) -> int:
        """The button is pressed; the multiplier."""


OnStep = Callable[[Json, str, str], None]
"""Called with the state before, what was done (``card``, ``press`` or an entry), and its result."""


def _ignore(_: Json, __: str, ___: str) -> None:
    """Do nothing."""


def play_to_end(table: Playable, player: Player, on_step: OnStep = _ignore) -> Json:
    """Play until the round is over; the state then.

    Raises:
        AssertionError: nothing can happen, or the round does not end.
    """
    for _ in range(MOST_STEPS):
        state = table.status
        if state["state"] in ENDED:
            return state
        if state["awaiting"] == "card":
            on_step(state, CARD, table.card())
        elif state["awaiting"] == "press":
            on_step(state, "press", str(table.press()))
        elif state["awaiting"] == "dealer":
            _decide(table, player, state, on_step)
        else:
            raise AssertionError(f"nothing can happen: {state}")
    raise AssertionError(f"the round does not end: {table.status}")


def _decide(table: Playable, player: Player, state: Json, on_step: OnStep) -> None:
    """Ask the player until an entry is accepted."""
    for _ in range(TRIES):
        said = player(state)
        if said == CARD:
            on_step(state, CARD, table.card())
            return
        try:
            table.enter(said)
        except RefusedByController as rejected:
            refusal = rejected
            continue
        on_step(state, said, "")
        return
    raise AssertionError(f"the player finds nothing permitted: {refusal}; {state}")
