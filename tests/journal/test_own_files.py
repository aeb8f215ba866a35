"""Links, FIFOs and devices in place of files; the log's check for everybody who reads."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.cli.main import main
from controller.configuration.reading import load_configuration
from controller.configuration.tables import BadConfiguration
from controller.evidence.heads import append_head, heads_in, last_head
from controller.files.rules import read_rules
from controller.game.rules.loader import RulesError
from controller.journal.errors import DamagedJournal, NoJournal, NotAJournal
from controller.journal.keys import BadKey, ControllerKey
from controller.journal.lock import LOCK_NAME, StateLock
from controller.journal.log_check import HEADER
from controller.journal.reader import JournalReader
from controller.journal.schema import FILE_NAME
from controller.regular_files import NotRegular
from controller.upkeep.next_start import mark, marked
from tests.journal.helpers import opened
from tests.journal.test_log_check import FRAME_BYTES, LOG, as_it_lay, change


def test_a_journal_that_is_a_link_is_not_opened(tmp_path: Path) -> None:
    """The log would lie beside what it leads to, and nobody looked at it there."""
    left = as_it_lay(tmp_path)
    elsewhere = left.rename(tmp_path / "elsewhere")
    change(elsewhere / LOG, HEADER.size + 2 * FRAME_BYTES + 100)
    state = tmp_path / "state"
    state.mkdir()
    (state / FILE_NAME).symlink_to(elsewhere / FILE_NAME)
    for opens in (opened, JournalReader):
        with pytest.raises(NotAJournal, match="it is a symbolic link, expected a regular file"):
            opens(state)


@pytest.mark.parametrize("suffix", ["-wal", "-shm"])
def test_nor_are_links_beside_it(tmp_path: Path, suffix: str) -> None:
    left = as_it_lay(tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.touch()
    beside = left / f"{FILE_NAME}{suffix}"
    beside.unlink(missing_ok=True)
    beside.symlink_to(elsewhere)
    with pytest.raises(NotAJournal, match=f"{suffix} is not opened: it is a symbolic link"):
        JournalReader(left)


def test_a_directory_may_be_a_link(tmp_path: Path) -> None:
    left = as_it_lay(tmp_path)
    (tmp_path / "link").symlink_to(left)
    with opened(tmp_path / "link") as journal, JournalReader(left) as reader:
        assert journal.head == reader.head


def test_what_root_writes_in_the_state_directory_goes_through_no_link(tmp_path: Path) -> None:
    """It is the table's own user's: archiving and recovering are often root's commands."""
    victim = tmp_path / "shadow"
    victim.write_text("root:secret\n")
    victim.chmod(0o600)
    state = tmp_path / "state"
    state.mkdir()
    for trap in (LOCK_NAME, f"{FILE_NAME}.recovered.new"):
        (state / trap).symlink_to(victim)
    with pytest.raises(NoJournal, match="it is a symbolic link"):
        StateLock(state)
    mark(state, "what was recovered")
    assert marked(state) == "what was recovered"
    assert (victim.read_text(), victim.stat().st_mode & 0o777) == ("root:secret\n", 0o600)


def test_who_reads_a_damaged_log_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """SQLite alone would drop the entries behind the damage without a word."""
    left = as_it_lay(tmp_path, cards=80)
    change(left / LOG, HEADER.size + 2 * FRAME_BYTES + 100)
    with pytest.raises(DamagedJournal, match=r"frame \d+ of .*-wal do not fit"):
        JournalReader(left)
    for command in (["verify"], ["export", "--evidence", str(tmp_path / "out")]):
        assert main(["journal", *command, "--state", str(left)]) == 1
        assert "is damaged" in capsys.readouterr().err


def test_a_log_that_a_controller_writes_is_left_to_it(tmp_path: Path) -> None:
    """It changes under the hands of whoever looks."""
    left = as_it_lay(tmp_path, cards=20)
    with opened(left) as journal:
        change(left / LOG, HEADER.size + 2 * FRAME_BYTES + 100)
        with JournalReader(left) as reader:
            assert reader.head.seq <= journal.head.seq


def _fifo(path: Path) -> Path:
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    return path


@pytest.mark.parametrize("name", [FILE_NAME, LOG, LOCK_NAME])
def test_a_fifo_in_the_state_directory_is_not_waited_for(tmp_path: Path, name: str) -> None:
    left = as_it_lay(tmp_path)
    _fifo(left / name)
    with pytest.raises((NotAJournal, NoJournal), match="it is a FIFO, expected a regular file"):
        opened(left)
    if name != LOCK_NAME:  # which a reader only looks at
        with pytest.raises(NotAJournal, match="it is a FIFO"):
            JournalReader(left)


OPENS: list[tuple[Callable[[Path], object], type[Exception]]] = [
    (ControllerKey, BadKey),
    (load_configuration, BadConfiguration),
    (read_rules, RulesError),
    (lambda path: list(heads_in(path)), NotRegular),
    (lambda path: last_head(path, []), NotRegular),
]


@pytest.mark.parametrize(("opens", "error"), OPENS)
def test_nor_is_one_in_place_of_another_file(
    tmp_path: Path, opens: Callable[[Path], object], error: type[Exception]
) -> None:
    fifo = _fifo(tmp_path / "file")
    fifo.chmod(0o600)
    with pytest.raises(error, match="it is a FIFO"):
        opens(fifo)
    with pytest.raises(error, match=r"it is a device|has mode 0666"):
        opens(Path(os.devnull))


def test_heads_are_written_to_no_fifo(tmp_path: Path) -> None:
    with pytest.raises(NotRegular, match="it is a FIFO"):
        append_head(_fifo(tmp_path / "heads"), None)  # type: ignore[arg-type]


@pytest.mark.needs("root")
def test_a_lock_that_is_another_file_too_is_given_to_nobody(tmp_path: Path) -> None:
    """The directory's owner may have given a file of root's this name."""
    roots = tmp_path / "roots"
    roots.touch()
    state = tmp_path / "state"
    state.mkdir()
    os.chown(state, 65534, 65534)
    os.link(roots, state / LOCK_NAME)
    StateLock(state).release()
    assert roots.stat().st_uid == 0
    (state / LOCK_NAME).unlink()
    StateLock(state).release()
    assert (state / LOCK_NAME).stat().st_uid == 65534
