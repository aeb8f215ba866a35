"""What it costs to prove one round out of a long journal, and to verify that."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from base64 import b64decode, b64encode
from pathlib import Path

from controller.evidence.heads import last_head
from controller.evidence.tree.checkpoint import read_checkpoint
from controller.evidence.tree.entries import TREE_FILE, EntryTree, NodeFile
from controller.evidence.tree.proving import proven
from controller.journal.keys import ControllerKey
from controller.journal.reader import JournalReader

VERIFIER = Path(__file__).resolve().parents[2] / "verifier" / "verify_journal.py"


def proof_text(state: Path, number: int) -> str:
    """Prove that round of the journal in ``state`` and verify it; the figures in a line."""
    out = state / "proof.json"
    out.unlink(missing_ok=True)
    command = ["-m", "controller.cli.main", "journal", "prove", str(number)]
    prove_s, made = _timed([*command, "--out", str(out), "--state", str(state)])
    if made:
        return f"round {number} could not be proven"
    proof = json.loads(out.read_text("ascii"))
    alone_s = _alone(state, proof["entries"][0]["seq"], proof["entries"][-1]["seq"])
    key = ControllerKey(state / "key").public.text
    verifying = ["-I", str(VERIFIER), "--proof", str(out), "--key", key]
    verify_s, good = _timed(verifying)
    size, entries = out.stat().st_size, len(proof["entries"])
    leaf = bytearray(b64decode(proof["entries"][0]["leaf"]))
    leaf[len(leaf) // 2] ^= 1
    proof["entries"][0]["leaf"] = b64encode(leaf).decode("ascii")
    out.write_text(json.dumps(proof), encoding="ascii")
    _, changed = _timed(verifying)
    out.unlink()
    return (
        f"round {number}: {entries} entries in {size:,} bytes; 'journal prove' {prove_s:.2f} s, "
        f"the proof alone {alone_s * 1e3:.1f} ms; verified in {verify_s:.2f} s: exit {good}, "
        f"with a changed byte: exit {changed}"
    )


def _timed(command: list[str]) -> tuple[float, int]:
    """Seconds, and the exit status."""
    began = time.perf_counter()
    done = subprocess.run([sys.executable, *command], capture_output=True, check=False)
    return time.perf_counter() - began, done.returncode


def _alone(state: Path, first: int, last: int) -> float:
    """Seconds from the opened journal to the paths of those entries."""
    key = ControllerKey(state / "key").public
    head = last_head(state / "heads.jsonl", [key])
    assert head is not None
    checkpoint = read_checkpoint(head.checkpoint, [key])
    with JournalReader(state) as reader, NodeFile(state / TREE_FILE) as nodes:
        began = time.perf_counter()
        proven(EntryTree([reader], nodes), reader, first - 1, last, checkpoint)
        return time.perf_counter() - began
