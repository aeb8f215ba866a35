"""Section 4, in all that was heard while the other checks were made; last, once for each device.

An event that is wrong ends no check that is about something else; here it is told.
"""

from __future__ import annotations

from hil_tests.conformance.catalogue import demands
from hil_tests.conformance.judge import ORDER, REPETITION
from hil_tests.conformance.subject import Subject

MOST = 3


@demands("section 4, order")
def every_event_heard_had_the_next_number(subject: Subject) -> None:
    """Section 4: in all that was heard, whichever check it was for, no number is left out, and none
    comes back for another event."""
    _nothing(subject, ORDER)


@demands("section 4, repetition")
def every_event_heard_again_was_the_same(subject: Subject) -> None:
    """Section 4: in all that was heard, whichever check it was for, a repetition is the same
    bytes."""
    _nothing(subject, REPETITION)


def _nothing(subject: Subject, section: str) -> None:
    found = subject.heard.get(section, [])
    more = [f"and {len(found) - MOST} more"] if len(found) > MOST else []
    if found:
        raise subject.wrong(section, "; ".join([*found[:MOST], *more]))
