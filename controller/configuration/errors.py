"""The error of a configuration that cannot be used."""

from __future__ import annotations

from pathlib import Path

from controller.not_done import WRONG_USE, NotDone


class BadConfiguration(NotDone):
    """A configuration that cannot be used; ``faults`` has a line for each fault."""

    def __init__(self, path: Path, faults: list[str]) -> None:
        self.path = path
        self.faults = faults
        super().__init__(WRONG_USE, "\n".join(f"{path}: {fault}" for fault in faults))
