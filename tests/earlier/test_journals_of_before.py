"""Journals of 0.2.0, which signed no commits, as that program left them: stopped in good order, or
killed behind their last head. The ``make`` of proof.torture.files.material and the ``play`` of
tests.daemon.sealed, of their time, made them, and those of 0.1.0 (:mod:`~.test_written_by_0_1`).
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import tarfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from controller.cli.main import main
from controller.configuration.reading import load_configuration
from controller.evidence.seals.known_keys import add_key
from controller.evidence.seals.recorded import found_in
from controller.journal.canonical import canonical
from controller.journal.errors import NotAJournal
from controller.journal.keys import ControllerKey
from controller.journal.reader import JournalReader
from controller.journal.schema import FILE_NAME
from controller.replay.records import SNAPSHOT, event_of
from controller.table.events.form import AFTER, body_of, columns_of
from controller.upkeep import known_elsewhere as knowing
from controller.upkeep import night_report
from controller.upkeep.known_elsewhere import known_to_be_signed, signed_elsewhere
from tests.daemon.process import Place
from tests.daemon.sealed import play

HERE = Path(__file__).parent
VERSIONS = ("0.2.0",)
LAST = {"0.1.0": 61, "0.2.0": 55}
SIGNED = {"0.1.0": 59, "0.2.0": 52}


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def lay(place: Place, version: str, end: str) -> None:
    """Have such a journal in the state directory, its key's line beside the configuration."""
    name = f"{version}-{end}"
    with tarfile.open(HERE / f"{name}.tar.xz") as archive:
        if hasattr(tarfile, "data_filter"):  # Python 3.11.4; Debian 12 has 3.11.2
            archive.extraction_filter = tarfile.data_filter
        archive.extractall(place.folder)
    (place.folder / name).rename(place.state)
    add_key(
        place.configuration.with_name("journal.vkey"), ControllerKey(place.state / "key").public
    )


@pytest.mark.parametrize("end", ["stopped", "killed"])
def test_every_entry_is_read_and_written_as_it_stands(place: Place, end: str) -> None:
    lay(place, "0.2.0", end)
    with JournalReader(place.state) as reader:
        entries = [entry for entry in reader.iterate() if entry.type != SNAPSHOT]
    assert entries
    for entry in entries:
        event = event_of(entry)
        own = {name: value for name, value in entry.body.items() if name != AFTER}
        assert canonical(body_of(event)) == canonical(own)
        assert event.type == entry.type
        stands = {name: getattr(entry, name) for name in columns_of(event)}
        assert stands == columns_of(event)


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


# ---- who else knows that it was signed since ----------------------------------------------------


@pytest.fixture
def stripped(place: Place, capsys: pytest.CaptureFixture[str]) -> Place:
    """Played on and verified by night, then put back as it was before; ``copy`` and ``report.json``
    in its folder know better."""
    lay(place, "0.2.0", "stopped")
    shutil.copytree(place.state, place.folder / "before")
    play(place)
    report = str(place.folder / "report.json")
    assert main(["nightly", "--config", str(place.configuration), "--report", report]) == 0
    place.state.rename(place.folder / "copy")
    (place.folder / "before").rename(place.state)
    text = place.configuration.read_text("utf-8")
    named = f'copy = "{place.folder / "copy"}"\n[control]'
    place.configuration.write_text(text.replace("[control]", named), "utf-8")
    assert verify(place, capsys)[0] == 0, "by itself it is one of before"
    return place


def test_a_second_copy_knows_that_it_was_signed(
    stripped: Place, capsys: pytest.CaptureFixture[str], mocker: MockerFixture
) -> None:
    mocker.patch.object(night_report, "USUAL", stripped.folder / "none")
    status, told = verify(stripped, capsys, "--config", str(stripped.configuration))
    assert (status, len(told["findings"])) == (1, 1)
    assert "its second copy says that its commits are signed" in told["findings"][0]["what"]
    anew = str(stripped.folder / "anew.json")
    assert main(["nightly", "--config", str(stripped.configuration), "--report", anew]) == 1
    assert "its second copy says that its commits are signed" in capsys.readouterr().out
    assert play(stripped)["held"]["fault"] == "journal-not-signed"


def test_the_last_night_knows_that_it_was_signed(
    stripped: Place, capsys: pytest.CaptureFixture[str], mocker: MockerFixture
) -> None:
    """Also where nobody names a configuration."""
    mocker.patch.object(night_report, "USUAL", stripped.folder / "report.json")
    status, told = verify(stripped, capsys)
    assert (status, len(told["findings"])) == (1, 1)
    assert "; the night that ended " in told["findings"][0]["what"]
    report = json.loads((stripped.folder / "report.json").read_text("utf-8"))
    report["state"] = "/elsewhere"
    (stripped.folder / "report.json").write_text(json.dumps(report), "utf-8")
    assert verify(stripped, capsys)[0] == 0, "another table's says nothing of this one"


@pytest.mark.parametrize("unreadable", ["report.json", "copy/journal.sqlite3"])
@pytest.mark.parametrize("how", ["noise", "a folder"])
def test_one_that_cannot_be_read_hides_no_other(
    stripped: Place, mocker: MockerFixture, unreadable: str, how: str
) -> None:
    file = stripped.folder / unreadable
    file.unlink()
    file.mkdir() if how == "a folder" else file.write_bytes(b"\xff" * 8192)
    mocker.patch.object(night_report, "USUAL", stripped.folder / "report.json")
    told = signed_elsewhere(stripped.state, stripped.folder / "copy")
    other = "its second copy" if unreadable == "report.json" else "the night that ended"
    assert told.startswith(other)


def test_a_closed_journal_that_cannot_be_read_hides_no_other(
    stripped: Place, mocker: MockerFixture
) -> None:
    mocker.patch.object(night_report, "USUAL", stripped.folder / "none")
    mocker.patch.object(knowing, "older", side_effect=NotAJournal("it is damaged"))
    config = load_configuration(stripped.configuration)
    with JournalReader(stripped.state) as reader:
        assert known_to_be_signed(config, reader, None).startswith("its second copy")
        assert known_to_be_signed(replace(config, copy=None), reader, None) == ""
