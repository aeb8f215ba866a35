"""The place: the devices, the ledger, the disk's folder, and every life of the daemon in turn.

Whoever finds the daemon dead starts it again, as systemd does; a new boot is another name of the
boot and clocks that begin anew. A recovered table must be the one that the journal gives.
"""

from __future__ import annotations

import random
from pathlib import Path

from controller.configuration.model import Configuration
from controller.configuration.reading import load_configuration
from controller.table.showing.status import status
from hil_tests.bench.configuration import configuration_text
from hil_tests.bench.setup import Setup
from hil_tests.virtual_time.world import World
from proof.torture.virtual.devices import Device, make_devices
from proof.torture.virtual.ledger import Ledger, Violation
from proof.torture.virtual.life import Fate, Life

RESTART_S = 1.0
MOST_LIVES = 20
"""In a row that die before they are open: something must be wrong then."""


class Site:
    """One table. ``life`` is the present life of its daemon; ``fate`` how it is to end."""

    def __init__(self, folder: Path, setup: Setup, source: random.Random, *, tens: bool) -> None:
        self.world = World()
        self.random = source
        self.ledger = Ledger()
        self.fate = Fate()
        self.lives = 0
        file = folder / "table.toml"
        file.write_text(configuration_text(setup, usb=("jackpot",)), encoding="utf-8")
        self.config: Configuration = load_configuration(file)
        self.devices: dict[str, Device] = make_devices(
            self.world, self.ledger, tuple(self.config.devices), source, tens=tens
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
        life = Life(self.world, self.config, self.devices, self.ledger, self.fate, self.random)
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
