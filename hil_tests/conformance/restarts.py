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

RESTARTS: Final = "section 4, interruption"


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
    fresh.section = RESTARTS
    fresh.expect(_last(hello) >= last, f"last_event={last} or more, as the session goes on")
    oldest = stored + 1 if _last(hello) > stored else 0
    fresh.expect(
        hello["oldest_unacked"] == oldest,
        f"oldest_unacked={oldest}, as the session goes on: no event may be lost",
    )
    if kept:
        subject.comes(fresh, kept.number)
        subject.is_the_same(fresh, kept)


def _begins(subject: Subject, fresh: Controller, hello: Fields) -> None:
    """Nothing of it has been acknowledged yet, so its oldest event is its first."""
    fresh.section = RESTARTS
    fresh.expect(hello["session_id"] != 0, "a session_id that is not 0")
    oldest = 1 if _last(hello) else 0
    fresh.expect(
        hello["oldest_unacked"] == oldest,
        f"oldest_unacked={oldest}: another session begins with number 1",
    )
    wanted = PRESENT[subject.kind]
    if wanted:
        subject.comes(fresh, len(wanted))
    came = [fresh.events[number].message.name for number in range(1, len(wanted) + 1)]
    fresh.expect(came == wanted, f"{' and '.join(wanted)}, with which a session begins")


def _last(hello: Fields) -> int:
    return int(str(hello["last_event"]))
