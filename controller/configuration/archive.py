"""``[archive]``: when a journal is closed, where closed ones are taken, and when they are removed.

Left out, nothing is closed and the journal only grows: an upgrade changes nothing at a table.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from controller.configuration.model import ArchiveSettings
from controller.configuration.section import Section

MIB: Final = 1 << 20
MOST_DAYS: Final = 3650
MOST_MB: Final = 100_000
KEEP_DAYS: Final = 90


def read_archive(section: Section, folder: Path, state: Path | None) -> ArchiveSettings:
    """The settings; faults are noted in the section. Paths are relative to ``folder``; ``state`` is
    the state directory."""
    days = size = None
    if section.has("after_days"):
        days = section.number("after_days", 1, MOST_DAYS, "days after which a journal is closed")
    if section.has("after_mb"):
        size = section.number("after_mb", 1, MOST_MB, "MiB after which a journal is closed")
    keep = section.number(
        "keep_days", 0, MOST_DAYS, "days for which what was taken is kept here, too", KEEP_DAYS
    )
    to = None
    if section.has("to") and (given := section.text("to", "a directory on another medium")):
        to = folder / given
        if state is not None and (to == state or to.is_relative_to(state)):
            section.fault("to", "expected a directory on another medium than state.directory")
    section.done()
    return ArchiveSettings(
        days, None if size is None else size * MIB, to, KEEP_DAYS if keep is None else keep
    )
