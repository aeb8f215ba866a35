"""Journals that are archived, step by step, and what is to be found of them behind it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from controller.evidence.at_start import check_heads
from controller.evidence.verify import verify
from controller.journal import schema
from controller.journal.reader import JournalReader, older
from controller.upkeep.closure import closing_steps
from controller.upkeep.successor import Beginning, Signatory
from tests.journal.helpers import KEY, WALL, heads_of, opened

MOMENT = Beginning("boot-three", 5_000_000, WALL)

SNAPSHOT: dict[str, Any] = {"table": "as it is"}


def closed(state: Path) -> Path:
    return dict(going(state))["closed"]


def going(state: Path) -> Iterator[tuple[str, Path]]:
    return closing_steps(state, SNAPSHOT, MOMENT, Signatory("P12", heads_of(state), KEY))


def line(state: Path, archive: Path) -> tuple[list[Path], str]:
    with JournalReader(state) as reader, older(reader, archive) as (before, broken):
        return [one.path for one in before], broken


def well(directory: Path, name: str = schema.FILE_NAME) -> bool:
    with JournalReader(directory, name) as reader:
        report = verify(reader)
        assert report.well, report.findings
        return report.well


def one_whole_journal(state: Path, archive: Path) -> None:
    """The table can be started on exactly one journal, and nothing of what was stored is gone."""
    assert well(state)
    files, broken = line(state, archive)
    assert broken == ""
    held: list[int] = []
    for path in files:
        with JournalReader(archive, path.name) as reader:
            held += [entry.seq for entry in reader.iterate()]
    with JournalReader(state) as reader:
        held += [entry.seq for entry in reader.iterate()]
    assert held in (list(range(1, 11)), list(range(1, 12)))
    assert shown(state) == []


def shown(state: Path) -> list[tuple[str, str]]:
    """What a start finds with the signed heads; a key that no entry tells of is that of the
    controller."""
    heads = state.with_name(f"{state.name}-heads.jsonl")
    with opened(state, boot_id="boot-three") as journal:
        return list(check_heads(journal, heads, KEY.public, [KEY.public]))
