"""An installed key, as systemd hands it to the service: the daemon takes it and no file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from controller.control.client import ControlClient
from controller.journal.keys import CREDENTIAL, BadKey, ControllerKey, SecretKey
from controller.journal.reader import JournalReader
from controller.upkeep.signing import CREDENTIALS
from tests.daemon.process import Daemon, Place, running
from tests.daemon.sealed import heads, play

LISTED = 0o440
"""Mode of a credential that an access control list gives to the service's user."""


@pytest.fixture
def credentials(tmp_path: Path) -> Path:
    made = tmp_path / "credentials"
    made.mkdir()
    return made


def hand_over(credentials: Path, text: str, mode: int = 0o400) -> Path:
    credential = credentials / CREDENTIAL
    credential.write_text(text, encoding="ascii")
    credential.chmod(mode)
    return credential


def told_of_start(place: Place) -> Mapping[str, Any]:
    with JournalReader(place.state) as reader:
        start = reader.last_of_type("start")
    assert start is not None
    sealing = start.body["sealing"]
    assert isinstance(sealing, Mapping)
    return sealing


@pytest.mark.parametrize("mode", [0o400, LISTED])
def test_a_key_that_was_taken_over_raises_no_fault(
    mode: int, place: Place, credentials: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It lies elsewhere, and is the same key: nothing is held, told or signed otherwise."""
    file = place.state / "key"
    public = ControllerKey(file).public
    assert told_of_start(place)["kept"] == "file"
    hand_over(credentials, file.read_text(), mode)
    file.unlink()
    monkeypatch.setenv(CREDENTIALS, str(credentials))
    told = play(place, "wager 2 main 10")
    assert (told["held"], told["conditions"]) == (None, {})
    sealing = told_of_start(place)
    assert (sealing["kept"], sealing["key"]) == ("credential", public.text)
    assert all(head.is_of(public) for head in heads(place))
    assert not file.exists()


def test_the_log_says_where_the_key_is_from(tmp_path: Path, credentials: Path) -> None:
    place = Place(tmp_path)
    with running(place) as daemon:
        log = daemon.stop()[1]
    file = place.state / "key"
    public = ControllerKey(file).public
    assert f"the key {public.fingerprint} is from the file {file}, made just now" in log
    credential = hand_over(credentials, file.read_text())
    with running(place, {CREDENTIALS: str(credentials)}) as daemon:
        with ControlClient(place.socket) as client:
            assert client.status()["held"] is None
        log = daemon.stop()[1]
    assert f"the key {public.fingerprint} is from the credential {credential}" in log
    assert f"a key still lies in {file}, which is not used" in log
    assert file.read_text().strip() not in log


@pytest.mark.parametrize(
    ("text", "mode", "words"),
    [("no key\n", 0o400, "is damaged"), ("a1" * 32, 0o444, "mode 0444, expected 0400 or 0440")],
)
def test_with_a_credential_that_cannot_be_used_nothing_is_written(
    text: str, mode: int, words: str, place: Place, credentials: Path
) -> None:
    """No key is made beside it, and the file of before is not gone back to."""
    (place.state / "key").unlink()
    hand_over(credentials, text, mode)
    before = {file.name: file.read_bytes() for file in place.state.iterdir()}
    daemon = Daemon(place, {CREDENTIALS: str(credentials)})
    status, log = daemon.ended()
    assert (status, words in log) == (2, True)
    assert str(credentials / CREDENTIAL) in log
    assert {file.name: file.read_bytes() for file in place.state.iterdir()} == before


def test_another_credential_of_the_service_is_no_key(place: Place, credentials: Path) -> None:
    (credentials / "another").write_text("a password")
    key = ControllerKey(place.state / "key", credentials)
    assert (key.installed, key.made, key.path) == (False, False, place.state / "key")


def test_what_is_no_file_is_no_credential(tmp_path: Path, credentials: Path) -> None:
    (credentials / CREDENTIAL).mkdir()
    with pytest.raises(BadKey, match=r"a directory, expected a regular.*journal key --install"):
        ControllerKey(tmp_path / "key", credentials)
    assert not (tmp_path / "key").exists()


def test_a_key_is_written_one_way(tmp_path: Path) -> None:
    secret = SecretKey.generate()
    hand_over(tmp_path, f"{secret.text}\n")
    assert ControllerKey(tmp_path / "none", tmp_path).public == secret.public
    with pytest.raises(ValueError, match="64 hexadecimal digits"):
        SecretKey.of_text("a1")
