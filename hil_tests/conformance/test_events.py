"""Section 4: every event arrives, once; nothing is lost over cables, power and acknowledgements."""

from __future__ import annotations

import statistics
from itertools import pairwise

import pytest

from drivers.table_link.timing import EVENT_WINDOW, RESEND_AFTER_S
from hil_tests.conformance.controller import Controller
from hil_tests.conformance.restarts import goes_on_or_begins
from hil_tests.conformance.subject import QUIET_S, WELL_GONE_S, Subject

SOONEST_S, LATEST_S = RESEND_AFTER_S * 0.75, RESEND_AFTER_S * 2
"""Between one transmission and the next; the machine that examines has more to do."""

TIMES = 4
MANY = EVENT_WINDOW + 2


@pytest.mark.conformance("section 4, repetition")
@pytest.mark.person
def test_an_event_is_repeated_until_it_is_acknowledged(
    subject: Subject, controller: Controller
) -> None:
    """Section 4: the same bytes every 200 ms, and no more once it is acknowledged."""
    [number] = subject.make_events(controller, 1)
    controller.listen(
        RESEND_AFTER_S * TIMES * 2,
        lambda: sum(heard.number == number for heard in controller.again) >= TIMES,
    )
    came = [heard.at for heard in controller.again if heard.number == number]
    assert len(came) >= TIMES, f"event {number} was repeated {len(came)} times only"
    gaps = [later - earlier for earlier, later in pairwise(came)]
    assert SOONEST_S <= statistics.median(gaps) <= LATEST_S, f"repeated after {gaps} s"
    controller.acknowledge(controller.last)
    controller.done("PING")
    controller.again.clear()
    controller.listen(QUIET_S)
    assert not controller.again, "an acknowledged event is sent again"


@pytest.mark.conformance("section 4, acknowledgement")
@pytest.mark.person
def test_an_acknowledgement_of_something_else_changes_nothing(
    subject: Subject, controller: Controller
) -> None:
    """Section 4: of another session, or beyond the last event, it is ignored."""
    [number, *_] = subject.make_events(controller, 1)
    unacked = controller.done("PING")["unacked"]
    controller.acknowledge(number, session=controller.session ^ 1)
    assert controller.done("PING")["unacked"] == unacked, "acknowledged in another session"
    stored = controller.stored
    controller.acknowledge(controller.last + 5)
    controller.stored = stored
    assert controller.done("PING")["unacked"] == unacked, "acknowledged beyond its last event"
    controller.acknowledge(controller.last)
    assert controller.done("PING")["unacked"] == 0


@pytest.mark.conformance("section 4, order")
@pytest.mark.person
def test_numbers_follow_each_other(subject: Subject, controller: Controller) -> None:
    """Section 4: 1, 2, 3 … within a session, and its clock does not go back."""
    numbers = subject.make_events(controller, 3)
    subject.comes(controller, numbers[-1])
    times = [int(str(controller.events[n].message.fields["t_ms"])) for n in numbers]
    assert times == sorted(times), f"t_ms goes back: {times}"
    controller.acknowledge(controller.last)


@pytest.mark.conformance("section 4, order")
@pytest.mark.person
def test_at_most_eight_are_in_flight(subject: Subject, controller: Controller) -> None:
    """Section 4: the ninth waits for an acknowledgement, which lets as many more go."""
    first, *rest = subject.make_events(controller, MANY)
    subject.comes(controller, first + EVENT_WINDOW - 1)
    controller.listen(QUIET_S)
    beyond = [number for number in controller.events if number >= first + EVENT_WINDOW]
    assert not beyond, f"events {beyond} while {first} is not acknowledged"
    controller.acknowledge(first + 1)
    subject.comes(controller, first + EVENT_WINDOW + 1)
    subject.comes(controller, rest[-1])
    controller.acknowledge(controller.last)


@pytest.mark.conformance("section 4, HELLO")
@pytest.mark.person
def test_hello_covers_what_is_stored(subject: Subject, controller: Controller) -> None:
    """Section 4: with the session and the last stored number the rest is sent, from there on."""
    first, second, third = subject.make_events(controller, 3)
    subject.comes(controller, third)
    hello = controller.greet(controller.session, first)
    assert hello["oldest_unacked"] == second, "the answer is taken before dropping what is covered"
    assert int(str(hello["last_event"])) >= third
    controller.listen(QUIET_S, lambda: any(h.number == third for h in controller.again))
    numbers = [heard.number for heard in controller.again]
    assert numbers[:2] == [second, third], f"after HELLO come {numbers}"
    controller.acknowledge(controller.last)


@pytest.mark.conformance("section 4, HELLO")
@pytest.mark.person
def test_hello_of_another_session_covers_nothing(subject: Subject, controller: Controller) -> None:
    """Section 4: numbers count within a session; those of another say nothing."""
    [number, *_] = subject.make_events(controller, 1)
    for session, stored in ((0, 0), (controller.session ^ 1, number), (controller.session, 0)):
        hello = controller.greet(session, stored)
        assert hello["oldest_unacked"] == number, f"HELLO {session:#x} {stored}"
    controller.acknowledge(controller.last)


@pytest.mark.conformance("section 4, interruption")
@pytest.mark.person
def test_events_wait_for_hello(subject: Subject, controller: Controller) -> None:
    """Section 3: a device whose controller is gone sends no event; after HELLO it sends what it
    has kept."""
    [number, *_] = subject.make_events(controller, 1)
    controller.listen(WELL_GONE_S)
    controller.again.clear()
    controller.listen(QUIET_S)
    assert not controller.again, "events are sent to a controller that is gone"
    hello = controller.greet(controller.session, controller.stored)
    assert hello["oldest_unacked"] == number
    controller.listen(QUIET_S, lambda: controller.again)
    assert [heard.number for heard in controller.again][:1] == [number]
    controller.acknowledge(controller.last)


@pytest.mark.conformance("section 4, interruption")
@pytest.mark.person
def test_nothing_is_lost_with_the_cable(subject: Subject, controller: Controller) -> None:
    """Section 4: what is not acknowledged when the cable is pulled comes when it is back."""
    [number, *_] = subject.make_events(controller, 1)
    kept, session = controller.events[number].payload, controller.session
    last = controller.last
    controller.line.close()
    subject.act(None, "unplug")
    subject.act(None, "plug")
    fresh = subject.opened()
    try:
        hello = fresh.greet(session, number - 1)
        assert hello["session_id"] == session, "a pulled cable has cost the session"
        assert hello["oldest_unacked"] == number
        assert int(str(hello["last_event"])) >= last
        subject.comes(fresh, number)
        assert fresh.events[number].payload == kept, "the event is another one now"
        fresh.acknowledge(fresh.last)
    finally:
        fresh.line.close()


@pytest.mark.conformance("section 4, interruption")
@pytest.mark.person
def test_nothing_is_lost_with_the_power(subject: Subject, controller: Controller) -> None:
    """Section 4: either the session goes on, with the same events under the same numbers, or it is
    another session, which begins with the device's present state."""
    [number, *_] = subject.make_events(controller, 1)
    kept, session, last = controller.events[number], controller.session, controller.last
    controller.line.close()
    subject.act(None, "power", on=False)
    subject.act(None, "power", on=True)
    fresh = subject.restarted()
    try:
        goes_on_or_begins(subject, fresh, session, last, kept)
        subject.take_all(fresh)
    finally:
        fresh.line.close()
