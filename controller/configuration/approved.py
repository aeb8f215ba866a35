"""``[approved]``: the digests of what may be played; without the section nothing is approved."""

from __future__ import annotations

import re
from typing import Final

from controller.configuration.model import Approved
from controller.configuration.section import Section

DIGEST: Final = re.compile("[0-9a-f]{64}")
DIGEST_SAID: Final = "a SHA-256, 64 of 0-9 and a-f"


def read_approved(section: Section) -> Approved:
    """The digests; faults are noted in the section."""
    found = {key: _digest(section, key) for key in ("program", "rules")}
    section.done()
    return Approved(**found)


def _digest(section: Section, key: str) -> str:
    if not section.has(key):
        return ""
    given = section.text(key, DIGEST_SAID) or ""
    if given and not DIGEST.fullmatch(given):
        section.fault(key, f"expected {DIGEST_SAID}")
    return given
