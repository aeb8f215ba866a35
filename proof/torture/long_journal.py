"""A journal that is filled without its daemon: the table's folder, who writes there, what it costs.

Writing does without the sync of every commit (``synchronous=OFF``): the entries are the same, the
disk only gets them quicker. Signed heads are written as the daemon would have written them. What is
measured is measured with the daemon's real process, after the entries are on the disk.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from controller.configuration.reading import load_configuration
from controller.daemon.runtime import settings_of
from controller.evidence.heads import SignedHead, append_head, last_head
from controller.evidence.tree.checkpoint import checkpoint_of, read_checkpoint
from controller.evidence.tree.entries import TREE_FILE, EntryTree, NodeFile
from controller.evidence.tree.growing import GrowingTree
from controller.evidence.tree.proving import proven
from controller.journal.keys import ControllerKey, PublicKey
from controller.journal.model import SEALING, Draft
from controller.journal.reader import JournalReader
from controller.journal.schema import FILE_NAME
from controller.journal.store import Journal
from controller.replay.recovery import recover
from hil_tests.bench.controller_process import ControllerProcess
from hil_tests.bench.logged_program import cpu_s
from hil_tests.bench.setup import least_configuration
from proof.torture.year import Year

BATCH: Final = 1900
"""Entries of a commit, below what a checkpoint waits for."""
TABLE: Final = "SOAK"
HEADS: Final = "heads.jsonl"
VERIFIER: Final = Path(__file__).resolve().parents[2] / "verifier" / "verify_journal.py"


class Start(NamedTuple):
    """One start: seconds to READY, of the processor's time, and resident memory then in kB."""

    took_s: float
    cpu_s: float
    resident_kb: int


class Bench:
    """A table's folder: its configuration, its journal, and the daemon on it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.state = folder, folder / "state"
        self.config = folder / "table.toml"
        links = {name: folder / name for name in ("shoe", "jackpot")}
        text = least_configuration(links, self.state, folder / "control.sock", table=TABLE)
        self.config.write_text(text, "utf-8")

    @property
    def file(self) -> Path:
        """The journal's file."""
        return self.state / FILE_NAME

    def start(self, *, cold: bool = False) -> Start:
        """Start the daemon and stop it; ``cold``: with no page of the journal in memory."""
        if cold:
            with self.file.open("rb") as file:
                os.fsync(file.fileno())
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        process = ControllerProcess(self.config, self.folder)
        began = time.perf_counter()
        process.start()
        took = time.perf_counter() - began
        pid = process.pid or 0
        start = Start(took, cpu_s(pid), memory_kib(pid))
        process.stop()
        return start

    def row_text(self, rounds: int, empty: Bench, starts: int) -> tuple[str, float]:
        """What the journal costs, by the columns of :data:`HEAD`, measured beside an empty one; how
        many seconds later it starts than that."""
        self.start()  # makes it, where there is none, and fills the caches
        with JournalReader(self.state) as reader:
            entries, size = reader.head.seq, self.file.stat().st_size
        pairs = [(empty.start(), self.start()) for _ in range(starts)]
        cold = statistics.median(self.start(cold=True).took_s for _ in range(starts))
        start, cpu = (statistics.median(one[at] for _, one in pairs) for at in (0, 1))
        later = statistics.median(one.took_s - other.took_s for other, one in pairs)
        resident = max(one.resident_kb for _, one in pairs) / 1024
        return (
            f"{entries:>12,} {rounds:>10,} {size / 1e6:>10,.1f} {size / max(entries, 1):>8.0f} "
            f"{start:>8.3f} {later:>+8.3f} {cpu:>8.2f} {cold:>8.3f} {resident:>9.1f}"
        ), later

    @contextmanager
    def writing(self, boot_id: str | None = None) -> Iterator[JournalWriter]:
        """Write to the journal, which its daemon has made, with that one's key."""
        key = ControllerKey(self.state / "key")
        with Journal(self.state, key, boot_id=boot_id) as journal:
            journal.connection.execute("PRAGMA synchronous = OFF")
            yield JournalWriter(self, journal, key)

    def proof_text(self, number: int) -> tuple[str, bool]:
        """Prove that round out of it and verify that; the figures in a line, and whether the proof
        is good, and is not with a changed byte."""
        out = self.state / "proof.json"
        out.unlink(missing_ok=True)
        command = ["-m", "controller.cli.main", "journal", "prove", str(number)]
        prove_s, made = _timed([*command, "--out", str(out), "--state", str(self.state)])
        if made:
            return f"round {number} could not be proven", False
        proof = json.loads(out.read_text("ascii"))
        key = ControllerKey(self.state / "key").public
        alone_s = self._proving_s(proof["entries"][0]["seq"], proof["entries"][-1]["seq"], key)
        verifying = ["-I", str(VERIFIER), "--proof", str(out), "--key", key.text]
        verify_s, good = _timed(verifying)
        size, entries = out.stat().st_size, len(proof["entries"])
        leaf = bytearray(b64decode(proof["entries"][0]["leaf"]))
        leaf[len(leaf) // 2] ^= 1
        proof["entries"][0]["leaf"] = b64encode(leaf).decode("ascii")
        out.write_text(json.dumps(proof), encoding="ascii")
        _, changed = _timed(verifying)
        out.unlink()
        return (
            f"round {number}: {entries} entries in {size:,} bytes; "
            f"'journal prove' {prove_s:.2f} s, the proof alone {alone_s * 1e3:.1f} ms; "
            f"verified in {verify_s:.2f} s: exit {good}, with a changed byte: exit {changed}"
        ), good == 0 and changed == 1

    def _proving_s(self, first: int, last: int, key: PublicKey) -> float:
        """Seconds from the opened journal to the paths of those entries."""
        head = last_head(self.state / HEADS, [key])
        assert head is not None
        checkpoint = read_checkpoint(head.checkpoint, [key])
        with JournalReader(self.state) as reader, NodeFile(self.state / TREE_FILE) as nodes:
            began = time.perf_counter()
            proven(EntryTree([reader], nodes), reader, first - 1, last, checkpoint)
            return time.perf_counter() - began


HEAD: Final = (
    f"{'entries':>12} {'rounds':>10} {'file MB':>10} {'B/entry':>8} {'start s':>8} "
    f"{'later s':>8} {'cpu s':>8} {'cold s':>8} {'daemon MB':>9}"
)


class JournalWriter:
    """Writes to a bench's ``journal`` and signs what it has, with the key that lies there."""

    def __init__(self, bench: Bench, journal: Journal, key: ControllerKey) -> None:
        self.journal, self._key, self._config = journal, key, bench.config
        self._path = bench.state / HEADS
        head = last_head(self._path, [key.public]) if self._path.exists() else None
        signed = head and head.checkpoint
        self._tree = GrowingTree(
            bench.state, read_checkpoint(signed, [key.public]) if signed else None
        )

    def year(self, seed: int) -> Year:
        """Play that goes on from where the journal stands."""
        settings = settings_of(load_configuration(self._config))
        counted = recover(self.journal, self.journal.iterate).counted
        sealing = {"key": self._key.public.text, "kept": "file"}
        return Year(settings, seed, counted, {SEALING: sealing})

    def write(
        self,
        commits: Iterable[Sequence[Draft]],
        wall: datetime | None = None,
        mono_ns: int | None = None,
    ) -> int:
        """Commit these one after the other, at that moment, else now, and sign the last one; how
        many entries the journal has."""
        journal = self.journal
        text = (wall or datetime.now(UTC)).isoformat(timespec="milliseconds")
        for drafts in commits:
            journal.append(drafts, time.monotonic_ns() if mono_ns is None else mono_ns, text)
        journal.checkpoint()
        last = journal.head
        root = self._tree.root_at(last.seq)
        assert root is not None, "it is signed before the tree is far behind"
        checkpoint = checkpoint_of(self._key.public, last.seq, root).signed(self._key)
        place = (last.seq, last.digest.hex(), journal.boot, text)
        head = SignedHead(journal.identity.hex(), TABLE, *place, checkpoint=checkpoint)
        append_head(self._path, head.signed(self._key))
        return last.seq


def memory_kib(pid: int, figure: str = "VmRSS:", file: str = "status") -> int:
    """All that a process has in memory, with what it shares; or another figure of the kernel's."""
    told = Path(f"/proc/{pid}/{file}").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in told.splitlines() if line.startswith(figure))


def _timed(command: Sequence[str]) -> tuple[float, int]:
    """Seconds of a Python command, and its exit status."""
    began = time.perf_counter()
    done = subprocess.run([sys.executable, *command], capture_output=True, check=False)
    return time.perf_counter() - began, done.returncode
