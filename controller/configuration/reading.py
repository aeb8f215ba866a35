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
from typing import Final

from controller.causes.finding import cause_of
from controller.causes.who_may import READ
from controller.configuration.devices import read_devices
from controller.configuration.errors import BadConfiguration
from controller.configuration.model import (
    Approved,
    ArchiveSettings,
    Configuration,
    ControlSettings,
    TableSettings,
    WitnessSettings,
)
from controller.configuration.optional import (
    read_approved,
    read_archive,
    read_floor,
    read_witnesses,
)
from controller.configuration.section import Section, dollars, toml_text, unknown
from controller.configuration.values import values_of
from controller.draw import odds
from controller.draw.weights import BadWeights, FavoursPlayer, Weights, read_weights
from controller.files.media import MediumQuestion
from controller.files.readings import readings_of
from controller.files.rules import load_rules, rules_digest, rules_file
from controller.game.round.wagers import Limits
from controller.game.rules.loader import RulesError
from controller.game.rules.schema import RuleSet
from controller.regular_files import read_whole
from controller.table.settings import DAY_BEGINS
from controller.utf8 import text_of

DEFAULT_PATH: Final = Path("/etc/table-controller/table.toml")
STATE_DIRECTORY: Final = "/var/lib/table-controller"
SOCKET: Final = "/run/table-controller/control.sock"
DEALERS: Final = "table-dealers"
SUPERVISORS: Final = "table-supervisors"
SPIN_MS: Final = 4000
KEY: Final = "key"
HEADS: Final = "heads.jsonl"
PEOPLE: Final = "people.json"
MOST_BYTES: Final = 1 << 20

_OF_BACKSLASHES: Final = ("Invalid hex value", "Unescaped")
_BACKSLASH: Final = "; a '\\' in quotes begins a code there: folders are divided by '/'"

SECTIONS: Final = (
    *("table", "devices", "multiplier", "state", "control", "approved"),
    *("archive", "people", "witness", "floor"),
)


def load_configuration(path: Path) -> Configuration:
    """The configuration in the file at ``path``.

    Raises:
        BadConfiguration: it cannot be read or has faults; the error lists all of them.
    """
    path = _absolute(path)
    try:
        raw = read_whole(path, MOST_BYTES)
    except OSError as error:
        why = cause_of(error, path, wants=READ)
        raise BadConfiguration(path, [f"cannot be read: {why}"]) from error
    return configuration_of(path, raw)


def configuration_of(path: Path, raw: bytes) -> Configuration:
    """The configuration that a file at ``path`` with these bytes is.

    Raises:
        BadConfiguration: it has faults; the error lists all of them.
    """
    path = _absolute(path)
    if len(raw) > MOST_BYTES:
        raise BadConfiguration(path, [f"has more than {MOST_BYTES} bytes; is it the right file?"])
    try:
        data = tomllib.loads(text_of(raw), parse_float=Decimal)
    except (ValueError, RecursionError) as error:
        hint = _BACKSLASH if str(error).startswith(_OF_BACKSLASHES) else ""
        raise BadConfiguration(path, [f"is not TOML in UTF-8: {error}{hint}"]) from error
    return _Builder(path, data).build(hashlib.sha256(raw).hexdigest())


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100 - not resolve(): paths are as people wrote them


class _Builder:
    """Reads the file's tables and collects their faults."""

    def __init__(self, path: Path, data: Mapping[str, object]) -> None:
        self._path = path
        self._data = data
        self._faults: list[str] = []

    def build(self, digest: str) -> Configuration:
        for key in self._data:
            if key not in SECTIONS:
                self._faults.append(f"the table {unknown(key, SECTIONS)}")
        table, rules = self._table()
        devices = read_devices(
            self._data.get("devices", {}),
            self._path.parent,
            rules.id if rules and rules.pandemonium else None,
            self._faults,
        )
        weights, spin_ms = self._multiplier(rules, table)
        state = self._state()
        people = self._people(state)
        control = self._control()
        approved = self._approved()
        archive = self._archive(state[0] if state else None)
        floor = self._floor()
        witnesses = self._witnesses(floor)
        if self._faults or not (table and state and people and control):
            raise BadConfiguration(self._path, self._faults)
        return Configuration(
            self._path,
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

    def _section(self, name: str, *, required: bool = False) -> Section | None:
        """The table of that name; empty when it is optional and left out."""
        value = self._data.get(name)
        if value is None:
            if not required:
                return Section(name, {}, self._faults)
            self._faults.append(f"[{name}] is missing")
            return None
        if not isinstance(value, Mapping):
            self._faults.append(f"{name} = {toml_text(value)}: expected a table, [{name}]")
            return None
        return Section(name, value, self._faults)

    def _resolve(self, given: str) -> Path:
        return self._path.parent / given

    # ---- [table] ------------------------------------------------------------------------------

    def _table(self) -> tuple[TableSettings | None, RuleSet | None]:
        section = self._section("table", required=True)
        if section is None:
            return None, None
        name = section.text("id", "the table's name on the floor", longest=64)
        rules, digests, file = self._rules(section)
        decks = boxes = None
        if rules is not None:
            low, high = rules.cards.decks_min, rules.cards.decks_max
            what = f"decks in the shoe, {rules.id} {high.clause}"
            decks = section.number("decks", low.value, high.value, what)
            most = rules.betting.boxes_max
            what = f"playing areas, {rules.id} {most.clause}"
            boxes = section.number("boxes", 1, most.value, what)
        else:
            # The rules decide which values are valid; here it is only checked that they are given.
            section.has("decks"), section.has("boxes")
        limits = self._limits(section, rules)
        begins = section.time_of_day("day_begins", "when the gaming day begins", DAY_BEGINS)
        section.done()
        if name is None or rules is None or decks is None or boxes is None:
            return None, rules
        if limits is None or begins is None:
            return None, rules
        return TableSettings(name, rules, *digests, decks, boxes, limits, begins, file), rules

    def _rules(self, section: Section) -> tuple[RuleSet | None, tuple[str, str], Path | None]:
        """The rule set, the digests of its file and of its readings, and where the file is."""
        given = section.text("rules", "a rule set of 'tablectl rules list', or a path")
        if given is None:
            return None, ("", ""), None
        base = self._path.parent
        try:
            rules = load_rules(given, base)
            file = rules_file(given, base)
            return rules, (rules_digest(given, base), readings_of(rules, file).digest), file
        except OSError as error:
            why = cause_of(error, rules_file(given, base), wants=READ)
            self._faults.append(f'table.rules = "{given}": cannot be read: {why}')
        except RulesError as error:
            self._faults += [f'table.rules = "{given}": {fault}' for fault in error.faults]
        return None, ("", ""), None

    def _limits(self, section: Section, rules: RuleSet | None) -> Limits | None:
        low = section.cents("min", "the lowest main wager")
        high = section.cents("max", "the highest main wager")
        step = section.cents("increment", "the smallest step of any wager", 100)
        # Where no side wager can be made, its limits decide nothing and may be left out.
        idle = rules is not None and not rules.side_wagers
        side_low = section.cents("side_min", "the lowest side wager", step if idle else None)
        side_high = section.cents("side_max", "the highest side wager", high if idle else None)
        if low is not None and low % 2:
            section.fault("min", "3:2 cannot be paid on it; expected an even number of cents")
        for key, least, most in (("min", low, high), ("side_min", side_low, side_high)):
            if least is None or most is None:
                continue
            top = key.replace("min", "max")
            if least > most:
                section.fault(key, f"expected no more than {top}, {dollars(most)}")
            if step is not None and least % step and section.has(key):
                section.fault(
                    key, f"wagers go in steps of {dollars(step)}: expected a multiple of increment"
                )
        if low is None or high is None or side_low is None or side_high is None or step is None:
            return None
        totals = self._totals(section, rules, low, high)
        return None if totals is None else Limits(low, high, side_low, side_high, step, *totals)

    def _totals(
        self, section: Section, rules: RuleSet | None, low: int, high: int
    ) -> tuple[int, int] | None:
        """The most of all main wagers on a box, and of one bettor's there; 0 for none."""
        by_table = rules is not None and rules.betting.box_max.value == "table_maximum"
        found: list[int] = []
        for key, what, default in (
            ("box_max", "the most of all main wagers on one box", high if by_table else 0),
            ("player_max", "the most of one bettor's main wagers on one box", 0),
        ):
            most = section.cents(key, what) if section.has(key) else default
            if most is None:
                return None
            if 0 < most < low:
                section.fault(key, f"expected no less than min, {dollars(low)}")
            found.append(most)
        return found[0], found[1]

    # ---- [multiplier], [state], [people], [control] -------------------------------------------

    def _multiplier(
        self, rules: RuleSet | None, table: TableSettings | None
    ) -> tuple[Weights | None, int]:
        needed = rules is not None and rules.pandemonium is not None
        if rules is not None and not needed:
            if "multiplier" in self._data:
                self._faults.append(
                    f"[multiplier]: {rules.id} has no Pandemonium wager; leave it out"
                )
            return None, SPIN_MS
        section = self._section("multiplier", required=needed)
        if section is None or rules is None:
            return None, SPIN_MS
        spin_ms = section.number("spin_ms", 0, 60_000, "milliseconds that the meter spins", SPIN_MS)
        given = section.mapping("weights", "multiplier = weight for every games multiplier")
        section.done()
        if given is None:
            return None, SPIN_MS
        try:
            permitted = rules.pandemonium.multipliers.value if rules.pandemonium else ()
            weights = read_weights(given, permitted)
            if table is not None:
                odds.check(weights, table.decks)
        except (BadWeights, FavoursPlayer) as error:
            self._faults.append(str(error))
            return None, SPIN_MS
        return weights, SPIN_MS if spin_ms is None else spin_ms

    def _state(self) -> tuple[Path, Path | None, Path, Path] | None:
        """The directories of the journal and its copy, and the files of the key and the heads."""
        section = self._section("state")
        if section is None:
            return None
        directory = section.text("directory", "the directory of the journal", STATE_DIRECTORY)
        place = self._resolve(directory or STATE_DIRECTORY)
        copy = None
        if section.has("copy"):
            given = section.text("copy", "a directory on another medium")
            copy = None if given is None else self._resolve(given)
            if copy is not None and _is_same(copy, place):
                section.fault("copy", "expected another directory than state.directory")
        key = section.text("key", "the file of the controller's key", str(place / KEY))
        heads = section.text("heads", "the file of signed heads", str(place / HEADS))
        if key is not None and key == heads:
            section.fault("heads", "expected another file than state.key")
        section.done()
        if directory is None or key is None or heads is None:
            return None
        return place, copy, self._resolve(key), self._resolve(heads)

    def _people(self, state: tuple[Path, Path | None, Path, Path] | None) -> Path | None:
        section = self._section("people")
        if section is None or state is None:
            return None
        directory, _, *others = state
        given = section.text("file", "the file of people known by PIN", str(directory / PEOPLE))
        section.done()
        file = None if given is None else self._resolve(given)
        if file in others:
            section.fault("file", "expected another file than state.key and state.heads")
        return file

    def _control(self) -> ControlSettings | None:
        section = self._section("control")
        if section is None:
            return None
        socket = section.text("socket", "the control socket's path", SOCKET)
        dealers = section.text("dealers", "a group's name", DEALERS)
        supervisors = section.text("supervisors", "a group's name", SUPERVISORS)
        viewers = section.text("viewers", "a group's name") if section.has("viewers") else None
        section.done()
        if socket is None or dealers is None or supervisors is None:
            return None
        return ControlSettings(self._resolve(socket), dealers, supervisors, viewers)

    # ---- [approved], [archive], [floor], [[witness]] ------------------------------------------

    def _approved(self) -> Approved:
        section = self._section("approved")
        return read_approved(section) if section else Approved()

    def _archive(self, state: Path | None) -> ArchiveSettings:
        section = self._section("archive")
        return read_archive(section, self._path.parent, state) if section else ArchiveSettings()

    def _floor(self) -> WitnessSettings | None:
        section = self._section("floor")
        return read_floor(section) if section and "floor" in self._data else None

    def _witnesses(self, floor: WitnessSettings | None) -> tuple[WitnessSettings, ...]:
        given = self._data.get("witness", [])
        if not isinstance(given, list) or not all(isinstance(one, Mapping) for one in given):
            self._faults.append(f"witness = {toml_text(given)}: expected tables, [[witness]]")
            return ()
        sections = (
            Section(f"witness[{number}]", one, self._faults) for number, one in enumerate(given, 1)
        )
        return read_witnesses(sections, floor)


def _is_same(copy: Path, place: Path) -> bool:
    """Whether both are the same directory under any name. A medium that hangs or cannot be read
    counts as different from the journal's."""
    try:
        return MediumQuestion(copy.resolve).answer() == place.resolve()
    except OSError:
        return False
