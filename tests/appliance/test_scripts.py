"""Maintainer scripts under odd conditions: who is asked, what is stopped, what starts again."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.appliance.scripts import NOTHING, Box, written

IDLE = {"after": {"state": "idle"}}
PLAYING = {"after": {"state": "playing.deal"}}

NIGHT_STOPPED = "stop table-controller-nightly.service"


@pytest.fixture
def box(tmp_path: Path) -> Box:
    one = Box(tmp_path)
    written(one.journal, IDLE)
    return one


def test_it_is_stopped_between_rounds_and_started_again(box: Box) -> None:
    done = box.script("preinst", "upgrade", "0.1.0")
    assert (done.returncode, done.stderr) == (0, "")
    assert box.asked() == ["stop table-controller.service", NIGHT_STOPPED]
    assert box.stopped.exists()
    box.shell("start_again")
    assert box.asked()[-1] == "start table-controller.service"
    assert not box.stopped.exists()


def test_a_stopped_one_is_left_stopped(box: Box) -> None:
    (box.folder / "active").write_text("inactive\n")
    assert box.script("preinst", "upgrade", "0.1.0").returncode == 0
    box.shell("start_again")
    assert box.asked() == [NIGHT_STOPPED]


def test_a_round_that_was_opened_meanwhile_is_gone_on_with(box: Box) -> None:
    written(box.folder / "journal-then", PLAYING)
    done = box.script("preinst", "upgrade", "0.1.0")
    assert done.returncode == 1
    assert "a round was opened meanwhile" in done.stderr
    assert [line.split()[0] for line in box.asked()] == ["stop", "daemon-reload", "start"]
    assert not box.stopped.exists()


def test_one_that_does_not_start_again_is_told_and_ends_no_script(tmp_path: Path) -> None:
    box = Box(tmp_path, start_fails=True)  # a mask
    written(box.journal, IDLE)
    written(box.folder / "journal-then", PLAYING)
    done = box.script("preinst", "upgrade", "0.1.0")
    assert "the controller did not start" in done.stderr
    assert "a round is in progress" in done.stderr


def test_nothing_is_stopped_whose_journal_cannot_be_read_afterwards(box: Box) -> None:
    """It was stopped and started in turn, until systemd had enough of it."""
    box.journal.unlink()
    done = box.script("preinst", "upgrade", "0.1.0")
    assert done.returncode == 1
    assert "cannot be read" in done.stderr
    assert box.asked() == []


def test_the_journal_is_where_the_configuration_has_it(box: Box) -> None:
    elsewhere = box.folder / "other place"
    elsewhere.mkdir()
    shutil.move(box.journal, elsewhere)
    (box.folder / "table.toml").write_text('[state]\ndirectory = "other place"\n')
    assert box.script("preinst", "upgrade", "0.1.0").returncode == 0
    (box.folder / "table.toml").write_text("no TOML")
    assert box.shell('find_journal; echo "$JOURNAL"').stdout == f"{box.journal}\n"


@pytest.mark.parametrize("wait", ["5m", "-1", "1 -o 1"])
def test_a_wait_that_is_no_number_of_seconds_is_no_endless_one(box: Box, wait: str) -> None:
    done = box.script("preinst", "upgrade", "0.1.0", environment={"TABLE_CONTROLLER_WAIT": wait})
    assert done.returncode == 1
    assert "expected a number of seconds" in done.stderr
    assert box.asked() == []


def test_a_tablectl_that_path_has_is_not_asked(box: Box) -> None:
    box.program(box.folder / "tools" / "tablectl", '#!/bin/sh\necho \'{"state": "playing"}\'\n')
    assert box.shell("state_now").stdout == "idle\n"


def test_what_lies_in_the_folder_of_a_person_is_not_run(box: Box) -> None:
    planted = box.folder / "home"
    planted.mkdir()
    for name in ("json", "sqlite3", "tomllib"):
        (planted / f"{name}.py").write_text("open('was-run', 'w')\n")
    call = "find_journal; journal_says; state_now"
    for environment in NOTHING, {"PYTHONPATH": str(planted)}:
        done = box.shell(call, cwd=planted, environment=environment)
        assert done.stdout == "1 idle\nidle\n"
    assert not (planted / "was-run").exists()


def test_a_removal_that_is_given_up_starts_it_again(box: Box) -> None:
    assert box.script("prerm", "deconfigure", "in-favour", "other", "1").returncode == 0
    assert box.stopped.exists()
    assert box.script("prerm", "remove").returncode == 0
    assert box.script("postrm", "remove").returncode == 0
    assert not box.stopped.exists()


def test_a_checkout_is_not_unpacked_into_and_comes_back(box: Box) -> None:
    checkout = box.folder / "checkout"
    checkout.mkdir()
    program = box.folder / "program"
    program.symlink_to(checkout)
    said = box.script("preinst", "install").stderr
    assert f"led to {checkout}" in said
    assert not program.is_symlink()
    assert box.script("postrm", "abort-install").returncode == 0
    assert program.readlink() == checkout
    assert box.asked()[-1] == "start table-controller.service"


def test_a_purge_follows_a_link_and_leaves_a_neighbour(box: Box) -> None:
    medium = box.folder / "medium"
    (medium / "deep").mkdir(parents=True)
    (medium / "deep" / "key").touch()
    neighbour = box.folder / "neighbour"
    neighbour.mkdir()
    (neighbour / "file").touch()
    (medium / "to-it").symlink_to(neighbour)
    link = box.folder / "link"
    link.symlink_to(medium)
    function = "\n".join(
        ["remove_folder() {", *_lines_of("postrm", "remove_folder() {"), 'remove_folder "$1"']
    )
    done = box.shell(function, str(link))
    assert (done.returncode, done.stderr) == (0, "")
    assert list(medium.iterdir()) == []
    assert not link.is_symlink()
    assert (neighbour / "file").exists()


def _lines_of(script: str, first: str) -> list[str]:
    path = Path(__file__).parents[2] / "debian" / f"table-controller.{script}"
    lines = path.read_text("utf-8").partition(first)[2].splitlines()
    return lines[1 : lines.index("}") + 1]
