"""What a forger makes fit again: the chain of digests, the heads, their roots, the signed row."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from controller.evidence.heads import SignedHead, read_head
from controller.evidence.tree.checkpoint import checkpoint_of
from controller.evidence.tree.entries import LOWEST, place_of
from controller.evidence.tree.merkle import HASH_BYTES, joined, leaf_hash, push
from controller.journal import rows
from controller.journal.canonical import genesis
from controller.journal.chain import digest_of
from controller.journal.commits import signed_text
from controller.journal.export import record
from controller.journal.model import FORMAT, TREE, VERSIONS
from proof.torture.forged.image import (
    BODY,
    BOOT,
    DIGEST,
    MONO_NS,
    SEQ,
    WALL,
    Key,
    Ledger,
    Row,
)
from proof.torture.forged.rewriting import altered


def origin(ledger: Ledger) -> bytes:
    """The digest before its first entry."""
    return genesis(ledger.identity, ledger.predecessor)


def chain(ledger: Ledger, first: int = 0, upto: int | None = None) -> None:
    """Compute the digests anew from the place ``first`` in its entries, up to, and without, the
    place ``upto``; boots say where they begin."""
    entries = ledger.entries
    names = {boot: boot_id for boot, boot_id, _, _ in ledger.boots}
    before = entries[first - 1][DIGEST] if first else origin(ledger)
    for row in entries[first:upto]:
        row[DIGEST] = before = digest_of(tuple(row), names.get(row[BOOT], ""), before)


def boots_begin(ledger: Ledger) -> None:
    """Have each boot begin with its first entry; those without entries in this file stay."""
    firsts: dict[int, Row] = {}
    for row in ledger.entries:
        firsts.setdefault(row[BOOT], row)
    ledger.boots = [
        (boot, name, firsts[boot][WALL], firsts[boot][SEQ] - 1)
        if boot in firsts
        else (boot, name, wall, min(after, ledger.last))
        for boot, name, wall, after in ledger.boots
    ]


def lines(ledger: Ledger) -> Iterator[str]:
    """The entries as an export has them."""
    names = {boot: boot_id for boot, boot_id, _, _ in ledger.boots}
    for number, row in enumerate(ledger.entries):
        line = record(rows.entry_of(tuple(row))) | {"boot_id": names.get(row[BOOT], "")}
        if not number:
            line |= {"journal": ledger.identity.hex()}
            if ledger.predecessor is not None:
                named, seq, last = ledger.predecessor
                before = {"journal": named.hex(), "seq": seq, "digest": last.hex()}
                line |= {"predecessor": before}
        yield json.dumps(line, separators=(",", ":"))


@dataclass(slots=True)
class Grown:
    """The tree over a journal's lines: ``roots`` by the number of the last one, and the file of
    ``nodes``; nothing where it goes on and does not say from which tree."""

    roots: dict[int, bytes] = field(default_factory=dict)
    nodes: bytearray = field(default_factory=bytearray)


def grown(ledger: Ledger) -> Grown:
    """The tree as it is now."""
    stack: list[tuple[int, bytes]] = []
    if ledger.predecessor is not None:
        size = ledger.begins
        levels = [level for level in range(size.bit_length() - 1, -1, -1) if size >> level & 1]
        try:
            told = json.loads(ledger.entries[0][BODY])[TREE]["hashes"]
            stack = list(zip(levels, map(bytes.fromhex, told), strict=True))
        except (LookupError, TypeError, ValueError):
            return Grown()
    found = Grown()
    for row, line in zip(ledger.entries, lines(ledger), strict=True):
        for level, value in push(stack, leaf_hash(line.encode("ascii"))):
            if level >= LOWEST:
                at = HASH_BYTES * place_of(level, (row[SEQ] - 1) >> level)
                found.nodes.extend(bytes(max(0, at + HASH_BYTES - len(found.nodes))))
                found.nodes[at : at + HASH_BYTES] = value
        found.roots[row[SEQ]] = joined(value for _, value in stack)
    return found


def row_for(ledger: Ledger, key: Key, place: int = -1) -> tuple[Any, ...]:
    """The signed row of the entry at that place."""
    at = ledger.entries[place]
    text = signed_text(ledger.identity, at[SEQ], at[DIGEST], at[WALL])
    return at[SEQ], at[DIGEST], at[WALL], key.fingerprint, key.sign(text)


def heads_anew(heads: Iterable[bytes], ledger: Ledger, key: Key) -> list[bytes]:
    """Heads of the journal as it is now, for the same entries as ``heads`` are, under that key;
    without those for entries that it has not."""
    digests = {row[SEQ]: row[DIGEST] for row in ledger.entries} | {ledger.begins: origin(ledger)}
    over, found = grown(ledger).roots, []
    for line in heads:
        head = read_head(line)
        if head.seq not in digests:
            continue
        checkpoint = ""
        if head.checkpoint and head.seq in over:
            note = checkpoint_of(key.public, head.seq, over[head.seq])
            checkpoint = note.signed(key)
        anew: SignedHead = replace(
            head,
            journal=ledger.identity.hex(),
            digest=digests[head.seq].hex(),
            checkpoint=checkpoint,
        )
        found.append(anew.signed(key).line.encode("ascii"))
    return found


def without_format(ledger: Ledger) -> None:
    """Take away from the first entry which form it is of."""

    def change(body: dict[str, Any]) -> None:
        if isinstance(told := body.get(VERSIONS), dict):
            told.pop(FORMAT, None)

    altered(ledger.entries[0], change)


def commit_ends(ledger: Ledger) -> list[int]:
    """The places of entries with which a commit ended: what one commit wrote has one moment."""
    entries = ledger.entries
    moments = [(row[BOOT], row[MONO_NS]) for row in entries]
    return [at for at in range(len(entries) - 1) if moments[at] != moments[at + 1]]
