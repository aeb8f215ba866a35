"""Attacks on a journal that goes on from a closed one, and on the closed file."""

from __future__ import annotations

from random import Random

from controller.evidence.heads import read_head
from controller.journal.model import FOUND
from controller.journal.schema import FORMAT
from proof.torture.forged.attacks import Attack, Images, Kind, beside
from proof.torture.forged.earlier import cut
from proof.torture.forged.fitting import boots_begin, chain, commit_ends, row_for
from proof.torture.forged.image import DIGEST, Key
from proof.torture.forged.rewriting import altered, settle


def successor(images: Images, own: Key, source: Random) -> Attack:
    """A journal that goes on from the closed one, made without the key, with or without the table
    of the row, or with a key of his own; the closed file left, altered or taken away."""
    genuine = images["successor"]
    image = genuine.copied()
    journal = image.journal
    way = source.choice(("without a key", "no table", "his key"))
    closed = source.choice(("left", "altered", "away"))
    journal.identity = source.randbytes(16)
    if closed == "altered":
        name, (old, heads) = next(iter(image.closed.items()))
        settle(old.entries, source)
        chain(old)
        if way == "no table":
            old.signed = None
        image.closed = {name: (old, heads)}
        journal.predecessor = old.identity, old.last, old.entries[-1][DIGEST]
    elif closed == "away":
        image.closed = {}
    kept = source.randint(1, len(journal.entries))
    del journal.entries[kept:]
    altered(journal.entries[0], lambda body: body.update({FOUND: []}))
    boots_begin(journal)
    journal.boots = [boot for boot in journal.boots if boot[3] < journal.last]
    chain(journal)
    told = beside(genuine, image, own, source)
    image.closed = {} if closed == "away" else image.closed
    rows = {"his key": [row_for(journal, own)], "no table": None}
    journal.signed, journal.version = rows.get(way, []), FORMAT
    if source.random() < 0.5:  # as a closing leaves them
        first = [line for line in genuine.heads or () if read_head(line).seq <= journal.begins]
        image.heads = first[-1:]
    return Attack(image, Kind.FITTED, f"{way}, closed file {closed}, {told}")


def closed_file(images: Images, own: Key, source: Random) -> Attack:
    """The journal is genuine, and the one that it goes on from altered, cut or taken away."""
    image = images["successor"].copied()
    name, (old, heads) = next(iter(image.closed.items()))
    way = source.choice(("altered", "cut", "row exchanged", "away"))
    if way == "altered":
        settle(old.entries, source)
        chain(old)
    elif way == "cut":
        place = source.choice(commit_ends(old))
        old = cut(old, place, image.true_key)
    elif way == "row exchanged":
        old.signed = [row_for(old, own)]
    image.closed = {} if way == "away" else {name: (old, heads)}
    return Attack(image, Kind.ARCHIVE, way)


def carried_boots(images: Images, own: Key, source: Random) -> Attack:
    """Boots of the closed file altered in the journal that goes on from it."""
    image = images["successor"].copied()
    journal = image.journal
    boot, name, wall, after = journal.boots[0]
    other = source.choice(((boot, "other", wall, after), (boot, name, "then", after)))
    journal.boots[0] = other
    return Attack(image, Kind.ARCHIVE, f"boot {boot}")
