"""Maintainer scripts under odd conditions: who is asked, what is stopped, what starts again."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.appliance.scripts import NOTHING, Box, written

IDLE = {"after": {"state": "idle"}}
PLAYING = {"after": {"state": "playing.deal"}}

NIGHT_STOPPED = "stop table-controller-nightly.timer table-controller-nightly.service"


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
    assert box.asked() == [NIGHT_STOPPED, "start table-controller-nightly.timer"]


def test_a_round_that_was_opened_meanwhile_is_gone_on_with(box: Box) -> None:
    """Twice, and it is no chance."""
    written(box.folder / "journal-then", PLAYING)
    done = box.script("preinst", "upgrade", "0.1.0", environment={"TABLE_CONTROLLER_WAIT": "600"})
    assert done.returncode == 1
    assert "a round was opened meanwhile" in done.stderr
    assert "Nothing was changed" in done.stderr
    assert [line.split()[0] for line in box.asked()] == [
        *("stop", "daemon-reload", "reset-failed", "start")
    ] * 2
    assert not box.stopped.exists()


def test_one_that_does_not_start_again_is_told_and_ends_no_script(tmp_path: Path) -> None:
    box = Box(tmp_path, start_fails=True)  # a mask
    written(box.journal, IDLE)
    written(box.folder / "journal-then", PLAYING)
    done = box.script("preinst", "upgrade", "0.1.0")
    assert done.returncode == 1
    assert "the controller did not start" in done.stderr
    assert "Nothing was changed" in done.stderr
    assert box.stopped.exists(), "the next attempt starts it"


@pytest.mark.parametrize("noise", ["LD_PRELOAD=/nowhere.so", "SYSTEMD_LOG_LEVEL=debug"])
def test_what_libraries_say_beside_it_is_no_answer(box: Box, noise: str) -> None:
    elsewhere = box.folder / "elsewhere"
    elsewhere.mkdir()
    shutil.move(box.journal, elsewhere)
    (box.folder / "table.toml").write_text('[state]\ndirectory = "elsewhere"\n')
    name, _, value = noise.partition("=")
    box.program(box.bin / "tablectl", '#!/bin/sh\necho \'{"state": "playing"}\'\n')
    done = box.script("preinst", "upgrade", "0.1.0", environment={name: value})
    assert (done.returncode, "a round is in progress" in done.stderr) == (1, True)
    (box.folder / "active").write_text("inactive\n")
    (elsewhere / "journal.sqlite3").unlink()
    written(elsewhere / "journal.sqlite3", IDLE, stores=9)
    done = box.script("preinst", "upgrade", "0.1.0", environment={name: value})
    assert (done.returncode, "cannot read what a later one has stored" in done.stderr) == (1, True)


def test_one_that_fails_in_mid_round_while_it_is_waited_for_is_not_exchanged(box: Box) -> None:
    box.journal.unlink()
    written(box.journal, PLAYING)
    text = f'#!/bin/sh\necho failed >{box.folder / "active"}; echo \'{{"state": "playing"}}\'\n'
    box.program(box.bin / "tablectl", text)
    done = box.script("preinst", "upgrade", "0.1.0", environment={"TABLE_CONTROLLER_WAIT": "2"})
    assert (done.returncode, "a round is in progress" in done.stderr) == (1, True)


def test_the_timer_of_the_night_is_started_again_where_it_was_stopped(box: Box) -> None:
    assert box.script("preinst", "install").returncode == 0
    assert box.script("postrm", "abort-install").returncode == 0
    assert "start table-controller-nightly.timer" in box.asked()


def test_a_link_that_an_upgrade_put_aside_is_back_when_it_is_given_up(box: Box) -> None:
    program = box.folder / "program"
    program.symlink_to(box.folder)
    assert box.script("preinst", "upgrade", "0.1.0").returncode == 0
    assert not program.is_symlink()
    assert box.script("postrm", "abort-upgrade", "0.1.0", "0.2.0").returncode == 0
    assert program.readlink() == box.folder
    assert box.asked()[-1] == "start table-controller.service"


@pytest.mark.parametrize("there", [None, b"no journal at all"])
def test_nothing_is_stopped_whose_journal_cannot_be_read_afterwards(
    box: Box, there: bytes | None
) -> None:
    """It was stopped and started in turn, until systemd had enough of it."""
    box.journal.unlink()
    if there:
        box.journal.write_bytes(there)
    box.refuses("cannot be read")


def test_the_journal_is_where_the_configuration_has_it(box: Box) -> None:
    elsewhere = box.folder / "other place"
    elsewhere.mkdir()
    shutil.move(box.journal, elsewhere)
    (box.folder / "table.toml").write_text('[state]\ndirectory = "other place"\n')
    assert box.script("preinst", "upgrade", "0.1.0").returncode == 0


@pytest.mark.parametrize("text", ["no TOML", "state = 3", "[state]\ndirectory = 3"])
def test_a_configuration_that_cannot_be_read_is_refused(box: Box, text: str) -> None:
    """A journal that lies elsewhere would not be found."""
    (box.folder / "table.toml").write_text(text)
    box.refuses("table.toml cannot be read")


def test_a_configuration_that_names_no_places_has_the_usual_ones(box: Box) -> None:
    (box.folder / "table.toml").write_text('[table]\nid = "P12"\n')
    assert box.shell('find_places; echo "$JOURNAL"').stdout == f"{box.journal}\n"


def test_the_table_that_is_stopped_is_the_one_that_is_asked(box: Box) -> None:
    """By the socket of its configuration, whatever root's environment says."""
    (box.folder / "table.toml").write_text('[control]\nsocket = "elsewhere/control.sock"\n')
    asked = box.folder / "words"
    box.program(
        box.bin / "tablectl", f'#!/bin/sh\necho "$@" >{asked}; echo \'{{"state": "idle"}}\'\n'
    )
    other = {"TABLE_CONTROLLER_SOCKET": "/run/other.sock"}
    assert box.script("preinst", "upgrade", "0.1.0", environment=other).returncode == 0
    assert asked.read_text() == f"--socket {box.folder}/elsewhere/control.sock --json status\n"


def test_one_that_was_stopped_by_hand_meanwhile_is_waited_for_no_longer(box: Box) -> None:
    text = f'#!/bin/sh\necho inactive >{box.folder / "active"}; echo \'{{"state": "playing"}}\'\n'
    box.program(box.bin / "tablectl", text)
    done = box.script("preinst", "upgrade", "0.1.0", environment={"TABLE_CONTROLLER_WAIT": "600"})
    assert (done.returncode, "waiting up to" in done.stderr) == (0, True)
    assert box.asked() == [NIGHT_STOPPED]
    assert not box.stopped.exists()


def test_one_that_had_failed_is_tried_again_with_the_new_program(box: Box) -> None:
    (box.folder / "active").write_text("failed\n")
    assert box.script("preinst", "upgrade", "0.1.0").returncode == 0
    box.shell("start_again")
    assert box.asked()[2:] == [
        "daemon-reload",
        "reset-failed table-controller.service",
        "start table-controller.service",
    ]


def test_nothing_is_unpacked_where_systemd_does_not_say_whether_it_runs(box: Box) -> None:
    (box.folder / "active").unlink()
    box.refuses("systemd does not say")


@pytest.mark.parametrize("wait", ["5m", "-1", "1 -o 1", "9" * 20, "08"])
def test_a_wait_that_is_no_number_of_seconds_is_no_endless_one(box: Box, wait: str) -> None:
    box.refuses("expected a number of seconds", {"TABLE_CONTROLLER_WAIT": wait})


def test_a_tablectl_that_path_has_is_not_asked(box: Box) -> None:
    box.program(box.folder / "tools" / "tablectl", '#!/bin/sh\necho \'{"state": "playing"}\'\n')
    assert box.shell("state_now").stdout == "idle\n"


def test_what_lies_in_the_folder_of_a_person_is_not_run(box: Box) -> None:
    planted = box.folder / "home"
    planted.mkdir()
    for name in ("json", "sqlite3", "tomllib"):
        (planted / f"{name}.py").write_text("open('was-run', 'w')\n")
    call = "find_places; journal_says; state_now"
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


def test_a_checkout_in_its_place_is_refused(box: Box) -> None:
    (box.folder / "program").mkdir()
    (box.folder / "program" / "Makefile").touch()
    done = box.script("preinst", "install")
    assert (done.returncode, "is a checkout" in done.stderr) == (1, True)


def test_a_link_of_an_earlier_take_over_is_not_brought_back(box: Box) -> None:
    """An installation that is refused undoes what it has done, and nothing else."""
    (box.folder / "aside").mkdir()
    (box.folder / "aside" / "program").symlink_to(box.folder)
    assert box.script("postrm", "abort-install").returncode == 0
    assert not (box.folder / "program").is_symlink()


def test_what_was_enabled_by_hand_stays_enabled(box: Box) -> None:
    """A link that is gone counts as one that somebody has taken away."""
    wants = box.folder / "units" / "multi-user.target.wants"
    wants.mkdir(parents=True)
    unit = "table-controller.service"
    (wants / unit).symlink_to(f"/etc/systemd/system/{unit}")
    function = "\n".join(["enabled_still() {", *_lines_of("postinst", "enabled_still() {")])
    done = box.shell(f'{function}\nenabled_still "$1"; enabled_still none.timer', unit)
    assert (done.returncode, done.stderr) == (0, "")
    assert (wants / unit).readlink() == Path("/usr/lib/systemd/system") / unit
    assert [path.name for path in wants.iterdir()] == [unit]


def test_a_purge_beside_an_installation_by_hand_touches_nothing(box: Box) -> None:
    program = box.folder / "program" / ".venv" / "bin"
    program.mkdir(parents=True)
    (program / "table-controller").touch()
    evidence = {"TABLE_CONTROLLER_PURGE": "evidence"}
    done = box.script("postrm", "purge", environment=evidence)
    assert (done.returncode, "installation by hand" in done.stderr) == (0, True)


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
