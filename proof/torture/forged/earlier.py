"""An earlier state put back: each commit is a signed one, and an attacker may have kept it.

What else knows how far the journal was is put back with it, taken away, or left. Whatever is left
and knows of a later state *stands*, and must be heard at the start. Where nothing stands the whole
was rolled back, which no signature shows.
"""

from __future__ import annotations

from random import Random

from controller.evidence.heads import read_head
from proof.torture.forged.attacks import Attack, Images, Kind
from proof.torture.forged.fitting import commit_ends, row_for
from proof.torture.forged.image import DEVICE, EVENT_NO, SESSION, Image, Key, Ledger, night_of

Positions = dict[str, tuple[int, int]]
"""By device the session and the last event in it."""


def earlier_row(images: Images, own: Key, source: Random) -> Attack:
    """The signed row of an earlier commit, with the journal cut to it."""
    image = images[source.choice(("signed", "stopped", "successor"))].copied()
    image.journal = cut(image.journal, source.choice(commit_ends(image.journal)), image.true_key)
    return _put_back(image, source, image.heads or [])


def before_it_was_closed(images: Images, own: Key, source: Random) -> Attack:
    """The journal as it was before it was closed; what is in the archive left, or taken away."""
    image = images["successor"].copied()
    old, heads = next(iter(image.closed.values()))
    place = source.choice([*commit_ends(old), len(old.entries) - 1])
    image.journal = cut(old, place, image.true_key)
    if source.random() < 0.5:
        return _put_back(image, source, heads, "archive")
    image.closed = {}
    return _put_back(image, source, heads)


def cut(ledger: Ledger, place: int, key: Key) -> Ledger:
    """The journal as it was when the entry at that place was its last one, genuine in all of it."""
    earlier = ledger.copied()
    del earlier.entries[place + 1 :]
    earlier.boots = [boot for boot in earlier.boots if boot[3] < earlier.last]
    earlier.signed = [row_for(earlier, key)]
    return earlier


def _put_back(image: Image, source: Random, heads: list[bytes], *stands: str) -> Attack:
    """Put back what else knows, or leave it, beside the ``image``'s journal, which is put back;
    ``heads`` are those of it, some of which were there at the time."""
    journal, knows = image.journal, {*stands}
    image.requested = source.random() < 0.2
    told = [(read_head(line), line) for line in heads]
    if source.random() < 0.5:
        knows |= {"heads"} if _heads_know(image.heads, journal) else set()
    else:
        image.heads = [line for head, line in told if head.seq <= journal.last]
    match source.choice(("left", "back", "away")):
        case "back":
            image.copy = journal.copied()
        case "away":
            image.copy = None
        case _:
            assert image.copy is not None
            differs = image.copy.identity != journal.identity or image.copy.last > journal.last
            knows |= {"copy"} if differs else set()
    match source.choice(("left", "back", "away")):
        case "back":
            image.night = night_of(journal)
        case "away":
            image.night = None
        case _:
            assert image.night is not None
            its = image.night["journal"] == journal.identity.hex()
            knows |= {"night"} if its and image.night["to"] > journal.last else set()
    stored = _positions(journal)
    if source.random() < 0.5:
        image.devices = {}
    elif any(_was_further(stored.get(name), at) for name, at in image.devices.items()):
        knows.add("device")
    kind = Kind.BACK if knows else Kind.BACK_WHOLE
    stand = ", ".join(sorted(knows)) or "nothing"
    return Attack(image, kind, f"to entry {journal.last}, stands: {stand}")


def _heads_know(heads: list[bytes] | None, journal: Ledger) -> bool:
    """Whether the last head is of an entry that the journal has not."""
    if not heads:
        return False
    last = read_head(heads[-1])
    return last.journal != journal.identity.hex() or last.seq > journal.last


def _positions(journal: Ledger) -> Positions:
    return {
        row[DEVICE]: (row[SESSION], row[EVENT_NO])
        for row in journal.entries
        if row[EVENT_NO] is not None
    }


def _was_further(stored: tuple[int, int] | None, at: tuple[int, int]) -> bool:
    return stored is not None and stored[0] == at[0] and stored[1] < at[1]
