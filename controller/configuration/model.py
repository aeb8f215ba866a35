"""A configuration as data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Annotated, Final
from urllib.parse import urlsplit

from controller.draw.weights import Weights
from controller.evidence.tree.cosignature import BadVerifierKey, WitnessKey
from controller.forms.expected import File, Flag, Parsed, Range, Text, Usual
from controller.game.round.wagers import Limits
from controller.game.rules.schema import RuleSet
from controller.table.settings import DAY_BEGINS
from drivers.api import DeviceConfig

KEY: Final = "key"
STATE_DIRECTORY: Final = "/var/lib/table-controller"
SOCKET: Final = "/run/table-controller/control.sock"
DEALERS: Final = "table-dealers"
SUPERVISORS: Final = "table-supervisors"
MIB: Final = 1 << 20
MOST_DAYS: Final = 3650
MOST_MB: Final = 100_000
KEEP_DAYS: Final = 90
FLOOR: Final = "floor"
"""What the mirror of ``[floor]`` is called among those who cosign."""

_GROUP: Final = Text("a group's name")
_DAY: Final = "the day on which the readings were approved, as 2026-11-28"
_DIGEST: Final = Text("a SHA-256, 64 of 0-9 and a-f", form=re.compile("[0-9a-f]{64}"))


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


def _day(text: str) -> str:
    try:
        date.fromisoformat(text)
    except ValueError as error:
        raise ValueError(f"expected {_DAY}") from error
    return text


def _prefix(url: str) -> str:
    if wrong := wrong_address(url):
        raise ValueError(wrong)
    return url.rstrip("/")


def _verifier_key(text: str) -> WitnessKey:
    try:
        return WitnessKey.of_vkey(text)
    except BadVerifierKey as error:
        raise ValueError(str(error)) from error


def _address(whose: str) -> Parsed:
    return Parsed(f"{whose}'s prefix, https://…", longest=500, parse=_prefix)


def _key(whose: str) -> Parsed:
    return Parsed(f"{whose}'s verifier key, NAME+ID+BASE64", parse=_verifier_key)


@dataclass(frozen=True, slots=True)
class TableSettings:
    """``[table]``: ``limits`` in cents, ``rules_digest`` the SHA-256 of the rule file's bytes in
    hexadecimal, ``readings_digest`` that of its readings, ``day_begins`` when the gaming day
    begins, ``HH:MM`` of local time, ``rules_file`` where the rules were read, None for nowhere."""

    id: str
    rules: RuleSet
    rules_digest: str
    readings_digest: str
    decks: int
    boxes: int
    limits: Limits
    day_begins: str = DAY_BEGINS
    rules_file: Path | None = None


@dataclass(frozen=True, slots=True)
class ControlSettings:
    """``[control]``: the socket, and who may use it; ``viewers`` None: only the other two."""

    socket: Annotated[Path, File("the control socket's path"), Usual(SOCKET)]
    dealers: Annotated[str, _GROUP] = DEALERS
    supervisors: Annotated[str, _GROUP] = SUPERVISORS
    viewers: Annotated[str | None, _GROUP] = None


@dataclass(frozen=True, slots=True)
class ArchiveSettings:
    """``[archive]``: a journal whose first entry is ``after_days`` old, or whose file is larger
    than ``after_mb``, is closed (None: not for that). Closed ones are taken to the directory ``to``
    on another medium (None: to none), and removed ``keep_days`` after that. Without the table
    nothing is closed and the journal only grows: an upgrade changes nothing at a table."""

    after_days: Annotated[
        int | None, Range("days after which a journal is closed", 1, MOST_DAYS)
    ] = None
    after_mb: Annotated[int | None, Range("MiB after which a journal is closed", 1, MOST_MB)] = None
    keep_days: Annotated[
        int, Range("days for which what was taken is kept here, too", 0, MOST_DAYS)
    ] = KEEP_DAYS
    to: Annotated[Path | None, File("a directory on another medium")] = None

    @property
    def after_bytes(self) -> int | None:
        """The size of a file after which a journal is closed."""
        return None if self.after_mb is None else self.after_mb * MIB

    @property
    def closes(self) -> bool:
        """Whether a journal is ever closed."""
        return self.after_days is not None or self.after_mb is not None


@dataclass(frozen=True, slots=True)
class Approved:
    """``[approved]``: the digests, SHA-256 in hexadecimal, of the ``program`` and the file of the
    ``rules`` that may be played, and of their ``readings``, with who approved these and the day;
    empty where none is named."""

    program: Annotated[str, _DIGEST] = ""
    rules: Annotated[str, _DIGEST] = ""
    readings: Annotated[str, _DIGEST] = ""
    readings_by: Annotated[str, Text("who approved the readings", longest=64)] = ""
    readings_on: Annotated[str, Parsed(_DAY, parse=_day)] = ""

    @property
    def digests(self) -> dict[str, str]:
        """The digests by name."""
        return {"program": self.program, "rules": self.rules, "readings": self.readings}


@dataclass(frozen=True, slots=True)
class MirrorSettings:
    """``[floor]``, the mirror that the journal is sent to (C2SP tlog-mirror), and which cosigns it,
    too: its prefix without the last ``/``, and its key."""

    url: Annotated[str, _address("the mirror")]
    vkey: Annotated[WitnessKey, _key("the mirror")]


@dataclass(frozen=True, slots=True)
class WitnessSettings:
    """A ``[[witness]]``, who cosigns the checkpoints of the journal (C2SP tlog-witness): what the
    house calls it, its prefix without the last ``/``, its key; ``required``: the table is not ready
    where it is silent for long."""

    name: Annotated[
        str,
        Text(
            "what this house calls the witness",
            form=re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}"),
            otherwise="at most 32 letters, digits, ., - and _",
        ),
    ]
    url: Annotated[str, _address("the witness")]
    vkey: Annotated[WitnessKey, _key("the witness")]
    required: Annotated[bool, Flag("whether 'ready' asks for it")] = False


@dataclass(frozen=True, slots=True)
class Configuration:
    """A table's whole configuration. ``path`` is absolute, ``digest`` the SHA-256 of the file's
    bytes in hexadecimal, ``weights`` None where the rules have no Pandemonium wager. ``copy`` is
    the directory of the journal's second copy, None for none; ``key`` and ``heads`` are the files
    of the controller's key and of its signed heads, ``people`` that of the people known by PIN.
    ``values`` are the file's values by key, as a start record keeps them (:mod:`.values`)."""

    path: Path
    digest: str
    table: TableSettings
    devices: Mapping[str, DeviceConfig]
    weights: Weights | None
    spin_ms: int
    state_directory: Path
    copy: Path | None
    key: Path
    heads: Path
    people: Path
    control: ControlSettings
    approved: Approved = Approved()
    archive: ArchiveSettings = ArchiveSettings()
    witnesses: tuple[WitnessSettings, ...] = ()
    floor: WitnessSettings | None = None
    values: Mapping[str, str] = field(default_factory=dict)

    @property
    def digests(self) -> dict[str, str]:
        """What starts compare, each a SHA-256 in hexadecimal; empty where there are no weights."""
        return {
            "configuration": self.digest,
            "rules": self.table.rules_digest,
            "readings": self.table.readings_digest,
            "weights": self.weights.identity if self.weights else "",
        }

    @property
    def cosigners(self) -> tuple[WitnessSettings, ...]:
        """Who cosigns the journal's checkpoints: the witnesses, and the floor's mirror."""
        return (*self.witnesses, self.floor) if self.floor else self.witnesses
