"""A floor's mirror that is only read, out of memory: as it should be, or as somebody made it."""

from __future__ import annotations

import gzip
import hashlib
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.evidence.tree.checkpoint import checkpoint_of, encoded
from controller.journal.keys import ControllerKey
from tests.witness.mirror import root_of_leaves
from tests.witness.serving import Answer, answering
from tests.witness.signer import Signer

MIRROR = "floor.example/mirror"


class ReadMirror:
    """What it gives of the log of ``key``: ``leaves``, of which it has cosigned ``size``.
    ``instead``: what it answers to paths that end so, None: it hangs up in the middle of a body;
    ``hangs``: it answers nothing any more."""

    def __init__(self, folder: Path, key: ControllerKey, leaves: list[bytes]) -> None:
        self.signer = Signer(folder / "mirror-key", MIRROR)
        self.origin = f"table-controller/{key.public.fingerprint[:16]}"
        self.leaves = leaves
        self.size = len(leaves)
        self.text = ""
        self.sign(key)
        self.instead: dict[str, Answer | None] = {}
        self.hangs = threading.Event()
        self.over = threading.Event()
        self.asked: list[str] = []
        self.url = ""

    def sign(self, key: ControllerKey, signer: Signer | None = None) -> None:
        """Have the checkpoint of its size be signed with that key over what it has now."""
        root = root_of_leaves(self.leaves[: self.size])
        text = checkpoint_of(key.public, self.size, root).signed(key)
        self.text = f"{text}{(signer or self.signer).cosigns(text)}\n"

    def answer(self, path: str) -> Answer | None:
        start = f"/mirror/{hashlib.sha256(self.origin.encode()).hexdigest()}/"
        if not path.startswith(start):
            return 404, {}, b"no such log\n"
        what = path.removeprefix(start)
        self.asked.append(what)
        for end, told in self.instead.items():
            if what.endswith(end):
                return told
        if what == "checkpoint":
            return 200, {}, self.text.encode()
        number, _, width = what.removeprefix("tile/entries/").partition(".p/")
        first = int(number.replace("/", "").replace("x", "")) * 256
        count = int(width or 256)
        if first + count > self.size:
            return 404, {}, b"no such bundle\n"
        return packed(self.leaves[first : first + count])


def packed(leaves: list[bytes]) -> Answer:
    body = b"".join(len(leaf).to_bytes(2, "big") + leaf for leaf in leaves)
    return 200, {"Content-Encoding": "gzip"}, gzip.compress(body)


@contextmanager
def served(mirror: ReadMirror) -> Iterator[ReadMirror]:
    """It answers at its ``url``."""

    def answer(path: str, _: bytes) -> Answer | None:
        if mirror.hangs.is_set():
            mirror.over.wait(20.0)
        return mirror.answer(path)

    with answering(answer) as address:
        mirror.url = f"{address}/mirror"
        try:
            yield mirror
        finally:
            mirror.over.set()


def lost(state: Path) -> None:
    """Another box, with the key out of the safe and nothing else."""
    key = (state / "key").read_bytes()
    shutil.rmtree(state)
    state.mkdir()
    (state / "key").write_bytes(key)
    (state / "key").chmod(0o600)


def altered_root(text: str) -> str:
    """A checkpoint with another root, under the signatures as they were."""
    lines = text.split("\n")
    lines[2] = encoded(bytes(32))
    return "\n".join(lines)
