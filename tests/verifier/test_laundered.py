"""A history laundered: somebody with write access to journal and heads, and without the key,
changes an entry, chains all behind it anew, and takes the heads from there on away."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from controller.journal.sealing.unsigned import DOUBTED

from controller.cli.main import main
from controller.journal.model import Draft, Entry
from controller.journal.reader import JournalReader
from controller.journal.sealing.keys import ControllerKey
from controller.journal.sealing.sealed import check_heads
from controller.journal.store import Journal
from tests.verifier.support import VERIFIER
from torture.files.made import make

PACE = 20
"""People in virtual time are so many times as quick as people at a table, with a round a minute."""

Take = Callable[[Entry], Draft | None]
"""What the forger makes of an entry; None: he leaves it out."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("played")
    make(folder, 16, 5)
    return folder / "state"


@pytest.fixture
def state(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "state"))


def launder(state: Path, take: Take, pace: int = PACE) -> int:
    """Change the first card of the last boot, and go on from there; the number of that entry."""
    with JournalReader(state) as reader:
        entries, boots = list(reader.iterate()), reader.boots
    boot = entries[-1].boot
    at = next(one for one in entries if one.boot == boot and one.type == "CARD")
    with closing(sqlite3.connect(state / "journal.sqlite3", isolation_level=None)) as connection:
        [(trigger,)] = connection.execute(
            "SELECT sql FROM sqlite_schema WHERE name = 'entry_no_delete'"
        ).fetchall()
        connection.execute("DROP TRIGGER entry_no_delete")
        connection.execute("DELETE FROM entry WHERE seq >= ?", (at.seq,))
        connection.execute(trigger)
        connection.execute("VACUUM")
    with Journal(state, boot_id=boots[boot - 1].boot_id) as journal:
        for entry in entries[at.seq - 1 :]:
            draft = take(entry)
            if draft is not None:
                took = pace * (entry.mono_ns - at.mono_ns)
                journal.append([draft], at.mono_ns + took, entry.wall)
    heads = state / "heads.jsonl"
    lines = heads.read_bytes().splitlines(keepends=True)
    heads.write_bytes(b"".join(line for line in lines if json.loads(line)["seq"] < at.seq))
    return at.seq


def changed(entry: Entry) -> Draft:
    """Another card, wherever that one was drawn, and the same entries behind it."""
    body = dict(entry.body)
    if entry.type == "CARD" and "rank" in body:
        body["rank"] = 1 + int(str(body["rank"])) % 13
    return replace(entry.draft, body=body)


def without_heads(entry: Entry) -> Draft | None:
    """The same, and no entry tells of a head any more."""
    if entry.type == "head":
        return None
    if entry.type == "start" and isinstance(sealing := entry.body.get("sealing"), dict):
        return replace(entry.draft, body={**entry.body, "sealing": {**sealing, "head": None}})
    return changed(entry)


def named_again(entry: Entry) -> Draft:
    """The same, and every entry names the last head that is left."""
    return replace(entry.draft, body=LAST) if entry.type == "head" else changed(entry)


LAST: dict[str, object] = {}


def excused(entry: Entry) -> Draft | None:
    """The same, and the first head is left out for a reason that he makes up."""
    if entry.type == "head":
        said = {"fault": "heads-failing", "present": True, "detail": "", "after": {"state": "idle"}}
        return Draft("condition", said)
    return without_heads(entry)


def start_of(state: Path) -> list[str]:
    """The codes of what the next start would find."""
    key = ControllerKey(state / "key").public
    with Journal(state) as journal:
        return [code for code, _ in check_heads(journal, state / "heads.jsonl", key)]


def verified(state: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
    capsys.readouterr()
    status = main(["journal", "verify", "--no-replay", "--json", "--state", str(state)])
    return status, json.loads(capsys.readouterr().out)


def inspected(state: Path, to: Path) -> tuple[int, dict[str, Any]]:
    """The verifier's verdict on an export of all of it."""
    with to.open("w", encoding="ascii") as file:
        command = [sys.executable, "-m", "controller.cli.main", "journal", "export"]
        subprocess.run([*command, "--state", state], stdout=file, check=True)
    key, _heads = ControllerKey(state / "key").public.text, state / "heads.jsonl"
    ran = subprocess.run(
        [
            sys.executable,
            "-I",
            VERIFIER,
            to,
            "--heads",
            state / "heads.jsonl",
            "--key",
            key,
            "--json",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.returncode, json.loads(ran.stdout)


def test_what_nobody_touched_is_well(
    state: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert start_of(state) == []
    assert verified(state, capsys)[0] == 0
    status, said = inspected(state, tmp_path / "export")
    assert (status, said["findings"]) in ((0, []), (2, []))  # an end that was not signed yet
    assert said["checkpoints"] > 10


@pytest.mark.parametrize("pace", [PACE, 0])
@pytest.mark.parametrize("take", [changed, without_heads, named_again])
def test_it_is_found_by_everybody(
    state: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], take: Take, pace: int
) -> None:
    """Also where the times are pressed together."""
    LAST.update(json.loads((state / "heads.jsonl").read_text("ascii").splitlines()[0]))
    at = launder(state, take, pace)
    assert start_of(state) == [DOUBTED]
    status, told = verified(state, capsys)
    assert status == 1
    assert any(one["seq"] >= at for one in told["findings"]), told
    status, said = inspected(state, tmp_path / "export")
    assert status != 0, said
    assert said["findings"] or any("newer heads" in one for one in said["not_checked"])


def test_an_excuse_is_told(state: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where heads are said to fail a start goes on; nobody calls those entries verified."""
    launder(state, excused)
    status, told = verified(state, capsys)
    assert status == 0
    assert "no head was signed" in told["remarks"][0]
    status, said = inspected(state, tmp_path / "export")
    assert status == 2
    assert any("were not signed when they were made" in one for one in said["not_checked"])


def test_heads_taken_away_behind_an_export_are_told(
    state: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An export ends with the last head that is there; what names later ones lies behind it."""
    heads = state / "heads.jsonl"
    lines = heads.read_bytes().splitlines(keepends=True)
    heads.write_bytes(b"".join(lines[:6]))
    to = tmp_path / "evidence"
    command = ["journal", "export", "--state", str(state), "--evidence", str(to)]
    assert main(command) == 1
    assert "that is not there: heads were taken away" in capsys.readouterr().err
    heads.write_bytes(b"".join(lines[:6] + lines[7:]))
    status, told = verified(state, capsys)
    assert status == 1
    assert "is not among the heads" in told["findings"][0]["what"]
    status, said = inspected(state, tmp_path / "export")
    assert status == 1
    assert "is not among the heads" in said["findings"][0]["what"]
