"""A device that comes and goes is greeted less often; a gap that lasts is asked about."""

from __future__ import annotations

from drivers.table_link.link_events import Down, Received, Up
from drivers.table_link.pace import GAP_AT_MOST_S, GREETINGS
from tests.table_link.controller_bench import SESSION, Bench


def flap(bench: Bench, seconds: float) -> int:
    """The port comes and goes as fast as it can; how often the device was greeted."""
    greeted, end = 0, bench.now + seconds
    while bench.now < end:
        bench.session.opened(bench.now)
        sent = bench.sent()
        if not sent:
            sent = [message for _, message in bench.wait(0.05)]
        if sent:
            bench.greet(sent[-1].id)
            greeted += 1
        bench.session.closed(bench.now, "unplugged")
        bench.now += 0.01
        bench.events()
    return greeted


def test_a_device_that_flaps_is_greeted_once_a_second_after_a_while() -> None:
    bench = Bench()
    assert flap(bench, 60) <= GREETINGS + 61
    assert flap(bench, 60) <= 61


def test_after_a_quiet_minute_it_is_greeted_at_once_again() -> None:
    bench = Bench()
    flap(bench, 60)
    bench.wait(60)
    bench.session.opened(bench.now)
    assert [message.name for message in bench.sent()] == ["HELLO"]


def test_a_greeting_that_waits_comes_by_itself() -> None:
    bench = Bench()
    flap(bench, 60)
    bench.session.opened(bench.now)
    assert bench.sent() == []
    sent = bench.wait(1.1)
    assert sent
    bench.greet(sent[-1][1].id)
    assert [type(event) for event in bench.events()] == [Up]


def test_a_gap_that_lasts_means_that_somebody_else_acknowledged() -> None:
    bench = Bench()
    bench.up(oldest_unacked=1, last_event=3)
    bench.card(2)
    assert bench.events() == []
    bench.now += GAP_AT_MOST_S
    bench.card(3)
    [down] = bench.events()
    assert isinstance(down, Down)
    assert down.reason == "an event of the card shoe is missing and is not sent again"
    (hello,) = bench.sent()
    bench.greet(hello.id, oldest_unacked=3, last_event=3)
    [up] = bench.events()
    assert isinstance(up, Up)
    assert (up.session, up.taken) == (SESSION, 2)


def test_a_gap_that_the_device_closes_is_no_news() -> None:
    bench = Bench()
    bench.up(oldest_unacked=1, last_event=3)
    for number in (2, 1, 3, 2):
        bench.card(number)
        bench.now += GAP_AT_MOST_S
    assert [type(event) for event in bench.events()] == [Received] * 2
