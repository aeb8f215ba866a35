"""Positions that a journal carries from the archived one: proven before a start goes by them.

A device that takes no part in play since the archiving has its position in the first entry alone,
and a start from a later snapshot does not replay that entry.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.journal.errors import DamagedJournal
from controller.journal.model import Draft
from controller.journal.schema import FILE_NAME
from tests.journal.helpers import SESSION, card, faults, forging, opened, raw, sample, write
from tests.upkeep.archives import closed

FIRST = 11
"""The first entry behind the archived ones."""


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A journal that goes on from an archived one, in one file, with a later snapshot."""
    (tmp_path / "archive").mkdir()
    state = tmp_path / "state"
    sample(state)
    closed(state)
    later = Draft("snapshot", {"table": "later"})
    keys = [card(number, session=7, device="keypad") for number in (1, 2, 3)]
    write(state, *keys[:2], later, keys[2], boot_id="boot-four")
    return state


def altered(state: Path, bit: int) -> Iterator[str]:
    """Each byte of the first entry's body altered in the file by itself; yields the text before
    it."""
    with raw(state) as connection:
        query = "SELECT CAST(body AS BLOB) FROM entry WHERE seq = ?"
        [body] = connection.execute(query, (FIRST,)).fetchone()
    path = state / FILE_NAME
    whole = path.read_bytes()
    assert whole.count(body) == 1
    for at in range(whole.index(body), whole.index(body) + len(body)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ bit]) + whole[at + 1 :])
        yield f"behind {whole[whole.index(body) : at]!r}"
    path.write_bytes(whole)


@pytest.mark.parametrize("bit", [0x01, 0x80])
def test_no_altered_position_is_started_on(state: Path, bit: int) -> None:
    """It would tell the device that events are stored which nobody has ever stored."""
    for where in altered(state, bit):
        with pytest.raises(DamagedJournal) as refused:
            opened(state, boot_id="boot-four").close()
        told = f"entry {FIRST} was changed", f"cannot be read beyond entry {FIRST - 1}"
        assert any(text in refused.value.what for text in told), where
    with opened(state, boot_id="boot-four") as journal:
        assert journal.stored("shoe", SESSION) == 6


@pytest.mark.parametrize("bit", [0x01, 0x80])
def test_verification_names_it(state: Path, bit: int) -> None:
    """Also where the text is no JSON any more, or no text."""
    for where in altered(state, bit):
        found = faults(state)
        told = "was changed", "cannot be read", "has a body that is not in canonical form"
        assert found, where
        assert all(any(text in what for text in told) for _, what in found), found
    assert faults(state) == []


def test_without_the_first_entry_there_is_no_start(state: Path) -> None:
    """The positions would be gone with it."""
    with forging(state) as connection:
        connection.execute("DELETE FROM entry")
        connection.execute("DELETE FROM boot WHERE boot = 4")
    with pytest.raises(DamagedJournal, match=f"entry {FIRST} is missing"):
        opened(state, boot_id="boot-four")
