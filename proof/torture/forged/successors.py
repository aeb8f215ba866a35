"""Attacks on a journal that goes on from a closed one, and on the closed file."""

from __future__ import annotations

from random import Random

from controller.evidence.seals.heads import read_head
from controller.journal.model import FOUND
from controller.journal.schema import PREDECESSOR_SINCE, SIGNED_SINCE
from proof.torture.forged.attacks import Attack, Images, Kind, beside
from proof.torture.forged.earlier import cut
from proof.torture.forged.fitting import boots_begin, chain, commit_ends, row_for, strip
from proof.torture.forged.image import DIGEST, Key
from proof.torture.forged.rewriting import altered, settle


def successor(images: Images, own: Key, source: Random) -> Attack:
    """A journal that goes on from the closed one, made without the key, as version 0.2.0 made them,
    or with a key of his own; the closed file left, altered or taken away."""
    genuine = images["successor"]
    image = genuine.copied()
    journal = image.journal
    way = source.choice(("without a key", "as before", "his key"))
    closed = source.choice(("left", "altered", "away"))
    journal.identity = source.randbytes(16)
    if closed == "altered":
        name, (old, heads) = next(iter(image.closed.items()))
        settle(old.entries, source)
        chain(old)
        if way == "as before":
            strip(old)
            chain(old)
            old.signed, old.version = None, PREDECESSOR_SINCE
        image.closed = {name: (old, heads)}
        journal.predecessor = old.identity, old.last, old.entries[-1][DIGEST]
    elif closed == "away":
        image.closed = {}
    kept = source.randint(1, len(journal.entries))
    del journal.entries[kept:]
    altered(journal.entries[0], lambda body: body.update({FOUND: []}))
    if way == "as before":
        strip(journal)
    boots_begin(journal)
    journal.boots = [boot for boot in journal.boots if boot[3] < journal.last]
    chain(journal)
    told = beside(genuine, image, own, source)
    image.closed = {} if closed == "away" else image.closed
    if way == "as before":
        journal.signed, journal.version = None, PREDECESSOR_SINCE
    else:
        journal.version = SIGNED_SINCE
        journal.signed = [row_for(journal, own)] if way == "his key" else []
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
