"""Simulators as processes: their hands, their ends, their lines, also stalled ones. One who watches
and does not read holds nobody up, and misses no end."""

from __future__ import annotations

import json
import os
import selectors
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from drivers.table_link.messages import encode
from simulators.__main__ import main
from simulators.hands import Hands, HandsError
from simulators.lines.stall import Stall
from simulators.server import HandsServer

STATES = 2000


class Watched:
    """A server with one channel; ``theirs`` is a socket of somebody who watches it."""

    def __init__(self, *, one_descriptor: bool) -> None:
        self.selector = selectors.DefaultSelector()
        self.server = HandsServer(self.selector, lambda request: {}, lambda: {"ready": True})
        self.theirs, ours = socket.socketpair()
        self.theirs.settimeout(10)
        reading = ours.detach()
        writing = reading if one_descriptor else os.dup(reading)
        self.server.attach(reading, writing, final=True)
        self.theirs.sendall(b'{"do": "watch"}\n')
        self.serve()

    def serve(self) -> int:
        """Do what is ready; how many descriptors were."""
        ready = self.selector.select(0)
        for key, _ in ready:
            key.data()
        return len(ready)

    def close(self) -> None:
        self.theirs.close()
        self.server.close()
        self.selector.close()


@pytest.fixture(params=[True, False], ids=["one descriptor", "two descriptors"])
def watched(request: pytest.FixtureRequest) -> Iterator[Watched]:
    watched = Watched(one_descriptor=request.param)
    yield watched
    watched.close()


def test_a_slow_watcher_misses_states_and_never_the_last(watched: Watched) -> None:
    states: list[dict[str, Any]] = [{"number": n, "filler": "x" * 500} for n in range(STATES)]
    for state in states:
        watched.server.tell_watchers(state)
    assert watched.serve() == 0  # nothing is tried again before there is room
    told: list[dict[str, Any]] = []
    lines = watched.theirs.makefile("rb")
    with lines:
        while not told or told[-1] != {"state": states[-1]}:
            told.append(json.loads(lines.readline()))
            watched.serve()
            watched.server.tell_watchers(states[-1])
    assert len(told) < STATES


def test_a_watcher_that_leaves_with_something_unread_is_forgotten(watched: Watched) -> None:
    for number in range(STATES):
        watched.server.tell_watchers({"number": number, "filler": "x" * 500})
    watched.theirs.close()
    assert watched.serve() > 0
    assert watched.server.ended
    assert watched.serve() == 0


def test_a_watcher_that_only_stops_speaking_is_forgotten_with_something_unread(
    watched: Watched,
) -> None:
    watched.server.tell_watchers(
        {"filler": "x" * (1 << 21)}
    )  # more than there is room for at any time
    for _ in range(3):  # so that its descriptors can be read and written at once
        watched.theirs.recv(1 << 16, socket.MSG_WAITALL)
    watched.theirs.shutdown(socket.SHUT_WR)
    assert watched.serve() > 0
    assert watched.server.ended
    assert watched.serve() == 0


def _payloads() -> list[bytes]:
    return [
        encode(0x10, 7, {"unlocked": 1, "cards": 1}),
        encode(0x02, 8, {}),
        encode(0x11, 9, {"colour": 1, "blink": 0}),
    ]


@pytest.mark.parametrize(("drop", "behind"), [(False, _payloads()), (True, [])])
def test_held_back_then_let_go_in_order_or_lost(*, drop: bool, behind: list[bytes]) -> None:
    stall = Stall()
    assert stall.through(_payloads()) == _payloads()
    stall.hold_back()
    assert stall.through(_payloads()) == []
    assert stall.names() == ["GATE", "SIGNAL"]
    stall.let_go(drop=drop)
    assert stall.through([b"next"]) == [*behind, b"next"]
    assert stall.through([]) == []


def test_a_device_that_says_nothing_keeps_its_event(tmp_path: Path) -> None:
    with Hands.start("shoe", tmp_path / "shoe") as shoe:
        shoe.do("hold_back", inward=True, outward=True)
        shoe.do("draw", force=True)
        assert shoe.look()["unacked"] == 2
        shoe.do("let_go", drop=True)
        assert shoe.look()["held_out"] == []


def test_hands_see_act_and_are_refused(tmp_path: Path) -> None:
    with Hands.start("shoe", tmp_path / "shoe", "--decks", "6") as shoe:
        state = shoe.look()
        assert (state["kind"], state["remaining"], state["plugged"]) == ("shoe", 288, True)
        assert str((tmp_path / "shoe").readlink()) == state["port"]
        with pytest.raises(HandsError, match="the gate is locked"):
            shoe.do("draw")
        with pytest.raises(HandsError, match="nobody can 'sing' a shoe"):
            shoe.do("sing")
        with pytest.raises(HandsError, match="cannot be drawn"):
            shoe.do("draw", cards=3)
        assert shoe.do("draw", force=True)["remaining"] == 287


def test_cards_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "cards").write_text("AH KD\n9C")
    with Hands.start("shoe", tmp_path / "shoe", "--cards", str(tmp_path / "cards")) as shoe:
        assert shoe.look()["next"] == ["AH", "KD", "9C"]


def test_several_hands_on_one_device(tmp_path: Path) -> None:
    hands = tmp_path / "hands"
    with (
        Hands.start("keypad", tmp_path / "pad", "--hands", str(hands)) as one,
        Hands.connect(hands) as two,
    ):
        one.do("switch", supervisor=True)
        two.wait_for(lambda state: state["supervisor"])


def test_waiting_ends_with_what_was_seen(tmp_path: Path) -> None:
    with (
        Hands.start("keypad", tmp_path / "pad") as pad,
        pytest.raises(TimeoutError, match=r"still not as wanted: .*NO CONTROLLER"),
    ):
        pad.wait_for(lambda state: state["served"], timeout=0.05)


def test_link_goes_with_the_device(tmp_path: Path) -> None:
    with Hands.start("shoe", tmp_path / "shoe") as shoe:
        shoe.do("unplug")
        assert not (tmp_path / "shoe").is_symlink()
        shoe.do("plug")
        assert (tmp_path / "shoe").exists()
        assert shoe.stop() == 0
    assert not (tmp_path / "shoe").is_symlink()


def test_sigterm_ends_it_cleanly(tmp_path: Path) -> None:
    with Hands.start("jackpot", tmp_path / "unit") as unit:
        assert unit.pid is not None
        os.kill(unit.pid, signal.SIGTERM)
        with pytest.raises(HandsError, match="exit status 0"):
            unit.wait_for(lambda _: False)


def test_killed_shoe_remembers_its_cards_and_events(tmp_path: Path) -> None:
    memory = str(tmp_path / "memory")
    with Hands.start("shoe", tmp_path / "shoe", "--memory", memory) as shoe:
        shoe.do("draw", force=True, count=3)
        before = shoe.look()
        shoe.kill()
    with Hands.start("shoe", tmp_path / "shoe", "--memory", memory) as shoe:
        after = shoe.look()
    for same in ("session", "last_event", "unacked", "remaining", "next"):
        assert after[same] == before[same]


@pytest.mark.parametrize(
    "spoilt",
    [
        '{"session_id": 5',
        '{"session_id": 5, "last_event": 2, "events": [], "model": {"cards": [[1, 1, 0, 1]]}}',
    ],
)
def test_spoilt_memory_is_a_new_session(spoilt: str, tmp_path: Path) -> None:
    (tmp_path / "memory").write_text(spoilt)
    memory = str(tmp_path / "memory")
    with Hands.start("shoe", tmp_path / "shoe", "--memory", memory) as shoe:
        assert shoe.look()["session"] != 5
        assert shoe.look()["last_event"] == 1


def test_nothing_of_the_controller_is_imported() -> None:
    folder = Path(__file__).parents[2] / "simulators"
    for source in folder.glob("*.py"):
        assert "import controller" not in source.read_text()
        assert "from controller" not in source.read_text()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--serial", "LONGER-THAN-12"], "--serial: at most 12 ASCII characters"),
        (["--serial", "SCHÜTTLER"], "--serial: at most 12 ASCII characters"),
        (["--cards", "none/such"], "--cards: "),
    ],
)
def test_what_a_device_cannot_have_is_refused_at_its_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], said: str
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["shoe", "--link", str(tmp_path / "port"), *options])
    assert said in capsys.readouterr().err
