#!/usr/bin/env python3
"""Verify a table's exported journal: that it is whole, unchanged, and as its controller signed it.

    python3 -I verify_journal.py JOURNAL.jsonl --heads HEADS.jsonl --key PUBLIC-KEY

This one file is all of it. It needs Python 3.11 or newer and, for the signatures, the package
``cryptography``; nothing of the controller. Get it from whoever approved the equipment, not from
the controller that is examined. How each figure comes about, to be done again by other means, is
written down in docs/evidence.md. It reads line by line: an export of any length.

What is checked, of every line: the spelling; the number; the digest, computed again from the line
and the one before it; boots and clocks in order; a device's event once; a draw once for an offer,
and computed again from its ticket and the weights in force. Of every head: its signature, its key,
and that its entry is in the export with that digest.

Exit status: 0 verified, all of it; 1 something is wrong; 2 it could not be verified, or not all of
it (no heads, no key, no ``cryptography``, entries behind the last head), or wrong use.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Final

VERIFIED, WRONG, INCOMPLETE = 0, 1, 2

MOST_TOLD: Final = 100
"""Findings that are told one by one; the others are counted."""
MOST_BYTES: Final = 1 << 26
"""A longer line is no entry."""
HEAD_FORMAT: Final = "table-controller head 1"
HEAD_FIELDS: Final = {
    "format",
    "journal",
    "table",
    "seq",
    "digest",
    "boot",
    "wall",
    "key",
    "signature",
}
HEAD_BYTES: Final = {"journal": 16, "digest": 32, "key": 32, "signature": 64}
GENESIS: Final = b"table-controller journal\n"
MAPPING: Final = "cumulative-rejection-1"
OWN: Final = frozenset(
    ("seq", "boot", "boot_id", "mono_ns", "wall", "type", "device", "session", "event_no", "t_ms")
) | {"offer", "renumbered", "digest", "body", "journal", "predecessor"}
"""Names of a line that are not fields of what a device or a draw tells."""
BETWEEN_ROUNDS: Final = frozenset({"", "idle", "closed"})

_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode
_canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False).encode
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


def read_object(line: bytes) -> dict[str, Any]:
    """The object that a line holds, spelled as this controller spells it."""
    try:
        told = json.loads(
            line.decode("ascii"),
            parse_float=_no_fraction,
            parse_constant=_no_fraction,
            object_pairs_hook=_object,
        )
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

    def take(self, line: dict[str, Any], body: dict[str, Any]) -> Iterator[str]:
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
            yield from self._recompute(body)
        after = body.get("after", {}).get("state", self.state).removeprefix("held.")
        cleared = after == "idle" or (after == "betting" and self.state in ("settled", "void"))
        if cleared and self.coming is not None:
            self.weights, self.coming = self.coming, None
        self.state = after

    def _recompute(self, body: dict[str, Any]) -> Iterator[str]:
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
    """Public keys by their fingerprint. ``usable`` tells whether signatures can be checked."""

    def __init__(self, given: Sequence[str]) -> None:
        self.raw: dict[str, bytes] = {}
        for text in given:
            raw = _key(text)
            self.raw[hashlib.sha256(raw).hexdigest()] = raw
        try:
            from cryptography.exceptions import InvalidSignature  # noqa: PLC0415
            from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415
        except ImportError:
            self.usable = False
            return
        self.usable = True
        self._invalid = InvalidSignature
        self._public = {
            name: ed25519.Ed25519PublicKey.from_public_bytes(raw) for name, raw in self.raw.items()
        }

    def wrong(self, head: dict[str, Any]) -> str | None:
        """What is wrong with a head's signature."""
        if head["key"] not in self.raw:
            return f"was signed with a key that was not given, {head['key'][:16]}…"
        signed = {name: value for name, value in head.items() if name != "signature"}
        try:
            public = self._public[head["key"]]
            public.verify(_hex(head["signature"], 64), _canonical(signed).encode("ascii"))
        except (self._invalid, ValueError):
            return "has a signature that is not of that key"
        return None


def _key(text: str) -> bytes:
    """The public key in hexadecimal, or the file that holds it; raises Unreadable."""
    if not re.fullmatch(r"[0-9a-f]{64}", text):
        try:
            text = Path(text).read_text(encoding="ascii").split()[0]
            if not re.fullmatch(r"[0-9a-f]{64}", text):
                raise Unreadable("no 64 hexadecimal digits in lower case")
        except (OSError, ValueError, IndexError) as error:
            raise Unreadable(
                f"{text[:80]!r} is no public key and no file that holds one ({error})"
            ) from error
    return bytes.fromhex(text)


def read_head(line: bytes) -> dict[str, Any]:
    """A line of the file of heads; raises Unreadable."""
    head = read_object(line)
    if head.keys() != HEAD_FIELDS or head["format"] != HEAD_FORMAT:
        raise Unreadable("is no head of a journal")
    for name, value in head.items():
        if type(value) is not (int if name in ("seq", "boot") else str):
            raise Unreadable(f"has {name} = {value!r}")
    for name, count in HEAD_BYTES.items():
        _hex(head[name], count)
    return head


# ---- the verification ---------------------------------------------------------------------------


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
    draws: Draws = field(default_factory=Draws)
    findings: list[tuple[int | None, str]] = field(default_factory=list)
    more_findings: int = 0
    missing: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    _journal: str = ""
    _boot: int = 0
    _boot_id: str = ""
    _mono_ns: int = 0
    _events: dict[tuple[Any, ...], int] = field(default_factory=dict)
    _program: Any = None

    def find(self, seq: int | None, what: str) -> None:
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

    def run(
        self,
        journal: BinaryIO,
        heads: BinaryIO | None,
        keys: Keys,
        known: dict[int, list[str]],
    ) -> None:
        """Go through all of it."""
        if not keys.usable:
            self.missing.append("the package 'cryptography' is missing: no signature was checked")
        if not keys.raw:
            self.missing.append("no public key was given (--key): no signature was checked")
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
                    self.first, before = self._begin(line, checking)
                before = self._line(line, before)
                if checking:
                    checking.pass_by(self.last, self.head)
            except _UNREADABLE as error:
                self.last = max(self.last, expected)
                self.find(self.last, f"cannot be read: {error or type(error).__name__}")
                before, self.head = b"", ""
            self.entries += 1
            for short in known.pop(self.last, ()):
                if not self.head.startswith(short):
                    self.find(self.last, f"is not the entry that was written down as {short}")
        if not self.entries:
            self.find(None, "the export is empty")
        for seq, shorts in sorted(known.items()):
            self.find(seq, f"was written down as {shorts[0]} and is not in the export")
        if checking:
            checking.finish(self.last)
            if keys.raw and keys.usable and not self.findings:
                self._sealed()

    def _sealed(self) -> None:
        if self.sealed_to is None:
            self.missing.append("no head is of this journal: a cut end would not show")
        elif self.sealed_to < self.last:
            self.missing.append(
                f"entries {self.sealed_to + 1} to {self.last} are chained, but no head covers "
                "them: ask for newer heads"
            )

    def _lines(self, file: BinaryIO, what: str, *, may_be_torn: bool = False) -> Iterator[bytes]:
        try:
            yield from read_lines(file)
        except (OSError, Torn) as error:
            if may_be_torn and isinstance(
                error, Torn
            ):  # the controller mends it with its next head
                self.remarks.append(f"{what}: {error} and does not count")
            else:
                self.find(None, f"{what}: {error}")

    def _begin(self, line: dict[str, Any], checking: _Heads | None) -> tuple[int, bytes]:
        """The first line names the journal."""
        self.last, before = genesis(line)
        self._journal = line["journal"]
        if (named := line.get("predecessor")) is not None:
            self.remarks.append(
                f"goes on from entry {named['seq']} of journal {named['journal']}, digest "
                f"{named['digest']}: verify that one's export too, its last entry must be this"
            )
        if checking:
            checking.begin(self._journal, line.get("predecessor"))
            checking.pass_by(self.last, before.hex())
        return self.last + 1, before

    def _line(self, line: dict[str, Any], before: bytes) -> bytes:
        """Check a line behind the one whose digest is ``before`` (empty: that one is gone)."""
        seq, digest = line["seq"], _hex(line["digest"], 32)
        if type(seq) is not int:
            raise Unreadable(f"has {seq!r} for its number")
        if seq != self.last + 1:
            self.find(self.last + 1, f"is missing, or not in its place: entry {seq} stands there")
            before = b""
        self.last, self.head = seq, line["digest"]
        if self.entries and ("journal" in line or "predecessor" in line):
            self.find(seq, "begins another journal in the middle of this one")
        body = body_of(line)
        if before and digest_of(line, body, before) != line["digest"]:
            self.find(seq, "was changed, or does not follow from the entry before it")
        self._order(line)
        try:
            for what in self.draws.take(line, body):
                self.find(seq, what)
        except _UNREADABLE as error:
            self.find(seq, f"cannot be read as far as draws go: {error!r}")
        if line["type"] == "start" and (program := body.get("program")) != self._program:
            self._program = program
            told = program or {"version": "?", "digest": "?"}
            self.remarks.append(f"entry {seq}: program {told['version']}, digest {told['digest']}")
        return digest

    def _order(self, line: dict[str, Any]) -> None:
        """Boots and their clocks go on, and no event of a device comes twice."""
        seq, boot, mono_ns = line["seq"], line["boot"], line["mono_ns"]
        if boot < self._boot:
            self.find(seq, f"is of boot {boot}, the entry before it of boot {self._boot}")
        elif boot == self._boot and line["boot_id"] != self._boot_id:
            self.find(seq, f"gives boot {boot} another name than the entry before it")
        elif boot == self._boot and mono_ns < self._mono_ns:
            self.find(seq, "was made before the entry that it follows, by its boot's clock")
        self._boot, self._boot_id, self._mono_ns = boot, line["boot_id"], mono_ns
        if "event_no" in line:
            number = line["event_no"]
            key = line["device"], line["session"], line.get("renumbered", 0)
            if number <= self._events.get(key, 0):
                self.find(seq, f"is event {number} of {key[0]}, which came before")
            self._events[key] = number


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

    def begin(self, journal: str, before: dict[str, Any] | None) -> None:
        """The journal whose heads count, and the last entry of the one that it goes on from."""
        self._journal, self._before = journal, before
        self._advance()

    def _advance(self) -> None:
        """On to the next good head of this journal."""
        for number, line in self._lines:
            where = f"line {number} of the heads"
            try:
                head = read_head(line)
            except Unreadable as error:
                self._to.find(None, f"{where} {error}")
                continue
            if self._keys.usable and self._keys.raw and (wrong := self._keys.wrong(head)):
                self._to.find(None, f"{where}, for entry {head['seq']}, {wrong}")
                continue
            if head["journal"] != self._journal:
                self._to.other_heads += 1
                if self._before is not None and head["journal"] == self._before["journal"]:
                    self._earlier = head
                continue
            if head["seq"] < self._last:
                self._to.find(
                    head["seq"],
                    f"was signed after entry {self._last} ({where}): the journal was cut or an "
                    "older copy was put in its place, and went on from there",
                )
                continue
            if head["seq"] == self._last and head["digest"] != self._digest:
                self._to.find(
                    head["seq"],
                    f"was signed as two entries, the second one {head['wall']} ({where}): the "
                    "journal was cut or an older copy was put in its place, and went on from there",
                )
                continue
            self._last, self._digest, self._next = head["seq"], head["digest"], head
            self._to.heads += 1
            return
        self._next = None

    def pass_by(self, seq: int, digest: str) -> None:
        """The export has come to this entry."""
        while self._next is not None and self._next["seq"] <= seq:
            head = self._next
            if head["seq"] < seq:
                self._to.find(head["seq"], "was signed and is not in the export")
            elif head["digest"] != digest:
                self._to.find(seq, f"is not the entry that was signed {head['wall']}")
            else:
                self._to.sealed_to, self._to.table = seq, head["table"]
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
            self._to.find(
                first["seq"],
                f"was signed {first['wall']}{told}, but the export ends with entry {last}: the end "
                "is missing",
            )

    def _compare_earlier(self) -> None:
        """The last head of the journal before is of an entry that this one goes on from."""
        if self._before is None or self._earlier is None:
            return
        signed, named = self._earlier, self._before
        if signed["seq"] > named["seq"] or (
            signed["seq"] == named["seq"] and signed["digest"] != named["digest"]
        ):
            self._to.find(
                signed["seq"],
                f"was signed {signed['wall']} in journal {signed['journal']}, but this one goes on "
                f"from another entry {named['seq']} of it",
            )


# ---- the report ---------------------------------------------------------------------------------

VERDICTS: Final = {
    VERIFIED: "VERIFIED: the journal is whole and unchanged up to its last entry.",
    WRONG: "NOT VERIFIED: something is wrong. Keep the files as they are.",
    INCOMPLETE: "NOT VERIFIED IN FULL: nothing wrong was found, but not all could be checked.",
}


def report(found: Verification) -> Iterator[str]:
    """The report in plain words."""
    whose = f"table {found.table}" if found.table else "table not known (heads name it)"
    yield f"{whose}: {found.entries} entries, {found.first} to {found.last}"
    yield f"last digest: {found.head or 'none'}"
    if found.heads_given:
        covering = "none of it" if found.sealed_to is None else f"it up to entry {found.sealed_to}"
        yield f"signed heads of this journal: {found.heads}, covering {covering}"
    else:
        yield "signed heads: none were given"
    if found.other_heads:
        yield f"heads of other journals, not compared: {found.other_heads}"
    yield f"draws computed again: {found.draws.count}"
    yield from found.remarks
    for seq, what in found.findings:
        yield f"WRONG: {what}" if seq is None else f"WRONG: entry {seq} {what}"
    if found.more_findings:
        yield f"WRONG: {found.more_findings} more"
    for what in found.missing:
        yield f"NOT CHECKED: {what}"
    yield VERDICTS[found.status]


def as_json(found: Verification) -> dict[str, Any]:
    """The report for programs."""
    return {
        "verified": found.status == VERIFIED,
        "status": found.status,
        "table": found.table,
        "entries": found.entries,
        "first": found.first,
        "last": found.last,
        "head": found.head,
        "sealed_to": found.sealed_to,
        "heads": found.heads,
        "other_heads": found.other_heads,
        "draws": found.draws.count,
        "findings": [{"entry": seq, "what": what} for seq, what in found.findings],
        "more_findings": found.more_findings,
        "not_checked": found.missing,
        "remarks": found.remarks,
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
    if name == "-":
        return sys.stdin.buffer
    return opened.enter_context(Path(name).open("rb"))


def main(argv: Sequence[str] | None = None) -> int:
    """Verify; returns the exit status."""
    parser = argparse.ArgumentParser(description="Verifies an exported journal of a table.")
    parser.add_argument("journal", metavar="JOURNAL", help="the export, - for standard input")
    parser.add_argument("--heads", metavar="FILE", help="the signed heads")
    parser.add_argument(
        "--key", metavar="HEX|FILE", action="append", default=[], help="the controller's public key"
    )
    parser.add_argument(
        "--known", metavar="'SEQ DIGITS'", action="append", default=[],
        help="an entry that was written down",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="report in JSON")
    given = parser.parse_args(argv)
    found = Verification()
    with contextlib.ExitStack() as opened:
        try:
            keys, known = Keys(given.key), _known(given.known)
            journal = _open(given.journal, opened)
            heads = _open(given.heads, opened) if given.heads else None
        except (OSError, Unreadable) as error:
            print(f"verify_journal: {error}", file=sys.stderr)
            return INCOMPLETE
        found.run(journal, heads, keys, known)
    if given.json:
        print(json.dumps(as_json(found)))
    else:
        print("\n".join(report(found)))
    return found.status


if __name__ == "__main__":
    sys.exit(main())
