"""What is to be replayed: captures and the journal's export, brought to one clock and cut to size.

The rules:

- A capture is replayed from its beginning, which has to lie between rounds: the table is put where
  the journal says that it was, and its devices where the capture's head says. One that begins
  before the controller's start is replayed from there.
- Several captures (one for each device, taken at their ends) are merged by their times.
- Times are those of the journal's clock. A capture of another clock (of the host, where the
  controller is in a virtual machine) is moved so that no event comes after it was stored.
- A command of the dealer or supervisor is given when it was stored, but between the two device's
  events between which the journal has it: those are known by the time of their arrival.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from controller.configuration.model import Configuration, ControlSettings, TableSettings
from controller.draw.weights import Weights
from controller.journal.model import Entry
from controller.regular_files import read_whole
from controller.replay.counted_table import CountedTable
from controller.replay.replay import Replay
from controller.table.settings import Settings
from drivers.api import DeviceConfig, Traffic
from drivers.capture.format import USB
from drivers.capture.reader import Capture, Sight, capture_of
from hil_tests.bench.setup import USB_UNIT
from hil_tests.replay.exported import Exported, read_export


def configuration(case: Case, folder: Path) -> Configuration:
    """The table of a case, its devices carried as the captures say."""
    settings = case.settings
    table = TableSettings(
        settings.table, settings.rules, "", "", settings.decks, settings.boxes, settings.limits
    )
    kinds = dict(settings.kinds)
    devices = {
        name: _device(name, kinds.get(name, name), case.devices.get(name, {}))
        for name in settings.devices
    }
    return Configuration(
        path=folder / "table.toml",
        digest="",
        table=table,
        devices=devices,
        weights=Weights(settings.weights) if settings.weights else None,
        spin_ms=settings.spin_ms,
        state_directory=folder,
        copy=None,
        key=folder / "key",
        heads=folder / "heads.jsonl",
        people=folder / "people.json",
        control=ControlSettings(folder / "control.sock", "", ""),
    )


def _device(name: str, kind: str, head: Mapping[str, Any]) -> DeviceConfig:
    """A device as the capture's head says that it is carried."""
    if head.get("carrier") == USB:
        return DeviceConfig(name, usb=USB_UNIT, kind=kind)
    return DeviceConfig(name, port=name, kind=kind)


MOST_BYTES: Final = 1 << 28
"""Of a capture."""

PEOPLE: Final = frozenset({"dealer", "supervisor"})
JUST_BEFORE_NS: Final = 1_000


class CannotReplay(Exception):
    """These files cannot be replayed; the message says why, and what would help."""


@dataclass(slots=True)
class Case:
    """What is to be played, and what is to come of it.

    ``counted`` is the table as it was before (None: the controller's start is in it), ``devices``
    what the heads say of each, ``stored`` the last event stored by then of each session of a
    device; ``window`` the entries that are to come again, ``said`` those of people with the time at
    which to make them. Times are nanoseconds of the journal's clock. ``troubles``: what is wrong
    with the ends of the captures.
    """

    boot_id: str
    begins_ns: int
    ends_ns: int
    settings: Settings
    counted: CountedTable | None
    devices: dict[str, dict[str, Any]]
    sights: list[Sight]
    window: list[Entry]
    stored: dict[tuple[str, int], Entry]
    said: list[tuple[int, Entry]] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)


def read_case(captures: Sequence[Path], export: Path) -> Case:
    """The case in these files.

    Raises:
        CannotReplay: it cannot be replayed. BadCapture, BadExport: a file is not what it should be.
    """
    taken = [capture_of(path, read_whole(path, MOST_BYTES)) for path in captures]
    for path, capture in zip(captures, taken, strict=True):
        if capture.missing:
            raise CannotReplay(
                f"{path}: {capture.missing} messages are missing in it; capture fewer devices"
            )
    boots = {capture.head["boot_id"] for capture in taken}
    if len(boots) > 1:
        raise CannotReplay("the captures are of different boots, hence of different clocks")
    entries = read_export(export)
    boot_id = boots.pop()
    here = [one.entry for one in entries if one.boot_id == boot_id]
    late_ns = 0
    if not here:
        boot_id = entries[-1].boot_id
        here = [one.entry for one in entries if one.boot_id == boot_id]
        late_ns = _offset_ns(taken, here)
    sights = sorted(
        (
            Sight(sight.at_ns + late_ns, sight.device, sight.seen)
            for capture in taken
            for sight in capture.sights
        ),
        key=lambda sight: sight.at_ns,
    )
    if not sights:
        raise CannotReplay("nothing was seen in the captures")
    case = _cut(taken, entries, here, sights, boot_id, late_ns)
    case.troubles = [
        f"{path}: {capture.trouble}"
        for path, capture in zip(captures, taken, strict=True)
        if capture.trouble
    ]
    return case


def _cut(
    taken: Sequence[Capture],
    entries: Sequence[Exported],
    here: Sequence[Entry],
    sights: list[Sight],
    boot_id: str,
    late_ns: int,
) -> Case:
    begins = max(capture.head["began_ns"] for capture in taken) + late_ns
    ends = sights[-1].at_ns
    window = [entry for entry in here if begins <= entry.mono_ns <= ends]
    starts = [entry for entry in window if entry.type == "start"]
    if starts and starts != window[:1]:
        raise CannotReplay(
            f"the controller was started in it (entry {starts[-1].seq}): "
            "take a capture that begins after that start"
        )
    first = window[0].seq if window else here[-1].seq + 1
    before = [one.entry for one in entries if one.entry.seq < first]
    if not window:
        raise CannotReplay("nothing was stored while it was captured: is it this table's journal?")
    replay = Replay()
    for entry in before:
        replay.replay_entry(entry)
    if starts and before:
        raise CannotReplay("a start of a table that was in play before cannot be replayed yet")
    if not starts and (not before or not replay.counted.quiet):
        raise CannotReplay(
            f"it begins at entry {first}, in mid-round: a capture has to begin between rounds"
        )
    start = next(e for e in reversed([*before, *starts]) if e.type == "start")
    case = Case(
        boot_id,
        begins,
        ends,
        Settings.load(start.body["settings"]),
        None if starts else replay.counted,
        {name: dict(told) for capture in taken for name, told in capture.devices.items()},
        sights,
        window,
        _stored(before),
    )
    case.said = _entry_times(case)
    return case


def _stored(entries: Sequence[Entry]) -> dict[tuple[str, int], Entry]:
    """The last event stored of each session."""
    return {
        (str(entry.device), int(entry.session or 0)): entry
        for entry in entries
        if entry.event_no is not None
    }


def _arrivals(sights: Sequence[Sight]) -> dict[tuple[str, int], int]:
    """When each event was first seen, by device and number."""
    found: dict[tuple[str, int], int] = {}
    for sight in sights:
        seen = sight.seen
        if isinstance(seen, Traffic) and not seen.outward and "event_no" in seen.fields:
            found.setdefault((sight.device, int(str(seen.fields["event_no"]))), sight.at_ns)
    return found


def _offset_ns(taken: Sequence[Capture], entries: Sequence[Entry]) -> int:
    """What the captures' clock lacks to the journal's."""
    arrived = _arrivals([sight for capture in taken for sight in capture.sights])
    late = [
        entry.mono_ns - arrived[key]
        for entry in entries
        if entry.event_no is not None and (key := (str(entry.device), entry.event_no)) in arrived
    ]
    if not late:
        raise CannotReplay("no event of the captures is in the journal: is it this table's?")
    return min(late)


def _entry_times(case: Case) -> list[tuple[int, Entry]]:
    """When people made their entries."""
    arrived = _arrivals(case.sights)
    known = [
        arrived.get((str(entry.device), entry.event_no)) if entry.event_no is not None else None
        for entry in case.window
    ]
    said, after = [], case.begins_ns
    for index, entry in enumerate(case.window):
        at = known[index]
        if entry.type in PEOPLE:
            following = [one for one in known[index + 1 :] if one is not None]
            at = min([entry.mono_ns, *(one - JUST_BEFORE_NS for one in following[:1])])
            at = max(at, after + 1)
            said.append((at, entry))
        after = max(after, at or 0)
    return said
