"""Section 4: every event arrives, once; nothing is lost over cables, power and acknowledgements."""

from __future__ import annotations

import statistics
from itertools import pairwise

from drivers.table_link.timing import EVENT_WINDOW, RESEND_AFTER_S
from hil_tests.conformance.catalogue import demands
from hil_tests.conformance.controller import Controller
from hil_tests.conformance.judge import ORDER, REPETITION, NotMade
from hil_tests.conformance.restarts import goes_on_or_begins
from hil_tests.conformance.subject import EVENT_S, QUIET_S, WELL_GONE_S, Subject

SOONEST_S, LATEST_S = RESEND_AFTER_S * 0.75, RESEND_AFTER_S * 2
"""Between one transmission and the next; the machine that examines has more to do."""

TIMES = 4
MANY = EVENT_WINDOW + 2


@demands("section 4, repetition", person=True)
def an_event_is_repeated_until_it_is_acknowledged(subject: Subject, controller: Controller) -> None:
    """Section 4: the same bytes come every 200 ms, and no more once they are acknowledged."""
    [number] = subject.make_events(controller, 1)
    controller.listen(
        RESEND_AFTER_S * TIMES * 2,
        lambda: sum(heard.number == number for heard in controller.again) >= TIMES,
    )
    came = [heard.at for heard in controller.again if heard.number == number]
    controller.expect(
        len(came) >= TIMES, f"event {number} every 200 ms; it was repeated {len(came)} times"
    )
    gap = statistics.median(later - earlier for earlier, later in pairwise(came))
    controller.expect(
        SOONEST_S <= gap <= LATEST_S,
        f"event {number} every 200 ms; it came every {gap * 1000:.0f} ms",
    )
    controller.found_nothing(REPETITION)
    controller.acknowledge(controller.last)
    controller.carry_out("PING")
    controller.again.clear()
    controller.listen(QUIET_S)
    controller.expect(not controller.again, "no event again that is acknowledged")


@demands("section 4, acknowledgement", person=True)
def an_acknowledgement_of_something_else_changes_nothing(
    subject: Subject, controller: Controller
) -> None:
    """Section 4: an EVENT_ACK of another session, or beyond the last event, is ignored."""
    [number, *_] = subject.make_events(controller, 1)
    unacked = controller.carry_out("PING")["unacked"]
    controller.acknowledge(number, session=controller.session ^ 1)
    controller.shows("PING", "an EVENT_ACK of another session to be ignored", unacked=unacked)
    stored = controller.stored
    controller.acknowledge(controller.last + 5)
    controller.stored = stored
    controller.shows("PING", "an EVENT_ACK beyond the last event to be ignored", unacked=unacked)
    controller.acknowledge(controller.last)
    controller.shows("PING", "an EVENT_ACK of the last event to cover all", unacked=0)


@demands("section 4, order", person=True)
def numbers_follow_each_other(subject: Subject, controller: Controller) -> None:
    """Section 4: events are numbered 1, 2, 3 … within a session, and t_ms does not go back."""
    expected = list(range(controller.last + 1, controller.last + 4))
    heard = subject.prompted(controller, 3, 3)
    numbers = [each.number for each in heard]
    if not numbers:
        raise NotMade("no event came of what was done")
    controller.found_nothing(ORDER)
    controller.expect(numbers[:3] == expected, f"events {expected}; {numbers} came")
    times = [int(str(each.message.fields["t_ms"])) for each in heard]
    controller.expect(times == sorted(times), f"a t_ms that does not go back; it was {times}")
    controller.acknowledge(controller.last)


@demands("section 4, order", person=True)
def at_most_eight_are_in_flight(subject: Subject, controller: Controller) -> None:
    """Section 4: the ninth event waits for an acknowledgement, which lets as many more go."""
    numbers = subject.make_events(controller, MANY)
    controller.listen(QUIET_S)
    beyond = controller.after(numbers[EVENT_WINDOW - 1])
    controller.expect(
        not beyond, f"eight events in flight; {beyond} came while {numbers[0]} is not acknowledged"
    )
    controller.acknowledge(numbers[1])
    controller.expect(
        controller.listen(EVENT_S, lambda: len(controller.after(numbers[EVENT_WINDOW - 1])) >= 2),
        "as many more events within 2 s as are acknowledged, two",
    )
    controller.acknowledge(controller.last)


@demands("section 4, HELLO", person=True)
def hello_covers_what_is_stored(subject: Subject, controller: Controller) -> None:
    """Section 4: behind HELLO with the session and the last stored number the rest is sent."""
    first, second, third = subject.make_events(controller, 3)
    hello = controller.greet(controller.session, first)
    controller.expect(
        hello["oldest_unacked"] == second,
        f"oldest_unacked={second}, taken after {first} is dropped",
    )
    controller.expect(int(str(hello["last_event"])) >= third, f"last_event={third} or more")
    controller.listen(QUIET_S, lambda: any(h.number == third for h in controller.again))
    numbers = [heard.number for heard in controller.again]
    controller.expect(
        numbers[:2] == [second, third], f"events {second}, {third} behind HELLO; {numbers} came"
    )
    controller.acknowledge(controller.last)


@demands("section 4, HELLO", person=True)
def hello_of_another_session_covers_nothing(subject: Subject, controller: Controller) -> None:
    """Section 4: a HELLO of another session covers no event."""
    [number, *_] = subject.make_events(controller, 1)
    for session, stored in ((0, 0), (controller.session ^ 1, number), (controller.session, 0)):
        hello = controller.greet(session, stored)
        controller.expect(
            hello["oldest_unacked"] == number, f"oldest_unacked={number}: that HELLO covers nothing"
        )
    controller.acknowledge(controller.last)


@demands("section 4, interruption", person=True)
def events_wait_for_hello(subject: Subject, controller: Controller) -> None:
    """Sections 3 and 4: a device whose controller is gone sends no event; after HELLO it sends
    what it has kept."""
    [number, *_] = subject.make_events(controller, 1)
    controller.listen(WELL_GONE_S)
    controller.again.clear()
    controller.listen(QUIET_S)
    controller.expect(not controller.again, "no event to a controller that is gone")
    hello = controller.greet(controller.session, controller.stored)
    controller.expect(hello["oldest_unacked"] == number, f"oldest_unacked={number}: it is kept")
    controller.listen(QUIET_S, lambda: controller.again)
    came = [heard.number for heard in controller.again][:1]
    controller.expect(came == [number], f"event {number} behind HELLO; {came} came")
    controller.acknowledge(controller.last)


@demands("section 4, interruption", person=True)
def nothing_is_lost_with_the_cable(subject: Subject, controller: Controller) -> None:
    """Section 4: what is not acknowledged when the cable is pulled comes when it is back."""
    [number, *_] = subject.make_events(controller, 1)
    kept, session = controller.events[number], controller.session
    last = controller.last
    controller.line.close()
    subject.act(None, "unplug")
    subject.act(None, "plug")
    fresh = subject.opened()
    fresh.section = controller.section
    try:
        hello = fresh.greet(session, number - 1)
        fresh.expect(hello["session_id"] == session, f"session_id={session}: a cable costs none")
        fresh.expect(hello["oldest_unacked"] == number, f"oldest_unacked={number}: it is kept")
        fresh.expect(int(str(hello["last_event"])) >= last, f"last_event={last} or more")
        subject.comes(fresh, number)
        subject.is_the_same(fresh, kept)
        fresh.acknowledge(fresh.last)
    finally:
        subject.end_check(fresh, "behind an interruption")


@demands("section 4, interruption", person=True)
def nothing_is_lost_with_the_power(subject: Subject, controller: Controller) -> None:
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
    finally:
        subject.end_check(fresh, "behind an interruption")
