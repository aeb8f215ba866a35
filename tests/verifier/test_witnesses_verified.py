"""Who witnessed: cosignatures on the checkpoint of a proof, on one that was kept, and on heads."""

from __future__ import annotations

import json
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from controller.evidence.tree.checkpoint import checkpoint_of, vkey_of
from controller.evidence.tree.merkle import leaf_hash
from controller.journal.keys import ControllerKey
from tests.verifier.support import Case, made, verifier
from tests.verifier.witnesses import Witness
from verifier.verify_journal import INCOMPLETE, VERIFIED, Tree

TIME = 1_795_000_000
SAID = "2026-11-18 11:06:40 UTC"
ONE, TWO = Witness("witness.example/one"), Witness("witness.example/two")


@pytest.fixture
def checkpoint(case: Case) -> str:
    """Of the whole export."""
    tree = Tree()
    for line in case.lines:
        tree.add_entry(line.encode("ascii"))
    return checkpoint_of(case.key.public, len(case.lines), tree.root).signed(case.key)


def kept(case: Case, text: str) -> Path:
    path = case.folder / "kept.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_who_witnessed_an_export_is_told_with_the_time(case: Case, checkpoint: str) -> None:
    told = case.verify(
        *("--checkpoint", kept(case, ONE.cosign(checkpoint, TIME))), "--witness", ONE.vkey
    )
    assert told.status == VERIFIED, told.text
    assert told.json["witnesses"] == {ONE.name: [len(case.lines), TIME]}


@pytest.mark.parametrize(
    ("quorum", "status"), [((), INCOMPLETE), (("--quorum", 1), VERIFIED), (("--quorum", 2), 2)]
)
def test_fewer_than_the_quorum_is_not_in_full(
    case: Case, checkpoint: str, quorum: tuple[Any, ...], status: int
) -> None:
    both = case.folder / "witnesses"
    both.write_text(f"{ONE.vkey}\n\n{TWO.vkey}\n", "ascii")
    signed = kept(case, ONE.cosign(checkpoint, TIME))
    told = case.verify("--checkpoint", signed, "--witness", both, *quorum)
    assert told.status == status
    if status == INCOMPLETE:
        assert told.json["not_checked"] == ["witnesses: 1 have cosigned, 2 are asked for"]


def test_what_strangers_write_is_ignored_and_what_a_witness_did_not_write_is_not(
    case: Case, checkpoint: str
) -> None:
    text = TWO.cosign(ONE.cosign(checkpoint, TIME), TIME)
    assert case.verify("--checkpoint", kept(case, text), "--witness", ONE.vkey).status == VERIFIED
    again = checkpoint_of(ControllerKey(case.folder / "key").public, 3, bytes(32)).signed(case.key)
    line = ONE.cosign(again, TIME).splitlines()[-1]
    told = case.verify("--checkpoint", kept(case, f"{checkpoint}{line}\n"), "--witness", ONE.vkey)
    assert told.status == INCOMPLETE
    assert "has a cosignature of witness.example/one that is not of its key" in told.text


def test_a_key_of_the_newer_kind_is_taken_and_counts_for_nothing_yet(
    case: Case, checkpoint: str
) -> None:
    newer = Witness("witness.example/new")
    raw = b"\x06" + bytes(1312)
    named = sha256(newer.name.encode() + b"\n" + raw).hexdigest()[:8]
    vkey = f"{newer.name}+{named}+{b64encode(raw).decode()}"
    signed = kept(case, ONE.cosign(checkpoint, TIME))
    told = case.verify("--checkpoint", signed, "--witness", ONE.vkey, "--witness", vkey)
    assert told.status == INCOMPLETE
    told = case.verify(
        *("--checkpoint", signed, "--witness", ONE.vkey, "--witness", vkey, "--quorum", 1)
    )
    assert told.status == VERIFIED


@pytest.mark.parametrize("given", ["x", ONE.vkey.replace("+", "+0", 1), "/dev/null"])
def test_what_is_no_key_of_a_witness_is_named(case: Case, given: str) -> None:
    told = case.verify("--witness", given)
    assert told.status == INCOMPLETE
    assert "is no witness's key" in told.text


def test_a_controllers_key_is_no_witnesss(case: Case) -> None:
    assert "of another kind" in case.verify("--witness", vkey_of(case.key.public)).text
    assert "of another kind" in case.verify(key=ONE.vkey).text


def test_heads_tell_who_witnessed_where_their_checkpoints_do(tmp_path: Path) -> None:
    case = made(tmp_path)
    tree, heads = Tree(), []
    for seq, line in enumerate(case.lines, 1):
        tree.add_entry(line.encode("ascii"))
        entry = json.loads(line)
        text = checkpoint_of(case.key.public, seq, tree.root).signed(case.key)
        told = {name: entry[name] for name in ("seq", "digest", "boot", "wall")} | {
            "format": "table-controller head 3",
            "journal": json.loads(case.lines[0])["journal"],
            "table": "P12",
            "key": case.key.public.fingerprint,
            "checkpoint": ONE.cosign(text, TIME + seq),
        }
        signed = json.dumps(told, sort_keys=True, separators=(",", ":"))
        told["signature"] = case.key.sign(signed.encode("ascii")).hex()
        heads.append(json.dumps(told, sort_keys=True, separators=(",", ":")))
    case.heads.write_text("".join(f"{head}\n" for head in heads), "ascii")
    told_ = case.verify("--witness", ONE.vkey)
    assert told_.status == VERIFIED, told_.text
    assert told_.json["witnesses"] == {ONE.name: [len(case.lines), TIME + len(case.lines)]}
    assert case.verify("--witness", TWO.vkey).status == INCOMPLETE


@pytest.mark.parametrize("cosigned", [True, False])
def test_a_proof_tells_who_witnessed(case: Case, cosigned: bool) -> None:
    """That a log of two extends the one of its first entry."""
    first, second = (leaf_hash(line.encode("ascii")) for line in case.lines[:2])
    tree = Tree()
    for line in case.lines[:2]:
        tree.add_entry(line.encode("ascii"))
    old, new = (
        checkpoint_of(case.key.public, size, root).signed(case.key)
        for size, root in ((1, first), (2, tree.root))
    )
    new = ONE.cosign(new, TIME) if cosigned else new
    proof = case.folder / "proof.json"
    told = {"old": old, "new": new, "proof": [b64encode(second).decode()]}
    proof.write_text(json.dumps(told), "utf-8")
    ran = verifier("--proof", proof, "--key", case.key.public.text, "--witness", ONE.vkey)
    assert ran.status == (VERIFIED if cosigned else INCOMPLETE), ran.text
    said = f"cosigned entry 2 at {SAID}" if cosigned else "has not cosigned"
    assert f"{ONE.name}: {said}" in ran.text
