"""Uploads of entries as a client of a mirror makes them, out of logs in memory."""

from __future__ import annotations

from controller.evidence.tree.merkle import packages as intervals
from controller.evidence.tree.merkle import push, root_of, subtree_proof
from floor.protocol.packages import BLOCK, EntryPackage
from floor.protocol.uploads import UploadHead
from tests.witness.logs import Log


def head_of(origin: str, start: int, end: int, ticket: bytes = b"") -> bytes:
    name = origin.encode()
    numbers = start.to_bytes(8, "big") + end.to_bytes(8, "big")
    return counted(name) + numbers + counted(ticket)


def counted(raw: bytes) -> bytes:
    return len(raw).to_bytes(2, "big") + raw


def package_of(log: Log, start: int, end: int, size: int) -> EntryPackage:
    proof = subtree_proof(start - start % BLOCK, end, size, log.node)
    return EntryPackage(start, end, tuple(log.entries[start:end]), tuple(proof))


def packed(package: EntryPackage) -> bytes:
    leaves = b"".join(counted(leaf) for leaf in package.leaves)
    return leaves + bytes([len(package.proof)]) + b"".join(package.proof)


def upload_of(log: Log, start: int, size: int, packages: int | None = None) -> bytes:
    """The body that uploads the entries from ``start`` up to the checkpoint of that size; no more
    than so many packages."""
    due = list(intervals(start, size))[:packages]
    body = b"".join(packed(package_of(log, low, high, size)) for low, high in due)
    return head_of(log.origin, start, size) + body


def frontier_of(log: Log, size: int) -> list[tuple[int, bytes]]:
    nodes: list[tuple[int, bytes]] = []
    for number in range(size):
        push(nodes, log.node(0, number))
    return nodes


def root_of_log(log: Log, size: int) -> bytes:
    return root_of(size, log.node)


def heads(log: Log, start: int, end: int) -> UploadHead:
    return UploadHead(log.origin, start, end)
