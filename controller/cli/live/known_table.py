"""What is known of the table at one moment: the last state, and how old it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from controller.cli.devices.link_counters import Counts
from controller.table.showing.status_fields import Status

FROZEN_AFTER_S: Final = 1.5
"""The controller is asked twice a second. Who has not answered for so long is not quiet."""


@dataclass(frozen=True, slots=True)
class SeenChange:
    """Something that was seen to change, when, in words. ``alarm``: it is trouble."""

    at: datetime
    text: str
    alarm: bool = False


@dataclass(frozen=True, slots=True)
class ToldRound:
    """A round as lines, or one line that says why not; its ``number``, 0 where there is none."""

    lines: list[str]
    number: int = 0


@dataclass(frozen=True, slots=True)
class Counted:
    """What the links have counted, by device: over the last minute, the last hour, since the start;
    ``heard_s``: seconds since a message of the device came in. ``withheld``: why there is none."""

    minute: Mapping[str, Counts] = field(default_factory=dict)
    hour: Mapping[str, Counts] = field(default_factory=dict)
    start: Mapping[str, Counts] = field(default_factory=dict)
    heard_s: Mapping[str, float] = field(default_factory=dict)
    withheld: str = ""


@dataclass(frozen=True, slots=True)
class SeenTable:
    """All of it. ``now``: the time on the wall; ``answered_s``: seconds since the controller's last
    answer; ``quiet_s``: since the table last changed; ``trouble``: why there is no connection."""

    state: Status
    now: datetime
    answered_s: float = 0.0
    quiet_s: float = 0.0
    trouble: str = ""
    counted: Counted = field(default_factory=Counted)
    events: tuple[SeenChange, ...] = ()

    @property
    def frozen(self) -> bool:
        """Whether what is shown may not be so any more."""
        return bool(self.trouble) or self.answered_s >= FROZEN_AFTER_S
