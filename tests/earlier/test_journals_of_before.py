"""Journals of 0.1.0 and 0.2.0, which signed no commits, as those programs left them: stopped in
good order, or killed behind their last head. The ``make`` of torture.files.made and the ``play`` of
tests.daemon.sealed, of their time, made them.
"""

from __future__ import annotations

import json
import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from controller.cli.main import main
from controller.journal.reader import JournalReader
from controller.journal.schema import FILE_NAME
from controller.journal.sealing.keys import ControllerKey
from controller.journal.sealing.known_keys import add_key
from controller.journal.sealing.recorded import found_in
from tests.daemon.process import Place
from tests.daemon.sealed import play

HERE = Path(__file__).parent
VERSIONS = ("0.1.0", "0.2.0")
LAST = {"0.1.0": 61, "0.2.0": 55}
SIGNED = {"0.1.0": 59, "0.2.0": 52}


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def lay(place: Place, version: str, end: str) -> None:
    """Have such a journal in the state directory, its key's line beside the configuration."""
    name = f"{version}-{end}"
    with tarfile.open(HERE / f"{name}.tar.xz") as archive:
        archive.extractall(place.folder, filter="data")
    (place.folder / name).rename(place.state)
    add_key(
        place.configuration.with_name("journal.vkey"), ControllerKey(place.state / "key").public
    )


def verify(
    place: Place, capsys: pytest.CaptureFixture[str], *more: str
) -> tuple[int, dict[str, Any]]:
    capsys.readouterr()
    key = str(place.configuration.with_name("journal.vkey"))
    command = ["journal", "verify", "--json", "--state", str(place.state), "--key", key, *more]
    status = main(command)
    return status, json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("version", VERSIONS)
def test_one_that_was_stopped_is_signed_to_its_end(
    place: Place, capsys: pytest.CaptureFixture[str], version: str
) -> None:
    lay(place, version, "stopped")
    status, told = verify(place, capsys)
    assert (status, told["findings"], told["remarks"]) == (0, [], [])
    held = play(place)["held"]
    assert held is None or held["fault"] == "program-changed"
    status, told = verify(place, capsys)
    assert (status, told["findings"], told["remarks"]) == (0, [], [])
    with JournalReader(place.state) as reader:
        start = reader.last_of_type("start")
        assert start is not None
        assert (found_in(start), start.body["sealing"]["commits"]) == ([], True)  # type: ignore[index]
        assert reader.connection.execute("PRAGMA user_version").fetchone() == (3,)


@pytest.mark.parametrize("version", VERSIONS)
def test_one_that_was_killed_is_held_until_somebody_answers_for_its_end(
    place: Place, capsys: pytest.CaptureFixture[str], version: str
) -> None:
    lay(place, version, "killed")
    behind = f"its last head is for entry {SIGNED[version]}: entries {SIGNED[version] + 1} to "
    behind += f"{LAST[version]} are covered by no signature"
    status, told = verify(place, capsys)
    assert (status, len(told["findings"])) == (1, 1)
    assert behind in told["findings"][0]["what"]
    assert "journal-unsigned-end" in play(place)["conditions"]
    status, told = verify(place, capsys)
    assert status == 1
    assert [found["seq"] for found in told["findings"]] == [LAST[version] + 1]
    assert "found journal-unsigned-end" in told["findings"][0]["what"]
    assert "no supervisor has answered it" in told["findings"][0]["what"]
    play(place, resume=True)
    status, told = verify(place, capsys)
    assert (status, told["findings"]) == (0, [])
    [remark] = told["remarks"]
    assert behind in remark
    assert "Sue let play go on" in remark
    assert "the inspector was told" in remark
    assert play(place)["held"] is None


@pytest.mark.parametrize("version", VERSIONS)
def test_nothing_in_it_excuses_its_end(
    place: Place, capsys: pytest.CaptureFixture[str], version: str
) -> None:
    """Not that heads failed, nor another engine, nor another program."""
    lay(place, version, "killed")
    with closing(sqlite3.connect(place.state / FILE_NAME, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER entry_no_update")
        connection.execute(
            "UPDATE entry SET type = 'condition', body = ? WHERE seq = ?",
            ('{"detail":"","fault":"heads-failing","present":true}', SIGNED[version] + 1),
        )
    status, told = verify(place, capsys)
    assert status == 1
    assert any("covered by no signature" in found["what"] for found in told["findings"])
