"""``[[witness]]``: who cosigns the checkpoints of the journal (C2SP tlog-witness)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from controller.configuration.model import WitnessSettings
from controller.configuration.section import Section
from controller.evidence.tree.cosignature import BadVerifierKey, WitnessKey

NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")
LONGEST_URL: Final = 500


def read_witnesses(sections: Iterable[Section]) -> tuple[WitnessSettings, ...]:
    """Those without faults; faults are noted in their section."""
    found: list[WitnessSettings] = []
    for section in sections:
        name = section.text("name", "what this house calls the witness")
        if name is not None and not NAME.fullmatch(name):
            section.fault("name", "expected at most 32 letters, digits, ., - and _")
        url = section.text("url", "the witness's prefix, https://…", longest=LONGEST_URL)
        if url is not None and (wrong := _wrong(url)):
            section.fault("url", wrong)
        key = _key(section)
        required = section.flag("required", "whether 'ready' asks for it", default=False)
        section.done()
        if name is None or url is None or key is None or required is None:
            continue
        if any(other.name == name for other in found):
            section.fault("name", "is another witness's name, too")
        if any(other.key == key for other in found):
            section.fault("vkey", "is another witness's key, too")
        found.append(WitnessSettings(name, url.rstrip("/"), key, required))
    return tuple(found)


def _key(section: Section) -> WitnessKey | None:
    given = section.text("vkey", "the witness's verifier key, NAME+ID+BASE64")
    try:
        return None if given is None else WitnessKey.of_vkey(given)
    except BadVerifierKey as error:
        section.fault("vkey", str(error))
        return None


def _wrong(url: str) -> str:
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
