"""An attack by chance: a rewrite, how far it is made to fit, and what is done with all that lies
beside the journal.

What becomes of an attack is told by its :class:`Kind`:

- recomputed to the end: the start, the verification and the verifier each must find it;
- with the file of verifier keys exchanged as well: whoever has the true key from elsewhere;
- left broken further back: the verification, the verifier and the scrubber's first walk;
- an earlier state put back: whoever stands that knows of a later one finds it at the start.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum
from random import Random
from typing import Any, Final

from controller.evidence.heads import read_head
from controller.journal.schema import FORMAT
from proof.torture.forged.fitting import (
    boots_begin,
    chain,
    commit_ends,
    grown,
    heads_anew,
    row_for,
    without_format,
)
from proof.torture.forged.image import DIGEST, SEQ, Image, Key, Ledger
from proof.torture.forged.judging import SCRUBBER, START, VERIFIER, VERIFY
from proof.torture.forged.rewriting import rewrite


class Kind(Enum):
    """What an attack amounts to."""

    FITTED = "recomputed to the end"
    OTHER_KEYS = "recomputed, the file of keys too"
    BROKEN = "left broken further back"
    ARCHIVE = "the closed file altered or taken away"
    BOOTS = "a boot that no entry has"
    BACK = "an earlier state put back"
    BACK_WHOLE = "rolled back whole"

    @property
    def finders(self) -> tuple[str, ...]:
        """Who must find it; of what is put back somebody at the start, and of the whole nobody."""
        return _FINDERS[self]


_FINDERS: Final = {
    Kind.FITTED: (START, VERIFY, VERIFIER),
    Kind.OTHER_KEYS: (VERIFY, VERIFIER),
    Kind.BROKEN: (VERIFY, VERIFIER, SCRUBBER),
    Kind.ARCHIVE: (VERIFY,),
    Kind.BOOTS: (START, VERIFY),
    Kind.BACK: (START,),
    Kind.BACK_WHOLE: (),
}


Images = dict[str, Image]
"""The genuine ones, by the names of :mod:`~.material`."""

HEADS: Final = ("left", "later dropped", "none", "no file", "his", "his behind")
VERSIONS: Final = (0, 2, 3)
"""Of other forms."""


@dataclass(frozen=True, slots=True)
class Attack:
    """The altered ``image``, its ``kind``, and in words which one it is."""

    image: Image
    kind: Kind
    told: str


def by_chance(genuine: Image, own: Key, source: Random) -> Attack | None:
    """An attack by somebody with that key of his ``own``; None where all is as it was."""
    image = genuine.copied()
    done = rewrite(image.journal, source)
    if source.random() < 0.3:
        return _left_broken(genuine, image, source, done)
    boots_begin(image.journal)
    if source.random() < 0.05:
        without_format(image.journal)
    chain(image.journal)
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
    chain(journal, first, upto)
    if not _breaks(journal):
        return None
    return Attack(image, Kind.BROKEN, f"{', '.join(sorted(done))}; fits up to entry {upto}")


def _first_changed(genuine: Ledger, journal: Ledger) -> int | None:
    """The place of the first entry that is another one."""
    pairs = enumerate(zip(genuine.entries, journal.entries, strict=False))
    return next((at for at, (one, other) in pairs if one != other), None)


def _breaks(journal: Ledger) -> bool:
    """Whether an entry does not follow from the one before it."""
    fitted = journal.copied()
    before = [row[DIGEST] for row in journal.entries]
    for at in range(len(before)):
        chain(fitted, at, at + 1)
        if fitted.entries[at][DIGEST] != before[at]:
            return True
    return False


# ---- what lies beside ---------------------------------------------------------------------------


def beside(genuine: Image, image: Image, own: Key, source: Random) -> str:
    """Do something with all of that, by chance; what, in words."""
    parts = (_row, _heads, _copy, _night, _files)
    return ", ".join(filter(None, [part(genuine, image, own, source) for part in parts]))


def _row(genuine: Image, image: Image, own: Key, source: Random) -> str:
    """The signed row, and the version of the file."""
    journal = image.journal
    journal.version = source.choice(VERSIONS) if source.random() < 0.05 else FORMAT
    place = source.choice(commit_ends(genuine.journal) or [0])
    mine = row_for(journal, own)
    true = list(genuine.journal.signed or ())
    choices: dict[str, list[tuple[Any, ...]] | None] = {
        "row left": true,
        "no row": [],
        "no table": None,
        "an earlier row": [row_for(genuine.journal, genuine.true_key, place)],
        "his row": [mine],
        "his row in our name": [(*mine[:3], genuine.true_key.fingerprint, mine[4])],
        "two rows": [mine, *(true or [mine])],
        "row renumbered": [(mine[0], mine[1], row[2], row[3], row[4]) for row in true] or None,
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
            image.heads = heads_anew(heads, journal, own)
        case "his behind":
            image.heads = kept + heads_anew(heads, journal, own)
    return f"heads {what}"


def _copy(genuine: Image, image: Image, own: Key, source: Random) -> str:
    what = source.choice(("left", "alike", "away"))
    if what != "left":
        image.copy = image.journal.copied() if what == "alike" else None
    return f"copy {what}"


def _night(genuine: Image, image: Image, own: Key, source: Random) -> str:
    what = source.choice(("left", "alike", "away"))
    if what == "away":
        image.night = None
    elif what != "left" and image.night is not None:
        last = image.journal.entries[-1]
        image.night |= {"to": last[SEQ], "digest": last[DIGEST].hex()}
    return f"night {what}"


def _files(genuine: Image, image: Image, own: Key, source: Random) -> str:
    """The tree's nodes, a request to close it, the mark of a recovery; the closed files taken
    away."""
    if source.random() < 0.2:
        image.tree = bytes(grown(image.journal).nodes)
    image.requested = source.random() < 0.2
    if source.random() < 0.2:
        image.mark = json.dumps("it has entries up to 9 from the copy")
    if image.closed and source.random() < 0.3:
        image.closed = {}
        return "closed file away"
    return "closed file left" if image.closed else ""
