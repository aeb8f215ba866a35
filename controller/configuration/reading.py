"""The table's configuration: one TOML file, read and checked as a whole; a file with any error is
not used at all.

The rules:

- All errors are reported together (:class:`BadConfiguration`), each with key, value and what is
  expected. Unknown keys are faults.
- Paths, those of devices too, are relative to the file. Amounts are dollars in the file and cents
  in the program.
- ``side_min`` and ``side_max`` are required where the rules have side wagers; the jackpot unit and
  ``[multiplier]`` where they have a Pandemonium wager, and the latter is refused elsewhere.
- Values with a default (state, socket, groups) may be left out; those that decide about money may
  not.
- Weights that favour the player are refused: they can only be a mistake.
"""

from __future__ import annotations

import hashlib
import os
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeVar

from controller.causes.finding import cause_of
from controller.causes.who_may import READ
from controller.configuration.keys import (
    HEADS,
    PEOPLE,
    SECTIONS,
    SPIN_MS,
    MultiplierKeys,
    PeopleKeys,
    StateKeys,
)
from controller.configuration.model import (
    FLOOR,
    KEY,
    Approved,
    ArchiveSettings,
    Configuration,
    ControlSettings,
    MirrorSettings,
    TableSettings,
    WitnessSettings,
)
from controller.configuration.sections import read_devices, read_table
from controller.configuration.tables import BadConfiguration, TomlTables, values_of
from controller.draw import odds
from controller.draw.weights import BadWeights, FavoursPlayer, Weights, read_weights
from controller.files.media import MediumQuestion
from controller.forms.faults import unknown, value_text
from controller.game.rules.schema import RuleSet
from controller.regular_files import read_whole, text_of

T = TypeVar("T")

DEFAULT_PATH: Final = Path("/etc/table-controller/table.toml")
MOST_BYTES: Final = 1 << 20

_OF_BACKSLASHES: Final = ("Invalid hex value", "Unescaped")
_BACKSLASH: Final = "; a '\\' in quotes begins a code there: folders are divided by '/'"


def load_configuration(path: Path) -> Configuration:
    """The configuration in the file; BadConfiguration with all its faults."""
    path = _absolute(path)
    try:
        raw = read_whole(path, MOST_BYTES)
    except OSError as error:
        why = cause_of(error, path, wants=READ)
        raise BadConfiguration(path, [f"cannot be read: {why}"]) from error
    return configuration_of(path, raw)


def configuration_of(path: Path, raw: bytes) -> Configuration:
    """The configuration that a file with these bytes is; raises as :func:`load_configuration`."""
    path = _absolute(path)
    if len(raw) > MOST_BYTES:
        raise BadConfiguration(path, [f"has more than {MOST_BYTES} bytes; is it the right file?"])
    try:
        data = tomllib.loads(text_of(raw), parse_float=Decimal)
    except (ValueError, RecursionError) as error:
        hint = _BACKSLASH if str(error).startswith(_OF_BACKSLASHES) else ""
        raise BadConfiguration(path, [f"is not TOML in UTF-8: {error}{hint}"]) from error
    return _Builder(TomlTables(path, data)).build(hashlib.sha256(raw).hexdigest())


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100 - not resolve(): paths are as people wrote them


class _Builder:
    def __init__(self, file: TomlTables) -> None:
        self._file = file
        self._data = file.data

    def build(self, digest: str) -> Configuration:
        """The configuration; raises as :func:`configuration_of`."""
        file = self._file
        file.faults += [
            f"the table {unknown(key, SECTIONS)}" for key in self._data if key not in SECTIONS
        ]
        table, rules = read_table(file)
        devices = read_devices(file, rules.id if rules and rules.pandemonium else None)
        weights, spin_ms = self._multiplier(rules, table)
        state = self._state()
        people = self._people(state)
        control = self._section("control", ControlSettings)
        approved = self._section("approved", Approved)
        archive = self._archive(state[0] if state else None)
        floor = self._floor()
        witnesses = self._witnesses(floor)
        if not (table and state and people and control and approved and archive):
            return file.without_faults(None)
        return file.without_faults(
            Configuration(
                file.path,
                digest,
                table,
                MappingProxyType(devices),
                weights,
                spin_ms,
                *state,
                people,
                control,
                approved,
                archive,
                witnesses,
                floor,
                values_of(self._data),
            )
        )

    def _section(self, name: str, form: type[T]) -> T | None:
        return self._file.value_in(form, self._data.get(name, {}), name)

    def _multiplier(
        self, rules: RuleSet | None, table: TableSettings | None
    ) -> tuple[Weights | None, int]:
        file = self._file
        needed = rules is not None and rules.pandemonium is not None
        if rules is not None and not needed:
            if "multiplier" in self._data:
                file.faults.append(
                    f"[multiplier]: {rules.id} has no Pandemonium wager; leave it out"
                )
            return None, SPIN_MS
        if "multiplier" not in self._data:
            file.faults += ["[multiplier] is missing"] if needed else []
            return None, SPIN_MS
        keys = self._section("multiplier", MultiplierKeys)
        if keys is None or rules is None:
            return None, SPIN_MS
        try:
            permitted = rules.pandemonium.multipliers.value if rules.pandemonium else ()
            weights = read_weights(keys.weights, permitted)
            if table is not None:
                odds.check(weights, table.decks)
        except (BadWeights, FavoursPlayer) as error:
            file.faults.append(str(error))
            return None, SPIN_MS
        return weights, keys.spin_ms

    def _state(self) -> tuple[Path, Path | None, Path, Path] | None:
        keys = self._section("state", StateKeys)
        if keys is None:
            return None
        place = keys.directory
        if keys.copy is not None and _is_same(keys.copy, place):
            self._file.fault("state.copy", "expected another directory than state.directory")
        key, heads = keys.key or place / KEY, keys.heads or place / HEADS
        if key == heads:
            self._file.fault("state.heads", "expected another file than state.key")
        return place, keys.copy, key, heads

    def _people(self, state: tuple[Path, Path | None, Path, Path] | None) -> Path | None:
        keys = self._section("people", PeopleKeys)
        if keys is None or state is None:
            return None
        directory, _, *others = state
        file = keys.file or directory / PEOPLE
        if file in others:
            self._file.fault("people.file", "expected another file than state.key and state.heads")
        return file

    def _archive(self, state: Path | None) -> ArchiveSettings | None:
        keys = self._section("archive", ArchiveSettings)
        to = keys.to if keys else None
        if to is not None and state is not None and to.is_relative_to(state):
            other = "expected a directory on another medium than state.directory"
            self._file.fault("archive.to", other)
        return keys

    def _floor(self) -> WitnessSettings | None:
        if "floor" not in self._data:
            return None
        mirror = self._section("floor", MirrorSettings)
        return WitnessSettings(FLOOR, mirror.url, mirror.vkey) if mirror else None

    def _witnesses(self, floor: WitnessSettings | None) -> tuple[WitnessSettings, ...]:
        given = self._data.get("witness", [])
        if not isinstance(given, list) or not all(isinstance(one, Mapping) for one in given):
            self._file.faults.append(f"witness = {value_text(given)}: expected tables, [[witness]]")
            return ()
        found: list[WitnessSettings] = []
        for number, one in enumerate(given, 1):
            witness = self._file.value_in(WitnessSettings, one, f"witness[{number}]")
            if witness is None:
                continue
            for other in [*found, *([floor] if floor else [])]:
                whose = "the floor's" if other is floor else "another witness's"
                where = f"witness[{number}]"
                if other.name == witness.name:
                    same = f"{where}.name = {value_text(witness.name)}: is {whose} name, too"
                    self._file.faults.append(same)
                if other.vkey == witness.vkey:
                    same = f"{where}.vkey = {value_text(witness.vkey.text)}: is {whose} key, too"
                    self._file.faults.append(same)
            found.append(witness)
        return tuple(found)


def _is_same(copy: Path, place: Path) -> bool:
    """Whether both are one directory; a medium that hangs counts as another one."""
    try:
        return MediumQuestion(copy.resolve).answer() == place.resolve()
    except OSError:
        return False
