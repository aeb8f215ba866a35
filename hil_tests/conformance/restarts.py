"""What a device owes that has started anew, after a cut of its power or after RESET.

- Either its session goes on: with the same numbers, and every event that was not acknowledged comes
  again as it was.
- Or another session begins: with number 1, and with the device's present state as its first events.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from hil_tests.conformance.controller import Controller
from hil_tests.conformance.judge import Fields, Heard
from hil_tests.conformance.subject import Subject

PRESENT: Final[Mapping[str, Sequence[str]]] = {
    "shoe": ["SHOE_STATE"],
    "shuffler": ["SHUFFLER_STATE", "SHUFFLER_STATE"],
    "jackpot": ["COVER"],
    "keypad": [],
}
"""What a session begins with."""


def goes_on_or_begins(
    subject: Subject, fresh: Controller, session: int, last: int, kept: Heard | None
) -> None:
    """Greet a device that has started anew and judge which session it tells of. Before the start
    it was ``session`` with the numbers up to ``last``; ``kept`` is the first event that was not
    acknowledged then, None where all were."""
    stored = kept.number - 1 if kept else last
    hello = fresh.greet(session, stored)
    if hello["session_id"] != session:
        _begins(subject, fresh, hello)
        return
    assert _last(hello) >= last, "the same session, and numbers go back"
    oldest = stored + 1 if _last(hello) > stored else 0
    assert hello["oldest_unacked"] == oldest, "the same session, and events are lost"
    if kept:
        subject.comes(fresh, kept.number)
        assert fresh.events[kept.number].payload == kept.payload, "the event is another one now"


def _begins(subject: Subject, fresh: Controller, hello: Fields) -> None:
    """Nothing of it has been acknowledged yet, so its oldest event is its first."""
    assert hello["session_id"] != 0
    oldest = 1 if _last(hello) else 0
    assert hello["oldest_unacked"] == oldest, "a new session does not begin with number 1"
    wanted = PRESENT[subject.kind]
    if wanted:
        subject.comes(fresh, len(wanted))
    came = [fresh.events[number].message.name for number in range(1, len(wanted) + 1)]
    assert came == wanted, f"a new session begins with {came}"


def _last(hello: Fields) -> int:
    return int(str(hello["last_event"]))
