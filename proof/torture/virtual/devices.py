"""The devices in virtual time: the simulators' own twins, told by the world when to turn.

The models are those of :mod:`simulators`; they only tell the ledger what a camera above the table
would see.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from hil_tests.virtual_time.world import Handle, World
from proof.torture.virtual.ledger import Ledger
from proof.torture.virtual.wire import VirtualLine
from simulators.cards import Card, shuffled
from simulators.jackpot import SHOWING, Jackpot
from simulators.keypad import Keypad
from simulators.shoe import Shoe
from simulators.shuffler import Shuffler
from simulators.twin import MakeModel, Twin

SHUFFLE_MS = 20_000


class SeenShoe(Shoe):
    """A shoe under a camera."""

    ledger: Ledger
    twin: Twin

    def _draw(self, marks: Mapping[str, bool]) -> Card:
        real = self.cards[0]
        told = super()._draw(marks)
        self.ledger.card_left(told, real, self.twin.session)
        return told


class SeenJackpot(Jackpot):
    """A jackpot unit under a camera."""

    ledger: Ledger

    def do_hold(self) -> dict[str, Any]:
        """Press and keep the button down."""
        before = set(self.pressed)
        done = super().do_hold()
        for offer in self.pressed - before:
            self.ledger.unit_pressed(offer)
        return done

    def tick(self) -> None:
        """Do what is due."""
        before = self.state
        super().tick()
        if before != self.state == SHOWING:
            good = self.display == "good"
            self.ledger.unit_shows(self.offer, self.multiplier, readable=good)


class Device:
    """One twin at its line, turned whenever something is due; ``do`` is the person at it."""

    def __init__(
        self, world: World, name: str, make_model: MakeModel, source: random.Random
    ) -> None:
        self.name = name
        self.line = VirtualLine(world, name, source, framed=name != "jackpot")
        self.line.plug()
        self._world = world
        self._make_model = make_model
        self._random = source
        self._wake: Handle | None = None
        self.exchanges = 0
        self.twin = self._make_twin()
        self.turn()

    def _make_twin(self) -> Twin:
        self.line.arrived = self.turn
        return Twin(
            self._make_model,
            self.line,
            f"{self.name.upper()[:8]}-{self.exchanges + 1}",
            seed=self._random.randrange(1 << 30),
            clock=lambda: self._world.now,
        )

    def exchange(self) -> None:
        """Take it away and put another one of its kind in its place."""
        self.handle("unplug")
        self.exchanges += 1
        self.twin = self._make_twin()
        self.handle("plug")

    @property
    def model(self) -> Any:
        """The physical device."""
        return self.twin.model

    def handle(self, verb: str, **arguments: Any) -> dict[str, Any]:
        """Handle it; ``ValueError`` when a person could not."""
        answer = self.twin.do({"do": verb, **arguments})
        self.turn()
        return answer

    def unacknowledged(self) -> int:
        """Events that nobody has said are stored."""
        return self.twin.unacknowledged

    def turn(self) -> None:
        """Let it do what is due, and come back when more is."""
        self.twin.turn()
        if self._wake is not None:
            self._wake.cancel()
            self._wake = None
        deadline = self.twin.deadline()
        if deadline is not None:
            self._wake = self._world.outer.call_at(deadline, self._due)

    def _due(self) -> None:
        self._wake = None
        self.turn()


def make_devices(
    world: World, ledger: Ledger, names: tuple[str, ...], source: random.Random, *, tens: bool
) -> dict[str, Device]:
    """The devices of a table, each at its line."""
    seed = source.randrange(1 << 30)
    cards = shuffled(8, seed, tens=tens)

    def shoe(twin: Twin) -> Shoe:
        model = SeenShoe(twin, list(cards), cut=60, seed=seed)
        model.ledger, model.twin = ledger, twin
        return model

    def jackpot(twin: Twin) -> Jackpot:
        model = SeenJackpot(twin, seed=seed)
        model.ledger = ledger
        return model

    makers: dict[str, MakeModel] = {
        "shoe": shoe,
        "jackpot": jackpot,
        "shuffler": lambda twin: Shuffler(twin, len(cards), SHUFFLE_MS),
        "keypad": Keypad,
    }
    return {name: Device(world, name, makers[name], source) for name in names}
