"""A history laundered: who writes journal and heads, and has not the key, changes an entry, chains
all behind it anew, and takes the heads from there on away. What he writes acquits him of nothing:
what is covered ends with the last good head or commit."""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from controller.journal.keys import ControllerKey
from tests.verifier.support import Case, rechained
from verifier.verify_journal import INCOMPLETE, WRONG

EXPORTS = Path(__file__).parent / "exports"
VERSIONS = ("0.1.0", "0.2.0")

Line = dict[str, Any]
Take = Callable[[Line, Line], Line | None]
"""What the forger makes of an entry, knowing the last head that is left; None: he leaves it out."""


def _changed(line: Line, _: Line) -> Line:
    body = line.get("body", line)
    if line["type"] == "CARD":
        body["rank"] = 1 + body["rank"] % 13
    return line


def _without_heads(line: Line, head: Line) -> Line | None:
    return None if line["type"] == "head" else _changed(line, head)


def _named_again(line: Line, head: Line) -> Line:
    named = {name: head[name] for name in ("seq", "digest", "signature")}
    if line["type"] != "head":
        return _changed(line, head)
    return line | {"body": line["body"] | named}


def _excused(line: Line, head: Line) -> Line | None:
    if line["type"] != "head":
        return _changed(line, head)
    said = {"fault": "heads-failing", "present": True, "detail": "", "after": {"state": "idle"}}
    return line | {"type": "condition", "body": said}


def _by_another_version(line: Line, head: Line) -> Line | None:
    if line["type"] == "start":
        line["body"]["versions"]["engine"] = "99"
    return _without_heads(line, head)


def _squeezed(line: Line, head: Line) -> Line | None:
    """The times pressed together, and no word of how rounds ended."""
    body = line.get("body", line)
    if isinstance(after := body.get("after"), dict):
        after.pop("state", None)
    line["mono_ns"] = 5 * 10**9 if line["boot"] == 3 else line["mono_ns"]
    return _without_heads(line, head)


@pytest.fixture(params=VERSIONS)
def before(request: pytest.FixtureRequest, tmp_path: Path) -> Case:
    """An export of a version that signed no commits, with its heads."""
    folder = EXPORTS / request.param
    (tmp_path / "journal.jsonl").write_bytes(
        lzma.decompress((folder / "journal.jsonl.xz").read_bytes())
    )
    (tmp_path / "heads.jsonl").write_bytes((folder / "heads.jsonl").read_bytes())
    return Case(
        tmp_path, ControllerKey(tmp_path / "key"), (folder / "key").read_text("ascii").strip()
    )


def test_a_journal_of_before_is_verified_to_its_last_head_and_no_further(before: Case) -> None:
    told = before.verify()
    assert (told.status, told.found) == (INCOMPLETE, [])
    sealed, last = told.json["sealed_to"], told.json["last"]
    assert sealed < last
    [missing] = told.json["not_checked"]
    assert missing.startswith(
        f"entries {sealed + 1} to {last} are chained, but no signature covers"
    )
    before.put(before.lines[:sealed])
    assert before.verify().status == 0
    assert before.verify(key=before.key.public.text).status == WRONG


@pytest.mark.parametrize(
    "take",
    [_changed, _without_heads, _named_again, _excused, _by_another_version, _squeezed],
)
@pytest.mark.parametrize("keep", [1, 4, 6])
def test_nothing_that_he_writes_acquits_him(before: Case, take: Take, keep: int) -> None:
    """All behind the head ``keep`` is his."""
    heads = before.heads.read_text("ascii").splitlines(keepends=True)[:keep]
    before.heads.write_text("".join(heads), "ascii")
    last = json.loads(heads[-1])
    lines = [json.loads(line) for line in before.lines]
    his = [take(line, last) for line in lines[last["seq"] :]]
    before.put(rechained([*lines[: last["seq"]], *(line for line in his if line is not None)]))
    told = before.verify()
    assert told.status == INCOMPLETE, told.found
    assert told.json["sealed_to"] == last["seq"]
    assert f"entries {last['seq'] + 1} to " in told.json["not_checked"][0]


@pytest.mark.parametrize("take", [_changed, _without_heads])
def test_a_head_that_is_left_finds_him(before: Case, take: Take) -> None:
    lines = [json.loads(line) for line in before.lines]
    first = json.loads(before.heads.read_text("ascii").splitlines()[0])
    his = [take(line, first) for line in lines]
    before.put(rechained([line for line in his if line is not None]))
    assert before.verify().status == WRONG
