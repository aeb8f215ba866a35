"""What signatures show of a journal before it is played on: its signed row, its heads, and what is
known of it elsewhere, judged together. Whether it is all there, and the same.

What is found is a fault of the catalogue with its particulars:

- ``journal-not-signed``: the signed row does not cover the last entry, or is missing
  (:mod:`controller.journal.commits`). Whoever wrote there last had not the key.
- ``journal-cut``: the journal ends before an entry that is known from elsewhere.
- ``journal-differs-from-head``: the entry that is known is another one now, or the journal is not
  the one that was signed and does not go on from it.
- ``heads-doubted``: the heads or the key that the journal tells of are gone, were exchanged, or
  cannot be read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.causes.finding import cause_of
from controller.causes.who_may import READ
from controller.evidence.heads import SignedHead, last_head
from controller.evidence.recorded import (
    CUT,
    DIFFERS,
    DOUBTED,
    HEADS,
    NOT_SIGNED,
    RECOVERED_BY,
    FoundAtStart,
    found_at_start,
    recorded_heads,
)
from controller.evidence.tree.checkpoint import parsed
from controller.forms.json_values import JsonObject
from controller.journal.commits import NO_ROW, SHOWN, Cover
from controller.journal.keys import BadKey, ControllerKey, PublicKey
from controller.journal.reader import OpenJournal

_UNKNOWN: Final = (
    ", and it is not among those that count: where it is the table's, put its line into the file "
    "of verifier keys before the next start, which takes for forged what it signs ('tablectl "
    "journal checkpoint --vkey' prints it)"
)

_BEGUN: Final = (
    "a new journal was begun, though other keys count here: if the table had one, its state "
    "directory was moved or emptied, or is not mounted; then stop the controller and put the old "
    "one back before anybody plays; "
)

Last = Callable[[Path, Collection[PublicKey]], SignedHead | None]
"""Reads the last head as :func:`controller.evidence.heads.last_head` does."""


def check_heads(
    journal: OpenJournal,
    path: Path,
    key: PublicKey,
    trusted: Collection[PublicKey],
    last: Last = last_head,
) -> Iterator[tuple[str, str]]:
    """What the heads in the file at ``path`` show: codes of faults with their particulars. ``key``
    is the controller's, ``trusted`` are those whose heads count. ``last`` alone asks their medium.
    Asked before the commit thread starts."""
    try:
        told_by, recorded = recorded_heads(journal)
        named = PublicKey.of_text(str(recorded["key"])) if recorded is not None else None
    except (BadKey, KeyError):
        yield DOUBTED, "the last start record tells of heads and names no key"
        return
    unknown = "" if key in trusted else _UNKNOWN
    if named is not None and named != key:
        whose = f"entry {told_by} tells of ({named.fingerprint[:SHOWN]}…)"
        yield DOUBTED, f"the key is {key.fingerprint[:SHOWN]}…, not the one that {whose}{unknown}"
    elif unknown:
        begun = "" if journal.head.seq or journal.predecessor else _BEGUN
        yield DOUBTED, f"{begun}the key is {key.fingerprint[:SHOWN]}…{unknown}"
    try:
        newest = last(path, {key, *trusted})
    except FileNotFoundError:
        newest = None
    except OSError as error:
        yield DOUBTED, f"{path} cannot be read: {cause_of(error, path, wants=READ)}"
        return
    if newest is not None:
        yield from compare_head(journal, newest)
    elif recorded is not None and recorded.get(HEADS) is not False:
        yield DOUBTED, f"{path} has none of the heads that entry {told_by} tells of"


def compare_head(journal: OpenJournal, newest: SignedHead) -> Iterator[tuple[str, str]]:
    """Whether the journal has the entry that the last head names, or goes on from it."""
    before, last = journal.predecessor, journal.head.seq
    signed = f"entry {newest.seq} (signed {newest.wall}, boot {newest.boot})"
    if newest.journal == journal.identity.hex():
        if newest.seq > last:
            missing = f"entries {last + 1} to {newest.seq} are missing"
            yield CUT, f"a head was signed for {signed}, the journal ends with {last}: {missing}"
        elif not has_entry(journal, newest.seq, bytes.fromhex(newest.digest)):
            yield DIFFERS, f"{signed} is another one in the journal now"
    elif before is None or newest.journal != before.identity.hex():
        yield DIFFERS, f"the last head is for {signed} of a journal that this one does not go on"
    elif newest.seq > before.seq:
        missing = f"entries {before.seq + 1} to {newest.seq} are missing"
        yield CUT, f"a head was signed for {signed} of the archived journal: {missing}"
    elif newest.seq == before.seq and newest.digest != before.digest.hex():
        yield DIFFERS, f"this journal goes on from another entry {before.seq} than {signed}"


def has_entry(journal: OpenJournal, seq: int, digest: bytes) -> bool:
    """Whether the journal's entry of that number has that digest; what is known of no entry yet
    agrees with every journal of its name."""
    before = journal.predecessor
    if seq <= (before.seq if before else 0):
        return True
    found = next(iter(journal.iterate(seq - 1, seq)), None)
    return found is not None and found.digest == digest


Fault = tuple[str, str]  # its code and its particulars
VOUCHED: Final = "taken from the floor without a signed row; all of it is in a signed checkpoint"


@dataclass(frozen=True, slots=True)
class SeenAtStart:
    """What was found: the ``faults``, the last head (``newest``, None for none), and what of it the
    start record keeps for ever (``found``, None for nothing); ``recovered`` is the checkpoint that
    vouches for a journal without a row, empty where none had to."""

    faults: list[Fault]
    newest: SignedHead | None
    found: FoundAtStart | None
    recovered: str


def judge_start(
    journal: OpenJournal,
    key: PublicKey,
    trusted: Collection[PublicKey],
    heads: tuple[Path, Last],
    others: Callable[[], Iterable[Fault]],
    recovered: Callable[[], str],
) -> SeenAtStart:
    """Judge the journal of the controller with that ``key``, by the keys that are ``trusted``.
    ``heads`` are their file and who asks its medium for the last one; ``others`` says what is known
    of it elsewhere, ``recovered`` which signed checkpoint is of exactly this journal, "" for none.
    """
    newest: SignedHead | None = None
    path, last = heads

    def ask_last_head(path: Path, keys: Collection[PublicKey]) -> SignedHead | None:
        nonlocal newest
        newest = last(path, keys)
        return newest

    of_heads = list(check_heads(journal, path, key, trusted, ask_last_head))
    cover = journal.cover(trusted)
    wrong, by = cover.wrong, ""
    if wrong == NO_ROW and (by := recovered()):
        wrong = ""
    elsewhere = list(others())
    faults = [*of_heads, *elsewhere]
    told = next((one for one in faults if one[0] in (CUT, DIFFERS)), None)
    if cover.key is not None and cover.key != key:
        # Whoever has a key in the file is not this controller, and may be gone by tomorrow.
        doubted = next((detail for code, detail in of_heads if code == DOUBTED), "")
        if not doubted:
            signer = f"{cover.key.fingerprint[:SHOWN]}…, which is another key than the controller's"
            doubted = f"its last entry was signed with {signer}"
            faults.append(_behind(cover, DOUBTED, doubted))
        told = told or (DOUBTED, doubted)
    if by:
        # Whoever has the floor could have given an earlier state: people look, and witnesses tell.
        faults.insert(0, _behind(cover, DOUBTED, f"{VOUCHED} of {parsed(by).origin}"))
    if wrong:
        faults.insert(0, _behind(cover, NOT_SIGNED, wrong))
        told = NOT_SIGNED, wrong
    found = found_at_start(*told, journal.identity, cover) if told else None
    return SeenAtStart(faults, newest, found, by)


def _behind(cover: Cover, fault: str, wrong: str) -> Fault:
    """Each time in other words: the same ones would not hold the table once more."""
    return fault, f"{wrong} (found behind entry {cover.last.seq})"


def record(journal: OpenJournal, key: ControllerKey, vkey: Path, seen: SeenAtStart) -> JsonObject:
    """For the start record: which journal it is, with which key it is signed, and in which file it
    is said which keys count. Behind an unclean end the last entry that was found."""
    public, last = key.public, journal.head
    told = recorded_heads(journal)[1]
    none = seen.newest is None and (told is None or told.get(HEADS) is False)
    ended = next(iter(journal.iterate(last.seq - 1)), None) if last.seq else None
    clean = ended is None or ended.type in ("stop", "snapshot")
    return {
        "journal": journal.identity.hex(),
        "key": public.text,
        "fingerprint": public.fingerprint,
        "kept": "credential" if key.installed else "file",
        "vkey": str(vkey),
        **({HEADS: False} if none else {}),
        **({RECOVERED_BY: seen.recovered} if seen.recovered else {}),
        "first": last.seq,
        **({} if clean else {"ended": {"seq": last.seq, "digest": last.digest.hex()}}),
    }
