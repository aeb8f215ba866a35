"""Exports with heads and the signed commit, as an inspector may be given them: altered by whom it
may be.

Bytes are flipped, lines left out, doubled, exchanged, cut; fields take other values; and somebody
who knows how alters an entry and computes every digest behind it again, but does not have the
controller's key.

- An export that is not the one that was made is never called verified, as long as the commit is
  among the heads: where that is cut off too, a cut export ends where its heads end.
- Nothing raises, and the report can be written, whatever the files hold.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from controller.draw.generator import draw
from controller.draw.weights import Weights
from controller.evidence.heads import SignedHead
from controller.journal.commits import read_row
from controller.journal.export import lines
from controller.journal.keys import ControllerKey
from controller.journal.model import Draft
from controller.journal.reader import JournalReader
from controller.journal.store import Journal
from proof.fuzzing.choices import Choices
from proof.fuzzing.target import Target
from proof.torture.alterations.judging import verification_of
from verifier import verify_journal as verifier

WALL = "2026-11-21T01:00:00.000+00:00"
WEIGHTS = ((100, 4), (50, 8), (25, 20), (2, 5))
VALUES: tuple[Any, ...] = (
    *(0, 1, -1, 2, 7, 2**31, 2**63, 10**40, True, None, "", "x", "draw", "start", "shoe", [], {}),
    *([1], {"a": 1}, "ab" * 32, "AB" * 32, "0" * 64, " ", "\u2028", [[100, 4]], {"state": "idle"}),
)


@dataclass(frozen=True, slots=True)
class _Export:
    """What the controller made: the export's lines, the heads' lines, and the key to check them
    by."""

    journal: tuple[bytes, ...]
    heads: tuple[bytes, ...]
    keys: verifier.Keys


def _history() -> list[tuple[str, list[Draft]]]:
    bits = random.Random(1).getrandbits
    settings = {"weights": [list(pair) for pair in WEIGHTS]}
    begun = {
        "settings": settings,
        "program": {"version": "1", "digest": "aa" * 32},
        "sealing": {"fingerprint": "bb" * 32},
        "versions": {"format": 1},
    }

    def card(number: int) -> Draft:
        body = {"rank": 9, "suit": 2, "after": {"state": "deal"}}
        return Draft("CARD", body, "shoe", 7, number, number * 10)

    def start(state: str) -> Draft:
        return Draft("start", {**begun, "after": {"state": state}})

    def drawn(offer: int) -> Draft:
        body = {"box": 3, **draw(Weights(WEIGHTS), bits).as_body(), "after": {}}
        return Draft("draw", body, offer=offer)

    renumbered = Draft("link", {"up": True}, "shoe", 7, renumbered=True)
    return [
        ("boot-one", [start("idle"), card(1), card(2), drawn(7), card(3)]),
        ("boot-two", [start("held.deal"), renumbered, card(1), drawn(9)]),
    ]


@cache
def _made_export() -> _Export:
    with TemporaryDirectory(prefix="fuzz-") as name:
        folder = Path(name)
        key = ControllerKey(folder / "key")
        for boot_id, drafts in _history():
            with Journal(folder / "state", key, boot_id=boot_id) as journal:
                for draft in drafts:
                    journal.append([draft], journal.head.seq + 1, WALL)
        with JournalReader(folder / "state") as reader:
            exported = tuple(line.encode("ascii") for line in lines(reader))
            heads = [
                SignedHead(reader.identity.hex(), "P12", one.seq, one.digest.hex(), one.boot, WALL)
                for one in reader.iterate()
            ]
            row, _ = read_row(reader.connection)
            assert row is not None
            signed = [*(head.signed(key).line for head in heads), row.line(reader.identity)]
        covered = tuple(line.encode("ascii") for line in signed)
        made = _Export(exported, covered, verifier.Keys([key.public.text]))
    assert _verify(made, list(made.journal), list(made.heads)) == verifier.VERIFIED
    return made


def _verify(made: _Export, journal: list[bytes], heads: list[bytes]) -> int:
    try:
        found = verification_of(journal, heads, made.keys)
    except verifier.OtherFormat:
        return verifier.INCOMPLETE
    json.dumps(verifier.as_json(found))
    assert all(isinstance(line, str) for line in verifier.report(found))
    return found.status


def _alter(choices: Choices, found: list[bytes], *, resealed: bool) -> None:
    """One change somewhere in the lines of a file."""
    if not found:
        return
    at = choices.below(len(found))
    line = found[at]
    where = choices.below(len(line) + 1)
    match choices.below(9):
        case 0:
            found[at] = line[:where] + bytes([choices.byte()]) + line[where + 1 :]
        case 1:
            found[at] = line[:where] + choices.raw(choices.below(5)) + line[where:]
        case 2:
            del found[at]
        case 3:
            found.insert(at, found[choices.below(len(found))])
        case 4:
            other = choices.below(len(found))
            found[at], found[other] = found[other], found[at]
        case 5:
            del found[at:]
        case 6:
            found[at] = line[:where]
        case _:
            _other_value(choices, found, at, resealed=resealed)


def _other_value(choices: Choices, found: list[bytes], at: int, *, resealed: bool) -> None:
    """Another value in a line's object, spelled as it should be; and every digest after it."""
    try:
        told = json.loads(found[at])
        inside = told.get("body", told) if choices.below(2) else told
        name = choices.among([*inside, "offer", "renumbered", "body", "x"])
        inside[name] = choices.among(VALUES)
        found[at] = _spelled(told)
    except (ValueError, AttributeError, TypeError, LookupError):
        return  # an earlier change has left nothing there to change
    if resealed and choices.below(2):
        _reseal(found)


def _reseal(found: list[bytes]) -> None:
    """Make the chain agree with what the lines say now, as far as they say anything."""
    before = b""
    try:
        for at, line in enumerate(found):
            told = json.loads(line)
            if at == 0:
                before = verifier.genesis(told)[1]
            told["digest"] = verifier.digest_of(told, verifier.body_of(told), before)
            before = bytes.fromhex(told["digest"])
            found[at] = _spelled(told)
    except verifier._UNREADABLE:
        return


def _spelled(told: object) -> bytes:
    return verifier._encode(told).encode("ascii", "replace")


def run_bytes(data: bytes) -> int:
    """An export and its heads, altered."""
    made, choices = _made_export(), Choices(data)
    journal, heads = list(made.journal), list(made.heads)
    for _ in range(choices.below(3) + 1):
        if choices.below(4):
            _alter(choices, journal, resealed=True)
        else:
            _alter(choices, heads, resealed=False)
    status = _verify(made, journal, heads)
    if tuple(journal) != made.journal and made.heads[-1] in heads:
        assert status != verifier.VERIFIED, "an export that was altered is called verified"
    return 1


def seeds() -> list[bytes]:
    """Each kind of change, here and there."""
    return [bytes([0, 1, at, 20 * at, way, 3, at, at]) for way in range(9) for at in (0, 3, 8)]


TARGETS = (Target("exports", "exports", run_bytes, seeds, most_bytes=64),)
