"""What the table knows of each device: its link, and what its events have reported."""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.forms.json_values import JsonObject
from controller.table.events.event import Reported
from drivers.vocabulary import (
    DISPLAY,
    SHOE,
    SHOE_EMPTY,
    SHOE_FAULT,
    SHOE_LID_OPEN,
    SHOE_LOADED,
    SHUFFLER,
    SHUFFLER_STATES,
    SHUFFLER_STOPPED,
    fault_names,
    plain_name,
)

MOST_TESTS = 32
"""Names of tests that are kept of a device; each kind has about a dozen."""

SHOE_TROUBLE = {SHOE_LID_OPEN: "has its lid open", SHOE_FAULT: "reports a fault"}


@dataclass(frozen=True, slots=True)
class Tested:
    """A test of a device: whether it was well, ``what`` came of it in plain words, whether it was
    done by hand, and when (wall clock, ISO 8601)."""

    ok: bool
    what: str
    by_hand: bool
    at: str


@dataclass(slots=True)
class Device:
    """One configured device. ``reason`` says why its link is down; ``firmware`` is its version,
    with the digest where it reports one, empty while unknown; ``last_event`` is the last of its
    events that the table has taken; ``state`` the last state that it reported (shoe and shuffler),
    None while unknown; ``emptied``: the shoe ran out and has not been loaded since; ``given_kind``
    is its kind where the name is not a kind; ``misread`` the wrong figure that a display shows, in
    words; ``tests`` are the last tests of it by their names, the oldest first; ``counts``: a shoe
    that counts what remains in it."""

    name: str
    up: bool = False
    reason: str = "not connected yet"
    serial: str = ""
    firmware: str = ""
    session: int = 0
    last_event: int = 0
    faults: int = 0
    state: int | None = None
    emptied: bool = False
    given_kind: str = ""
    misread: str = ""
    tests: dict[str, Tested] = field(default_factory=dict)
    counts: bool = True

    @property
    def kind(self) -> str:
        """The kind of the device: ``shoe``, ``shuffler``, ``jackpot``, ``keypad`` or
        ``display``."""
        return self.given_kind or self.name

    @property
    def only_shows(self) -> bool:
        """Whether it only shows, so that play never depends on it."""
        return self.kind == DISPLAY

    @property
    def key(self) -> str:
        """Its key in the table: its kind, of which there is one; for a display its name."""
        return self.name if self.only_shows else self.kind

    def has_told(self, event: Reported) -> None:
        """Record that the table has taken that event of the device."""
        self.session, self.last_event = event.session, event.event_no

    def take_state(self, state: int) -> None:
        """Record the state that it reports; an empty card shoe ran out."""
        self.state = state
        if self.kind == SHOE and state == SHOE_EMPTY:
            self.emptied = True

    def shoe_loaded(self, *, ran_out: bool = False) -> None:
        """Record that the card shoe has cards again; ``ran_out``: those from before service."""
        self.emptied = ran_out

    def was_tested(self, test: str, result: Tested) -> None:
        """Record a test; of :data:`MOST_TESTS` the oldest that was well is forgotten for a new
        one, or the oldest."""
        self.tests.pop(test, None)
        self.tests[test] = result
        while len(self.tests) > MOST_TESTS:
            passed = (name for name, one in self.tests.items() if one.ok)
            del self.tests[next(passed, next(iter(self.tests)))]

    @property
    def plain(self) -> str:
        """Its name for people."""
        return plain_name(self.kind, self.name)

    def stopped(self) -> str:
        """What keeps a connected one from working, as it reports itself, in words; empty where
        nothing does."""
        if self.kind == SHOE and self.state not in (None, SHOE_LOADED, SHOE_EMPTY):
            assert self.state is not None
            return SHOE_TROUBLE.get(self.state, "reports an unknown state")
        if self.kind == SHUFFLER and self.state is not None:
            known = self.state < len(SHUFFLER_STATES)
            word = SHUFFLER_STATES[self.state] if known else "unknown state"
            return f"has stopped: {word}" if not known or word in SHUFFLER_STOPPED else ""
        return ""

    def trouble(self) -> str:
        """Why it cannot work now, in words; empty when it can."""
        if not self.up:
            return f"the {self.plain} is not connected: {self.reason}"
        if self.kind == SHOE and (stopped := self.stopped()):
            return f"the {self.plain} {stopped}"
        return ""

    @property
    def can_give(self) -> bool:
        """Whether a card can come from it (the card shoe)."""
        return not self.trouble() and self.state != SHOE_EMPTY

    def fault_words(self) -> str:
        """The faults it reports, in words."""
        return ", ".join(filter(None, [*fault_names(self.faults), self.misread]))

    def as_status(self) -> JsonObject:
        """What the status says of it."""
        return {
            "kind": self.kind,
            "link": "up" if self.up else "down",
            "serial": self.serial or None,
            "firmware": self.firmware or None,
            "last_event": self.last_event,
            "reason": self.reason or None,
            "stopped": self.stopped() if self.up else "",
            "faults": self.fault_words(),
        }
