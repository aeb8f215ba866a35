"""Witnesses in the commands: what each cosigned last, and cosignatures that proofs carry."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from controller.evidence.tree.checkpoint import parsed
from controller.evidence.tree.cosignature import GoodCosignature, beside_heads, kept_of, write_kept
from tests.cli.support import Tablectl
from tests.cli.test_proving import Desk, desk, played
from tests.control.support import controller
from tests.witness.signer import Signer

__all__ = ["desk", "played"]


@pytest.fixture
def signers(tmp_path: Path) -> tuple[Signer, Signer]:
    names = ("witness.example/w1", "witness.example/w2")
    first, second = (Signer(tmp_path / f"signer{n}", name) for n, name in enumerate(names))
    return first, second


def keep(desk: Desk, *cosigned: tuple[Signer, str]) -> None:
    kept: list[GoodCosignature] = []
    for signer, text in cosigned:
        one = kept_of(signer.key.name, signer.key, text, [signer.cosigns(text)])
        assert one
        kept.append(one)
    write_kept(beside_heads(desk.heads), kept)


def test_the_newest_one_with_cosignatures_is_told(
    desk: Desk, signers: tuple[Signer, Signer]
) -> None:
    newest = desk.checkpoints[-1]
    keep(desk, *((signer, newest) for signer in signers))
    lines = "".join(f"{signer.cosigns(newest)}\n" for signer in signers)
    assert desk.tell("checkpoint").out == newest + lines
    assert desk.prove("out", 2)["checkpoint"] == newest + lines
    assert desk.inspect("--proof", "out")[0] == 0


def test_where_the_newest_one_is_not_cosigned_an_earlier_one_is_better(
    desk: Desk, signers: tuple[Signer, Signer]
) -> None:
    """The last one that both have cosigned, where the round is before it; a round behind it is
    proven by the newest."""
    every = desk.checkpoints
    first, second = signers
    keep(desk, (first, every[3]), (second, every[3]), (first, every[4]), (first, every[-2]))
    for number, size, count in ("1", every[3], 2), ("last", every[-1], 0):
        found = desk.prove(number, number)["checkpoint"]
        assert desk.inspect("--proof", number)[0] == 0
        assert (parsed(found).size, found.count("witness.example/")) == (parsed(size).size, count)


def test_what_is_not_of_this_log_or_beyond_it_counts_for_nothing(
    desk: Desk, signers: tuple[Signer, Signer]
) -> None:
    newest = desk.checkpoints[-1]
    origin, size, *rest = newest.split("\n")
    larger = "\n".join([origin, str(int(size) + 5), *rest])
    keep(desk, (signers[0], larger), (signers[0], newest.replace(origin, "table-controller/0")))
    assert desk.prove("out", 1)["checkpoint"] == newest


def test_a_camera_is_shown_the_checkpoint_alone(desk: Desk, tmp_path: Path) -> None:
    newest = desk.checkpoints[-1]
    shown = desk.tell("checkpoint", "--qr").out.removeprefix(newest)
    many = [Signer(tmp_path / f"many{n}", f"witness.example/{'x' * 40}{n}") for n in range(25)]
    keep(desk, *((signer, newest) for signer in many))
    told = desk.tell("checkpoint", "--qr").out
    assert (told.endswith(shown), told.count("witness.example/")) == (True, 25)


AT = 1_790_000_000
W1 = {"name": "w1", "required": True, "size": 36, "time": AT, "answer": "200", "answered": AT}
NONE = {"size": None, "time": None, "answered": None}


def told(tablectl: Tablectl, folder: Path, journal: dict[str, object], *options: str) -> str:
    path = folder / "control.sock"
    with controller(path, {"journal": journal}):
        ran = tablectl("--socket", path, *options, "journal", "witness")
    assert ran.code == 0
    return ran.out


def test_each_is_told_with_size_time_and_answer(tablectl: Tablectl, tmp_path: Path) -> None:
    w2 = {"name": "w2", "required": False, **NONE, "answer": "404 unknown log", "answered": AT}
    w3 = {"name": "w3", "required": False, **NONE, "answer": None}
    journal: dict[str, object] = {"witnesses": [W1, w2, w3]}
    head, *rows = (" ".join(row.split()) for row in told(tablectl, tmp_path, journal).splitlines())
    assert head == "witness entries cosigned it answered"
    assert rows[0] == "w1 (required) 36 2026-09-21T14:13:20+00:00 200 (2026-09-21T14:13:20+00:00)"
    assert rows[1].startswith("w2 none - 404 unknown log (2026")
    assert rows[2] == "w3 none - nothing was told since the start"
    assert json.loads(told(tablectl, tmp_path, journal, "--json")) == journal


def test_a_table_without_witnesses_says_so(tablectl: Tablectl, tmp_path: Path) -> None:
    """So does a controller of an earlier version."""
    said = told(tablectl, tmp_path, {})
    assert said == "the configuration names no witness ([[witness]]) and no floor ([floor])\n"
