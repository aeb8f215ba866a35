"""What signatures show of a journal before it is played on: its signed row, its heads, and what is
known of it elsewhere, judged together.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.evidence.seals.heads import SignedHead
from controller.evidence.seals.recorded import (
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
from controller.evidence.seals.sealed import Last, check_heads
from controller.evidence.tree.checkpoint import parsed
from controller.forms.json_values import JsonObject
from controller.journal.commits import NO_ROW, SHOWN, Cover
from controller.journal.keys import ControllerKey, PublicKey
from controller.journal.reader import OpenJournal

Fault = tuple[str, str]
"""Its code and its particulars."""

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
