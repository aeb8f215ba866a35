"""Witnesses in the commands: what each cosigned last, and cosignatures that proofs carry."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from controller.cli.main import main
from controller.evidence.tree.checkpoint import parsed
from controller.evidence.tree.cosignature import GoodCosignature, beside_heads, kept_of, write_kept
from tests.cli.support import Tablectl
from tests.cli.test_proving import Inspector, checkpoints, inspector, played, prove, state
from tests.control.support import controller
from tests.witness.signer import Signer

__all__ = ["inspector", "played", "state"]


@pytest.fixture
def signers(tmp_path: Path) -> tuple[Signer, Signer]:
    names = ("witness.example/w1", "witness.example/w2")
    first, second = (Signer(tmp_path / f"signer{n}", name) for n, name in enumerate(names))
    return first, second


def keep(state: Path, *cosigned: tuple[Signer, str]) -> None:
    kept: list[GoodCosignature] = []
    for signer, text in cosigned:
        one = kept_of(signer.key.name, signer.key, text, [signer.cosigns(text)])
        assert one
        kept.append(one)
    write_kept(beside_heads(state / "heads.jsonl"), kept)


def proof_of(tablectl: Tablectl, state: Path, out: Path, number: int | str) -> dict[str, Any]:
    assert prove(tablectl, state, out, number).code == 0
    found: dict[str, Any] = json.loads(out.read_text("ascii"))
    return found


def test_the_newest_one_with_cosignatures_is_told(
    tablectl: Tablectl,
    state: Path,
    tmp_path: Path,
    inspector: Inspector,
    signers: tuple[Signer, Signer],
) -> None:
    newest = checkpoints(state)[-1]
    keep(state, *((signer, newest) for signer in signers))
    lines = "".join(f"{signer.cosigns(newest)}\n" for signer in signers)
    assert tablectl("journal", "checkpoint", "--state", state).out == newest + lines
    assert proof_of(tablectl, state, tmp_path / "out", 2)["checkpoint"] == newest + lines
    assert inspector("--proof", tmp_path / "out")[0] == 0


def test_where_the_newest_one_is_not_cosigned_an_earlier_one_is_better(
    tablectl: Tablectl,
    state: Path,
    tmp_path: Path,
    inspector: Inspector,
    signers: tuple[Signer, Signer],
) -> None:
    """The last one that both have cosigned, where the round is before it; a round behind it is
    proven by the newest."""
    every = checkpoints(state)
    first, second = signers
    keep(state, (first, every[3]), (second, every[3]), (first, every[4]), (first, every[-2]))
    found = {}
    for number in (1, "last"):
        found[number] = proof_of(tablectl, state, tmp_path / f"{number}", number)["checkpoint"]
        assert inspector("--proof", tmp_path / f"{number}")[0] == 0
    assert parsed(found[1]).size == parsed(every[3]).size
    assert found[1].count("witness.example/") == 2
    assert parsed(found["last"]).size == parsed(every[-1]).size
    assert "witness.example" not in found["last"]


def test_what_is_not_of_this_log_or_beyond_it_counts_for_nothing(
    tablectl: Tablectl, state: Path, tmp_path: Path, signers: tuple[Signer, Signer]
) -> None:
    newest = checkpoints(state)[-1]
    origin, size, *rest = newest.split("\n")
    larger = "\n".join([origin, str(int(size) + 5), *rest])
    keep(state, (signers[0], larger), (signers[0], newest.replace(origin, "table-controller/0")))
    assert proof_of(tablectl, state, tmp_path / "out", 1)["checkpoint"] == newest


def test_a_camera_is_shown_the_checkpoint_alone(
    tablectl: Tablectl, state: Path, tmp_path: Path, signers: tuple[Signer, Signer]
) -> None:
    newest = checkpoints(state)[-1]
    shown = tablectl("journal", "checkpoint", "--qr", "--state", state).out.removeprefix(newest)
    many = [Signer(tmp_path / f"many{n}", f"witness.example/{'x' * 40}{n}") for n in range(25)]
    keep(state, *((signer, newest) for signer in many))
    ran = tablectl("journal", "checkpoint", "--qr", "--state", state)
    assert ran.out.endswith(shown)
    assert ran.out.count("witness.example/") == 25


AT = 1_790_000_000
W1 = {"name": "w1", "required": True, "size": 36, "time": AT, "answer": "200", "answered": AT}
NONE = {"size": None, "time": None, "answered": None}


def told(
    path: Path, capsys: pytest.CaptureFixture[str], journal: dict[str, object], *options: str
) -> str:
    with controller(path, {"journal": journal}):
        assert main(["--socket", str(path), *options, "journal", "witness"]) == 0
    return capsys.readouterr().out


def test_each_is_told_with_size_time_and_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "control.sock"
    w2 = {"name": "w2", "required": False, **NONE, "answer": "404 unknown log", "answered": AT}
    w3 = {"name": "w3", "required": False, **NONE, "answer": None}
    journal: dict[str, object] = {"witnesses": [W1, w2, w3]}
    head, *rows = told(path, capsys, journal).splitlines()
    assert head.split() == ["witness", "entries", "cosigned", "it", "answered"]
    assert " ".join(rows[0].split()) == (
        "w1 (required) 36 2026-09-21T14:13:20+00:00 200 (2026-09-21T14:13:20+00:00)"
    )
    assert " ".join(rows[1].split()).startswith("w2 none - 404 unknown log (2026")
    assert " ".join(rows[2].split()) == "w3 none - nothing was told since the start"
    assert json.loads(told(path, capsys, journal, "--json")) == journal


def test_a_table_without_witnesses_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """So does a controller of an earlier version."""
    said = told(tmp_path / "control.sock", capsys, {})
    assert said == "the configuration names no witness ([[witness]]) and no floor ([floor])\n"
