"""The second copy and the scrubber in the daemon's process, and disks that fail under it."""

from __future__ import annotations

import contextlib
import resource
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from controller.cli.main import main as tablectl
from controller.control.client import ControlClient, NoController
from controller.evidence.verify import verify
from controller.journal.reader import JournalReader
from controller.journal.schema import FILE_NAME
from tests.daemon.process import Daemon, Place, refused, running


def head(directory: Path) -> tuple[int, str]:
    with JournalReader(directory) as reader:
        report = verify(reader)
        assert report.well, report.findings
        return report.last_seq, report.head


def play(place: Place, *commands: str) -> None:
    with ControlClient(place.socket) as client:
        for command in commands:
            client.dealer(command)


def test_a_copy_is_level_when_the_table_has_stopped(tmp_path: Path) -> None:
    place = Place(tmp_path, copied=True)
    with running(place):
        play(place, "open", "wager 1 main 10")
        with ControlClient(place.socket) as client:
            status: Any = client.status()
        upkeep = status["upkeep"]
        assert upkeep["copy"]["directory"] == str(place.copy)
        assert upkeep["copy"]["same_disk"] is True
        assert status["conditions"] == {"copy-same-medium": f"the second copy, {place.copy}"}
        assert status["held"] is None
        assert upkeep["copy"]["fault"] is upkeep["scrub"]["fault"] is None
    assert head(place.copy) == head(place.state)


def test_an_older_journal_put_in_place_is_not_played_on(tmp_path: Path) -> None:
    place = Place(tmp_path, copied=True)
    with running(place):
        play(place, "open")
    shutil.copytree(place.state, tmp_path / "older")
    with running(place):
        play(place, "wager 1 main 10")
    whole = head(place.copy)
    shutil.copy(place.state / "heads.jsonl", tmp_path / "heads")
    shutil.rmtree(place.state)
    shutil.copytree(tmp_path / "older", place.state)
    shutil.copy(tmp_path / "heads", place.state / "heads.jsonl")  # from a medium of their own
    before = (place.state / FILE_NAME).read_bytes()
    status, log = refused(place)
    assert status == 2
    assert "has lost what it had acknowledged: the journal ends with entry" in log
    command = f"tablectl journal recover --state {place.state} --from {place.copy}"
    assert command in log
    assert (place.state / FILE_NAME).read_bytes() == before
    assert tablectl(command.split()[1:]) == 0
    assert head(place.state) == whole
    assert (place.state / f"{FILE_NAME}.recovered").exists()
    for _ in range(2):  # held until a supervisor says who and why, told once
        with running(place), ControlClient(place.socket) as client:
            held: Any = client.status()["held"]
            assert held["fault"] == "journal-recovered"
            assert f"it has entries up to {whole[0]} from the copy" in held["reason"]
        assert not (place.state / f"{FILE_NAME}.recovered").exists()
    with running(place), ControlClient(place.socket) as client:
        client.supervisor("resume", "Tan A.", "the table is as the screen says")
        assert client.status()["state"] == "betting"
    with JournalReader(place.state) as reader:
        told = [entry.body for entry in reader.iterate() if entry.type == "condition"]
    present = [body["present"] for body in told if body["fault"] == "journal-recovered"]
    assert present == [True, False]


def test_a_journal_made_anew_beside_its_copy_is_not_played_on(tmp_path: Path) -> None:
    place = Place(tmp_path, copied=True)
    with running(place):
        pass
    shutil.rmtree(place.state)
    status, log = refused(place)
    assert status == 2
    assert f"there is no journal {place.state / FILE_NAME}" in log
    assert f"tablectl journal recover --state {place.state} --from {place.copy}" in log
    assert not place.state.exists()


@pytest.mark.parametrize("copied", [True, False])
def test_a_start_on_a_damaged_journal_says_what_helps(tmp_path: Path, *, copied: bool) -> None:
    place = Place(tmp_path, copied=True) if copied else Place(tmp_path)
    with running(place):
        pass
    path = place.state / FILE_NAME
    path.write_bytes(path.read_bytes().replace(b"boot_id", b"boot-id"))
    before = path.read_bytes()
    status, log = refused(place)
    assert status == 2
    assert "is damaged: " in log
    said = f"--from {tmp_path / 'copy'}'" if copied else "There is no second copy"
    assert said in log
    assert "COPY" not in log
    assert path.read_bytes() == before


@contextmanager
def small_disk(folder: Path, kilobytes: int, *, inodes: int = 0) -> Iterator[Path]:
    """A disk of so many kilobytes, and inodes (0: as many as wanted)."""
    folder.mkdir()
    size = f"size={kilobytes}k,nr_inodes={inodes}"
    subprocess.run(["mount", "-t", "tmpfs", "-o", size, "tmpfs", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


def play_until_it_ends(place: Place, daemon: Daemon) -> tuple[int, int, str]:
    """How many wagers were acknowledged, the exit status and the log."""
    acknowledged = 0
    with ControlClient(place.socket) as client:
        client.dealer("open")
        with contextlib.suppress(NoController):
            while acknowledged < 100_000:
                client.dealer(f"wager 1 main {10 + 2 * (acknowledged % 100)}")
                acknowledged += 1
    return acknowledged, *daemon.ended()


def stands(place: Place) -> int:
    """How many wagers the journal has."""
    with JournalReader(place.state) as reader:
        assert not verify(reader).findings
        return sum(str(entry.body.get("command")).startswith("wager") for entry in reader.iterate())


def test_a_write_that_the_kernel_refuses_ends_the_process(tmp_path: Path) -> None:
    """Real I/O errors: no file of the process may become longer than it is."""
    place = Place(tmp_path)
    with running(place) as daemon:
        limit = (place.state / f"{FILE_NAME}-wal").stat().st_size + 20_000
        resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE, (limit, limit))
        acknowledged, status, log = play_until_it_ends(place, daemon)
    assert status == 1
    assert log.count("could not be committed") == 1
    assert acknowledged > 3
    assert stands(place) == acknowledged
    with running(place), ControlClient(place.socket) as client:
        assert client.status()["state"] == "betting"


@pytest.mark.needs("root", "mount")
def test_a_copy_whose_disk_is_full_is_said_and_play_goes_on(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 100) as disk:
        place = Place(tmp_path, copied=True)
        text = place.configuration.read_text("utf-8").replace(str(place.copy), f"{disk}/copy")
        place.configuration.write_text(text, "utf-8")
        with running(place), ControlClient(place.socket) as client:
            client.dealer("open")
            told = None
            for number in range(10_000):
                client.dealer(f"wager 1 main {10 + 2 * (number % 100)}")
                upkeep: Any = client.status()["upkeep"]
                told = upkeep["copy"]["fault"]
                if told is not None:
                    break
            assert str(told).startswith("copy-failing: ")
            status: Any = client.status()
            assert status["held"] is None
            assert status["upkeep"]["copy"]["same_disk"] is False
            assert "copy-same-medium" not in status["conditions"]
            client.dealer("wager 1 main 20")
        head(place.state)
