"""Devices that come and go, what a link has counted over the last minute and hour, and a flood on a
real line.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from controller.daemon.devices.line_watches import (
    BURST,
    FEW,
    FLAPPING,
    HOUR,
    IN_S,
    MANY,
    MINUTE,
    PER_S,
    STORIES,
    Comings,
    Lately,
)
from controller.daemon.health.watches import EVERY_S, WordsWatch
from controller.journal.reader import JournalReader
from drivers.api import LinkDown
from drivers.table_link.timing import EVENT_WINDOW
from proof.benchmarks.table import Table
from tests.daemon.house import open_house


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


PROGRESS = {"state": 2, "set": 1, "count": 384, "progress": 500}
FLOOD = 2 * BURST


def test_it_is_slowed_and_told_and_cards_do_not_wait(tmp_path: Path) -> None:
    table = Table(tmp_path, tmp_path / "state", rest_s=0.001)
    try:
        table.start()
        begun = time.monotonic()
        shuffler = table.devices["shuffler"]
        for _ in range(FLOOD):
            shuffler.emit("SHUFFLER_STATE", PROGRESS)
        while "device-floods" not in (status := table.answer_to("status"))["conditions"]:
            acked = shuffler.acked
            table.wait(lambda acked=acked: shuffler.acked > acked)  # type: ignore[misc]
        assert status["conditions"]["device-floods"].startswith("the shuffler reported ")
        assert {device["link"] for device in status["devices"].values()} == {"up"}

        acked = shuffler.acked
        for _ in range(EVENT_WINDOW):
            table.timed("shoe", "CUTTING_CARD", remaining=60)
        assert shuffler.acked < shuffler.last_event
        table.wait(lambda: shuffler.acked > acked)
        assert table.stop() == 0
        took = time.monotonic() - begun
    finally:
        table.close()
    with JournalReader(tmp_path / "state") as reader:
        numbers = [one.event_no for one in reader.iterate() if one.type == "SHUFFLER_STATE"]
    assert numbers == list(range(1, len(numbers) + 1))
    assert shuffler.acked <= len(numbers) <= shuffler.acked + EVENT_WINDOW
    assert BURST < len(numbers) <= BURST + took * PER_S + EVENT_WINDOW + 1
