"""The tables of the configuration that may be left out.

- ``[approved]``: the digests of what may be played; without it nothing is approved.
- ``[archive]``: when a journal is closed, where closed ones are taken, and when they are removed.
  Left out, nothing is closed and the journal only grows: an upgrade changes nothing at a table.
- ``[[witness]]``: who cosigns the checkpoints of the journal (C2SP tlog-witness).
- ``[floor]``: the mirror that the journal is sent to (C2SP tlog-mirror), and which cosigns it, too.

Faults are noted in the sections.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from controller.configuration.model import FLOOR, Approved, ArchiveSettings, WitnessSettings
from controller.configuration.section import Section
from controller.evidence.tree.cosignature import BadVerifierKey, WitnessKey

MIB: Final = 1 << 20
MOST_DAYS: Final = 3650
MOST_MB: Final = 100_000
KEEP_DAYS: Final = 90


def read_archive(section: Section, folder: Path, state: Path | None) -> ArchiveSettings:
    """The settings. Paths are relative to ``folder``; ``state`` is the state directory."""
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


DIGEST: Final = re.compile("[0-9a-f]{64}")
DIGEST_SAID: Final = "a SHA-256, 64 of 0-9 and a-f"
DAY: Final = "the day on which the readings were approved, as 2026-11-28"


def read_approved(section: Section) -> Approved:
    """The digests, and who approved the readings, and when."""
    found = {key: _digest(section, key) for key in Approved().digests}
    by = on = None
    if section.has("readings_by"):
        by = section.text("readings_by", "who approved the readings", longest=64)
    if section.has("readings_on") and (on := section.text("readings_on", DAY)):
        try:
            date.fromisoformat(on)
        except ValueError:
            section.fault("readings_on", f"expected {DAY}")
    section.done()
    return Approved(**found, readings_by=by or "", readings_on=on or "")


def _digest(section: Section, key: str) -> str:
    if not section.has(key):
        return ""
    given = section.text(key, DIGEST_SAID) or ""
    if given and not DIGEST.fullmatch(given):
        section.fault(key, f"expected {DIGEST_SAID}")
    return given


NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")
LONGEST_URL: Final = 500


def read_floor(section: Section) -> WitnessSettings | None:
    """The mirror; None where it has faults."""
    url, key = _address(section, "the mirror")
    section.done()
    return None if url is None or key is None else WitnessSettings(FLOOR, url, key)


def read_witnesses(
    sections: Iterable[Section], floor: WitnessSettings | None
) -> tuple[WitnessSettings, ...]:
    """Those without faults."""
    found: list[WitnessSettings] = []
    for section in sections:
        name = section.text("name", "what this house calls the witness")
        if name is not None and not NAME.fullmatch(name):
            section.fault("name", "expected at most 32 letters, digits, ., - and _")
        url, key = _address(section, "the witness")
        required = section.flag("required", "whether 'ready' asks for it", default=False)
        section.done()
        if name is None or url is None or key is None or required is None:
            continue
        for other in [*found, *([floor] if floor else [])]:
            whose = "the floor's" if other is floor else "another witness's"
            if other.name == name:
                section.fault("name", f"is {whose} name, too")
            if other.key == key:
                section.fault("vkey", f"is {whose} key, too")
        found.append(WitnessSettings(name, url, key, required))
    return tuple(found)


def _address(section: Section, whose: str) -> tuple[str | None, WitnessKey | None]:
    """The prefix, without the last ``/``, and the key."""
    url = section.text("url", f"{whose}'s prefix, https://…", longest=LONGEST_URL)
    if url is not None and (wrong := wrong_address(url)):
        section.fault("url", wrong)
    return url and url.rstrip("/"), _key(section, whose)


def _key(section: Section, whose: str) -> WitnessKey | None:
    given = section.text("vkey", f"{whose}'s verifier key, NAME+ID+BASE64")
    try:
        return None if given is None else WitnessKey.of_vkey(given)
    except BadVerifierKey as error:
        section.fault("vkey", str(error))
        return None


def wrong_address(url: str) -> str:
    """What is wrong with an address; empty where nothing is."""
    expected = "expected http:// or https://, a host and a path, and nothing else"
    try:
        parts = urlsplit(url)
        extra = parts.username or parts.password or parts.query or parts.fragment
        port = parts.port
    except ValueError as error:
        return f"{expected} ({error})"
    plain = url.isascii() and " " not in url and "#" not in url and "?" not in url
    well = parts.scheme in ("http", "https") and parts.hostname and not extra and port != 0
    return "" if well and plain else expected
