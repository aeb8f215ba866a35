"""What the catalogue says of a fault: its severity, its meaning, what to do, who ends it.

A fault's code is kebab-case and never changes: it is stored in journals, shown in ``held.fault`` of
the status and on the keypad's second row, and is what a technician looks up. ``text`` is a whole
sentence that says what is wrong and where (ERR-04), ``next_step`` what to do about it, step by step
(ERR-05). Journals store ``text`` in notes, which a replay compares: it never changes either, and
some texts still say "box" for the machine.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from enum import Enum
from functools import partial
from typing import Final


class Severity(Enum):
    """The effect of a fault on play."""

    HOLD = "hold"
    """Play is held at once, also in the middle of a round."""
    BETWEEN = "hold between rounds"
    """A round in progress is finished first; then play is held (PWR-11)."""
    WAIT = "wait"
    """Play waits for as long as it lasts, and continues automatically."""
    NOTICE = "notice"
    """It is shown for as long as it lasts; play continues."""
    REMARK = "remark"
    """It is reported once and stored in the journal; play continues."""


class Clears(Enum):
    """Who ends a fault, and under which condition."""

    DEALER = "the dealer, by doing what the screen offers; where it offers nothing, the supervisor"
    SUPERVISOR = "a supervisor"
    NAMED = "a supervisor, who says who he is and why (`--by`, `--why`)"
    CURED = "a supervisor, once the cause is gone; before, `resume` is refused"
    ITSELF = "nobody: it ends by itself when the cause is gone"


@dataclass(frozen=True, slots=True)
class Fault:
    """One item of the catalogue.

    ``throttle_s``: while it is present, changed particulars are journaled at most once in this
    number of seconds; 0: each time, because each is an event of a device or an act of a person.
    ``requirements`` are the ids of the requirements that demand it. ``of_controller``: it is the
    controller's own, so a void round does not end it. ``devices_closed``: while it is present, no
    byte is sent to any device (ERR-01, ERR-03). ``in_play``: a notice that is shown in mid-round as
    well, for whoever waits at the table is to know why.
    """

    code: str
    text: str
    next_step: str
    throttle_s: int = 0
    requirements: tuple[str, ...] = ()
    _: KW_ONLY
    severity: Severity
    clears: Clears
    of_controller: bool = False
    devices_closed: bool = False
    in_play: bool = False

    def __post_init__(self) -> None:
        if self.devices_closed and self.severity is not Severity.HOLD:
            raise ValueError(f"{self.code}: only what holds play at once keeps devices closed")

    @property
    def holds(self) -> bool:
        """Whether it holds play, now or when the round is over."""
        return self.severity in (Severity.HOLD, Severity.BETWEEN)

    def sentence(self, detail: str = "") -> str:
        """Its text with the particulars, as a part of a sentence."""
        text = self.text.removesuffix(".")
        plain = text[0].lower() + text[1:] if text[1:2].islower() or text[1:2] == " " else text
        return f"{plain}: {detail}" if detail else plain


hold: Final = partial(Fault, severity=Severity.HOLD, clears=Clears.SUPERVISOR)
notice: Final = partial(Fault, severity=Severity.NOTICE, clears=Clears.ITSELF)
"""Most faults are one of these; who ends one is said where it is somebody else."""
