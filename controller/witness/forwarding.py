"""The journal sent to the floor's mirror: C2SP tlog-mirror, ``add-checkpoint`` and ``add-entries``.
The rules:

- The journal is the outbox, and nothing is kept here but where the mirror stood. That the mirror
  says: whether the network was away, the box is another one or the mirror's database was restored,
  entries are sent from there. Where that is not known an upload of nothing asks.
- The checkpoint is given first (:mod:`~.exchange`); then all entries up to it, in as many requests
  as that takes (:data:`MOST_PACKAGES`, :data:`MOST_BYTES`), and the daemon is told how far it has
  come. A mirror that has another checkpoint in mind is given the newest one, and it begins anew.
- Where a request is too much for the line, or for a proxy, those that follow have half as many
  packages, until the process is started again.
- A mirror that refuses entries (422) may have lost the checkpoint meanwhile: it is given once more,
  and what it says then is told.
- That entries are kept there only its cosignature says, which the daemon checks.
- Entries whose journal was taken away cannot be sent; that is told in words, and holds nothing.

The form of ``add-entries``, byte by byte:

- A body is a head and packages behind one another. The head: the log's origin, with its length
  before it (2 bytes); the leaves that are sent, from one up to, and without, another (8 bytes
  each); the mirror's ticket, with its length before it (2 bytes). Numbers are big-endian.
- Packages are cut where multiples of 256 are (:func:`controller.evidence.tree.merkle.packages`); a
  log of those bounds has one sequence of them, of which a body has the first ones.
- A package: its leaves, each with its length before it (2 bytes), the number of hashes (1 byte),
  and the hashes, 32 bytes each. They prove the subtree that begins at the multiple and ends with
  the package, also where the package begins later (:mod:`controller.evidence.tree.merkle`).
- Where it stands a mirror says on three lines: the size of the checkpoint that it has in mind, the
  next leaf that it wants, and a ticket in base64, to be given back to it."""

from __future__ import annotations

import gzip
import re
import time
from base64 import b64decode
from collections.abc import Iterable
from itertools import islice
from typing import Final

from controller.configuration.model import WitnessSettings
from controller.control.answers import NewestCheckpoint
from controller.control.client import ControlClient
from controller.evidence.tree.checkpoint import decoded, parsed
from controller.evidence.tree.merkle import PACKAGE, packages
from controller.witness.exchange import (
    OCTETS,
    TRIES,
    HttpAnswer,
    WitnessSilent,
    WitnessTalk,
    add_checkpoint,
    on_one_line,
    post_request,
)

LONGEST: Final = (1 << 16) - 1  # bytes of a leaf
INFO_TYPE: Final = "text/x.tlog.mirror-info"
_INFO: Final = re.compile(rb"(0|[1-9][0-9]{0,15})\n(0|[1-9][0-9]{0,15})\n([A-Za-z0-9+/=]*)\n")


def read_info(kind: str, body: bytes) -> tuple[int, int, bytes] | None:
    """Where a mirror stands by an answer of that type: a checkpoint's size, the next leaf, its
    ticket; None where it is none of a mirror."""
    found = _INFO.fullmatch(body) if kind == INFO_TYPE else None
    ticket = decoded(found[3].decode("ascii")) if found else None
    if found is None or ticket is None or len(ticket) > LONGEST:
        return None
    return int(found[1]), int(found[2]), ticket


def head_of(origin: str, start: int, end: int, ticket: bytes) -> bytes:
    """The head of a body."""
    numbers = start.to_bytes(8, "big") + end.to_bytes(8, "big")
    return _counted(origin.encode()) + numbers + _counted(ticket)


def package_of(leaves: Iterable[bytes], proof: Iterable[bytes]) -> bytes:
    """One package. Raises OverflowError for a leaf that is longer than :data:`LONGEST`."""
    hashes = list(proof)
    return b"".join([*map(_counted, leaves), bytes([len(hashes)]), *hashes])


def _counted(data: bytes) -> bytes:
    return len(data).to_bytes(2, "big") + data


MOST_PACKAGES: Final = 32
MOST_BYTES: Final = 4 << 20
"""Of a request, before it is compressed: beyond this no further package is put into it."""
TOO_LARGE: Final = 413
UPLOAD_S: Final = 120.0  # for a request with entries: a slow line takes 7 kB/s of them compressed


class Forwarder:
    """Sends the journal to one mirror, by one thread; an asker of :func:`.exchange.exchange`."""

    def __init__(self) -> None:
        self._next: int | None = None
        self._most = MOST_PACKAGES

    def __call__(
        self, talk: WitnessTalk, floor: WitnessSettings, old: int
    ) -> tuple[NewestCheckpoint, HttpAnswer]:
        """Send what the mirror lacks up to the newest checkpoint; its last answer. Raises as
        :func:`~controller.witness.exchange.add_checkpoint`."""
        refused = False
        for _ in range(TRIES):
            newest, answer = add_checkpoint(talk, floor, old)
            if answer.status != 200:
                return newest, answer
            last = self._upload(talk, floor, newest)
            if last is not None and (last.status != 422 or refused):
                return newest, last
            refused, old = last is not None, newest["size"]
        raise WitnessSilent("409, each time of another checkpoint")

    def _upload(
        self, talk: WitnessTalk, floor: WitnessSettings, newest: NewestCheckpoint
    ) -> HttpAnswer | None:
        """The mirror's last answer to the entries up to that checkpoint; None where it has another
        one in mind."""
        end, origin, ticket = newest["size"], parsed(newest["checkpoint"]).origin, b""
        start, self._next = end if self._next is None else min(self._next, end), None
        elsewhere = 0
        while elsewhere < TRIES:
            body = bytearray(head_of(origin, start, end, ticket))
            _fill(body, talk, islice(packages(start, end), self._most), end)
            answer = self._send_entries(floor, gzip.compress(body, 6, mtime=0))
            if answer.status not in (202, 409):
                self._next = end if answer.status == 200 else None
                return answer
            info = read_info(answer.kind, answer.body)
            if info is None:
                what = f"{answer.status} that says nothing, {on_one_line(answer.body)}"
                raise WitnessSilent(what)
            size, following, ticket = info
            if size != end:
                return None
            following = min(following, end)
            if following == start or (answer.status == 202 and following < start):
                raise WitnessSilent(f"{answer.status}, and still wants entry {start + 1}")
            elsewhere += answer.status == 409
            start = following
            words = f"{answer.status} it has entry {start} of {end}"
            talk.answer_to(ControlClient.witnessed, floor.name, end, int(time.time()), (), words)
        raise WitnessSilent(f"409, each time elsewhere, at last at entry {start}")

    def _send_entries(self, floor: WitnessSettings, body: bytes) -> HttpAnswer:
        most, self._most = self._most, max(1, self._most // 2)
        answer = post_request(f"{floor.url}/add-entries", body, UPLOAD_S, OCTETS)
        if answer.status != TOO_LARGE:
            self._most = most
        return answer


def _fill(body: bytearray, talk: WitnessTalk, bounds: Iterable[tuple[int, int]], end: int) -> None:
    for low, high in bounds:
        leaves = _leaves(talk, low, high)
        proof = talk.answer_to(ControlClient.subtree, low - low % PACKAGE, high, end)
        body += package_of(leaves, map(b64decode, proof))
        if len(body) > MOST_BYTES:
            return


def _leaves(talk: WitnessTalk, low: int, high: int) -> list[bytes]:
    found: list[bytes] = []
    while (missing := high - low - len(found)) > 0:
        lines = talk.answer_to(ControlClient.entries, low + len(found), missing)
        if not lines:
            raise WitnessSilent(f"the journal has no entry {low + len(found) + 1} any more")
        found += [line.encode("ascii") for line in lines]
    for number, leaf in enumerate(found, low + 1):
        if len(leaf) > LONGEST:
            raise WitnessSilent(f"entry {number} has {len(leaf)} bytes, a mirror takes {LONGEST}")
    return found
