"""The attacks that have a name. Each takes the genuine images, the forger's own key and chance, by
which it chooses what it leaves open: which base, and what becomes of row, heads and side files.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any, Final

from controller.evidence.heads import read_head
from controller.journal.schema import FORMAT
from proof.torture.forged.attacks import VERSIONS, Attack, Images, Kind, beside
from proof.torture.forged.earlier import before_it_was_closed, earlier_row
from proof.torture.forged.fitting import (
    boots_begin,
    chain,
    heads_anew,
    row_for,
    without_format,
)
from proof.torture.forged.image import (
    BODY,
    BOOT,
    MONO_NS,
    TYPE,
    Image,
    Key,
    Ledger,
    night_of,
)
from proof.torture.forged.rewriting import (
    altered,
    excuse,
    number,
    of_another_engine,
    settle,
    without_state,
)
from proof.torture.forged.successors import carried_boots, closed_file, successor

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
    number(image.journal)
    return _fitted(images, image, own, source)


def _fitted(images: Images, image: Image, own: Key, source: Random) -> Attack:
    genuine = next(one for one in images.values() if one.true_key is image.true_key)
    chain(image.journal)
    boots_begin(image.journal)
    chain(image.journal)
    return Attack(image, Kind.FITTED, beside(genuine, image, own, source))


def _untold(row: list[Any]) -> None:
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
        without_format(journal)
    settle(journal.entries[source.randrange(len(journal.entries) - 1) :], source)
    boots_begin(journal)
    journal.boots = [boot for boot in journal.boots if boot[3] < journal.last]
    chain(journal)
    told = beside(genuine, image, own, source)
    journal.signed = source.choice(([], None))
    journal.version = source.choice(VERSIONS) if form == "set back" else FORMAT
    way = source.choice(("kept", "cut back", "in our name", "none"))
    if way == "cut back":
        image.heads = [head.line.encode() for head in heads if head.seq <= journal.last]
    elif way == "none":
        image.heads = []
    elif way != "kept":
        image.heads = _in_our_name(image, own)
    return Attack(image, Kind.FITTED, f"{name}, form {form}, heads {way}, {told}")


def _in_our_name(image: Image, own: Key) -> list[bytes]:
    """Heads over what was forged, with the true key's fingerprint."""
    lines = heads_anew(image.heads or (), image.journal, own)
    ours, his = image.true_key.fingerprint, own.fingerprint
    return [line.replace(his.encode(), ours.encode()) for line in lines]


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
    altered(journal.entries[0], _naming(own))
    chain(journal)
    image.key = own
    journal.signed = [row_for(journal, own)]
    image.heads = heads_anew(image.heads or (), journal, own)
    image.copy, image.night = journal.copied(), night_of(journal)
    kind = source.choice((Kind.FITTED, Kind.OTHER_KEYS))
    if kind is Kind.OTHER_KEYS:
        image.vkeys = source.choice(([own], []))
    return Attack(image, kind, name)


def _naming(own: Key) -> Callable[[dict[str, Any]], None]:
    def change(body: dict[str, Any]) -> None:
        if isinstance(told := body.get("sealing"), dict):
            told |= {"key": own.public.text, "fingerprint": own.fingerprint}

    return change


NAMED: Final[tuple[Named, ...]] = (
    *(whole_session, last_two_rounds, states_untold, heads_failing, row_away, successor),
    *(closed_file, boot_added, carried_boots, own_key),
    *(earlier_row, before_it_was_closed),
)
