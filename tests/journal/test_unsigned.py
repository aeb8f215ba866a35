"""Entries behind the last head: how long they may go on before somebody is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.journal.model import Draft
from controller.journal.sealing.heads import SignedHead, append_head
from controller.journal.sealing.keys import ControllerKey
from controller.journal.sealing.sealed import DOUBTED, UNSIGNED_S, check_heads
from controller.journal.store import Journal

LONG = UNSIGNED_S + 1
Told = list[tuple[str, dict[str, object], float]]


def found(folder: Path, told: Told, *, signed: int = 1) -> list[tuple[str, str]]:
    """What a start finds where entries were written at these seconds, and one head was signed."""
    key, heads = ControllerKey(folder / "key"), folder / "heads"
    with Journal(folder / "state", boot_id="boot") as journal:
        for kind, body, at in told:
            [entry] = journal.append([Draft(kind, body)], int(at * 1e9), "w")
            if entry.seq == signed:
                digest, identity = entry.digest.hex(), journal.identity.hex()
                head = SignedHead(identity, "P12", entry.seq, digest, journal.boot, "w")
                append_head(heads, head.signed(key))
        return list(check_heads(journal, heads, key.public))


def test_a_crash_before_the_next_head_is_nothing(tmp_path: Path) -> None:
    assert found(tmp_path, [("a", {}, 0), ("a", {}, 1), ("a", {}, UNSIGNED_S)]) == []


def test_what_goes_on_for_longer_is_doubted(tmp_path: Path) -> None:
    [(code, said)] = found(tmp_path, [("a", {}, 0), ("a", {}, 1), ("a", {}, 1 + LONG)])
    assert code == DOUBTED
    assert "no head was signed behind entry 1, and it went on from entry 2 to 3 for 91 s" in said


def test_each_run_of_the_controller_counts_by_itself(tmp_path: Path) -> None:
    """One that died before its first head, and another one long after it."""
    told: Told = [("a", {}, 0), ("a", {}, 1), ("start", {}, 1 + LONG), ("a", {}, 2 + LONG)]
    assert found(tmp_path, told) == []


@pytest.mark.parametrize(("fault", "doubted"), [("heads-failing", 0), ("disk-low", 1)])
def test_where_heads_could_not_be_written_it_stays_a_notice(
    tmp_path: Path, fault: str, doubted: int
) -> None:
    condition = ("condition", {"fault": fault, "present": True}, 40.0)
    assert len(found(tmp_path, [("a", {}, 0), condition, ("a", {}, 40 + LONG)])) == doubted


def test_a_head_behind_it_covers_it(tmp_path: Path) -> None:
    told: Told = [("a", {}, 0), ("a", {}, 1), ("a", {}, 1 + LONG)]
    assert found(tmp_path, told, signed=3) == []
