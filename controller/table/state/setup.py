"""The settings, boot and digests with which the table was started."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from controller.table.settings import Settings
from controller.table.state.part import Part


@dataclass(slots=True)
class Setup(Part):
    """``adopted`` are the settings of the present round, ``next_settings`` those from the next one
    on; ``boot_id`` is the boot of the last start record, ``digests`` those of the program, its
    libraries and its configuration in it, ``values`` the configuration's values by key (none in
    records of earlier versions); ``stopped``: a clean stop followed it. Times of entries up to the
    one of number ``clock_since`` say nothing of the clock: a supervisor has accepted it then."""

    TAKEN_BACK: ClassVar = ("adopted", "next_settings")

    adopted: Settings | None = None
    next_settings: Settings | None = None
    boot_id: str = ""
    digests: dict[str, str] = field(default_factory=dict)
    stopped: bool = False
    values: dict[str, str] = field(default_factory=dict)
    clock_since: int = 0

    def stop(self) -> None:
        """Record a clean stop."""
        self.stopped = True

    def accept_clock(self, seq: int) -> None:
        """Count no time of an entry up to that one."""
        self.clock_since = seq

    def adopt(self, settings: Settings) -> None:
        """Play under these settings from now on."""
        self.adopted, self.next_settings = settings, None
