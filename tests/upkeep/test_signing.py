"""With which key a start signs, and whose word it is that this key counts."""

from __future__ import annotations

import errno
import logging
import threading
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.configuration.reading import load_configuration
from controller.evidence.tree.checkpoint import vkey_of
from controller.evidence.trust import KEYS_FILE, add_key
from controller.journal.errors import DiskFailed
from controller.journal.keys import BadKey
from controller.journal.schema import FILE_NAME as JOURNAL
from controller.upkeep import signing as module
from controller.upkeep.signing import Signing, signing_of
from tests.daemon.process import Daemon, Place
from tests.daemon.sealed import play
from tests.journal.helpers import OTHER_KEY


def signing_at(folder: Path) -> Signing:
    place = Place(folder)
    place.state.mkdir(exist_ok=True)
    return signing_of(load_configuration(place.configuration))


def test_who_makes_a_key_writes_down_which_and_who_finds_one_does_not(tmp_path: Path) -> None:
    made = signing_at(tmp_path)
    file = tmp_path / KEYS_FILE
    assert file.read_text("ascii") == f"{vkey_of(made.key.public)}\n"
    assert (made.trusted, made.file) == ([made.key.public], file)
    file.unlink()
    (tmp_path / "state" / JOURNAL).touch()
    found = signing_at(tmp_path)
    assert found.key.public == made.key.public
    assert found.trusted == [made.key.public]  # there is nobody else's word
    assert not file.exists()


def test_a_first_start_that_was_cut_off_behind_its_key_writes_down_which(tmp_path: Path) -> None:
    """There is no journal yet, which some other key could have signed."""
    made, file = signing_at(tmp_path).key, tmp_path / KEYS_FILE
    file.unlink()
    assert signing_at(tmp_path).trusted == [made.public]
    assert file.read_text("ascii") == f"{vkey_of(made.public)}\n"
    file.write_text(f"{vkey_of(OTHER_KEY.public)}\n", "ascii")
    assert signing_at(tmp_path).trusted == [OTHER_KEY.public]  # what is there counts


def test_a_key_that_is_made_is_not_written_over_what_counts(tmp_path: Path) -> None:
    add_key(tmp_path / KEYS_FILE, OTHER_KEY.public)
    assert list(signing_at(tmp_path).trusted) == [OTHER_KEY.public]


def test_a_key_that_does_not_count_holds_the_table(place: Place) -> None:
    file = place.folder / KEYS_FILE
    own = file.read_text("ascii")
    file.write_text(f"{vkey_of(OTHER_KEY.public)}\n", "ascii")
    held = play(place)["held"]
    assert held["faults"] == ["journal-not-signed", "heads-doubted"]
    assert "is not among those that count" in held["reason"]
    file.write_text(f"{vkey_of(OTHER_KEY.public)}\n{own}", "ascii")  # the oldest first
    play(place, resume=True)
    assert play(place)["held"] is None


def test_a_state_directory_that_was_moved_is_told_before_its_key(place: Place) -> None:
    play(place)
    moved = place.state.rename(place.folder / "moved")
    held = play(place)["held"]
    assert held["faults"] == ["heads-doubted"]
    assert "a new journal was begun, though other keys count here" in held["reason"]
    assert "its state directory was moved or emptied" in held["reason"]
    place.state.rename(place.folder / "new")
    moved.rename(place.state)
    assert play(place)["held"] is None


def test_a_folder_that_cannot_be_written_is_said_with_what_to_do(
    tmp_path: Path, mocker: MockerFixture, caplog: pytest.LogCaptureFixture
) -> None:
    mocker.patch.object(module, "add_key", side_effect=OSError(30, "Read-only file system"))
    key = signing_at(tmp_path).key
    assert "tablectl journal checkpoint --vkey > " in caplog.text
    assert key.made
    assert caplog.records[-1].levelno == logging.WARNING


@pytest.mark.parametrize(("text", "words"), [("no key\n", "no verifier key"), ("", "has no key")])
def test_a_file_of_keys_that_is_none_starts_nothing(place: Place, text: str, words: str) -> None:
    (place.folder / KEYS_FILE).write_text(text)
    status, log = Daemon(place).ended()
    assert (status, KEYS_FILE in log, words in log) == (2, True, True)


def test_what_is_no_file_says_nothing_of_keys(tmp_path: Path) -> None:
    (tmp_path / KEYS_FILE).mkdir()
    with pytest.raises(BadKey, match="must be a regular file"):
        signing_at(tmp_path)


@pytest.mark.parametrize(
    ("call", "words"),
    [("ControllerKey", "the key .* its medium does not answer"), ("read_keys", KEYS_FILE)],
)
def test_a_medium_that_hangs_is_not_waited_for(
    tmp_path: Path, mocker: MockerFixture, call: str, words: str
) -> None:
    """A start then ends with 1, and may be tried again."""
    go = threading.Event()
    mocker.patch.object(module, "ANSWERED_S", 0.5)
    mocker.patch.object(module, call, side_effect=lambda *_: go.wait(20))
    try:
        with pytest.raises(DiskFailed, match=words):
            signing_at(tmp_path)
    finally:
        go.set()


def test_a_medium_that_fails_may_be_tried_again(tmp_path: Path, mocker: MockerFixture) -> None:
    mocker.patch.object(module, "read_keys", side_effect=OSError(errno.EIO, "Input/output error"))
    with pytest.raises(DiskFailed, match=r"journal\.vkey: its disk fails"):
        signing_at(tmp_path)
