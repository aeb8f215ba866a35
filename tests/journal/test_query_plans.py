"""How entries are found: by an index, whatever a start asks."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from pytest_mock import MockerFixture

from controller.journal import schema
from tests.journal.helpers import opened, sample


def test_a_start_asks_only_what_an_index_answers(tmp_path: Path, mocker: MockerFixture) -> None:
    """Every statement of an opening and a look for the last snapshot: none reads all entries, and
    none sorts."""
    sample(tmp_path)
    seen: list[str] = []
    real = sqlite3.connect

    def connect(*arguments: Any, **more: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = real(*arguments, **more)
        connection.set_trace_callback(seen.append)
        return connection

    mocker.patch("sqlite3.connect", connect)
    with opened(tmp_path, boot_id="boot-two") as journal:
        list(journal.snapshots())
        list(journal.iterate(8))
    mocker.stopall()
    asked = [text for text in seen if text.lstrip().startswith("SELECT") and "entry" in text]
    assert len(asked) > 5
    with closing(sqlite3.connect(tmp_path / schema.FILE_NAME)) as connection:
        for text in asked:
            plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {text}")]
            ends = "LIMIT 1" in text or "min(seq)" in text
            scans = [step for step in plan if step.startswith("SCAN entry")]
            assert not any("TEMP B-TREE" in step for step in plan), (text, plan)
            assert not scans or ends, (text, plan)
