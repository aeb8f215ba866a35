"""The place: the devices, the ledger, the disk's folder, and every life of the daemon in turn.

The devices are the simulators' own twins, told by the world when to turn; they only tell the ledger
what a camera above the table would see.

Whoever finds the daemon dead starts it again, as systemd does; a new boot is another name of the
boot and clocks that begin anew. A recovered table must be the one that the journal gives.
"""

from __future__ import annotations

import gc
import logging
import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from unittest.mock import patch

from controller.configuration.model import Configuration
from controller.configuration.reading import load_configuration
from controller.daemon import quiet_moments
from controller.table.showing.status import status
from hil_tests.bench.setup import Setup, configuration_text
from hil_tests.virtual_time.world import Handle, World
from proof.torture.virtual.ledger import Ledger, Violation
from proof.torture.virtual.life import Fate, Life
from proof.torture.virtual.wire import VirtualLine
from simulators.cards import Card, shuffled
from simulators.jackpot import SHOWING, Jackpot
from simulators.keypad import Keypad
from simulators.shoe import Shoe
from simulators.shuffler import Shuffler
from simulators.twin import MakeModel, Twin

RESTART_S = 1.0
MOST_LIVES = 20
"""In a row that die before they are open: something must be wrong then."""
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


class Site:
    """One table. ``life`` is the present life of its daemon; ``fate`` how it is to end."""

    def __init__(self, folder: Path, setup: Setup, source: random.Random) -> None:
        self.world = World()
        self.random = source
        self.ledger = Ledger()
        self.fate = Fate()
        self.lives = 0
        file = folder / "table.toml"
        file.write_text(configuration_text(setup, usb=("jackpot",)), encoding="utf-8")
        self.config: Configuration = load_configuration(file)
        self.devices: dict[str, Device] = make_devices(
            *(self.world, self.ledger, tuple(self.config.devices), source),
            tens="--tens" in setup.options.get("shoe", ()),
        )
        self.life = self._live()

    @property
    def alive(self) -> Life:
        """The present life, begun anew if the last one is over."""
        if self.life.over:
            self.life.end_life(killed=True)
            for _ in range(MOST_LIVES):
                self.world.run_for(RESTART_S)
                self.fate = Fate(self.fate.boot, self.fate.booted, self.fate.skew_s)
                self.life = self._live()
                if not self.life.over:
                    break
                self.life.end_life(killed=True)
            else:
                raise Violation("the daemon does not come up again")
        return self.life

    def end_life(self, *, new_boot: bool = False) -> None:
        """The process is killed, or with the machine loses its power."""
        self.life.end_life(killed=True)
        if new_boot:
            self.fate.boot += 1
            self.fate.booted = self.world.now

    def _live(self) -> Life:
        self.lives += 1
        lines = {name: device.line for name, device in self.devices.items()}
        life = Life(self.world, self.config, lines, self.ledger, self.fate, self.random)
        try:
            self._compare(life)
        except Violation:
            life.end_life()
            raise
        life.start()
        return life

    def _compare(self, life: Life) -> None:
        """What was recovered is what was stored."""
        if not self.ledger.entries:
            return
        recovered, stored = status(life.runtime.owner.table), status(self.ledger.replay.table)
        if recovered != stored:
            differ = [name for name in stored if stored.get(name) != recovered.get(name)]
            raise Violation(f"the recovered table differs from the journal's in {differ}")


@contextmanager
def undisturbed() -> Iterator[None]:
    """Without the log, for the daemon says a lot when its devices are torn out, and without the
    collector: play is short, and what it leaves is collected at its end."""
    level = logging.root.manager.disable
    logging.disable()
    gc.disable()
    try:
        yield
    finally:
        logging.disable(level)
        gc.enable()
        gc.collect()


@contextmanager
def site_in(folder: Path, setup: Setup, source: random.Random, *, snapshots: int) -> Iterator[Site]:
    """A table that is played at undisturbed, with a snapshot in so many entries."""
    folder.mkdir(parents=True, exist_ok=True)
    with undisturbed(), patch.object(quiet_moments, "EVERY", snapshots):
        site = Site(folder, setup, source)
        try:
            yield site
        finally:
            site.life.end_life()


MEMORY_FOLDER: Final = Path("/dev/shm")


def folder_in_memory(prefix: str) -> TemporaryDirectory[str]:
    """A folder of one's own in main memory, where there is such a file system."""
    return TemporaryDirectory(prefix=prefix, dir=MEMORY_FOLDER if MEMORY_FOLDER.is_dir() else None)
