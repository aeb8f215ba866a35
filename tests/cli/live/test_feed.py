"""What is fed, by a controller that says what the test has it say."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from controller.cli.live.feed import EVERY_S, FROZEN_AFTER_S, Feed
from controller.cli.live.screen import LOOK_EVERY_S, FullScreen
from controller.control.client import LOOK_S
from tests.cli.support import Tablectl
from tests.control.support import Till, controller
from tests.control.technicians import Bench

FIRST = {"table": "P12", "count": 0, "round": 1}
DEVICES = {"shoe": {"link": "up", "kind": "shoe", "since": "12:00"}}
WITHIN_S = 10.0


async def until(found: Callable[[], object]) -> None:
    deadline = time.monotonic() + WITHIN_S
    while not found():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.01)


async def fed(feed: Feed, found: Callable[[], object]) -> None:
    """Feed until that is so."""
    task = asyncio.create_task(feed.feed_view())
    try:
        await until(found)
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "control.sock"


def not_answering(path: Path) -> socket.socket:
    """As a stopped process: it lets connections come, and that is all."""
    deaf = socket.socket(socket.AF_UNIX)
    deaf.bind(str(path))
    deaf.listen()
    return deaf


def texts(feed: Feed) -> list[str]:
    feed.observe()
    return [event.text for event in feed.events]


def frozen(feed: Feed) -> bool:
    feed.observe()
    return feed.frozen


def test_what_a_key_asks_for(path: Path) -> None:
    """Counters are for whoever may look; of what is the supervisor's nothing is asked for."""
    feed, bench = Feed(path, {**FIRST, "devices": DEVICES}, may_ask=False), Bench()
    with controller(path, technician=bench):
        told = "\n".join(asyncio.run(feed.devices()))
        assert asyncio.run(feed.last_round()) == ["A round is told to supervisors only."]
    assert "shoe, 64 s and 3605 s back:" in told
    assert " up " in told
    assert asyncio.run(feed.devices())[0].startswith("No counters: ")


def test_a_round_is_asked_for_once_a_state_and_a_refusal_told(path: Path) -> None:
    feed = Feed(path, FIRST, may_ask=True)
    assert "there is no " in asyncio.run(feed.last_round())[0]
    with controller(path):
        told = asyncio.run(feed.last_round())
    assert told[0].startswith("No round: ")
    assert asyncio.run(feed.last_round()) is told


def test_a_first_state_that_comes_late_is_no_change(path: Path) -> None:
    feed = Feed(path, {}, may_ask=False, unanswered_s=FROZEN_AFTER_S)
    assert texts(feed) == ["no controller: it does not answer"]
    assert frozen(feed)
    with controller(path, {"round": 7, "prompt": "Box 1"}):
        asyncio.run(fed(feed, lambda: feed.state and not frozen(feed)))
    assert texts(feed) == ["no controller: it does not answer", "the controller answers again"]


def test_a_state_that_cannot_be_read_is_trouble_and_the_last_one_stays(path: Path) -> None:
    feed = Feed(path, FIRST, may_ask=False)
    with controller(path, {"boxes": {"1": {"hands": 7}}}):
        asyncio.run(fed(feed, lambda: "another version" in feed.trouble))
    assert feed.state.get("round") == 1
    assert frozen(feed)


def test_a_controller_of_another_kind(path: Path) -> None:
    async def whole() -> None:
        answers = iter((b"no json\n", b"[]\n", b'{"ok":false,"error":7}\n', b'{"ok":true}\n'))

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readline()
            writer.write(next(answers, b""))
            writer.close()

        server = await asyncio.start_unix_server(answer, path)
        feed = Feed(path, FIRST, may_ask=False)
        told: set[str] = set()

        def all_told() -> bool:
            told.add(feed.trouble)
            return len(told) > 3

        async with server:
            await fed(feed, all_told)

    asyncio.run(whole())


AFTER = {
    "round": 2,
    "prompt": "Box 1",
    "devices": {"shoe": {**DEVICES["shoe"], "link": "down", "reason": "pulled"}},
}


def pulled(till: Till) -> None:
    """A device is pulled, in the next round."""
    till.more = AFTER
    till.commit()


@pytest.fixture
def streamed(monkeypatch: pytest.MonkeyPatch) -> Streamed:
    made = Streamed()
    monkeypatch.setattr("controller.cli.live.watch.stream", made.say)
    return made


class Streamed:
    """What ``watch`` has said to a pipe. ``then`` is done about each text, until it is one that
    begins with ``last``: whoever reads goes away then, by ``goes``."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.then: Callable[[], object] = lambda: None
        self.last = ""
        self.goes: type[BaseException] = KeyboardInterrupt

    def say(self, text: str) -> None:
        self.said.append(text)
        if text.startswith(self.last):
            raise self.goes
        self.then()


def test_the_state_once_then_changes(path: Path, tablectl: Tablectl, streamed: Streamed) -> None:
    streamed.last = "asks: "
    with controller(path, {"round": 1, "devices": DEVICES}, Bench()) as inside:
        streamed.then = lambda: inside(pulled) if len(streamed.said) == 1 else None
        assert tablectl("watch", "--plain", "--socket", path).code == 130
    said = streamed.said
    assert said[0].startswith("Table P12")
    assert any(text.endswith(" round 2 opened") for text in said)
    assert any(text.endswith(" ! shoe down: pulled") for text in said)
    assert said[-1] == "asks: Box 1"


def test_who_stops_reading_ends_it(path: Path, tablectl: Tablectl, streamed: Streamed) -> None:
    streamed.last, streamed.goes = "asks: ", BrokenPipeError
    with controller(path, {"round": 1}) as inside:
        streamed.then = lambda: inside(pulled)
        ran = tablectl("watch", "--plain", "--socket", path)
    assert (ran.code, ran.err) == (0, "")


def test_a_controller_that_does_not_answer_at_first(
    path: Path, tablectl: Tablectl, streamed: Streamed
) -> None:
    begun = time.monotonic()

    def answers() -> None:
        if len(streamed.said) == 1:
            assert time.monotonic() - begun < WITHIN_S / 2
            deaf.close()
            path.unlink()
            inside.enter_context(controller(path, {"round": 7, "prompt": "Box 1"}))

    streamed.last, streamed.then = "Table", answers
    with ExitStack() as inside, not_answering(path) as deaf:
        assert tablectl("watch", "--plain", "--socket", path).code == 130
    assert streamed.said[0].endswith(" ! no controller: it does not answer")
    assert streamed.said[-1].startswith("Table P12, None, round 7")
    assert not any("opened" in text for text in streamed.said)


def on_a_terminal(monkeypatch: pytest.MonkeyPatch, term: str = "xterm") -> None:
    for one in ("stdin", "stdout"):
        monkeypatch.setattr(f"sys.{one}.isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", term)


def test_to_a_pipe_it_is_the_state_again_and_again(
    path: Path, tablectl: Tablectl, streamed: Streamed
) -> None:
    with controller(path, {"round": 1}) as inside:
        streamed.last, streamed.then = "Table P12, None, round 2", lambda: inside(pulled)
        assert tablectl("watch", "--socket", path).code == 130
        heads = [text.splitlines()[0] for text in streamed.said]
        assert heads == ["Table P12, None, round 1: None", "Table P12, None, round 2: None"]
        streamed.last = "{"
        assert tablectl("watch", "--json", "--socket", path).code == 130
    assert json.loads(streamed.said[-1])["round"] == 2


def test_on_a_terminal_it_is_the_full_screen(
    path: Path, tablectl: Tablectl, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[tuple[object, bool]] = []

    async def gone(screen: FullScreen) -> None:
        shown.append((screen.feed.state.get("table"), screen.feed.frozen))
        raise OSError("the terminal is gone")

    monkeypatch.setattr(FullScreen, "show_table", gone)
    on_a_terminal(monkeypatch)
    with controller(path, {"round": 1}):
        assert tablectl("watch", "--socket", path).code == 0
    path.unlink(missing_ok=True)
    with not_answering(path):
        assert tablectl("watch", "--socket", path).code == 0
    assert shown == [("P12", False), (None, True)]


def test_status_does_not_wait_for_ever(
    path: Path, tablectl: Tablectl, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert LOOK_S <= 5.0
    monkeypatch.setattr("controller.cli.table.status.LOOK_S", 0.1)
    with not_answering(path):
        ran = tablectl("status", "--socket", path)
    assert (ran.code, "it does not answer in time" in ran.err) == (4, True)


@pytest.mark.parametrize(("term", "cleared"), [("dumb", ""), ("xterm", "\x1b[H\x1b[2J")])
def test_a_terminal_that_can_do_nothing_gets_the_stream(
    path: Path,
    tablectl: Tablectl,
    streamed: Streamed,
    monkeypatch: pytest.MonkeyPatch,
    term: str,
    cleared: str,
) -> None:
    """So does one without the library."""
    on_a_terminal(monkeypatch, term)
    if term != "dumb":
        monkeypatch.setitem(sys.modules, "controller.cli.live.screen", None)
    with controller(path, {"round": 1}):
        ran = tablectl("watch", "--socket", path)
    assert (ran.code, ran.out[: len(cleared) or None]) == (130, cleared)
    assert streamed.said[0].startswith("Table P12")


def test_a_frozen_table_is_known_from_a_quiet_one_within_two_seconds() -> None:
    assert EVERY_S < FROZEN_AFTER_S
    assert FROZEN_AFTER_S + LOOK_EVERY_S <= 2.0
