"""A whole table around the daemon's own code, whose devices say what the bytes have them say.

It is a life in virtual time (:mod:`proof.torture.virtual.life`): the real runtime, owner, fleet and
journal file, without the price of a sync. The seam is :class:`drivers.api.DeviceLink`, above the
frames:
events arrive in order and once, as the link protocol sees to, with whatever inside.

The rules that hold, entry by entry: playing the journal again gives what was played; what is
settled is what odds, stakes and the draw make it; a draw has its press, and comes once; only people
change wagers.
"""

from __future__ import annotations

import asyncio
import dataclasses
import random
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from controller.configuration.model import Configuration
from controller.configuration.reading import load_configuration
from controller.control.handler import BadCommand, RequestRefused
from controller.journal.model import Entry
from drivers.api import DeviceConfig, DeviceListener, Identity
from hil_tests.bench.setup import configuration_text, setup_for
from hil_tests.virtual_time.world import World
from proof.held_link import HeldLink
from proof.torture.virtual.ledger import Ledger, Violation
from proof.torture.virtual.life import Fate, Life

PEOPLES = frozenset({"dealer", "supervisor", "KEY", "gate", "start"})
"""Entries after which wagers may differ: of people, keys among them, and what they waited for."""


@cache
def configuration(rules: str) -> Configuration:
    """A table of those rules; its state directory is to be replaced."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "table.toml"
        file.write_text(configuration_text(setup_for(rules, spin_ms=400)), encoding="utf-8")
        return load_configuration(file)


class Book(Ledger):
    """What is durable, looked at entry by entry; of cards and presses nobody knows but by it."""

    wagers = ""

    def durable(self, entry: Entry) -> None:
        """An entry is on stable storage."""
        super().durable(entry)
        wagers = repr(self.replay.table.betting.sheet)
        if wagers != self.wagers and entry.type not in PEOPLES:
            raise Violation(f"entry {entry.seq} ({entry.type}) changes wagers to {wagers}")
        self.wagers = wagers

    def _card(self, entry: Entry) -> None:
        """It may never have left a shoe."""

    def _press(self, offer: int) -> None:
        self.presses.add(offer)

    def _check_shown(self, offer: int, multiplier: int) -> None:
        """The meter may say anything."""


class HostileLink(HeldLink):
    """A device's link, whose device may have another session each time."""

    def __init__(self, name: str, listener: DeviceListener, resume: tuple[int, int]) -> None:
        super().__init__(name, listener, (resume[0] or 77, resume[1]))

    def acknowledge(self, session: int, event_no: int) -> None:
        """Everything up to there is stored; was it ever sent?"""
        assert session != self.session or event_no <= self.last_event

    def greet(self, identity: Identity, *, new_session: bool) -> None:
        """HELLO was answered."""
        if new_session:
            self.session, self.last_event = self.session % 1000 + 1, 0
        self.answer()
        self.come_up(identity, self.last_event, new_session=new_session)


class House(Life):
    """A life whose devices are :class:`HostileLink`."""

    links: dict[str, HostileLink]

    def __init__(self, world: World, rules: str, folder: Path, book: Ledger, boot: int) -> None:
        self.links = {}
        state = folder / "state"
        config = dataclasses.replace(
            configuration(rules),
            path=folder / "table.toml",
            state_directory=state,
            key=state / "key",
            heads=state / "heads.jsonl",
        )
        super().__init__(world, config, {}, book, Fate(boot=boot), random.Random(1))

    def _open_device(
        self,
        config: DeviceConfig,
        loop: asyncio.AbstractEventLoop,
        listener: DeviceListener,
        resume: tuple[int, int],
    ) -> Any:
        link = self.links[config.name] = HostileLink(config.name, listener, resume)
        return link

    def start_saying(self, saying: Coroutine[Any, Any, object]) -> None:
        """Have somebody say something; its answer may have to wait for a device."""
        self.loop.create_task(_tried(saying))
        self._world.run_for(0.0)

    def inside(self, what: Callable[[], object]) -> None:
        """Have something happen in the daemon's loop, and what follows from it."""
        done: list[object] = []
        self.loop.call_soon(lambda: done.append(what()))
        self._until(lambda: bool(done))
        self._world.run_for(0.0)


async def _tried(saying: Coroutine[Any, Any, object]) -> None:
    with suppress(RequestRefused, BadCommand):
        await saying
