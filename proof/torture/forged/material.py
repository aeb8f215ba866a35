"""Journals made by real play in virtual time, with all that lies beside them: made once, copied for
every trial.

- *signed*: its commits are signed; a power cut at its end;
- *stopped*: such a one, ended by a stop in good order, between rounds;
- *successor*: it goes on from one that was closed.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Final

from controller.configuration.model import Configuration
from controller.configuration.reading import load_configuration
from controller.daemon import quiet_moments
from controller.daemon.outside import Outside
from controller.evidence.heads import beside
from controller.evidence.tree.entries import TREE_FILE as TREE
from controller.journal import schema
from controller.journal.keys import SecretKey, read_key
from controller.journal.reader import ARCHIVE, closed_files
from controller.upkeep import next_start
from controller.upkeep.due import close_if_due
from controller.upkeep.signing import signing_of
from hil_tests.bench.configuration import configuration_text
from hil_tests.bench.setup import MBS, setup_for
from proof.torture.forged.image import Image, Key, night_of, read_ledger
from proof.torture.virtual.life import EPOCH
from proof.torture.virtual.people import People
from proof.torture.virtual.site import Site

ROUNDS: Final = (3, 12)
HALF: Final = (25, 190)
"""Of the entries of a journal, at most."""
MOST_ENTRIES: Final = 500
SNAPSHOTS: Final = 40
"""Entries between two of them; at a table there is one in some two thousand."""

Ending = Callable[[Site, People, random.Random], None]


@dataclass(frozen=True, slots=True)
class Material:
    """The journals by name, and the forger's ``own`` key."""

    images: dict[str, Image]
    own: Key


def play_material(folder: Path, seed: int) -> Material:
    """Play; the same from the same seed."""
    often, quiet_moments.EVERY = quiet_moments.EVERY, SNAPSHOTS  # type: ignore[misc]
    try:
        source = random.Random(seed)
        own = Key(SecretKey(source.randbytes(32)))
        images = {
            name: _played(folder / name, source, end)
            for name, end in (("signed", _cut), ("stopped", _stop), ("successor", _close))
        }
        return Material(images, own)
    finally:
        quiet_moments.EVERY = often  # type: ignore[misc]


def place(folder: Path) -> Configuration:
    """A table's configuration, with a second copy, in that folder."""
    folder.mkdir(exist_ok=True)
    file = folder / "table.toml"
    text = configuration_text(setup_for(MBS, spin_ms=0), usb=("jackpot",))
    file.write_text(text.replace("[state]\n", '[state]\ncopy = "copy"\n'), encoding="utf-8")
    return load_configuration(file)


def _played(folder: Path, source: random.Random, end: Ending) -> Image:
    """A few rounds, a stop, a few more, and how it ended."""
    folder.mkdir(parents=True)
    site = Site(folder, setup_for(MBS, seed=source.randint(1, 9999), spin_ms=0), source, tens=False)
    people = People(site, source, lambda: None)
    try:
        half = source.randint(*HALF)
        _rounds(people, source, half)
        site.life.stop()
        _rounds(people, source, 2 * half)
        end(site, people, source)
    finally:
        site.life.end_life()
    state = site.config.state_directory
    journal = read_ledger(state / schema.FILE_NAME)
    assert len(journal.entries) <= MOST_ENTRIES, "play less"
    key = Key(read_key(site.config.key))
    return Image(
        journal,
        (state / TREE).read_bytes(),
        site.config.heads.read_bytes().splitlines(),
        journal.copied(),
        night_of(journal),
        key,
        [key],
        key,
        {
            file.name: (read_ledger(file), beside(file).read_bytes().splitlines())
            for file in closed_files(state)
        },
        dict(site.life.journal.latest_stored()),
    )


def _rounds(people: People, source: random.Random, most: int) -> None:
    """A few, while there are fewer entries than that."""
    wanted = people.rounds + source.randint(*ROUNDS)
    while people.rounds < wanted and people.site.alive.journal.head.seq < most:
        people.play_round()


def _cut(site: Site, *_: object) -> None:
    """The power fails in the middle of things."""
    site.life.journal.checkpoint()


def _stop(site: Site, *_: object) -> None:
    site.life.stop()


def _close(site: Site, people: People, source: random.Random) -> None:
    """It is closed by the next start, and a few rounds are played in the one that goes on."""
    site.life.stop()
    state = site.config.state_directory
    next_start.request_closing(state, read_ledger(state / schema.FILE_NAME).identity)
    outside = replace(
        Outside(),
        boot_id=lambda: "boot-1",
        mono_ns=lambda: int(site.world.now * 1e9),
        wall=lambda: EPOCH + timedelta(seconds=site.world.now),
    )
    close_if_due(site.config, signing_of(site.config), outside)
    assert (state / ARCHIVE).is_dir(), "the journal was not closed"
    _rounds(people, source, site.alive.journal.head.seq + HALF[1])
    site.life.journal.checkpoint()
