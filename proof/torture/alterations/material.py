"""Journals made by real play in virtual time, with all that lies beside them: made once, copied for
every trial.

- *signed*: its commits are signed; a power cut at its end;
- *stopped*: such a one, ended by a stop in good order, between rounds;
- *successor*: it goes on from one that was closed.

Of the one whose bytes are altered most is in the file and the last part in the log only, as a power
cut leaves them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Final

from controller.configuration.model import Configuration
from controller.configuration.reading import load_configuration
from controller.daemon.committer import CHECKPOINT_BYTES
from controller.daemon.outside import Outside
from controller.evidence.heads import beside
from controller.evidence.tree.entries import TREE_FILE as TREE
from controller.journal import schema
from controller.journal.keys import SecretKey, read_key
from controller.journal.reader import ARCHIVE, closed_files
from controller.upkeep import next_start
from controller.upkeep.due import close_if_due
from controller.upkeep.signing import signing_of
from hil_tests.bench.setup import MBS, configuration_text, setup_for
from proof.torture.alterations.image import Files, Image, night_of, read_files
from proof.torture.alterations.ledger import Key, read_ledger
from proof.torture.virtual.life import EPOCH
from proof.torture.virtual.people import People
from proof.torture.virtual.site import Site, site_in

ROUNDS: Final = (3, 12)
HALF: Final = (25, 190)
"""Of the entries of a journal, at most."""
MOST_ENTRIES: Final = 500
SNAPSHOTS: Final = 40
"""Entries between two of them; at a table there is one in some two thousand."""
LOG_SHARE: Final = 12
"""One round in this number is in the log only."""


@dataclass(frozen=True, slots=True)
class Material:
    """The journals by name, and the forger's ``own`` key."""

    images: dict[str, Image]
    own: Key


@dataclass(frozen=True, slots=True)
class PlayedJournal:
    """A journal with its files as it was ``left``, and at moments ``before``."""

    image: Image
    left: Files
    before: tuple[Files, ...]


def play_material(folder: Path, seed: int) -> Material:
    """Play; the same from the same seed."""
    source = random.Random(seed)
    own = Key(SecretKey(source.randbytes(32)))
    names = ("signed", "stopped", "successor")
    return Material({name: _played(folder / name, source, name) for name in names}, own)


def play_journal(folder: Path, rounds: int, seed: int) -> PlayedJournal:
    """Play that number of rounds at a table with a jackpot unit, two power cuts among them."""
    before: list[Files] = []
    with _people_in(folder, random.Random(seed), seed % 9999, max(10, rounds * 5)) as people:
        site = people.site
        state = site.config.state_directory
        while people.rounds < rounds:
            people.play_round()
            if site.alive.journal.wal_bytes > CHECKPOINT_BYTES:
                site.alive.journal.checkpoint()
            if people.rounds in (rounds // 3, rounds // 2):
                before.append(read_files(state))
                site.end_life(new_boot=True)
            if people.rounds == rounds - max(2, rounds // LOG_SHARE):
                site.alive.journal.checkpoint()
                before.append(read_files(state))
        left = read_files(state)
        return PlayedJournal(replace(_image_of(site), night=None), left, tuple(before))


def place(folder: Path) -> Configuration:
    """A table's configuration, with a second copy, in that folder."""
    folder.mkdir(exist_ok=True)
    file = folder / "table.toml"
    text = configuration_text(setup_for(MBS, spin_ms=0), usb=("jackpot",))
    file.write_text(text.replace("[state]\n", '[state]\ncopy = "copy"\n'), encoding="utf-8")
    return load_configuration(file)


@contextmanager
def _people_in(folder: Path, source: random.Random, seed: int, snapshots: int) -> Iterator[People]:
    setup = setup_for(MBS, seed=seed, spin_ms=0)
    with site_in(folder, setup, source, snapshots=snapshots) as site:
        yield People(site, source, lambda: None)


def _played(folder: Path, source: random.Random, name: str) -> Image:
    """A few rounds, a stop, a few more, and how it ended."""
    with _people_in(folder, source, source.randint(1, 9999), SNAPSHOTS) as people:
        site, half = people.site, source.randint(*HALF)
        _rounds(people, source, half)
        site.life.stop()
        _rounds(people, source, 2 * half)
        if name != "signed":
            site.life.stop()
        if name == "successor":
            _close(people, source)
        if name != "stopped":
            site.life.journal.checkpoint()
    image = _image_of(site)
    assert len(image.journal.entries) <= MOST_ENTRIES, "play less"
    return image


def _image_of(site: Site) -> Image:
    """What the table has now."""
    state = site.config.state_directory
    journal = read_ledger(state / schema.FILE_NAME)
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


def _close(people: People, source: random.Random) -> None:
    """It is closed by the next start, and a few rounds are played in the one that goes on."""
    site = people.site
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
