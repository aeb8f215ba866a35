"""What a mirror is sent of a log, byte by byte: C2SP tlog-mirror, ``add-entries``. No I/O.

The rules:

- A body is a head and packages behind one another. The head: the log's origin, with its length
  before it (2 bytes); the leaves that are sent, from one up to, and without, another (8 bytes
  each); the mirror's ticket, with its length before it (2 bytes). Numbers are big-endian.
- Packages are cut where multiples of 256 are (:func:`controller.evidence.tree.subtree.packages`); a
  log of those bounds has one sequence of them, of which a body has the first ones.
- A package: its leaves, each with its length before it (2 bytes), the number of hashes (1 byte),
  and the hashes, 32 bytes each. They prove the subtree that begins at the multiple and ends with
  the package, also where the package begins later (:mod:`controller.evidence.tree.subtree`).
- Where it stands a mirror says on three lines: the size of the checkpoint that it has in mind, the
  next leaf that it wants, and a ticket in base64, to be given back to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from controller.evidence.tree.signed_note import decoded

LONGEST: Final = (1 << 16) - 1
"""Bytes of a leaf."""
INFO_TYPE: Final = "text/x.tlog.mirror-info"
_INFO: Final = re.compile(rb"(0|[1-9][0-9]{0,15})\n(0|[1-9][0-9]{0,15})\n([A-Za-z0-9+/=]*)\n")


@dataclass(frozen=True, slots=True)
class MirrorInfo:
    """Where a mirror stands: a checkpoint's ``size``, the ``next`` leaf, its ``ticket``."""

    size: int
    next: int
    ticket: bytes


def read_info(kind: str, body: bytes) -> MirrorInfo | None:
    """What an answer of that type says; None where it is none of a mirror."""
    found = _INFO.fullmatch(body) if kind == INFO_TYPE else None
    ticket = decoded(found[3].decode("ascii")) if found else None
    if found is None or ticket is None or len(ticket) > LONGEST:
        return None
    return MirrorInfo(int(found[1]), int(found[2]), ticket)


def head_of(origin: str, start: int, end: int, ticket: bytes) -> bytes:
    """The head of a body."""
    numbers = start.to_bytes(8, "big") + end.to_bytes(8, "big")
    return _counted(origin.encode()) + numbers + _counted(ticket)


def package_of(leaves: Iterable[bytes], proof: Iterable[bytes]) -> bytes:
    """One package.

    Raises OverflowError for a leaf that is longer than :data:`LONGEST`.
    """
    hashes = list(proof)
    return b"".join([*map(_counted, leaves), bytes([len(hashes)]), *hashes])


def _counted(data: bytes) -> bytes:
    return len(data).to_bytes(2, "big") + data
