"""``journal key --prepare``: what the package does on a box that has nothing yet."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.evidence.keys.credential import decrypt
from controller.evidence.trust import read_keys
from controller.journal.keys import CREDENTIAL
from tests.cli.support import Ran, Tablectl

pytestmark = pytest.mark.needs("systemd-creds")


def prepare(tablectl: Tablectl, folder: Path, *more: object) -> Ran:
    return tablectl(
        *("journal", "key", "--prepare", "--credential", folder / "store" / CREDENTIAL),
        *("--unit", folder / "unit.d", "--state", folder / "state", "--with-key", "host"),
        *("--config", folder / "etc" / "table.toml", *more),
    )


@pytest.fixture(autouse=True)
def host_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SYSTEMD_CREDENTIAL_SECRET", str(tmp_path / "host-key"))


def test_a_box_gets_a_key_without_a_page_and_without_a_plain_file(
    tmp_path: Path, tablectl: Tablectl
) -> None:
    told = prepare(tablectl, tmp_path, "--json")
    assert told.code == 0, told.err
    key = decrypt(tmp_path / "store" / CREDENTIAL)
    assert told.json["fingerprint"] == key.public.fingerprint
    assert "LoadCredentialEncrypted=" in (tmp_path / "unit.d" / "key.conf").read_text()
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == sorted(
        [CREDENTIAL, "host-key", "key.conf", "journal.vkey"]
    )
    assert told.json["verifier keys"] == str(tmp_path / "etc" / "journal.vkey")
    assert read_keys(tmp_path / "etc" / "journal.vkey") == [key.public]


@pytest.mark.parametrize("there", [f"store/{CREDENTIAL}", "state/key", "state/journal.sqlite3"])
def test_where_there_is_a_key_or_a_journal_none_is_made(
    there: str, tmp_path: Path, tablectl: Tablectl
) -> None:
    (tmp_path / there).parent.mkdir()
    (tmp_path / there).write_text("as it was")
    told = prepare(tablectl, tmp_path)
    assert (told.code, there in told.err) == (3, True)
    assert (tmp_path / there).read_text() == "as it was"
    assert not (tmp_path / "unit.d").exists()


def test_where_it_cannot_be_stored_it_says_so(tmp_path: Path, tablectl: Tablectl) -> None:
    (tmp_path / "store").write_text("no folder")
    told = prepare(tablectl, tmp_path)
    assert (told.code, "no key was made" in told.err) == (1, True)
    assert not (tmp_path / "etc").exists()


def test_the_line_is_there_before_the_key(
    tmp_path: Path, tablectl: Tablectl, mocker: MockerFixture
) -> None:
    """Cut off in between, no key is in use that is not named."""
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    mocker.patch("controller.evidence.keys.installation.put_in_place", side_effect=full)
    assert prepare(tablectl, tmp_path).code == 1
    assert not (tmp_path / "store" / CREDENTIAL).exists()
    [named] = read_keys(tmp_path / "etc" / "journal.vkey")
    mocker.stopall()
    assert prepare(tablectl, tmp_path).code == 0
    key = decrypt(tmp_path / "store" / CREDENTIAL).public
    assert read_keys(tmp_path / "etc" / "journal.vkey") == [named, key]


def test_what_is_no_list_of_keys_is_not_written_over(tmp_path: Path, tablectl: Tablectl) -> None:
    keys = tmp_path / "etc" / "journal.vkey"
    keys.parent.mkdir()
    keys.write_text("a list of the safe's other things\n")
    told = prepare(tablectl, tmp_path)
    assert (told.code, str(keys) in told.err) == (1, True)
    assert keys.read_text() == "a list of the safe's other things\n"
