"""What the table knows of each device: its link, and what its events have told."""

from __future__ import annotations

from dataclasses import dataclass

PLAIN = {
    "shoe": "card shoe",
    "shuffler": "shuffler",
    "jackpot": "jackpot unit",
    "keypad": "dealer keypad",
}
"""What people call the devices."""

SHOE_EMPTY, SHOE_LOADED, SHOE_LID_OPEN, SHOE_FAULT = 0, 1, 2, 3
SHOE_STATES = {
    SHOE_EMPTY: "is empty",
    SHOE_LOADED: "is loaded",
    SHOE_LID_OPEN: "has its lid open",
    SHOE_FAULT: "reports a fault",
}
SHUFFLER_STATES = ("empty", "loaded", "shuffling", "ready", "jam", "door open", "fault")
FAULT_BITS = ("power", "memory", "sensor", "motor", "display", "input stuck", "cover open")
INPUT_STUCK = 1 << FAULT_BITS.index("input stuck")


@dataclass(slots=True)
class Device:
    """One configured device. ``reason`` says why its link is down; ``firmware`` is its version with
    the digest where it tells one, empty while unknown; ``last_event`` is the last of its events
    that the table has taken; ``state`` what it last said of itself (shoe and shuffler), None while
    unknown; ``emptied``: the shoe ran out and has not been loaded since."""

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

    def has_told(self, session: int, event_no: int) -> None:
        """The table has taken that event of it."""
        self.session, self.last_event = session, event_no

    @property
    def plain(self) -> str:
        """Its name in plain words."""
        return PLAIN.get(self.name, self.name)

    def trouble(self) -> str:
        """Why it cannot do its work now, in plain words; empty when it can."""
        if not self.up:
            return f"the {self.plain} is not connected: {self.reason}"
        if self.name == "shoe" and self.state not in (None, SHOE_LOADED, SHOE_EMPTY):
            assert self.state is not None
            return f"the {self.plain} {SHOE_STATES.get(self.state, 'reports an unknown state')}"
        return ""

    @property
    def can_give(self) -> bool:
        """Whether a card may come from it (the card shoe)."""
        return not self.trouble() and self.state != SHOE_EMPTY

    def fault_words(self) -> str:
        """The faults it reports, in words."""
        return ", ".join(word for bit, word in enumerate(FAULT_BITS) if self.faults & (1 << bit))
