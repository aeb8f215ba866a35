"""What the table knows of each device: its link, and what its events have told."""

from __future__ import annotations

from dataclasses import dataclass

from drivers.vocabulary import (
    PLAIN_KINDS,
    SHOE_EMPTY,
    SHOE_FAULT,
    SHOE_LID_OPEN,
    SHOE_LOADED,
    fault_names,
)

SHOE_TROUBLE = {SHOE_LID_OPEN: "has its lid open", SHOE_FAULT: "reports a fault"}


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

    @property
    def plain(self) -> str:
        """Its name in plain words."""
        return PLAIN_KINDS.get(self.name, self.name)

    def trouble(self) -> str:
        """Why it cannot do its work now, in plain words; empty when it can."""
        if not self.up:
            return f"the {self.plain} is not connected: {self.reason}"
        if self.name == "shoe" and self.state not in (None, SHOE_LOADED, SHOE_EMPTY):
            assert self.state is not None
            return f"the {self.plain} {SHOE_TROUBLE.get(self.state, 'reports an unknown state')}"
        return ""

    @property
    def can_give(self) -> bool:
        """Whether a card may come from it (the card shoe)."""
        return not self.trouble() and self.state != SHOE_EMPTY

    def fault_words(self) -> str:
        """The faults it reports, in words."""
        return ", ".join(fault_names(self.faults))
