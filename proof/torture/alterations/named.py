"""The attacks that have a name. Each takes the genuine images, the forger's own key and chance, by
which it chooses what it leaves open: which base, and what becomes of row, heads and side files.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Final

from controller.evidence.heads import read_head
from controller.journal.model import FOUND, SEALING
from controller.journal.schema import FORMAT
from proof.torture.alterations.attacks import VERSIONS, before_it_was_closed, beside, earlier_row
from proof.torture.alterations.image import Image, Images, night_of
from proof.torture.alterations.judging import Attack, Kind
from proof.torture.alterations.ledger import (
    BODY,
    BOOT,
    DIGEST,
    MONO_NS,
    TYPE,
    Key,
    Ledger,
    Row,
    body_of,
)
from proof.torture.alterations.rewriting import excuse, of_another_engine, settle, without_state

Named = Callable[[Images, Key, Random], Attack]

OVER: Final = frozenset(("idle", "closed", "settled", "void"))
SIGNED: Final = ("signed", "stopped")


# ---- rewrites of what was played ----------------------------------------------------------------


def whole_session(images: Images, own: Key, source: Random) -> Attack:
    """A session of another engine, which tells no finished round, in a moment of its clock."""
    image = images[source.choice(SIGNED)].copied()
    entries = image.journal.entries
    starts = [at for at, row in enumerate(entries) if row[TYPE] == "start"]
    first = source.choice(starts)
    for row in entries[first:]:
        of_another_engine(row, "3")
        _untold(row)
        if row[BOOT] == entries[first][BOOT]:
            row[MONO_NS] = entries[first][MONO_NS]
    settle(entries[first:], source)
    return _fitted(images, image, own, source)


def last_two_rounds(images: Images, own: Key, source: Random) -> Attack:
    """As if the power had failed; the record of a good stop left in."""
    image = images["stopped"].copied()
    settle(image.journal.entries[_round(image.journal, 2) :], source)
    return _fitted(images, image, own, source)


def states_untold(images: Images, own: Key, source: Random) -> Attack:
    """Many rounds, none of which tells that it is over."""
    image = images[source.choice(SIGNED)].copied()
    stretch = image.journal.entries[_round(image.journal, 11) :]
    for row in stretch:
        _untold(row)
    settle(stretch, source)
    return _fitted(images, image, own, source)


def heads_failing(images: Images, own: Key, source: Random) -> Attack:
    """An entry in the stretch says that no heads could be written."""
    image = images[source.choice(SIGNED)].copied()
    at = _round(image.journal, source.randint(1, 11))
    settle(image.journal.entries[at:], source)
    excuse(image.journal, at + 1)
    image.journal.number()
    return _fitted(images, image, own, source)


def _fitted(images: Images, image: Image, own: Key, source: Random) -> Attack:
    genuine = next(one for one in images.values() if one.true_key is image.true_key)
    image.journal.chain()
    image.journal.begin_boots()
    image.journal.chain()
    return Attack(image, Kind.FITTED, beside(genuine, image, own, source))


def _untold(row: Row) -> None:
    after = json.loads(row[BODY]).get("after")
    if isinstance(after, dict) and after.get("state") in OVER:
        without_state(row)


def _round(journal: Ledger, back: int) -> int:
    """The place where the last but so many round began."""
    begins = [
        at
        for at, row in enumerate(journal.entries)
        if row[TYPE] == "dealer" and json.loads(row[BODY]).get("command") == "open"
    ]
    return begins[-min(back, len(begins))]


# ---- less said, that less be asked --------------------------------------------------------------


def row_away(images: Images, own: Key, source: Random) -> Attack:
    """A journal rewritten, its row or the table of it taken away, perhaps also what says of which
    form it is, or another said; the heads cut back to one that covers its end."""
    name = source.choice((*SIGNED, "successor"))
    genuine = images[name]
    image = genuine.copied()
    journal = image.journal
    heads = [read_head(line) for line in image.heads or ()]
    covered = [
        head.seq
        for head in heads
        if head.journal == journal.identity.hex() and head.seq > journal.begins + 2
    ]
    if covered and source.random() < 0.7:
        del journal.entries[source.choice(covered) - journal.begins :]
    form = source.choice(("left", "stripped", "set back"))
    if form == "stripped":
        journal.strip_format()
    settle(journal.entries[source.randrange(len(journal.entries) - 1) :], source)
    journal.begin_boots()
    journal.forget_boots()
    journal.chain()
    told = beside(genuine, image, own, source)
    journal.signed = source.choice(([], None))
    journal.version = source.choice(VERSIONS) if form == "set back" else FORMAT
    way = source.choice(("kept", "cut back", "in our name", "none"))
    if way == "cut back":
        image.heads = [head.line.encode() for head in heads if head.seq <= journal.last]
    elif way == "none":
        image.heads = []
    elif way != "kept":
        ours, his = (key.fingerprint.encode() for key in (image.true_key, own))
        image.heads = [one.replace(his, ours) for one in journal.heads_anew(image.heads, own)]
    return Attack(image, Kind.FITTED, f"{name}, form {form}, heads {way}, {told}")


# ---- boots and key ------------------------------------------------------------------------------


def boot_added(images: Images, own: Key, source: Random) -> Attack:
    """A boot behind the last one, which the next start would go on with; no digest covers it."""
    name = source.choice((*SIGNED, "successor"))
    image = images[name].copied()
    journal = image.journal
    boot, _, wall, after = journal.boots[-1]
    journal.boots.append((boot + 1, "after", wall, source.choice((after, journal.last))))
    return Attack(image, Kind.BOOTS, name)


def own_key(images: Images, own: Key, source: Random) -> Attack:
    """All of it under a key of his own; the file of keys left, or exchanged as well."""
    name = source.choice(sorted(images))
    image = images[name].copied()
    journal = image.journal
    settle(journal.entries, source)
    with body_of(journal.entries[0]) as body:
        if isinstance(told := body.get(SEALING), dict):
            told |= {"key": own.public.text, "fingerprint": own.fingerprint}
    journal.chain()
    image.key = own
    journal.signed = [journal.signed_row(own)]
    image.heads = journal.heads_anew(image.heads, own)
    image.copy, image.night = journal.copied(), night_of(journal)
    kind = source.choice((Kind.FITTED, Kind.OTHER_KEYS))
    if kind is Kind.OTHER_KEYS:
        image.vkeys = source.choice(([own], []))
    return Attack(image, kind, name)


# ---- with a closed file -------------------------------------------------------------------------


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
        old.chain()
        if way == "no table":
            old.signed = None
        image.closed = {name: (old, heads)}
        journal.predecessor = old.identity, old.last, old.entries[-1][DIGEST]
    elif closed == "away":
        image.closed = {}
    kept = source.randint(1, len(journal.entries))
    del journal.entries[kept:]
    with body_of(journal.entries[0]) as body:
        body[FOUND] = []
    journal.begin_boots()
    journal.forget_boots()
    journal.chain()
    told = beside(genuine, image, own, source)
    image.closed = {} if closed == "away" else image.closed
    rows = {"his key": [journal.signed_row(own)], "no table": None}
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
        old.chain()
    elif way == "cut":
        old = old.cut(source.choice(old.commit_ends), image.true_key)
    elif way == "row exchanged":
        old.signed = [old.signed_row(own)]
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


NAMED: Final[tuple[Named, ...]] = (
    *(whole_session, last_two_rounds, states_untold, heads_failing, row_away, successor),
    *(closed_file, boot_added, carried_boots, own_key),
    *(earlier_row, before_it_was_closed),
)
