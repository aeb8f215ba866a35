"""``config check`` judges the places of a configuration as the daemon does, and as its user."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.files.rules import rules_file
from controller.journal.schema import FILE_NAME
from tests.cli.support import Tablectl
from tests.daemon.process import Place, line, refused

RULES = "rws-pontoon-pandemonium-v4"
NOBODY = 65534


A_FILE = "there is a file where a folder is expected"


@pytest.mark.parametrize(
    ("there", "key", "place", "words"),
    [
        ("", "control.socket", "{long}", "at most 107 bytes, and this one 108"),
        ("file", "state.directory", "it", A_FILE),
        ("", "state.directory", "none/state", "there is no"),
        ("file", "state.directory", "it/state", A_FILE),
        ("", "state.directory", "s" * 256, "the name is longer than the system takes"),
        ("link", "state.directory", "it", "there is a symbolic link"),
        ("file", "control.socket", "it", "a file is there, which is no socket"),
        ("folder", "control.socket", "it", "a folder is there, which is no socket"),
        ("file", "control.socket", "it/run/socket", A_FILE),
    ],
)
def test_a_place_that_cannot_be_is_told_alike(
    tablectl: Tablectl, tmp_path: Path, there: str, key: str, place: str, words: str
) -> None:
    it = tmp_path / "it"
    match there:
        case "file":
            it.touch()
        case "folder":
            it.mkdir()
        case "link":
            it.symlink_to("none")
    path = tmp_path / place.format(long="s" * (107 - len(os.fsencode(tmp_path))))
    of_state = key == "state.directory"
    made = Place(tmp_path, state=path) if of_state else Place(tmp_path, control=path)
    status, log = refused(made)
    checked = tablectl("config", "check", made.configuration)
    assert (status, checked.code) == (2, 2)
    assert "Traceback" not in log
    [said] = [told for told in checked.err.splitlines() if f"{key} " in told]
    cause = said.partition(f"{key} ")[2].partition(": ")[2]
    assert words in cause
    assert cause in log, "the same words"


def test_a_place_in_order_is_told_as_such(tablectl: Tablectl, tmp_path: Path) -> None:
    place = Place(tmp_path, control=tmp_path / ("s" * (106 - len(os.fsencode(tmp_path)))))
    assert tablectl("config", "check", place.configuration).code == 0


def test_a_zone_that_cannot_be_found_is_noted(
    tablectl: Tablectl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = Place(tmp_path)
    monkeypatch.setenv("TZ", "Mars/Olympus")
    checked = tablectl("config", "check", place.configuration)
    assert checked.code == 0
    assert "note: table.day_begins: when a gaming day begins is not known: TZ" in checked.out
    assert "'apt install tzdata'" in checked.out
    monkeypatch.setenv("TZ", "Asia/Singapore")
    assert "day_begins" not in tablectl("config", "check", place.configuration).out


@pytest.mark.needs("root")
def test_places_of_root_are_judged_as_the_daemons_user(
    tablectl: Tablectl, reached: Path, mocker: MockerFixture
) -> None:
    """A restored backup: root may use all of it."""
    mocker.patch("controller.causes.who_may.DAEMON", "nobody")
    place = Place(reached)
    run = reached / "run"
    run.mkdir()
    place = Place(reached, control=run / "socket")
    checked = tablectl("config", "check", place.configuration)
    assert checked.code == 2
    assert f"'sudo install -d -o nobody -g nogroup -m 750 {place.state}'" in checked.err
    assert f"user nobody may not write {run}, which belongs to root:root" in checked.err
    for folder in (place.state, run):
        folder.mkdir(exist_ok=True)
        os.chown(folder, NOBODY, NOBODY)
    assert tablectl("config", "check", place.configuration).code == 0
    journal = place.state / FILE_NAME
    journal.touch(0o600)
    checked = tablectl("config", "check", place.configuration)
    assert f"may not read and write {journal}, which belongs to root:root 0600" in checked.err
    assert f"'sudo chown -R nobody: {place.state}'" in checked.err


@pytest.mark.needs("root")
@pytest.mark.parametrize("name", ["table.toml", "journal.vkey", "house/mine.toml"])
def test_a_file_of_roots_that_a_start_reads_is_judged_as_the_daemons_user(
    tablectl: Tablectl, reached: Path, mocker: MockerFixture, name: str
) -> None:
    mocker.patch("controller.causes.who_may.DAEMON", "nobody")
    place = Place(reached, control=reached / "state" / "socket")
    place.state.mkdir()
    os.chown(place.state, NOBODY, NOBODY)
    (reached / "journal.vkey").touch(0o644)
    (reached / "house").mkdir()
    mine = reached / "house" / "mine.toml"
    mine.write_bytes(rules_file(RULES).read_bytes())
    text = place.configuration.read_text("utf-8").replace(f'"{RULES}"', f'"{mine}"')
    place.configuration.write_text(text, "utf-8")
    place.configuration.chmod(0o644)
    assert tablectl("config", "check", place.configuration).code == 0
    file = place.configuration if name == "table.toml" else reached / name
    file.chmod(0o600)
    checked = tablectl("config", "check", place.configuration)
    assert checked.code == 2
    assert f"user nobody may not read {file}, which belongs to root:root 0600: '" in checked.err


@pytest.mark.needs("root")
def test_a_port_of_another_group_is_noted_with_the_command(
    tablectl: Tablectl, reached: Path, mocker: MockerFixture
) -> None:
    mocker.patch("controller.causes.who_may.DAEMON", "nobody")
    place = Place(reached)
    for folder in (reached, place.state):
        folder.mkdir(exist_ok=True)
        os.chown(folder, NOBODY, NOBODY)
    with line(place.shoe):
        os.chown(place.shoe, 0, 46)
        place.shoe.chmod(0o660)
        checked = tablectl("config", "check", place.configuration)
    assert checked.code == 0
    assert "note: devices.shoe: user nobody may not read and write" in checked.out
    assert "'sudo usermod -aG plugdev nobody', then start the controller" in checked.out
