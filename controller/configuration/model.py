"""A configuration as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from controller.draw.weights import Weights
from controller.evidence.tree.cosignature import WitnessKey
from controller.game.round.wagers import Limits
from controller.game.rules.schema import RuleSet
from controller.table.settings import DAY_BEGINS
from drivers.api import DeviceConfig


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
    """``[control]``: the socket, and the names of the groups that may use it; ``viewers`` None:
    none but the other two."""

    socket: Path
    dealers: str
    supervisors: str
    viewers: str | None = None


@dataclass(frozen=True, slots=True)
class ArchiveSettings:
    """``[archive]``: a journal whose first entry is ``after_days`` old, or whose file is larger
    than ``after_bytes``, is closed (None: not for that). Closed ones are taken to the directory
    ``to`` on another medium (None: to none), and removed ``keep_days`` after that."""

    after_days: int | None = None
    after_bytes: int | None = None
    to: Path | None = None
    keep_days: int = 90

    @property
    def closes(self) -> bool:
        """Whether a journal is ever closed."""
        return self.after_days is not None or self.after_bytes is not None


@dataclass(frozen=True, slots=True)
class Approved:
    """``[approved]``: the digests, SHA-256 in hexadecimal, of the ``program`` and the file of the
    ``rules`` that may be played, and of their ``readings``, with who approved these and the day;
    empty where none is named."""

    program: str = ""
    rules: str = ""
    readings: str = ""
    readings_by: str = ""
    readings_on: str = ""

    @property
    def digests(self) -> dict[str, str]:
        """The digests by name."""
        return {"program": self.program, "rules": self.rules, "readings": self.readings}


FLOOR: Final = "floor"
"""What the mirror of ``[floor]`` is called among those who cosign."""


@dataclass(frozen=True, slots=True)
class WitnessSettings:
    """A ``[[witness]]``, or the mirror of ``[floor]``: what the house calls it, its prefix without
    the last ``/``, its key; ``required``: the table is not ready where it is silent for long."""

    name: str
    url: str
    key: WitnessKey
    required: bool = False


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
    def cosigners(self) -> tuple[WitnessSettings, ...]:
        """Who cosigns the journal's checkpoints: the witnesses, and the floor's mirror."""
        return (*self.witnesses, self.floor) if self.floor else self.witnesses
