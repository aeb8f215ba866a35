"""Attacks by chance: a rewrite, how far it is made to fit, and what is done with all that lies
beside the journal; or an earlier state put back.

Each commit is a signed one, and an attacker may have kept it. What else knows how far the journal
was is put back with it, taken away, or left. Whatever is left and knows of a later state *stands*,
and must be heard at the start. Where nothing stands the whole was rolled back, which no signature
shows.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any, Final

from controller.evidence.heads import read_head
from controller.journal.schema import FORMAT
from proof.torture.alterations.image import Image, Images, night_of
from proof.torture.alterations.judging import Attack, Kind
from proof.torture.alterations.ledger import DEVICE, DIGEST, EVENT_NO, SEQ, SESSION, Key, Ledger
from proof.torture.alterations.rewriting import rewrite

HEADS: Final = ("left", "later dropped", "none", "no file", "his", "his behind")
VERSIONS: Final = (0, 2, 3)
"""Of other forms."""


def by_chance(genuine: Image, own: Key, source: Random) -> Attack | None:
    """An attack by somebody with that key of his ``own``; None where all is as it was."""
    image = genuine.copied()
    done = rewrite(image.journal, source)
    if source.random() < 0.3:
        return _left_broken(genuine, image, source, done)
    image.journal.begin_boots()
    if source.random() < 0.05:
        image.journal.strip_format()
    image.journal.chain()
    if image.journal.story == genuine.journal.story:
        return None
    told = sorted(done)
    kind = Kind.FITTED
    if source.random() < 0.2:
        image.key = own
        told.append("his key")
        if source.random() < 0.3:
            image.vkeys, kind = source.choice(([own], [])), Kind.OTHER_KEYS
            told.append("in the file of keys" if image.vkeys else "no file of keys")
    told.append(beside(genuine, image, own, source))
    return Attack(image, kind, ", ".join(told))


def _left_broken(genuine: Image, image: Image, source: Random, done: set[str]) -> Attack | None:
    """What was rewritten fits up to a place before the end, or nowhere."""
    journal = image.journal
    first = _first_changed(genuine.journal, journal)
    if first is None:
        return None
    upto = source.randint(first, len(journal.entries) - 1)
    journal.chain(first, upto)
    fitted = journal.copied()
    fitted.chain()
    if _first_changed(fitted, journal) is None:
        return None
    return Attack(image, Kind.BROKEN, f"{', '.join(sorted(done))}; fits up to entry {upto}")


def _first_changed(genuine: Ledger, journal: Ledger) -> int | None:
    """The place of the first entry that is another one."""
    pairs = enumerate(zip(genuine.entries, journal.entries, strict=False))
    return next((at for at, (one, other) in pairs if one != other), None)


# ---- what lies beside ---------------------------------------------------------------------------


def beside(genuine: Image, image: Image, own: Key, source: Random) -> str:
    """Do something with all of that, by chance; what, in words."""
    parts = [_row(genuine, image, own, source), _heads(genuine, image, own, source)]
    copy, night = (source.choice(("left", "alike", "away")) for _ in range(2))
    if copy != "left":
        image.copy = image.journal.copied() if copy == "alike" else None
    if night == "away":
        image.night = None
    elif night != "left" and image.night is not None:
        last = image.journal.entries[-1]
        image.night |= {"to": last[SEQ], "digest": last[DIGEST].hex()}
    if source.random() < 0.2:
        image.tree = bytes(image.journal.tree().nodes)
    image.requested = source.random() < 0.2
    if source.random() < 0.2:
        image.mark = json.dumps("it has entries up to 9 from the copy")
    parts += [f"copy {copy}", f"night {night}"]
    if image.closed:
        taken = source.random() < 0.3
        image.closed = {} if taken else image.closed
        parts.append(f"closed file {'away' if taken else 'left'}")
    return ", ".join(parts)


def _row(genuine: Image, image: Image, own: Key, source: Random) -> str:
    """The signed row, and the version of the file."""
    journal, ours = image.journal, genuine.true_key
    journal.version = source.choice(VERSIONS) if source.random() < 0.05 else FORMAT
    place = source.choice(genuine.journal.commit_ends or [0])
    mine = journal.signed_row(own)
    true = list(genuine.journal.signed or ())
    choices: dict[str, list[tuple[Any, ...]] | None] = {
        "row left": true,
        "no row": [],
        "no table": None,
        "an earlier row": [genuine.journal.signed_row(ours, place)],
        "his row": [mine],
        "his row in our name": [(*mine[:3], ours.fingerprint, mine[4])],
        "two rows": [mine, *(true or [mine])],
        "row renumbered": [(*mine[:2], *row[2:]) for row in true] or None,
    }
    what = source.choice(sorted(choices))
    journal.signed = choices[what]
    return f"{what}, version {journal.version}"


def _heads(genuine: Image, image: Image, own: Key, source: Random) -> str:
    """The file of signed heads."""
    heads, journal = list(genuine.heads or ()), image.journal
    place = _first_changed(genuine.journal, journal)
    changed = journal.last if place is None else journal.entries[place][SEQ]
    what = source.choice(HEADS)
    name = journal.identity.hex()
    kept = [
        line for line in heads if (head := read_head(line)).seq < changed or head.journal != name
    ]
    match what:
        case "later dropped":
            image.heads = kept
        case "none":
            image.heads = []
        case "no file":
            image.heads = None
        case "his":
            image.heads = journal.heads_anew(heads, own)
        case "his behind":
            image.heads = kept + journal.heads_anew(heads, own)
    return f"heads {what}"


# ---- an earlier state put back ------------------------------------------------------------------


def earlier_row(images: Images, own: Key, source: Random) -> Attack:
    """The signed row of an earlier commit, with the journal cut to it."""
    image = images[source.choice(("signed", "stopped", "successor"))].copied()
    image.journal = image.journal.cut(source.choice(image.journal.commit_ends), image.true_key)
    return _put_back(image, source, image.heads or [])


def before_it_was_closed(images: Images, own: Key, source: Random) -> Attack:
    """The journal as it was before it was closed; what is in the archive left, or taken away."""
    image = images["successor"].copied()
    old, heads = next(iter(image.closed.values()))
    place = source.choice([*old.commit_ends, len(old.entries) - 1])
    image.journal = old.cut(place, image.true_key)
    if source.random() < 0.5:
        return _put_back(image, source, heads, "archive")
    image.closed = {}
    return _put_back(image, source, heads)


def _put_back(image: Image, source: Random, heads: list[bytes], *stands: str) -> Attack:
    """Put back what else knows, or leave it, beside the ``image``'s journal, which is put back;
    ``heads`` are those of it, some of which were there at the time."""
    journal, knows = image.journal, {*stands}
    image.requested = source.random() < 0.2
    if source.random() < 0.5:
        last = read_head(image.heads[-1]) if image.heads else None
        if last and (last.journal != journal.identity.hex() or last.seq > journal.last):
            knows.add("heads")
    else:
        image.heads = [line for line in heads if read_head(line).seq <= journal.last]
    match source.choice(("left", "back", "away")):
        case "back":
            image.copy = journal.copied()
        case "away":
            image.copy = None
        case _:
            assert image.copy is not None
            if image.copy.identity != journal.identity or image.copy.last > journal.last:
                knows.add("copy")
    match source.choice(("left", "back", "away")):
        case "back":
            image.night = night_of(journal)
        case "away":
            image.night = None
        case _:
            assert image.night is not None
            its = image.night["journal"] == journal.identity.hex()
            if its and image.night["to"] > journal.last:
                knows.add("night")
    stored = {
        row[DEVICE]: (row[SESSION], row[EVENT_NO])
        for row in journal.entries
        if row[EVENT_NO] is not None
    }
    if source.random() < 0.5:
        image.devices = {}
    for name, (session, event_no) in image.devices.items():
        last_session, last_no = stored.get(name, (None, 0))
        if last_session == session and last_no < event_no:
            knows.add("device")
    kind = Kind.BACK if knows else Kind.BACK_WHOLE
    stand = ", ".join(sorted(knows)) or "nothing"
    return Attack(image, kind, f"to entry {journal.last}, stands: {stand}")
