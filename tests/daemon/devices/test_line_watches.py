"""Devices that come and go, what a link has counted over the last minute and hour, and what
`status`, `ready` and `devices list` say of lines, by a real daemon on real ports."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.daemon.devices.line_watches import (
    FEW,
    FLAPPING,
    HOUR,
    IN_S,
    MANY,
    MINUTE,
    STORIES,
    Comings,
    Lately,
)
from controller.daemon.health.watches import EVERY_S, WordsWatch
from drivers.api import LinkDown
from simulators.hands import Hands
from simulators.lines.wire import Wire
from tests.cli.conftest import tablectl
from tests.cli.support import Tablectl
from tests.daemon.house import open_house
from tests.daemon.process import PATIENCE_S, Place, running
from tests.drivers.test_probe import reading

__all__ = ["tablectl"]

SHUFFLER = '[devices.shuffler]\nport = "{path}"\n'


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A table with a shuffler beside shoe and jackpot unit."""
    made = Place(tmp_path / "table")
    text = made.configuration.read_text("utf-8") + SHUFFLER.format(path=made.folder / "shuffler")
    made.configuration.write_text(text, "utf-8")
    return made


@pytest.fixture
def ask(tablectl: Tablectl, place: Place) -> Callable[..., Any]:
    def asked(*words: str) -> Any:
        return tablectl("--socket", place.socket, *words)

    return asked


def until(told: Callable[[], str], what: str) -> str:
    """What it says, once it says that."""
    end = time.monotonic() + PATIENCE_S
    while what not in (said := told()):
        assert time.monotonic() < end, said
        threading.Event().wait(0.05)
    return said


def _entries(ask: Callable[..., Any], place: Place) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = ask("journal", "export", "--state", place.state).lines
    return told


def missing(ask: Callable[..., Any], name: str) -> dict[str, Any]:
    """The check of that name before opening, which is not well."""
    [found] = [one for one in ask("ready", "--json").json["checks"] if one["name"] == name]
    assert not found["ok"]
    return dict(found)


def test_crossed_plugs_are_to_be_swapped(place: Place, ask: Callable[..., Any]) -> None:
    with (
        Hands.start("shuffler", place.shoe),
        Hands.start("shoe", place.folder / "shuffler"),
        running(place),
    ):
        until(lambda: str(ask("status").out), "swap these two")
        for name in ("shoe", "shuffler"):
            check = missing(ask, name)
            assert check["next_step"].startswith("swap these two: ")
            assert str(place.shoe) in check["next_step"]
            assert "supply" not in check["next_step"]
        assert "swap these two" in ask("devices", "list").out


def test_damaged_messages_are_not_a_silent_device_nor_a_cable_that_is_pulled_out_then(
    place: Place, ask: Callable[..., Any]
) -> None:
    with Hands.start("shoe", place.shoe) as shoe, running(place):
        until(lambda: str(ask("devices", "list").out), "up")
        shoe.do("noise", flip=0.2, inward=False)
        said = until(lambda: str(ask("devices", "list").out), "damaged messages came at 115200")
        assert "does not answer, and" in said
        check = missing(ask, "shoe")
        assert "damaged messages came" in check["what"]
        assert check["next_step"].startswith("the speeds of the two ends differ, or there is noise")
        [*_, link] = [one for one in _entries(ask, place) if one["type"] == "link"]
        assert "damaged messages came at 115200 baud" in link["body"]["reason"]
        shoe.do("noise", flip=0.0)
        until(lambda: str(ask("devices", "list").out), "its line degrades")
        shoe.do("unplug")
        said = until(lambda: str(ask("devices", "list").out), "has hung up")
        assert "has hung up: look at its plug and its adapter" in said


def test_another_program_on_the_port_is_told_and_named(
    place: Place, ask: Callable[..., Any]
) -> None:
    """The controller knows of it by what it loses; who may see the process names it."""
    with Hands.start("shoe", place.shoe), running(place):
        until(lambda: str(ask("devices", "list").out), "up")
        cat = reading(place.shoe)
        try:
            said = until(lambda: str(ask("status").out), "another program reads its port")
            found = f"find it with 'sudo fuser -v {place.shoe}' and stop it"
            assert found in " ".join(said.split())
            check = missing(ask, "shoe")
            assert f"process {cat.pid} (cat) has {place.shoe} open" in check["what"]
            assert check["next_step"] == f"stop it: 'sudo kill {cat.pid}'"
            assert f"'sudo kill {cat.pid}'" in ask("devices", "list").out
        finally:
            cat.kill()
            cat.wait()
        assert "(cat)" not in ask("devices", "list").out


def test_who_reads_a_port_is_named_by_probes(tmp_path: Path, tablectl: Tablectl) -> None:
    silent = Wire(tmp_path / "shoe")
    silent.plug()
    cat = reading(silent.link)
    try:
        told = tablectl("devices", "probe", silent.link)
    finally:
        cat.kill()
        cat.wait()
        silent.unplug()
    assert told.code == 1
    assert f"nobody answers HELLO: process {cat.pid} (cat) has" in told.err
    assert f"'sudo kill {cat.pid}'" in told.err


def test_damaged_messages_are_told_by_probes(tmp_path: Path, tablectl: Tablectl) -> None:
    with Hands.start("shoe", tmp_path / "shoe") as shoe:
        shoe.do("noise", flip=0.2, inward=False)
        told = tablectl("devices", "probe", tmp_path / "shoe")
        assert told.code == 1
        assert "damaged messages came: the speeds of the two ends differ" in told.err


class Line:
    """Counts on in a clock of its own; ``lately`` looks as the daemon has it look."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.counts = {"shoe": {"events": 5, "retries": 0}, "keypad": {"events": 0}}
        self.lately = Lately(lambda: self.counts, lambda: self.now)

    def counted(self, over: str, counter: str = "events") -> int:
        told: Any = self.lately.recent_counts()
        return int(told[over]["links"]["shoe"].get(counter, 0))

    def seconds(self, over: str) -> int:
        told: Any = self.lately.recent_counts()
        return int(told[over]["seconds"])


def test_what_was_before_it_began_does_not_count() -> None:
    line = Line()
    line.counts["shoe"]["events"] += 2
    assert (line.counted("minute"), line.counted("hour")) == (2, 2)
    line.now += 4
    assert (line.seconds("minute"), line.seconds("hour")) == (4, 4)
    assert line.lately.recent_counts()["minute"]["links"]["keypad"] == {}  # type: ignore[index]
    assert line.lately.findings() == []


@given(
    st.lists(st.integers(0, 3), min_size=1, max_size=(HOUR + 3) * MINUTE),
    st.integers(0, 9),
    st.booleans(),
)
def test_each_window_has_what_was_counted_in_it(counts: list[int], rest: int, asked: bool) -> None:
    line = Line()
    for count in counts:
        line.counts["shoe"]["events"] += count
        line.now += EVERY_S
        line.lately.findings()
        if asked:  # what is added up for one who asks is not the next one's
            line.lately.recent_counts()
    line.counts["shoe"]["events"] += rest
    line.now += 3
    assert line.counted("minute") == sum(counts[-MINUTE:]) + rest
    assert line.seconds("minute") == min(len(counts), MINUTE) * EVERY_S + 3
    # The hour begins with a whole minute.
    whole, begun = divmod(len(counts), MINUTE)
    within = min(whole, HOUR) * MINUTE + begun
    assert line.counted("hour") == sum(counts[len(counts) - within :]) + rest
    assert line.seconds("hour") == within * EVERY_S + 3


class Clock:
    def __init__(self) -> None:
        self.now = 50.0

    def __call__(self) -> float:
        return self.now


def test_a_device_that_comes_and_goes_is_told_until_it_is_quiet() -> None:
    clock = Clock()
    shoe = Comings("card shoe", clock)
    flaps = WordsWatch(FLAPPING, [shoe.flapping, Comings("shuffler", clock).flapping])
    for _ in range(MANY):
        shoe.up()
    assert [found.present for found in flaps.findings()] == [False]
    shoe.up()
    [found] = flaps.findings()
    assert (found.present, found.detail) == (
        True,
        f"the card shoe came up {MANY + 1} times within a minute",
    )
    clock.now += IN_S
    for _ in range(FEW + 1):
        shoe.up()
    assert flaps.findings()[0].present
    clock.now += IN_S
    assert not flaps.findings()[0].present


def test_one_reason_after_the_other_is_soon_no_news() -> None:
    clock = Clock()
    shoe = Comings("card shoe", clock)
    news = []
    for _ in range(120):
        news.append(shoe.is_news())
        clock.now += IN_S / 60
    assert news[: STORIES + 1] == [True] * STORIES + [False]
    assert sum(news) == 2 * STORIES
    shoe.up()
    assert shoe.is_news()


async def test_every_interruption_of_a_link_is_in_the_journal(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        await house.all_up()
        for number in range(20):
            house.fleet.link_down(LinkDown("keypad", f"unplugged {number}"))
            house.links["keypad"].up()
        await house.quiet()
        links = [body for body in house.entries("link") if not body["up"]]
        assert [body["reason"] for body in links] == [f"unplugged {n}" for n in range(20)]
        assert (await house.handler.status())["devices"]["keypad"]["link"] == "up"


async def test_a_shoe_that_cannot_be_used_does_not_fill_the_journal(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        await house.all_up()
        for number in range(500):
            house.fleet.link_down(LinkDown("shoe", f"reason {number}"))
        await house.quiet()
        assert len([body for body in house.entries("link") if not body["up"]]) == STORIES
