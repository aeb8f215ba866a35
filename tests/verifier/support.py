"""A table's journal with draws, its signed heads, and the verifier as an inspector runs it."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.draw.generator import draw
from controller.draw.weights import Weights
from controller.evidence.heads import SignedHead, append_head
from controller.journal.export import lines
from controller.journal.keys import ControllerKey
from controller.journal.model import Draft
from controller.journal.reader import JournalReader
from tests.journal.helpers import SESSION, WALL, AnyJournal, card, entry
from verifier.verify_journal import body_of, digest_of, genesis, main

ROOT = Path(__file__).resolve().parents[2]
VERIFIER = ROOT / "verifier" / "verify_journal.py"
WEIGHTS = ((100, 4), (50, 8), (25, 20), (2, 5))


def start(weights: Sequence[tuple[int, int]] = WEIGHTS, state: str = "idle") -> Draft:
    program = {"version": "0.3.0", "digest": "aa" * 32}
    settings = {"weights": [list(pair) for pair in weights]}
    after = {"state": state}
    return Draft("start", {"settings": settings, "program": program, "after": after})


def step(state: str) -> Draft:
    return Draft("dealer", {"command": "ünlesbar \n", "after": {"state": state}})


def drawn(offer: int, weights: Sequence[tuple[int, int]] = WEIGHTS, **forged: Any) -> Draft:
    made = draw(Weights(tuple(weights))).as_body()
    return Draft("draw", {"box": 3, **made, **forged, "after": {}}, offer=offer)


def link(numbered_anew: int) -> Draft:
    body = {"up": True, "no": numbered_anew}
    return Draft("link", body, "shoe", SESSION, renumbered=True)


HISTORY: tuple[tuple[str, list[Draft]], ...] = (
    ("boot-one", [start(), card(1), card(2), entry("close"), drawn(7), card(3)]),
    ("boot-two", [start(state="held.deal"), card(4), link(1), card(1), step("idle"), drawn(9)]),
)
COUNT = sum(len(drafts) for _, drafts in HISTORY)


@dataclass
class Told:
    """What the verifier says; ``status`` is its exit status."""

    status: int
    text: str

    @property
    def json(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.text)
        return found

    @property
    def found(self) -> list[str]:
        return [f"{one['entry']}: {one['what']}" for one in self.json["findings"]]


def verifier(*arguments: object, folder: Path = ROOT) -> Told:
    """Run it in this process, from a folder. That it needs nothing of this project, alone and
    isolated (``VERIFIER``), is tried by tests of their own."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with chdir(folder), redirect_stdout(out), redirect_stderr(err):
        try:
            status = main(list(map(str, arguments)))
        except SystemExit as ended:
            status = int(ended.code or 0)
    said, wrong = (stream.buffer.getvalue().decode() for stream in (out, err))
    return Told(status, said or wrong)


def alone(*arguments: str | Path, **given: Any) -> subprocess.CompletedProcess[str]:
    """Run it as an inspector does: a file alone, isolated from this project."""
    command = [sys.executable, "-I", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, **given)


@dataclass
class Case:
    """The files that an inspector is given; the public key ``given`` to him, where it is not that
    of ``key``."""

    folder: Path
    key: ControllerKey
    given: str = ""

    @property
    def export(self) -> Path:
        return self.folder / "journal.jsonl"

    @property
    def heads(self) -> Path:
        return self.folder / "heads.jsonl"

    def verify(self, *more: object, heads: bool = True, key: str | None = None) -> Told:
        """What it says of these files."""
        told = [self.export, *(["--heads", self.heads] if heads else [])]
        key = self.given or self.key.public.text if key is None else key
        told += ["--key", key] if key else []
        return verifier(*told, "--json", *more, folder=self.folder)

    @property
    def lines(self) -> list[str]:
        return self.export.read_text(encoding="ascii").splitlines()

    def put(self, exported: Sequence[str]) -> None:
        self.export.write_text("".join(f"{line}\n" for line in exported), encoding="ascii")


def rechained(lines: Sequence[dict[str, Any]]) -> list[str]:
    """The lines numbered and chained anew, well, as anybody can."""
    found, before = [], b""
    first = lines[0]["seq"]
    for seq, line in enumerate(lines, first):
        told = {**line, "seq": seq}
        before = before or genesis(told)[1]
        told["digest"] = digest_of(told, body_of(told), before)
        before = bytes.fromhex(told["digest"])
        found.append(spelled(told))
    return found


def spelled(told: dict[str, Any]) -> str:
    """As an export spells it."""
    return json.dumps(told, separators=(",", ":"))


def made(
    folder: Path,
    history: Sequence[tuple[str, list[Draft]]] = HISTORY,
    key: ControllerKey | None = None,
    *,
    sealed: int | None = None,
) -> Case:
    """A case; a head is signed every second entry up to ``sealed`` (None: the last)."""
    state = folder / "state"
    case = Case(folder, key or ControllerKey(folder / "key"))
    case.heads.unlink(missing_ok=True)
    for boot_id, drafts in history:
        with AnyJournal(state, case.key, boot_id=boot_id) as journal:
            for draft in drafts:
                journal.append([draft], journal.head.seq + 1, WALL)
    with JournalReader(state) as reader:
        case.put(list(lines(reader)))
        last = reader.head.seq if sealed is None else sealed
        for one in reader.iterate():
            if one.seq <= last and one.seq % 2 == last % 2:
                identity, digest = reader.identity.hex(), one.digest.hex()
                head = SignedHead(identity, "P12", one.seq, digest, one.boot, WALL)
                append_head(case.heads, head.signed(case.key))
    return case
