"""``config check`` judges the places of a configuration as the daemon does, and as its user."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.files.rules import rules_file
from controller.journal.schema import FILE_NAME
from tests.cli.support import Tablectl
from tests.daemon.process import Place, line, refused

RULES = "rws-pontoon-pandemonium-v4"
NOBODY = 65534


def deep(folder: Path) -> Place:
    return Place(folder, control=folder / ("s" * (107 - len(os.fsencode(folder)))))


def a_file_as_state(folder: Path) -> Place:
    (folder / "file").touch()
    return Place(folder, state=folder / "file")


def a_state_in_nothing(folder: Path) -> Place:
    return Place(folder, state=folder / "none" / "state")


def a_state_in_a_file(folder: Path) -> Place:
    (folder / "file").touch()
    return Place(folder, state=folder / "file" / "state")


def a_state_with_a_long_name(folder: Path) -> Place:
    return Place(folder, state=folder / ("s" * 256))


def a_state_behind_a_link_to_nothing(folder: Path) -> Place:
    (folder / "link").symlink_to("none")
    return Place(folder, state=folder / "link")


def a_file_as_socket(folder: Path) -> Place:
    (folder / "file").touch()
    return Place(folder, control=folder / "file")


def a_folder_as_socket(folder: Path) -> Place:
    (folder / "folder").mkdir()
    return Place(folder, control=folder / "folder")


def a_socket_in_a_file(folder: Path) -> Place:
    (folder / "file").touch()
    return Place(folder, control=folder / "file" / "run" / "socket")


@pytest.mark.parametrize(
    ("make", "key", "words"),
    [
        (deep, "control.socket", "at most 107 bytes, and this one 108"),
        (a_file_as_state, "state.directory", "there is a file where a folder is expected"),
        (a_state_in_nothing, "state.directory", "there is no"),
        (a_state_in_a_file, "state.directory", "there is a file where a folder is expected"),
        (a_state_with_a_long_name, "state.directory", "the name is longer than the system takes"),
        (a_state_behind_a_link_to_nothing, "state.directory", "there is a symbolic link"),
        (a_file_as_socket, "control.socket", "a file is there, which is no socket"),
        (a_folder_as_socket, "control.socket", "a folder is there, which is no socket"),
        (a_socket_in_a_file, "control.socket", "there is a file where a folder is expected"),
    ],
)
def test_a_place_that_cannot_be_is_told_alike(
    tablectl: Tablectl, tmp_path: Path, make: Callable[[Path], Place], key: str, words: str
) -> None:
    place = make(tmp_path)
    status, log = refused(place)
    checked = tablectl("config", "check", place.configuration)
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
