"""An entry out of its line is the entry that the line was written of."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.forms.json_values import WrongForm
from controller.journal.export import lines, read_line
from controller.journal.model import Draft
from controller.journal.reader import JournalReader
from tests.journal.helpers import card, opened, sample


def read_back(directory: Path) -> None:
    with JournalReader(directory) as reader:
        entries = list(reader.iterate())
        assert [read_line(line) for line in lines(reader)] == entries
        assert [read_line(line.encode()) for line in lines(reader)] == entries


def test_entries_of_every_kind(tmp_path: Path) -> None:
    sample(tmp_path)
    read_back(tmp_path)


def test_renumbered_sessions_and_a_vendors_fields(tmp_path: Path) -> None:
    """A device that uses the line's own names for its fields."""
    with opened(tmp_path, boot_id="b") as journal:
        journal.append([card(1)], 1, "2026-11-20T18:16:58+00:00")
        renumbered = Draft("link", {"up": True}, "shoe", 0xCAFE_F00D, renumbered=True)
        journal.append([renumbered], 2, "2026-11-20T18:16:58+00:00")
        own = Draft("CARD", {"seq": 7, "rank": 1}, "shoe", 0xCAFE_F00D, 1, 700)
        journal.append([own], 3, "2026-11-20T18:16:58+00:00")
    read_back(tmp_path)


@pytest.mark.parametrize("line", ["", "[]", "{}", '{"seq":"1"}', b"\xff"])
def test_what_is_no_line(line: str | bytes) -> None:
    with pytest.raises(WrongForm):
        read_line(line)
