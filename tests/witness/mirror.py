"""A mirror that keeps all in memory, checks what it is sent as the specification has it (C2SP
tlog-mirror), and can be told to lose or refuse it."""

from __future__ import annotations

import gzip
import io
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.evidence.tree.checkpoint import parsed
from controller.evidence.tree.merkle import joined, leaf_hash, push, roots_from_subtree
from tests.witness.serving import Answer, answering
from tests.witness.signer import Signer

Said = tuple[int, str, str]
"""Status, content type, body."""


def root_of_leaves(leaves: list[bytes]) -> bytes:
    stack: list[tuple[int, bytes]] = []
    for leaf in leaves:
        push(stack, leaf_hash(leaf))
    return joined(value for _, value in stack)


class Mirror:
    """``leaves`` it keeps of one log, ``pending`` are the checkpoints by size. ``uploads``: of each
    its bounds and how many packages it had. ``scripted``: what is said to the next uploads in the
    place of answers."""

    def __init__(self, folder: Path) -> None:
        self.signer = Signer(folder / "mirror-key", "floor.example/mirror")
        self.leaves: list[bytes] = []
        self.pending: dict[int, str] = {}
        self.mirrored = 0
        self.uploads: list[tuple[int, int, int]] = []
        self.tickets: list[bytes] = []
        self.scripted: list[Said] = []
        self.url = ""
        self._ticket = b""

    def loses(self, down_to: int) -> None:
        """Its database is put back to when it had so many, all cosigned; 0: to nothing."""
        del self.leaves[down_to:]
        self.pending = {size: text for size, text in self.pending.items() if size <= down_to}
        self.mirrored = down_to

    def add_checkpoint(self, body: bytes) -> Said:
        first, _, checkpoint = body.decode().partition("\n\n")
        told, *proof = first.split("\n")
        old, stands = int(told.removeprefix("old ")), max(self.pending, default=0)
        new = parsed(checkpoint)
        if old != stands:
            return 409, "text/x.tlog.size", f"{stands}\n"
        if stands:
            before = parsed(self.pending[stands]).root
            path = [b64decode(one) for one in proof]
            if roots_from_subtree(0, old, new.size, before, path) != (before, new.root):
                return 422, "text/plain", "bad consistency proof\n"
        self.pending[new.size] = checkpoint
        return 200, "text/plain", ""

    def add_entries(self, body: bytes) -> Said:
        given = io.BytesIO(gzip.decompress(body))
        origin = _counted(given).decode()
        start, end = (int.from_bytes(given.read(8), "big") for _ in range(2))
        self.tickets.append(_counted(given))
        assert self.tickets[-1] in (b"", self._ticket)
        if self.scripted:
            return self.scripted.pop(0)
        assert origin == parsed(self.pending[end]).origin
        at, count = start, 0
        if start <= len(self.leaves):
            while at < end and (length := given.read(2)):
                at, count = self._package(given, length, at, end), count + 1
            assert not given.read()
        self.uploads.append((start, end, count))
        if start > len(self.leaves) or at < end:
            return self._stands(202 if count else 409, end)
        self._ticket, self.mirrored = b"", max(self.mirrored, end)
        return 200, "text/plain", f"{self.signer.cosigns(self.pending[end])}\n"

    def _stands(self, status: int, end: int) -> Said:
        self._ticket = b"ticket %d" % len(self.leaves)
        ticket = b64encode(self._ticket).decode()
        return status, "text/x.tlog.mirror-info", f"{end}\n{len(self.leaves)}\n{ticket}\n"

    def _package(self, given: io.BytesIO, length: bytes, start: int, end: int) -> int:
        block = start - start % 256
        upto = min(end, block + 256)
        leaves = [given.read(int.from_bytes(length, "big"))]
        leaves += [_counted(given) for _ in range(start + 1, upto)]
        path = [given.read(32) for _ in range(given.read(1)[0])]
        part = root_of_leaves([*self.leaves[block:start], *leaves])
        root = parsed(self.pending[end]).root
        assert roots_from_subtree(block, upto, end, part, path) == (part, root)
        self.leaves += leaves[len(self.leaves) - start :]
        return upto


def _counted(given: io.BytesIO) -> bytes:
    return given.read(int.from_bytes(given.read(2), "big"))


@contextmanager
def mirror(folder: Path) -> Iterator[Mirror]:
    """One that knows any log, at its ``url``."""
    made = Mirror(folder)

    def answer(path: str, body: bytes) -> Answer:
        takes = made.add_entries if path.endswith("/add-entries") else made.add_checkpoint
        status, kind, said = takes(body)
        return status, {"Content-Type": kind}, said.encode()

    with answering(answer) as address:
        made.url = f"{address}/prefix"
        yield made
