"""A history laundered: who writes journal and heads, and has not the key, changes an entry, chains
all behind it anew, and takes the heads from there on away. What he writes acquits him of nothing:
what is covered ends with the last good head or commit."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from controller.cli.main import main
from controller.journal.keys import ControllerKey
from proof.torture.alterations.material import play_journal
from tests.verifier.support import Case, rechained
from verifier.verify_journal import COMMIT, INCOMPLETE, VERIFIED, WRONG

Line = dict[str, Any]
Take = Callable[[Line], Line]
"""What the forger makes of an entry."""


def _changed(line: Line) -> Line:
    body = line.get("body", line)
    if line["type"] == "CARD":
        body["rank"] = 1 + body["rank"] % 13
    return line


def _by_another_version(line: Line) -> Line:
    if line["type"] == "start":
        line["body"]["versions"]["engine"] = "99"
    return _changed(line)


def _squeezed(line: Line) -> Line:
    """The times pressed together, and no word of how rounds ended."""
    body = line.get("body", line)
    if isinstance(after := body.get("after"), dict):
        after.pop("state", None)
    return _changed(line | {"mono_ns": 5 * 10**12})


@pytest.fixture(scope="module")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As the command writes it, of a table that has played."""
    folder = tmp_path_factory.mktemp("played")
    play_journal(folder, 8, 8)
    given = ["journal", "export", "--state", str(folder / "state")]
    assert main([*given, "--evidence", str(folder / "evidence")]) == 0
    return folder / "evidence"


@pytest.fixture
def case(evidence: Path, tmp_path: Path) -> Case:
    for name in ("journal.jsonl", "heads.jsonl"):
        (tmp_path / name).write_bytes((evidence / name).read_bytes())
    given = (evidence / "public-key.txt").read_text("ascii").strip()
    return Case(tmp_path, ControllerKey(tmp_path / "key"), given)


def heads_of(case: Case) -> list[str]:
    """Its heads; the row of its last commit stands behind them."""
    heads = case.heads.read_text("ascii").splitlines(keepends=True)
    assert json.loads(heads[-1])["format"] == COMMIT
    return heads[:-1]


def test_it_is_verified_to_what_is_signed_and_no_further(case: Case) -> None:
    assert case.verify().status == VERIFIED
    assert case.verify(key=case.key.public.text).status == WRONG
    heads = heads_of(case)[:-1]
    case.heads.write_text("".join(heads), "ascii")
    told = case.verify()
    assert (told.status, told.found) == (INCOMPLETE, [])
    sealed, last = told.json["sealed_to"], told.json["last"]
    assert sealed < last
    [missing] = told.json["not_checked"]
    assert missing.startswith(
        f"entries {sealed + 1} to {last} are chained, but no signature covers"
    )


@pytest.mark.parametrize("take", [_changed, _by_another_version, _squeezed])
@pytest.mark.parametrize("keep", [1, 4, 6])
def test_nothing_that_he_writes_acquits_him(case: Case, take: Take, keep: int) -> None:
    """All behind the head ``keep`` is his."""
    heads = heads_of(case)[:keep]
    case.heads.write_text("".join(heads), "ascii")
    sealed = json.loads(heads[-1])["seq"]
    lines = [json.loads(line) for line in case.lines]
    case.put(rechained([*lines[:sealed], *map(take, lines[sealed:])]))
    told = case.verify()
    assert told.status == INCOMPLETE, told.found
    assert told.json["sealed_to"] == sealed
    assert f"entries {sealed + 1} to " in told.json["not_checked"][0]


@pytest.mark.parametrize("take", [_changed, _by_another_version])
def test_a_head_that_is_left_finds_him(case: Case, take: Take) -> None:
    lines = [json.loads(line) for line in case.lines]
    case.put(rechained(list(map(take, lines))))
    assert case.verify().status == WRONG


@pytest.mark.parametrize("form", [None, 0, 2, "1", True])
def test_another_form_is_refused(case: Case, form: object) -> None:
    """Whatever he takes away so that less would be asked of it."""
    first, *rest = (json.loads(line) for line in case.lines)
    first["body"]["versions"] |= {"format": form}
    if form is None:
        del first["body"]["versions"]["format"]
    case.put([json.dumps(first, separators=(",", ":")), *case.lines[1:]])
    assert case.verify().status == WRONG, "it was changed"
    case.put(rechained([first, *rest]))
    told = case.verify()
    assert told.status == INCOMPLETE
    assert "not of format 1: keep that folder, and begin a new one" in told.text
