"""Devices that come and go."""

from __future__ import annotations

from pathlib import Path

from controller.daemon.devices.flaps import FEW, FLAPPING, IN_S, MANY, STORIES, Comings
from controller.daemon.health.watches import WordsWatch
from drivers.api import LinkDown
from tests.daemon.house import open_house


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
