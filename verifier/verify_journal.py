#!/usr/bin/env python3
"""Verify a table's exported journal: that it is whole, unchanged, and as its controller signed it.

    python3 -I verify_journal.py JOURNAL.jsonl --heads HEADS.jsonl --key PUBLIC-KEY
    python3 -I verify_journal.py --proof ROUND.json --key PUBLIC-KEY [--page ROUND.html]
    python3 -I verify_journal.py --proof EXTENSION.json --key PUBLIC-KEY

This one file is all of it. It needs Python 3.11 or newer and, for the signatures, the package
``cryptography``; nothing of the controller. Get it from whoever approved the equipment, not from
the controller that is examined. How each figure comes about, to be done again by other means, is
written down in docs/evidence.md. It reads line by line: an export of any length.

What is checked, of every line: the spelling; the number; the digest, computed again from the line
and the one before it; boots and clocks in order; a device's event once; a draw once for an offer,
and computed again from its ticket and the weights in force. Of every head and signed commit: its
signature, its key, that its entry is in the export with that digest, that its checkpoint has the
root of the tree over the lines. What a good one covers is covered. What lies behind is not
verified, whatever the entries say of it: who forges them writes what he likes.

With ``--proof`` one round is verified against its checkpoint and told, or that one checkpoint
extends another; no journal is needed. ``--checkpoint`` is one that you kept: the proof must be
against that, or the extension that ``--extension`` names must lead from one to the other; an export
must have its root. Of the witnesses ``--quorum`` must have cosigned, all where it is left out.

Exit status: 0 verified, all of it; 1 something is wrong; 2 it could not be verified, or not all of
it (no heads, no key, no ``cryptography``, entries that no signature covers, too few witnesses), or
wrong use.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import hashlib
import html
import io
import itertools
import json
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, BinaryIO, Final

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
except ImportError:
    USABLE = False
else:
    USABLE = True

VERIFIED, WRONG, INCOMPLETE = 0, 1, 2

MOST_TOLD: Final = 100
"""Findings that are told one by one; the others are counted."""
MOST_BYTES: Final = 1 << 26
"""A longer line is no entry."""
HEADS: Final = tuple(f"table-controller head {number}" for number in (1, 2, 3))
"""Formats of heads; the first has no checkpoint, the third is of who signs every commit."""
COMMIT: Final = "table-controller commit 1"
COMMIT_FIELDS: Final = frozenset(("format", "journal", "seq", "digest", "wall", "key", "signature"))
HEAD_FIELDS: Final = COMMIT_FIELDS | {"table", "boot"}
HEAD_BYTES: Final = {"journal": 16, "digest": 32, "key": 32, "signature": 64}
UNSIGNED_END, DOUBTED = "journal-unsigned-end", "heads-doubted"
"""What a start may have found and people may have answered for; anything else is never over."""
WENT_BACK: Final = (
    "the journal was cut or an older copy was put in its place, and went on from there"
)
COSIGNATURE: Final = 4
GENESIS: Final = b"table-controller journal\n"
MAPPING: Final = "cumulative-rejection-1"
OWN: Final = frozenset(
    ("seq", "boot", "boot_id", "mono_ns", "wall", "type", "device", "session", "event_no", "t_ms")
) | {"offer", "renumbered", "digest", "body", "journal", "predecessor"}
"""Names of a line that are not fields of what a device or a draw tells."""
BETWEEN_ROUNDS: Final = frozenset({"", "idle", "closed", "service"})
FINISHED: Final = BETWEEN_ROUNDS - {""} | {"settled", "void"}
ENTRIES: Final = "entries"
PUT_RIGHT: Final = frozenset(("undo", "report", "correct", "lies", "done", "choose", "reconstruct"))
"""A dealer's commands that are told as corrections."""

_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode
_canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False).encode
_HEX_KEY = re.compile(r"[0-9a-f]{64}")
_VKEY = re.compile(r"([^+\s]+)\+([0-9a-f]{8})\+([0-9A-Za-z+/=]+)")
_KNOWN = re.compile(r"(\d{1,18})[ :]([0-9a-fA-F-]{8,})")


class Unreadable(ValueError):
    """A line that cannot be what it should be; the message says why."""


class Torn(Unreadable):
    """A last line without its end."""


_UNREADABLE = (Unreadable, LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
"""What becomes of a line whose fields are not of the kinds that an entry's are."""


# ---- reading ------------------------------------------------------------------------------------


def read_lines(file: BinaryIO) -> Iterator[bytes]:
    """Every line without its end; raises Torn for one that has none."""
    while line := file.readline(MOST_BYTES):
        if not line.endswith(b"\n"):
            raise Torn("the last line is torn")
        yield line[:-1]


def _no_fraction(text: str) -> Any:
    raise Unreadable(f"has {text}, which no entry has")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    told = dict(pairs)
    if len(told) != len(pairs):
        raise Unreadable("has a name twice")
    return told


_read_json = json.JSONDecoder(
    object_pairs_hook=_object, parse_float=_no_fraction, parse_constant=_no_fraction
).decode


def read_object(line: bytes) -> dict[str, Any]:
    """The object that a line holds, spelled as this controller spells it."""
    try:
        told = _read_json(line.decode("ascii"))
    except (ValueError, RecursionError) as error:
        raise Unreadable(str(error) or "is nested too deeply") from error
    if not isinstance(told, dict):
        raise Unreadable("is no JSON object")
    if _encode(told).encode("ascii") != line:
        raise Unreadable("is not spelled as an export spells it")
    return told


# ---- the chain ----------------------------------------------------------------------------------


def _hex(text: str, count: int) -> bytes:
    """That number of bytes in hexadecimal, which has one spelling."""
    if not re.fullmatch(f"[0-9a-f]{{{2 * count}}}", text):
        raise Unreadable(f"has {text!r}, expected {2 * count} hexadecimal digits in lower case")
    return bytes.fromhex(text)


def genesis(line: dict[str, Any]) -> tuple[int, bytes]:
    """The number before the first line's, and the digest that stands before it."""
    name = GENESIS + _hex(line["journal"], 16)
    if "predecessor" not in line:
        return 0, hashlib.sha256(name).digest()
    before = line["predecessor"]
    if before.keys() != {"journal", "seq", "digest"} or type(before["seq"]) is not int:
        raise Unreadable("names no entry that it goes on from")
    name += _hex(before["journal"], 16) + before["seq"].to_bytes(8, "big")
    return before["seq"], hashlib.sha256(name + _hex(before["digest"], 32)).digest()


def _state_after(body: dict[str, Any]) -> str:
    """The table's state after an entry; empty where it tells none."""
    after = body.get("after")
    state = after.get("state") if isinstance(after, dict) else None
    return state.removeprefix("held.") if isinstance(state, str) else ""


def _opened(line: dict[str, Any]) -> int | None:
    """The number of the round that an entry opened; 0 where an earlier version opened one and did
    not tell its number, None where it opened none, or that cannot be told from the entry alone."""
    body = body_of(line)
    after = body.get("after")
    if isinstance(after, dict) and "round" in after:
        number = after["round"]
        if type(number) is not int or number < 1:
            raise Unreadable(f"has entry {line['seq']}, which opens the round {number!r}")
        return number
    opens = str(body.get("command", "")).split() == ["open"] and line["type"] == "dealer"
    return 0 if opens and _state_after(body) == "betting" else None


def body_of(line: dict[str, Any]) -> dict[str, Any]:
    """The entry's body; what stands beside it must be the same."""
    if None in [line[name] for name in OWN & line.keys()] or line.get("renumbered", 1) < 1:
        raise Unreadable("tells something that it has not")
    beside = {name: value for name, value in line.items() if name not in OWN}
    if "body" not in line:
        return beside
    body = line["body"]
    if not isinstance(body, dict):
        raise Unreadable("has a body that is no object")
    for name, value in beside.items():
        if name not in body or _canonical(body[name]) != _canonical(value):
            raise Unreadable(f"has {name} = {value!r}, which its body has not")
    return body


def digest_of(line: dict[str, Any], body: dict[str, Any], before: bytes) -> str:
    """The digest that a line must have behind the one whose digest is ``before``."""
    event_no = line.get("event_no")
    numbering = line.get("renumbered", None if event_no is None else 0)
    names = ("device", "session")
    columns = [line["seq"], line["boot"], line["boot_id"], line["mono_ns"], line["wall"]]
    columns += [line["type"], *(line.get(name) for name in names), numbering, event_no]
    columns += [line.get("t_ms"), line.get("offer")]
    return hashlib.sha256(before + f"{_encode(columns)}\n{_canonical(body)}".encode()).hexdigest()


# ---- draws --------------------------------------------------------------------------------------


@dataclass(slots=True)
class Draws:
    """The weights in force, and every draw computed again: a round keeps those it began with."""

    count: int = 0
    last_offer: int = 0
    state: str = ""
    weights: list[list[int]] = field(default_factory=list)
    coming: list[list[int]] | None = None

    def check_line(self, line: dict[str, Any], body: dict[str, Any]) -> Iterator[str]:
        """What is wrong with a line as far as draws are concerned."""
        if line["type"] == "start":
            weights = body["settings"]["weights"]
            if self.state in BETWEEN_ROUNDS:
                self.weights, self.coming = weights, None
            else:
                self.coming = weights
        if (line["type"] == "draw") != ("offer" in line):
            yield "has an offer and is no draw, or is a draw without one"
        elif line["type"] == "draw":
            self.count += 1
            if line["offer"] <= self.last_offer:
                yield f"is a draw for offer {line['offer']} after one for offer {self.last_offer}"
            self.last_offer = line["offer"]
            yield from self.recompute(body)
        after = body.get("after", {}).get("state", self.state).removeprefix("held.")
        cleared = after == "idle" or (after == "betting" and self.state in ("settled", "void"))
        if cleared and self.coming is not None:
            self.weights, self.coming = self.coming, None
        self.state = after

    def recompute(self, body: dict[str, Any]) -> Iterator[str]:
        """What does not follow from the weights in force."""
        text = ",".join(f"{multiplier}={weight}" for multiplier, weight in self.weights)
        total = sum(weight for _, weight in self.weights)
        bits = (total - 1).bit_length()
        if body["mapping"] != MAPPING:
            yield f"names the mapping {body['mapping']!r}; this verifier knows {MAPPING!r}"
            return
        if body["weights"] != hashlib.sha256(text.encode()).hexdigest():
            yield f"was drawn with other weights than those in force, {text or 'none'}"
            return
        ticket = body["ticket"]
        if (body["total"], body["bits"]) != (total, bits) or not 0 <= ticket < total:
            yield f"has ticket {ticket} of {body['total']}, expected 0 to {total - 1}"
            return
        if any(not total <= other < 1 << bits for other in body["rejected"]):
            yield "rejected a ticket that counts, or that cannot come"
        rest = ticket
        for multiplier, weight in self.weights:
            if rest < weight:
                if body["multiplier"] != multiplier:
                    yield f"drew {body['multiplier']}, ticket {ticket} stands for {multiplier}"
                return
            rest -= weight


# ---- signatures ---------------------------------------------------------------------------------


class Keys:
    """Public keys by their fingerprint, and witnesses' keys by name and id."""

    def __init__(
        self, given: Sequence[str], witnesses: Sequence[str] = (), quorum: int | None = None
    ) -> None:
        keys = _keys(given, _key, "public key")
        self.raw = {hashlib.sha256(raw).hexdigest(): raw for raw in keys}
        self.witnesses = {each[:2]: each[2] for each in _keys(witnesses, _witness, "witness's key")}
        self.quorum = len({name for name, _ in self.witnesses}) if quorum is None else quorum

    @property
    def lacks(self) -> str:
        """Why no signature can be checked; empty where they can."""
        if not USABLE:
            return "the package 'cryptography' is missing"
        return "" if self.raw else "no public key was given (--key)"

    def wrong(self, head: dict[str, Any]) -> str | None:
        """What is wrong with the signature of a head or a commit."""
        if head["key"] not in self.raw:
            return f"was signed with a key that was not given, {head['key'][:16]}…"
        told = {name: value for name, value in head.items() if name != "signature"}
        text = _canonical(told)
        if head["format"] == COMMIT:
            text = "".join(f"{head[n]}\n" for n in ("format", "journal", "seq", "digest", "wall"))
        if not _good(self.raw[head["key"]], _hex(head["signature"], 64), text.encode()):
            return "has a signature that is not of that key"
        return None

    def signed(self, name: str, key_id: bytes, signature: bytes, note: bytes) -> str | None:
        """The fingerprint of the key that signed the note under that name."""
        for fingerprint, raw in self.raw.items():
            named = hashlib.sha256(name.encode() + b"\n\x01" + raw).digest()[:4]
            if named == key_id and _good(raw, signature, note):
                return fingerprint
        return None

    def cosigned(self, name: str, raw: bytes, note: str) -> int | None:
        """When the witness of that name cosigned the note, in seconds of 1970; None where it is
        none that was given, or of a kind that is not checked (C2SP tlog-cosignature)."""
        key = self.witnesses.get((name, raw[:4]))
        if key is None or key[0] != COSIGNATURE:
            return None
        time = int.from_bytes(raw[4:12], "big")
        text = f"cosignature/v1\ntime {time}\n{note}"
        if time >> 36 or len(raw) != 76 or not _good(key[1:], raw[12:], text.encode()):
            raise Unreadable(f"has a cosignature of {name} that is not of its key")
        return time


def _good(key: bytes, signature: bytes, text: bytes) -> bool:
    with contextlib.suppress(InvalidSignature, ValueError):
        Ed25519PublicKey.from_public_bytes(key).verify(signature, text)
        return True
    return False


def _keys(given: Sequence[str], read: Callable[[str], Any], what: str) -> list[Any]:
    """What is given as such, or stands in the files that are given, one a line."""
    found = []
    for text in given:
        try:
            words = [text]
            if not _HEX_KEY.fullmatch(text) and not _VKEY.fullmatch(text):
                words = [line.split()[0] for line in _read_text(text).splitlines() if line.strip()]
            if not words:
                raise Unreadable("it is empty")
            found += [read(word) for word in words]
        except (OSError, ValueError) as error:
            raise Unreadable(
                f"{text[:80]!r} is no {what} and no file that holds one ({error})"
            ) from error
    return found


def _key(text: str) -> bytes:
    """The public key in hexadecimal, or a verifier key."""
    return bytes.fromhex(text) if _HEX_KEY.fullmatch(text) else _vkey(text, b"\x01")[2][1:]


def _witness(text: str) -> tuple[str, bytes, bytes]:
    """A witness's verifier key; one that is not of Ed25519 (6) counts for nothing yet."""
    return _vkey(text, b"\x04\x06")


def _vkey(text: str, kinds: bytes) -> tuple[str, bytes, bytes]:
    """The name in a verifier key, the key's id, and the key behind the byte of its kind."""
    match = _VKEY.fullmatch(text)
    if match is None:
        raise Unreadable("is neither 64 hexadecimal digits in lower case nor a verifier key")
    raw = _base64(match[3])
    named = hashlib.sha256(match[1].encode() + b"\n" + raw).digest()[:4]
    if named.hex() != match[2] or raw[0] not in kinds or (raw[0] != 6 and len(raw) != 33):
        raise Unreadable("is a verifier key that does not fit together, or of another kind")
    return match[1], named, raw


def read_head(line: bytes) -> dict[str, Any]:
    """A line of the file of heads: a head, or a signed commit; raises Unreadable."""
    head = read_object(line)
    form, fields = head.get("format"), HEAD_FIELDS
    if form == COMMIT:
        fields = COMMIT_FIELDS
    elif form in HEADS[1:]:
        fields = HEAD_FIELDS | {"checkpoint"}
    elif form != HEADS[0]:
        raise Unreadable("is no head of a journal, and no signed commit")
    if head.keys() != fields:
        raise Unreadable(f"has other fields than a {form}")
    for name, value in head.items():
        if type(value) is not (int if name in ("seq", "boot") else str):
            raise Unreadable(f"has {name} = {value!r}")
    for name, count in HEAD_BYTES.items():
        _hex(head[name], count)
    return head


# ---- the tree (RFC 6962) and its checkpoints (C2SP tlog-checkpoint) -----------------------------


def _leaf(line: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + line).digest()


def _above(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


class Tree:
    """The tree over lines, as far as they were read: the roots of its complete parts, largest
    first, with their sizes. ``known`` tells whether it is known what stands before the first."""

    def __init__(self) -> None:
        self.known = True
        self._parts: list[tuple[int, bytes]] = []

    def begin_archived(self, size: int, told: Any) -> None:
        """The parts of the tree over the ``size`` entries of archived journals, as the first entry
        tells them."""
        if not size:
            return
        self.known = isinstance(told, dict) and told.get("size") == size
        if self.known:
            sizes = [1 << bit for bit in reversed(range(size.bit_length())) if size >> bit & 1]
            hashes = [_hex(text, 32) for text in told["hashes"]]
            self._parts = list(zip(sizes, hashes, strict=True))

    def add_entry(self, line: bytes) -> None:
        """Put a line behind the others."""
        part = 1, _leaf(line)
        while self._parts and self._parts[-1][0] == part[0]:
            size, left = self._parts.pop()
            part = 2 * size, _above(left, part[1])
        self._parts.append(part)

    @property
    def root(self) -> bytes:
        """The root over all of them."""
        if not self._parts:
            return hashlib.sha256(b"").digest()
        root = self._parts[-1][1]
        for _, left in reversed(self._parts[:-1]):
            root = _above(left, root)
        return root


def _split(size: int) -> int:
    """Where a tree of that many leaves, two or more, is split."""
    return 1 << ((size - 1).bit_length() - 1)


def root_of_path(index: int, size: int, leaf: bytes, path: list[bytes]) -> bytes:
    """The root of a tree of ``size`` leaves, from one leaf's hash and its audit path, which is used
    up (RFC 6962, 2.1.1)."""
    if size == 1:
        return leaf
    if not path:
        raise Unreadable("has a path that is too short")
    half, beside = _split(size), path.pop()
    if index < half:
        return _above(root_of_path(index, half, leaf, path), beside)
    return _above(beside, root_of_path(index - half, size - half, leaf, path))


def roots_of_extension(
    old: int, new: int, known: bytes | None, path: list[bytes]
) -> tuple[bytes, bytes]:
    """The roots of the first ``old`` and of all ``new`` leaves of a tree, from a consistency proof,
    which is used up (RFC 6962, 2.1.2). ``known`` is the root of the first ones where the proof
    leaves it out."""
    if old == new:
        root = path.pop() if known is None and path else known
        if root is None:
            raise Unreadable("has a proof that is too short")
        return root, root
    if not path:
        raise Unreadable("has a proof that is too short")
    half, beside = _split(new), path.pop()
    if old <= half:
        before, after = roots_of_extension(old, half, known, path)
        return before, _above(after, beside)
    before, after = roots_of_extension(old - half, new - half, None, path)
    return _above(beside, before), _above(beside, after)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A signed checkpoint: its log, the number of entries, the root over them; its ``text``, the
    fingerprint of the ``key``, which witnesses cosigned it when, and up to which entry nobody
    vouches."""

    origin: str
    size: int
    root: bytes
    text: str = ""
    key: str = ""
    cosigned: tuple[tuple[str, int], ...] = ()
    doubted: int = 0


def _base64(text: Any) -> bytes:
    raw = base64.b64decode(text, validate=True)
    if base64.b64encode(raw).decode() != text:
        raise Unreadable(f"has {text!r}, which is not spelled as base64 is")
    return raw


def _base64s(texts: Any) -> list[bytes]:
    if not isinstance(texts, list):
        raise Unreadable("has a proof that is no list")
    hashes = [_base64(text) for text in texts]
    if any(len(one) != 32 for one in hashes):
        raise Unreadable("has a hash that is not of 32 bytes")
    return hashes


def read_checkpoint(text: Any, keys: Keys) -> Checkpoint:
    """A checkpoint that one of the keys has signed; raises Unreadable."""
    note, apart, signatures = str(text).partition("\n\n")
    number, lines = "(0|[1-9][0-9]{0,18})", note.split("\n")
    form = re.fullmatch(f"[^\n]*\n{number}\n[^\n]*(\ndoubted {number})?", note)
    if not apart or form is None:
        raise Unreadable("is no checkpoint: expected origin, size, root, an empty line, signatures")
    root, signer, cosigned = _base64(lines[2]), None, {}
    if len(root) != 32:
        raise Unreadable("has a root that is not of 32 bytes")
    if not signatures.endswith("\n") or "" in signatures[:-1].split("\n"):
        raise Unreadable("has signatures that are not a line each")
    for line in signatures[:-1].split("\n"):
        if not re.fullmatch("\u2014 [^ ]+ [0-9A-Za-z+/]+=*", line):
            raise Unreadable("has a line among its signatures that is none")
        _, name, signature = line.split(" ")
        raw = _base64(signature)
        if name == lines[0]:
            signer = signer or keys.signed(name, raw[:4], raw[4:], f"{note}\n".encode())
        elif (time := keys.cosigned(name, raw, f"{note}\n")) is not None:
            cosigned[name] = time
    if signer is None:
        raise Unreadable("was not signed with a key that was given")
    told = (str(text), signer, tuple(sorted(cosigned.items())))
    return Checkpoint(lines[0], int(lines[1]), root, *told, int(form[3] or 0))


class Witnessed:
    """Who cosigned what: of each witness the newest, size and time."""

    def __init__(self, keys: Keys) -> None:
        self.of = {name: (0, 0) for name, _ in keys.witnesses}
        self._quorum = keys.quorum

    def add_checkpoint(self, checkpoint: Checkpoint) -> None:
        """A good checkpoint."""
        for name, time in checkpoint.cosigned:
            self.of[name] = max(self.of[name], (checkpoint.size, time))

    def lines(self) -> list[str]:
        """In plain words."""
        return [
            f"{name}: cosigned entry {size} at {datetime.fromtimestamp(time, UTC):%F %T} UTC"
            if size
            else f"{name}: has not cosigned"
            for name, (size, time) in self.of.items()
        ]

    def missing(self) -> list[str]:
        """What there is too little of."""
        good = sum(size > 0 for size, _ in self.of.values())
        few = [f"witnesses: {good} have cosigned, {self._quorum} are asked for"]
        return few if good < self._quorum else []


# ---- the verification ---------------------------------------------------------------------------


@dataclass(slots=True)
class Starts:
    """What starts tell of the journal's signing: from which entry on every commit is signed, up to
    which one nobody signed, and what they ``found`` wrong. Such a start vouches for nothing before
    it, whatever was resumed; a journal that goes on from it repeats that in its first entry."""

    commits: int | None = None
    unsigned: int = 0
    remarks: list[str] = field(default_factory=list)
    _ends: list[tuple[int, str]] = field(default_factory=list)
    _resumed: list[tuple[int, str]] = field(default_factory=list)

    def check_line(
        self, line: dict[str, Any], body: dict[str, Any], before: bytes, keys: Keys
    ) -> Iterator[str]:
        """What is wrong with a line; ``before`` is the digest in front of it."""
        seq, kind = line["seq"], line["type"]
        if kind == "start" or "journal" in line:
            sealing = body.get("sealing") or {}
            told = body.get("found") or []
            for one in [told] if isinstance(told, dict) else told:
                yield from self._fault(seq, one, before, keys, sealing.get("fingerprint", "?"))
            self.remarks += [f"entry {seq}: taken from the floor"] * ("recovered" in sealing)
            if sealing.get("commits") is True:
                self.commits = self.commits or seq
            elif kind == "start" and self.commits is not None:
                yield f"signs no commits, which entry {self.commits} and on are said to be"
        elif kind == "supervisor" and UNSIGNED_END in body.get("after", {}).get("ended", ()):
            named = [str(body[name]) for name in ("by", "why") if body.get(name)]
            self._resumed += [(seq, ": ".join(named))] if len(named) == 2 else []

    def _fault(
        self, seq: int, told: dict[str, Any], before: bytes, keys: Keys, key: str
    ) -> Iterator[str]:
        fault, row = told["fault"], told["row"]
        what, wrong = f"found {fault} behind entry {told['seq']}: {told['wrong']}", ""
        if fault == DOUBTED and row and not keys.lacks:
            if (row["seq"], row["digest"]) != (told["seq"], told["digest"]):
                wrong = "is of another entry"
            elif row["seq"] == seq - 1 and before and row["digest"] != before.hex():
                wrong = "is not of the entry that stands there"
            else:
                signed = {"format": COMMIT, "journal": told["journal"], **row}
                wrong = keys.wrong(signed) or ""
            what += f"; key {row['key'][:16]}… signed up to there, from there key {key[:16]}…"
        elif fault == DOUBTED and not row:
            wrong = "was none"
        if wrong:
            yield f"{what}; the signed row that it found {wrong}"
        elif fault == UNSIGNED_END and not told.get("resumed"):
            self._ends.append((seq, what))
            self.unsigned = max(self.unsigned, told["seq"])
        elif fault in (UNSIGNED_END, DOUBTED):
            self.remarks.append(f"entry {seq} {what}")
            self.unsigned = max(self.unsigned, told["seq"] if fault == UNSIGNED_END else 0)
        else:
            yield f"{what}. It vouches for nothing before it"

    def ends(self, covered: int) -> Iterator[tuple[int, str]]:
        """Ends that nobody signed, and that no supervisor answers for in what is ``covered``."""
        for seq, what in self._ends:
            later = [told for at, told in self._resumed if seq < at <= covered]
            if later:
                self.remarks.append(f"entry {seq} {what}; play went on by {later[0]}")
            else:
                yield seq, f"{what}; no supervisor has answered for it (resume)"


@dataclass(slots=True)
class Verification:
    """One export gone through; ``findings`` are what is wrong, by entry (None: with the whole),
    ``missing`` why it cannot be verified in full, ``remarks`` what an inspector may want to know.
    """

    entries: int = 0
    first: int = 0
    last: int = 0
    head: str = ""
    table: str = ""
    heads_given: bool = False
    sealed_to: int | None = None
    heads: int = 0
    other_heads: int = 0
    checkpoints: int = 0
    draws: Draws = field(default_factory=Draws)
    tree: Tree = field(default_factory=Tree)
    starts: Starts = field(default_factory=Starts)
    commits: int = 0
    signers: dict[str, int] = field(default_factory=dict)
    findings: list[tuple[int | None, str]] = field(default_factory=list)
    more_findings: int = 0
    missing: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    _boot: int = 0
    _boot_id: str = ""
    _mono_ns: int = 0
    _events: dict[tuple[Any, ...], int] = field(default_factory=dict)
    _program: Any = None
    keys: Keys = field(default_factory=lambda: Keys(()))
    witnessed: Witnessed = field(default_factory=lambda: Witnessed(Keys(())))

    def note(self, seq: int | None, what: str) -> None:
        """Something is wrong."""
        if len(self.findings) < MOST_TOLD:
            self.findings.append((seq, what))
        else:
            self.more_findings += 1

    @property
    def status(self) -> int:
        """The exit status."""
        if self.findings:
            return WRONG
        return INCOMPLETE if self.missing else VERIFIED

    def verify_all(
        self,
        journal: BinaryIO,
        heads: BinaryIO | None,
        keys: Keys,
        known: dict[int, list[str]],
        kept: Checkpoint | None = None,
    ) -> None:
        """Go through all of it."""
        self.keys, self.witnessed = keys, Witnessed(keys)
        if keys.lacks:
            self.missing.append(f"{keys.lacks}: no signature was checked")
        if heads is None:
            self.missing.append("no heads were given (--heads): a cut end would not show")
        self.heads_given = heads is not None
        checking = _Heads(self, heads, keys) if heads is not None else None
        before = b""
        for raw in self._lines(journal, "the export"):
            expected = self.last + 1
            try:
                line = read_object(raw)
                if not self.entries:
                    self.first, before = self._begin_journal(line, checking)
                self.tree.add_entry(raw)
                before = self._line(line, before)
                if kept is not None and kept.size == self.last:
                    self._compare_kept(kept)
                if checking:
                    checking.pass_by(self.last, self.head)
            except _UNREADABLE as error:
                self.last = max(self.last, expected)
                self.note(self.last, f"cannot be read: {error or type(error).__name__}")
                before, self.head = b"", ""
            self.entries += 1
            for short in known.pop(self.last, ()):
                if not self.head.startswith(short):
                    self.note(self.last, f"is not the entry that was written down as {short}")
        if not self.entries:
            self.note(None, "the export is empty")
        if kept is not None and self.last < kept.size:
            cut = f"the export ends with entry {self.last}: the end is missing, or the journal"
            signed = "was signed in the checkpoint that you kept"
            self.note(kept.size, f"{signed}, but {cut} was put back")
        elif kept is not None and kept.size < self.first:
            which = f"the checkpoint that you kept is for entry {kept.size} of an earlier journal"
            self.missing.append(f"{which}: verify that one with it")
        for seq, shorts in sorted(known.items()):
            self.note(seq, f"was written down as {shorts[0]} and is not in the export")
        if checking:
            checking.finish(self.last)
        for seq, what in self.starts.ends(self.sealed_to or 0):
            self.note(seq, what)
        self.remarks += self.starts.remarks
        if checking and not keys.lacks and not self.findings:
            self._sealed()
        self.missing += self.witnessed.missing()

    def _compare_kept(self, kept: Checkpoint) -> None:
        if not self.tree.known:
            self.missing.append("the journal before this one tells no tree to compare roots with")
        elif self.tree.root != kept.root:
            self.note(self.last, "is not the one under the checkpoint that you kept: two histories")
        else:
            self.remarks.append(f"the checkpoint that you kept, for entry {kept.size}, agrees")
            self.witnessed.add_checkpoint(kept)

    def _sealed(self) -> None:
        if self.sealed_to is None:
            self.missing.append("no head is of this journal: a cut end would not show")
        elif self.sealed_to < self.last:
            which = f"entries {self.sealed_to + 1} to {self.last} are chained, but no signature"
            more = "'journal export --evidence'" if self.starts.commits else "newer heads"
            self.missing.append(f"{which} covers them, whatever they say: ask for {more}")

    def _lines(self, file: BinaryIO, what: str, *, may_be_torn: bool = False) -> Iterator[bytes]:
        try:
            yield from read_lines(file)
        except (OSError, Torn) as error:
            if isinstance(error, Torn) and may_be_torn:  # the controller mends it with the next one
                self.remarks.append(f"{what}: {error} and does not count")
            else:
                self.note(None, f"{what}: {error}")

    def _begin_journal(self, line: dict[str, Any], checking: _Heads | None) -> tuple[int, bytes]:
        """The first line names the journal."""
        self.last, before = genesis(line)
        if (named := line.get("predecessor")) is not None:
            self.remarks.append(
                f"goes on from entry {named['seq']} of journal {named['journal']}, digest "
                f"{named['digest']}: verify that one's export too, its last entry must be this"
            )
        self.tree.begin_archived(self.last, line.get("body", {}).get("tree"))
        if checking:
            checking.begin_journal(line["journal"], line.get("predecessor"), self.tree)
            checking.pass_by(self.last, before.hex())
        return self.last + 1, before

    def _line(self, line: dict[str, Any], before: bytes) -> bytes:
        """Check a line behind the one whose digest is ``before`` (empty: that one is gone)."""
        seq, digest = line["seq"], _hex(line["digest"], 32)
        if type(seq) is not int:
            raise Unreadable(f"has {seq!r} for its number")
        if seq != self.last + 1:
            self.note(self.last + 1, f"is missing, or not in its place: entry {seq} stands there")
            before = b""
        self.last, self.head = seq, line["digest"]
        if self.entries and ("journal" in line or "predecessor" in line):
            self.note(seq, "begins another journal in the middle of this one")
        body = body_of(line)
        if before and digest_of(line, body, before) != line["digest"]:
            self.note(seq, "was changed, or does not follow from the entry before it")
        self._order(line)
        for what in self.starts.check_line(line, body, before, self.keys):
            self.note(seq, what)
        try:
            for what in self.draws.check_line(line, body):
                self.note(seq, what)
        except _UNREADABLE as error:
            self.note(seq, f"cannot be read as far as draws go: {error!r}")
        if line["type"] == "start" and (program := body.get("program")) != self._program:
            self._program = program
            told = program or {"version": "?", "digest": "?"}
            self.remarks.append(f"entry {seq}: program {told['version']}, digest {told['digest']}")
        return digest

    def _order(self, line: dict[str, Any]) -> None:
        """Boots and their clocks go on, and no event of a device comes twice."""
        seq, boot, mono_ns = line["seq"], line["boot"], line["mono_ns"]
        if boot < self._boot:
            self.note(seq, f"is of boot {boot}, the entry before it of boot {self._boot}")
        elif boot == self._boot and line["boot_id"] != self._boot_id:
            self.note(seq, f"gives boot {boot} another name than the entry before it")
        elif boot == self._boot and mono_ns < self._mono_ns:
            self.note(seq, "was made before the entry that it follows, by its boot's clock")
        self._boot, self._boot_id, self._mono_ns = boot, line["boot_id"], mono_ns
        if "event_no" in line:
            number = line["event_no"]
            key = line["device"], line["session"], line.get("renumbered", 0)
            if number <= self._events.get(key, 0):
                self.note(seq, f"is event {number} of {key[0]}, which came before")
            self._events[key] = number


def _other_root(root: bytes, head: dict[str, Any]) -> bool:
    """Whether a head's checkpoint, where it has one, is of another root."""
    told = head.get("checkpoint", "").split("\n")
    return len(told) > 2 and told[2] != base64.b64encode(root).decode()


class _Heads:
    """The heads, read along with the entries."""

    def __init__(self, verification: Verification, file: BinaryIO, keys: Keys) -> None:
        self._to = verification
        self._keys = keys
        self._lines = enumerate(verification._lines(file, "the heads", may_be_torn=True), 1)
        self._journal = ""
        self._before: dict[str, Any] | None = None
        self._earlier: dict[str, Any] | None = None
        self._next: dict[str, Any] | None = None
        self._last, self._digest = -1, ""
        self._root_before: bytes | None = None

    def begin_journal(self, journal: str, before: dict[str, Any] | None, tree: Tree) -> None:
        """The journal whose heads count, and the last entry and the tree of the one that it goes on
        from."""
        self._journal, self._before = journal, before
        self._root_before = tree.root if tree.known else None
        self._advance()

    def _advance(self) -> None:
        """On to the next good head of this journal."""
        for number, line in self._lines:
            where = f"line {number} of the heads"
            try:
                head = read_head(line)
            except Unreadable as error:
                self._to.note(None, f"{where} {error}")
                continue
            if not self._keys.lacks and (wrong := self._wrong(head)):
                self._to.note(None, f"{where}, for entry {head['seq']}, {wrong}")
                continue
            if head["journal"] != self._journal:
                self._to.other_heads += 1
                if self._before is not None and head["journal"] == self._before["journal"]:
                    self._earlier = head
                continue
            again = ""
            if head["seq"] < self._last:
                again = f"was signed after entry {self._last}"
            elif head["seq"] == self._last and head["digest"] != self._digest:
                again = f"was signed as two entries, the second one {head['wall']}"
            if again:
                self._to.note(head["seq"], f"{again} ({where}): {WENT_BACK}")
                continue
            self._last, self._digest, self._next = head["seq"], head["digest"], head
            self._to.heads += head["format"] != COMMIT
            self._to.commits += head["format"] == COMMIT
            return
        self._next = None

    def _wrong(self, head: dict[str, Any]) -> str | None:
        """What is wrong with a head or a commit, before entry and root are compared."""
        wrong = self._keys.wrong(head)
        if wrong or not head.get("checkpoint"):
            return wrong
        try:
            size = read_checkpoint(head["checkpoint"], self._keys).size
        except _UNREADABLE as error:
            return f"has a checkpoint that {error}"
        return None if size == head["seq"] else f"has a checkpoint for entry {size}"

    def _compare_root(self, head: dict[str, Any]) -> None:
        """The root that was signed is that of the lines."""
        tree = self._to.tree
        if not head.get("checkpoint") or not tree.known:
            return
        if _other_root(tree.root, head):
            self._to.note(
                head["seq"], f"does not end the tree that was signed {head['wall']} (another root)"
            )
        else:
            self._to.checkpoints += 1
            if not self._keys.lacks:
                self._to.witnessed.add_checkpoint(read_checkpoint(head["checkpoint"], self._keys))

    def pass_by(self, seq: int, digest: str) -> None:
        """The export has come to this entry."""
        while self._next is not None and self._next["seq"] <= seq:
            head = self._next
            if head["seq"] < seq:
                self._to.note(head["seq"], "was signed and is not in the export")
            elif head["digest"] != digest:
                self._to.note(seq, f"is not the entry that was signed {head['wall']}")
            else:
                self._to.sealed_to = seq
                self._to.table = head.get("table", self._to.table)
                self._to.signers[head["key"]] = seq
                self._compare_root(head)
            self._advance()

    def finish(self, last: int) -> None:
        """The export is over. What was signed behind it is one finding: there may be thousands."""
        first, beyond = self._next, 0
        while self._next is not None:
            beyond += 1
            self._advance()
        self._compare_earlier()
        if first is not None:
            told = f", and {beyond - 1} more up to entry {self._last}" if beyond > 1 else ""
            self._to.note(
                first["seq"],
                f"was signed {first['wall']}{told}, but the export ends with entry {last}: the end "
                "is missing",
            )

    def _compare_earlier(self) -> None:
        """The last head of the journal before is of an entry that this one goes on from."""
        if self._before is None or self._earlier is None:
            return
        signed, named = self._earlier, self._before
        same, root = signed["seq"] == named["seq"], self._root_before
        if same and root is not None and _other_root(root, signed):
            self._to.note(signed["seq"], "was signed with another tree than this one goes on from")
        if signed["seq"] > named["seq"] or (same and signed["digest"] != named["digest"]):
            self._to.note(
                signed["seq"],
                f"was signed {signed['wall']} in journal {signed['journal']}, but this one goes on "
                f"from another entry {named['seq']} of it",
            )


# ---- proofs of one round, or of an extension ----------------------------------------------------


@dataclass(slots=True)
class Proven:
    """A proof gone through: what it ``told`` in plain words under each heading, what is wrong, what
    is missing. ``hands`` are the round's cards by place, None where its entries do not tell."""

    told: dict[str, list[str]] = field(default_factory=dict)
    findings: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    round: int | None = None
    first: int = 0
    last: int = 0
    hands: dict[str, str] | None = None
    checkpoint: str = ""

    @property
    def says(self) -> list[str]:
        """All that it told."""
        return [f"{what}: {line}" for what, lines in self.told.items() for line in lines]

    def add(self, heading: str, *lines: str) -> None:
        """Tell more under a heading."""
        self.told.setdefault(heading, []).extend(lines)

    @property
    def status(self) -> int:
        """The exit status."""
        if self.findings:
            return WRONG
        return INCOMPLETE if self.missing else VERIFIED


def verify_proof(
    proof: Any, keys: Keys, kept: Checkpoint | None, extension: Any, weights: list[list[int]]
) -> Proven:
    """Verify a proof of either kind, that it is bound to the checkpoint that was ``kept``, and that
    so many witnesses cosigned; draws are computed again by the ``weights``, where there are any."""
    found, witnessed = Proven(), Witnessed(keys)
    if keys.lacks:
        found.missing.append(keys.lacks)
        return found
    try:
        if not isinstance(proof, dict):
            raise Unreadable("is no JSON object")
        if proof.keys() == {"old", "new", "proof"}:
            ends = list(_extended(proof, keys, found))
        elif proof.keys() == {"checkpoint", "vkey", "entries", "next"}:
            ends = [_proven_round(proof, keys, weights, found)]
        else:
            raise Unreadable(
                "is no proof: expected checkpoint, vkey, entries, next, or old, new, proof"
            )
        for end in ends:
            witnessed.add_checkpoint(end)
        if "entries" in proof and found.first <= ends[0].doubted:
            what = "nobody vouches for what is there, as a start of the controller has found"
            found.findings.append(f"up to entry {ends[0].doubted} {what}")
        key = f"with the key {ends[-1].key[:16]}…, which you gave (--key)"
        found.add("signed", key, f"by the checkpoint for entry {ends[-1].size}")
        found.checkpoint = ends[-1].text
        if kept is not None:
            witnessed.add_checkpoint(kept)
            _bind(ends, kept, extension, keys, found)
        found.add("witnessed", *(witnessed.lines() or ["no witness's key was given (--witness)"]))
        found.missing += witnessed.missing()
        if kept is None and extension is not None:
            found.missing.append("--extension leads to no checkpoint of yours: give --checkpoint")
    except Unreadable as error:
        found.findings.append(f"the proof {error}")
    except _UNREADABLE:
        found.findings.append("the proof is not of the form of one")
    return found


def _proven_round(
    proof: dict[str, Any], keys: Keys, weights: list[list[int]], found: Proven
) -> Checkpoint:
    if hashlib.sha256(_key(str(proof["vkey"]))).hexdigest() not in keys.raw:
        raise Unreadable("names another verifier key than the one that was given")
    checkpoint = read_checkpoint(proof["checkpoint"], keys)
    lines = [_included(entry, checkpoint) for entry in proof["entries"]]
    if not lines:
        raise Unreadable("has no entries")
    found.first, found.last = lines[0]["seq"], lines[-1]["seq"]
    for before, line in itertools.pairwise(lines):
        if line["seq"] != before["seq"] + 1:
            raise Unreadable(f"has entry {line['seq']} behind entry {before['seq']}")
        if digest_of(line, body_of(line), _hex(before["digest"], 32)) != line["digest"]:
            raise Unreadable(f"has entry {line['seq']}, which does not follow from the one before")
    number = _begins(lines[0], found)
    if _last_state(lines) not in FINISHED:
        raise Unreadable(f"ends with entry {found.last}, in the middle of a round")
    if proof["next"] is not None:
        following = _included(proof["next"], checkpoint)
        opens = _begins(following, found)
        if following["seq"] != found.last + 1:
            raise Unreadable(f"ends with entry {found.last}, and no round is opened behind it")
        if number and opens and opens != number + 1:
            raise Unreadable(f"is of round {number}, and round {opens} is opened behind it")
    elif checkpoint.size != found.last:
        raise Unreadable(f"ends with entry {found.last}, before the checkpoint does")
    elif again := [line["seq"] for line in lines[1:] if _opened(line) is not None]:
        found.missing.append(
            f"entry {again[-1]} opens a round behind it; whether that was taken back shows in what "
            "follows: take the proof anew when the next round is open"
        )
    which = f"round {number}" if number else "one round (its number is not told)"
    found.round, found.hands = number or None, _hands(lines)
    found.add(
        which,
        f"entries {found.first} to {found.last} are those of {which}, all of them and unchanged, "
        f"in the log {checkpoint.origin}",
        f"from {lines[0]['wall']} to {lines[-1]['wall']}, by the machine's clock",
    )
    _describe_round(lines, found)
    drawn = [line for line in lines if line["type"] == "draw"]
    for line in drawn if weights else ():
        wrong = Draws(weights=weights).recompute(body_of(line))
        found.findings += [f"entry {line['seq']} {what}" for what in wrong]
    if drawn and weights:
        how = "the draw was computed again from its ticket, with the weights that were given"
    else:
        how = "with the approved weights (--weights) a draw is computed again from its ticket"
    if drawn:
        found.add("draws", *_entries(drawn), how)
    found.add(ENTRIES, *_entries(lines))
    return checkpoint


def _entries(lines: list[dict[str, Any]]) -> list[str]:
    return [f"entry {line['seq']}: {what}" for line in lines for what in _entry(line)]


def _card(body: dict[str, Any]) -> str:
    ranks = ["?", "A", *map(str, range(2, 11)), "J", "Q", "K"]
    return f"{ranks[body['rank']]}{'?CDHS'[body['suit']]}"


def _hands(lines: list[dict[str, Any]]) -> dict[str, str] | None:
    """The hands as they lie at the end, from where each entry says that cards were put."""
    hands: dict[str, str] = {}
    for line in lines:
        body = body_of(line)
        after = body.get("after", {})
        if line["type"] == "CARD":
            if "to" not in after:
                return None
            if after["to"] != "out":
                hands[after["to"]] = f"{hands.get(after['to'], '')} {_card(body)}".strip()
        hands |= after.get("hands", {})
    return {place: hands[place] for place in sorted(hands) if hands[place]}


def _describe_round(lines: list[dict[str, Any]], found: Proven) -> None:
    """What an inspector asks of a round: its hands, stakes, result and corrections."""
    if found.hands is None:
        found.add("hands", "not told by this version")
    for place, cards in (found.hands or {}).items():
        box, _, hand = place.partition(".")
        found.add("hands", f"{f'box {box} hand {hand}' if hand else place}: {cards}")
    nets: dict[str, Decimal] = {}
    over, results = "", found.told.setdefault("stakes and result", [])
    for line in lines:
        over = state if (state := _state_after(body_of(line))) in ("settled", "void") else over
        for one in body_of(line).get("after", {}).get("settlements", []):
            results.append(f"{_settled(one)} (stake {one['stake'] or 'not given'})")
            who = f"box {one['box']}{one['bettor']}"
            nets[who] = nets.get(who, Decimal(0)) + Decimal(one["net"] or "NaN")
    results += [
        f"{who}, all of it: net {'not given' if n.is_nan() else n}" for who, n in nets.items()
    ]
    results.append(f"the round is {over}")
    found.add("corrections", *([what for line in lines for what in _corrected(line)] or ["none"]))


def _corrected(line: dict[str, Any]) -> Iterator[str]:
    """Who put what right, in words."""
    body, kind = body_of(line), line["type"]
    verb = str(body.get("command", "")).partition(" ")[0]
    if kind == "supervisor" or (kind == "dealer" and verb in PUT_RIGHT):
        who = body.get("by") or body.get("user") or "?"
        why = f", because: {body['why']}" if body.get("why") else ""
        yield f"entry {line['seq']}: {body['command']}, by {kind} {who}{why}"
    elif kind == "KEY":
        for note in body.get("after", {}).get("notes", []):
            if note.startswith(("supervisor:", "taken back:")):
                yield f"entry {line['seq']}: {note}, at the keypad"


def _settled(one: dict[str, Any]) -> str:
    wager = f"box {one['box']}{one['bettor']} hand {one['hand']} {one['kind']}"
    return f"{wager}: {one['outcome']}, net {one['net']}"


def _begins(line: dict[str, Any], found: Proven) -> int:
    """The number of the round that the first entry opens; 0 where it is not told."""
    number = _opened(line)
    if number is None and line["type"] == "KEY" and _state_after(body_of(line)) == "betting":
        found.missing.append(
            f"entry {line['seq']} is a key of an earlier version, which does not tell whether it "
            "opened the round: take the whole journal"
        )
        return 0
    if number is None:
        raise Unreadable(f"begins with entry {line['seq']}, which opens no round")
    return number


def _entry(line: dict[str, Any]) -> Iterator[str]:
    """What an entry says of the round, in plain words."""
    body, kind = body_of(line), line["type"]
    if kind == "CARD":
        yield f"card {_card(body)}"
    elif kind in ("dealer", "supervisor"):
        who = [f"{name} {body[name]}" for name in ("by", "why") if body.get(name)]
        yield f"{kind}: {', '.join([str(body['command']), *who])}"
    elif kind == "KEY":
        yield f"key {body['key']}"
    elif kind == "PRESS":
        yield f"the button is pressed for offer {body['offer_id']}"
    elif kind == "draw":
        yield (
            f"offer {line['offer']}, box {body['box']}: multiplier {body['multiplier']}, ticket "
            f"{body['ticket']} of {body['total']}, weights {body['weights']}"
        )
    elif kind == "SHOWN":
        yield f"the meter shows {body['multiplier']} for offer {body['offer_id']}"
    yield from map(_settled, body.get("after", {}).get("settlements", []))


def _included(entry: Any, checkpoint: Checkpoint) -> dict[str, Any]:
    """An entry's line, which the checkpoint includes in its place."""
    seq, index = entry["seq"], entry["index"]
    if entry.keys() != {"seq", "leaf", "index", "proof"} or type(seq) is not int:
        raise Unreadable("has an entry without seq, leaf, index, proof")
    if type(index) is not int or index != seq - 1 or not 0 <= index < checkpoint.size:
        raise Unreadable(f"has entry {seq} with the index {index}")
    leaf, path = _base64(entry["leaf"]), _base64s(entry["proof"])
    if root_of_path(index, checkpoint.size, _leaf(leaf), path) != checkpoint.root or path:
        raise Unreadable(f"has another entry {seq} than the one that was signed")
    line = read_object(leaf)
    if line["seq"] != seq:
        raise Unreadable(f"has entry {line['seq']} in the place of entry {seq}")
    return line


def _last_state(lines: list[dict[str, Any]]) -> str:
    """The state that they end in. A round that was over and behind which bets were opened is played
    no further: an ``open`` in between was taken back."""
    state, over, opened = "", "", False
    for line in lines:
        before, state = state, _state_after(body_of(line)) or state
        if state in FINISHED:
            if opened and state != over:
                raise Unreadable(f"has more than one round: entry {line['seq']} ends another")
            over, opened = state, False
        elif over and state == "betting" and before in FINISHED:
            opened = True
        elif opened and state != "betting":
            raise Unreadable(f"has more than one round: entry {line['seq']} plays another")
    return state


def _extended(proof: dict[str, Any], keys: Keys, found: Proven) -> tuple[Checkpoint, Checkpoint]:
    old, new = read_checkpoint(proof["old"], keys), read_checkpoint(proof["new"], keys)
    path = _base64s(proof["proof"])
    if not 0 < old.size <= new.size:
        raise Unreadable(f"leads from entry {old.size} to entry {new.size}")
    roots = roots_of_extension(old.size, new.size, old.root, path)
    if roots != (old.root, new.root) or path:
        raise Unreadable(
            f"does not lead from the checkpoint for entry {old.size} to the one for {new.size}: "
            "what was signed first is not what was signed later"
        )
    found.first, found.last = 1, new.size
    begins = f"begins with the {old.size} entries that were signed before, unchanged"
    found.add("log", f"the log {new.origin} of {new.size} entries {begins}")
    return old, new


def _bind(
    ends: list[Checkpoint], kept: Checkpoint, extension: Any, keys: Keys, found: Proven
) -> None:
    """Bind what was proven to the checkpoint that was kept elsewhere."""
    for end in ends:
        if end.size == kept.size and end.root == kept.root:
            found.add("signed", "it is the checkpoint that you kept")
        elif end.size == kept.size:
            found.findings.append(
                f"the checkpoint that you kept for entry {kept.size} has another root than the one "
                "of the proof: two histories were signed"
            )
        if end.size == kept.size:
            return
    if extension is None:
        found.missing.append(
            f"the proof is by a checkpoint for entry {ends[-1].size}, yours is for entry "
            f"{kept.size}: name the proof that one extends the other with --extension FILE"
        )
        return
    between = Proven()
    old, new = _extended(extension, keys, between)
    for end in ends:
        if {old.size, new.size} == {end.size, kept.size}:
            signed = {(end.origin, end.size, end.root), (kept.origin, kept.size, kept.root)}
            if {(one.origin, one.size, one.root) for one in (old, new)} != signed:
                found.findings.append(
                    "the extension has other roots than your checkpoint and that of the proof: two "
                    "histories were signed"
                )
            found.add("signed", *between.told["log"])
            return
    found.missing.append(
        f"the extension leads from entry {old.size} to entry {new.size}, the proof is by a "
        f"checkpoint for entry {ends[-1].size} and yours is for entry {kept.size}: ask for one "
        "between these two ('journal prove --from YOURS --to PROOF')"
    )


# ---- the report ---------------------------------------------------------------------------------

VERDICTS: Final = {
    VERIFIED: "VERIFIED: the journal is whole and unchanged up to its last entry.",
    WRONG: "NOT VERIFIED: something is wrong. Keep the files as they are.",
    INCOMPLETE: "NOT VERIFIED IN FULL: nothing wrong was found, but not all could be checked.",
}
PROOF_VERDICTS: Final = VERDICTS | {
    VERIFIED: "VERIFIED: the proof holds.",
    WRONG: "NOT VERIFIED: the proof does not hold. Keep the files as they are.",
}
TOLD: Final = (
    *("status", "table", "entries", "first", "last", "head", "sealed_to", "heads", "commits"),
    *("checkpoints", "other_heads", "more_findings", "remarks"),
)
OPTIONS: Final = {
    "--checkpoint FILE": "one that you kept",
    "--extension FILE": "the proof that ties that to the one of the proof",
    "--weights 100=4,…": "with --proof: the approved ones, to compute draws again",
    "--heads FILE": "the signed heads",
    "--page FILE": "with --proof: write a page to print",
}
REPEATED: Final = {
    "--key HEX|VKEY|FILE": "the controller's public key, or a file of such, one a line",
    "--known 'SEQ DIGITS'": "an entry that was written down",
    "--witness VKEY|FILE": "the verifier key of a witness, or a file of such",
}


def report(found: Verification) -> Iterator[str]:
    """The report in plain words."""
    whose = f"table {found.table}" if found.table else "table not known (heads name it)"
    yield f"{whose}: {found.entries} entries, {found.first} to {found.last}"
    yield f"last digest: {found.head or 'none'}"
    covering = "none of it" if found.sealed_to is None else f"it up to entry {found.sealed_to}"
    heads = f" of this journal: {found.heads}, commits: {found.commits}, covering {covering}"
    yield f"signed heads{heads if found.heads_given else ': none were given'}"
    for key, upto in found.signers.items():
        yield f"signed with the key {key[:16]}…, up to entry {upto}"
    yield from (f"witness {told}" for told in found.witnessed.lines())
    yield f"roots of signed checkpoints computed again: {found.checkpoints}"
    yield f"heads of other journals, not compared: {found.other_heads}"
    yield f"draws computed again: {found.draws.count}"
    yield from found.remarks
    for seq, what in found.findings:
        yield f"WRONG: {what}" if seq is None else f"WRONG: entry {seq} {what}"
    if found.more_findings:
        yield f"WRONG: {found.more_findings} more"
    for what in found.missing:
        yield f"NOT CHECKED: {what}"
    partly = f"VERIFIED from entry {found.starts.unsigned + 1} on: not all before it was signed."
    yield partly if found.starts.unsigned and not found.status else VERDICTS[found.status]


def as_json(found: Verification) -> dict[str, Any]:
    """The report for programs."""
    return {name: getattr(found, name) for name in TOLD} | {
        "verified": found.status == VERIFIED,
        "signed_by": found.signers,
        "witnesses": found.witnessed.of,
        "draws": found.draws.count,
        "findings": [{"entry": seq, "what": what} for seq, what in found.findings],
        "not_checked": found.missing,
    }


def _known(given: Sequence[str]) -> dict[int, list[str]]:
    known: dict[int, list[str]] = {}
    for text in given:
        match = _KNOWN.fullmatch(text.strip())
        if match is None:
            raise Unreadable(f"--known {text!r}: expected number and digits, '1234 3f2a-91bc-…'")
        known.setdefault(int(match[1]), []).append(match[2].replace("-", "").lower())
    return known


def _open(name: str, opened: contextlib.ExitStack) -> BinaryIO:
    """A regular file: a FIFO would be waited for without end."""
    if name == "-":
        return sys.stdin.buffer
    fd = os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise Unreadable(f"{name} is no regular file")
    return opened.enter_context(os.fdopen(fd, "rb"))


def _read_text(name: str) -> str:
    with contextlib.ExitStack() as opened:
        try:
            return _open(name, opened).read(MOST_BYTES).decode("utf-8")
        except UnicodeDecodeError as error:
            raise Unreadable(f"{name} is no text: {error}") from error


def _json(name: str) -> Any:
    try:
        return json.loads(_read_text(name), object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"{name} is no proof: {error}") from error


def _read_kept(name: str, keys: Keys) -> Checkpoint | None:
    """The checkpoint in a file, however mail and editors have treated the ends of its lines; None
    where no signature can be checked."""
    if keys.lacks:
        return None
    text = _read_text(name).replace("\r\n", "\n").strip("\n") + "\n"
    try:
        return read_checkpoint(text, keys)
    except _UNREADABLE as error:
        raise Unreadable(f"{name} {error}") from error


def _weights(text: str | None) -> list[list[int]]:
    pairs = [pair.partition("=") for pair in text.split(",")] if text else []
    if not all(re.fullmatch(r"[0-9]{1,9}", part) for pair in pairs for part in pair[::2]):
        raise Unreadable(f"--weights {text!r}: expected as in 100=4,50=8")
    return [[int(one), int(other)] for one, _, other in pairs]


PAGE: Final = """<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>{title}</title><style>
@page{{size:A4;margin:18mm}} body{{font:10pt/1.4 sans-serif;max-width:174mm;margin:auto}}
h1{{font-size:15pt}} h2{{font-size:11pt;margin:1em 0 0;break-after:avoid}} ul{{margin:0}}
pre{{font-size:8pt;white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid;padding:2mm}}
</style><h1>{title}</h1><p><b>{verdict}</b></p>{body}
<h2>checkpoint</h2><pre>{checkpoint}</pre><p>Made out of the proof alone, of SHA-256 {digest}.</p>
"""


def page(found: Proven, proof: str) -> str:
    """What was proven, as a page to print that needs nothing else."""
    told = found.told | ({"not checked": found.missing} if found.missing else {})
    body = ""
    for heading, lines in told.items():
        items = "".join(f"<li>{html.escape(line)}</li>" for line in lines)
        body += f"<h2>{html.escape(heading)}</h2><ul>{items}</ul>"
    return PAGE.format(
        title=f"Proof of round {found.round}" if found.round else "Proof",
        verdict=PROOF_VERDICTS[found.status],
        body=body,
        checkpoint=html.escape(found.checkpoint),
        digest=hashlib.sha256(proof.encode()).hexdigest(),
    )


def _prove(given: argparse.Namespace) -> int:
    keys = Keys(given.key, given.witness, given.quorum)
    weights = _weights(given.weights)
    proof = _json(given.proof)
    extension = _json(given.extension) if given.extension else None
    kept = _read_kept(given.checkpoint, keys) if given.checkpoint else None
    found = verify_proof(proof, keys, kept, extension, weights)
    if not given.all:
        found.told.pop(ENTRIES, None)
    if given.page and not found.findings:
        with Path(given.page).open("x", encoding="utf-8", errors="backslashreplace") as file:
            file.write(page(found, _read_text(given.proof)))
    if given.json:
        told = {"verified": found.status == VERIFIED, "status": found.status, "says": found.says}
        told |= {name: getattr(found, name) for name in ("round", "first", "last", "hands", "told")}
        print(json.dumps(told | {"findings": found.findings, "not_checked": found.missing}))
        return found.status
    for heading, lines in found.told.items() if not found.findings else ():
        print(f"{heading}:", *lines, sep=" " if len(lines) == 1 else "\n  ")
    wrong = [f"WRONG: {what}" for what in found.findings]
    wrong += [f"NOT CHECKED: {what}" for what in found.missing]
    print(*wrong, PROOF_VERDICTS[found.status], sep="\n")
    return found.status


def _examine(given: argparse.Namespace) -> int:
    keys, known = Keys(given.key, given.witness, given.quorum), _known(given.known)
    found = Verification()
    with contextlib.ExitStack() as opened:
        journal = _open(given.journal, opened)
        heads = _open(given.heads, opened) if given.heads else None
        kept = _read_kept(given.checkpoint, keys) if given.checkpoint else None
        found.verify_all(journal, heads, keys, known, kept)
    print(json.dumps(as_json(found)) if given.json else "\n".join(report(found)))
    return found.status


def main(argv: Sequence[str] | None = None) -> int:
    """Verify; returns the exit status."""
    parser = argparse.ArgumentParser(description="Verifies an exported journal of a table.")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("journal", metavar="JOURNAL", nargs="?", help="the export, - for stdin")
    what.add_argument("--proof", metavar="FILE", help="of one round, or of an extension")
    for option, text in (OPTIONS | REPEATED).items():
        name, metavar = option.split(" ", 1)
        if option in OPTIONS:
            parser.add_argument(name, metavar=metavar, help=text)
        else:
            parser.add_argument(name, metavar=metavar, help=text, action="append", default=[])
    parser.add_argument("--quorum", metavar="N", type=int, help="how many witnesses suffice (all)")
    parser.add_argument("--all", action="store_true", help="with --proof: tell every entry and key")
    parser.add_argument("--json", action="store_true", help="report in JSON")
    given = parser.parse_args(argv)
    if isinstance(sys.stdout, io.TextIOWrapper):  # what a file says may be no text
        sys.stdout.reconfigure(errors="backslashreplace")
    idle = ("heads", "known") if given.proof else ("extension", "weights", "page", "all")
    for name in idle:
        if getattr(given, name):
            parser.error(f"--{name} has no use {'with' if given.proof else 'without'} --proof")
    if given.quorum is not None and not 1 <= given.quorum <= MOST_TOLD:
        parser.error(f"--quorum {given.quorum}: expected the number of witnesses that suffice")
    try:
        return _prove(given) if given.proof else _examine(given)
    except (OSError, Unreadable) as error:
        print(f"verify_journal: {error}", file=sys.stderr)
        return INCOMPLETE


if __name__ == "__main__":
    sys.exit(main())
