"""Tables whose journals are old enough to be closed, and their controller in this process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pytest_mock import MockerFixture

from controller.configuration.reading import load_configuration
from controller.daemon.outside import Outside
from controller.daemon.runtime import Runtime
from controller.evidence.verify import verify
from controller.files.media import FreeRoom
from controller.journal.reader import JournalReader, closed_files
from controller.journal.schema import FILE_NAME
from controller.upkeep.due import close_if_due
from controller.upkeep.signing import signing_of
from tests.daemon.process import Place
from tests.daemon.sealed import at_once, journal_at, play, runtime_at

NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)
LONG_AGO = NOW - timedelta(days=40)


def outside(wall: datetime, boot_id: str = "boot-1") -> Outside:
    return Outside(
        boot_id=lambda: boot_id, wall=lambda: wall, aside=at_once, room=lambda _: FreeRoom(1 << 40)
    )


def play_at(wall: datetime, mocker: MockerFixture, place: Place, *commands: str) -> None:
    """Play with the clock of then."""
    clock = mocker.patch("controller.daemon.committer.datetime")
    clock.now.return_value = wall
    play(place, *commands, outside=outside(wall))
    mocker.stop(clock)


def with_archive(place: Place, **keys: int) -> None:
    lines = "".join(f"{key} = {value}\n" for key, value in keys.items())
    with place.configuration.open("a", encoding="utf-8") as file:
        file.write(f"[archive]\n{lines}")


def closes(place: Place, wall: datetime = NOW) -> list[Path]:
    """Have a start then close the journal where it is due; the closed files."""
    config = load_configuration(place.configuration)
    close_if_due(config, signing_of(config), outside(wall))
    return closed_files(place.state)


@asynccontextmanager
async def awake(place: Place, world: Outside) -> AsyncIterator[Runtime]:
    """Its controller, between its start record and its end."""
    with journal_at(place) as journal:
        runtime = runtime_at(place, journal, world)
        runtime.committer.start()
        await runtime.submit_start()
        try:
            yield runtime
        finally:
            await runtime.close()
            runtime.committer.close()


def well(directory: Path, name: str = FILE_NAME) -> int:
    with JournalReader(directory, name) as reader:
        report = verify(reader)
        assert report.well, report.findings
        return report.last_seq
