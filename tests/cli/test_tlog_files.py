"""The entries of a round, each with a proof in the form that strangers' programs check."""

from __future__ import annotations

import subprocess
from base64 import b64decode
from pathlib import Path

import pytest

from controller.evidence.tree.checkpoint import read_checkpoint, vkey_of
from controller.evidence.tree.merkle import leaf_hash, roots_from_subtree
from controller.evidence.tree.proving import TLOG, tlog_of
from controller.journal.export import lines
from controller.journal.keys import ControllerKey
from controller.journal.reader import JournalReader
from proof.torture.alterations.material import play_journal
from tests.cli.support import Tablectl
from tests.verifier.witnesses import Witness
from tests.witness.stock import program


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("played")
    play_journal(folder, 4, 4)
    return folder


@pytest.fixture
def folder(played: Path, tablectl: Tablectl, tmp_path: Path) -> Path:
    """Round 2 with its proofs."""
    told = tablectl(
        *("journal", "prove", 2, "--tlog", tmp_path / "tlog", "--spicy"),
        *("--state", played / "state"),
    )
    assert told.code == 0
    return tmp_path / "tlog"


def test_each_entry_has_its_leaf_its_index_and_its_path(folder: Path, played: Path) -> None:
    key = ControllerKey(played / "state" / "key").public
    with JournalReader(played / "state") as reader:
        exported = list(lines(reader))
    seqs = sorted(int(path.stem) for path in folder.glob("*.entry"))
    assert seqs == list(range(seqs[0], seqs[-1] + 1))
    assert len(list(folder.iterdir())) == 3 * len(seqs)
    for seq in seqs:
        leaf = (folder / f"{seq}.entry").read_bytes()
        assert leaf.decode("ascii") == exported[seq - 1]
        proof = (folder / f"{seq}.entry.tlog-proof").read_text("utf-8")
        assert proof == TLOG + (folder / f"{seq}.entry.spicy").read_text("utf-8")
        path, _, checkpoint = proof.removeprefix(TLOG).partition("\n\n")
        index, *hashes = path.split("\n")
        signed = read_checkpoint(checkpoint, [key])
        assert index == f"index {seq - 1}"
        steps = [b64decode(one) for one in hashes]
        root = roots_from_subtree(seq - 1, seq, signed.size, leaf_hash(leaf), steps)[1]
        assert root == signed.root


def spicy(vkey: str, entry: Path) -> int:
    command: list[str | Path] = [program("spicy-torchwood"), "-verify", vkey, entry]
    return subprocess.run(command, capture_output=True, check=False).returncode


@pytest.mark.needs("torchwood")
def test_a_strangers_program_accepts_them_and_no_other(folder: Path, played: Path) -> None:
    vkey = vkey_of(ControllerKey(played / "state" / "key").public)
    entries = sorted(folder.glob("*.entry"))
    assert [spicy(vkey, entry) for entry in entries] == [0] * len(entries)
    with entries[0].open("ab") as file:
        file.write(b" ")
    assert spicy(vkey, entries[0]) == 1
    other = vkey_of(ControllerKey(folder / "other").public)
    assert spicy(other, entries[1]) == 1


@pytest.mark.needs("torchwood")
def test_cosignatures_in_the_checkpoint_are_no_hindrance(folder: Path, played: Path) -> None:
    vkey = vkey_of(ControllerKey(played / "state" / "key").public)
    entry = min(folder.glob("*.entry"))
    proof = Path(f"{entry}.spicy")
    path, _, checkpoint = proof.read_text("utf-8").partition("\n\n")
    cosigned = Witness("witness.example/one").cosign(checkpoint, 1_795_000_000)
    proof.write_text(f"{path}\n\n{cosigned}", "utf-8")
    assert spicy(vkey, entry) == 0


def test_nothing_is_written_over(tablectl: Tablectl, folder: Path, played: Path) -> None:
    before = sorted((path.name, path.read_bytes()) for path in folder.iterdir())
    (folder / before[0][0]).unlink()
    told = tablectl("journal", "prove", 2, "--tlog", folder, "--state", played / "state")
    assert (told.code, "is there already" in told.err) == (2, True)
    assert sorted((path.name, path.read_bytes()) for path in folder.iterdir()) == before[1:]


def test_a_log_of_one_entry_has_no_path() -> None:
    entry = {"seq": 1, "index": 0, "leaf": "e30=", "proof": []}
    files = tlog_of([entry], "origin\n1\nroot\n\nsigned\n", spicy=False)
    proof = f"{TLOG}index 0\n\norigin\n1\nroot\n\nsigned\n"
    assert files == {"1.entry": "{}", "1.entry.tlog-proof": proof}


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (("2",), "--out FILE, or a folder, --tlog FOLDER"),
        (("2", "--spicy", "--out", "x"), "--spicy has a use only with --tlog"),
        (("--from", "x", "--tlog", "x"), "--tlog has a use only with a round"),
        (("2", "--tlog", "/proc/x"), "/proc/x cannot be made"),
    ],
)
def test_wrong_use_is_named(
    tablectl: Tablectl, played: Path, given: tuple[str, ...], says: str
) -> None:
    told = tablectl("journal", "prove", *given, "--state", played / "state")
    assert (told.code, says in told.err) == (2, True), told.err


def test_programs_are_told_how_many(tablectl: Tablectl, played: Path, tmp_path: Path) -> None:
    told = tablectl(
        *("journal", "prove", 2, "--tlog", tmp_path / "t", "--json", "--state", played / "state")
    )
    assert told.json["folder"] == str(tmp_path / "t")
    assert told.json["files"] == 2 * told.json["entries"]
