"""Media that hang: nobody waits for them, and they are asked once."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.daemon.health.watches import DiskWatch, WatchedPlace
from controller.files.media import ANSWER_S, FreeRoom, MediumQuestion, MediumSilent, Room, read_room


class Medium:
    """A medium that hangs until it is let go, and then has 7 bytes left or an error."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.error: OSError | None = None
        self.asked = 0

    def room(self, _: Path) -> FreeRoom:
        self.asked += 1
        self.go.wait()
        if self.error is not None:
            raise self.error
        return FreeRoom(7)


@contextmanager
def hanging() -> Iterator[Medium]:
    medium = Medium()
    try:
        yield medium
    finally:
        medium.go.set()
        for thread in threading.enumerate():
            if thread.name == "medium":
                thread.join()


def answered(room: Room, place: Path) -> FreeRoom:
    """The answer that is owed, however often one has to ask for it."""
    while True:
        try:
            return room(place)
        except MediumSilent:
            continue


def test_a_place_says_its_room(tmp_path: Path) -> None:
    found, known = answered(Room(), tmp_path), read_room(tmp_path)
    assert found.bytes == pytest.approx(known.bytes, rel=0.1)
    assert (found.files is None) == (known.files is None)
    with pytest.raises(FileNotFoundError):
        answered(Room(), tmp_path / "nowhere")


def test_a_medium_that_hangs_is_asked_once() -> None:
    with hanging() as medium:
        room = Room(medium.room)
        for _ in range(20):
            with pytest.raises(OSError, match="does not answer"):
                room(Path("/copy"))
        assert medium.asked == 1
        medium.go.set()
        assert answered(room, Path("/copy")) == FreeRoom(7)
        assert answered(room, Path("/copy")) == FreeRoom(7)
        assert medium.asked == 2


def test_a_medium_that_nobody_could_ask_is_asked_the_next_time(mocker: MockerFixture) -> None:
    room = Room(lambda _: FreeRoom(7))
    start = mocker.patch("threading.Thread.start", side_effect=RuntimeError("no new thread"))
    with pytest.raises(MediumSilent, match="no thread can be started"):
        room(Path("/copy"))
    mocker.stop(start)
    assert answered(room, Path("/copy")) == FreeRoom(7)


def test_a_medium_that_answers_late_that_it_cannot_be_read_is_asked_again() -> None:
    with hanging() as medium:
        room = Room(medium.room)
        medium.error = TimeoutError(110, "Connection timed out")
        with pytest.raises(MediumSilent):
            room(Path("/copy"))
        medium.go.set()
        with pytest.raises(TimeoutError, match="Connection timed out"):
            answered(room, Path("/copy"))
        medium.error = None
        assert answered(room, Path("/copy")) == FreeRoom(7)


def test_a_disk_watch_says_a_place_that_does_not_answer() -> None:
    with hanging() as medium:
        watch = DiskWatch(
            [WatchedPlace("the second copy", Path("/c"), needed=False)], Room(medium.room), 1
        )
        found = {one.fault: one.detail for one in watch.findings() if one.present}
        assert found == {"disk-unknown": "the second copy, /c: it does not answer"}


def test_a_question_is_waited_for_and_not_longer() -> None:
    with hanging() as medium:
        question = MediumQuestion(lambda: medium.room(Path("/copy")))
        with pytest.raises(MediumSilent):
            question.answer(ANSWER_S / 10)
        medium.go.set()
        assert question.answer(10) == FreeRoom(7)
