"""The report before opening, made when it is asked for.

What a supervisor asked for is an entry of the journal (``readiness``), beyond some at once at most
one every ten seconds; the next one says what was counted since. Anybody who may look may ask; the
counters are told to supervisors.

Of the disks that the table writes it says what is free there, and how worn they say they are. Wear
is what an eMMC or UFS module tells of itself in ``/sys/dev/block/MAJOR:MINOR/device``:
``life_time`` (two estimates, types A and B: 0x01 is 0 to 10 % used, 0x0B is beyond its life) and
``pre_eol_info`` (0x01 normal, 0x02 80 % of its spare blocks used, 0x03 urgent); JEDEC eMMC 5.1,
EXT_CSD 267 to 269. Memory cards and most others tell nothing."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from controller.causes.finding import cause_of
from controller.causes.ports import same_number
from controller.configuration.model import Configuration
from controller.control.answers import Disk
from controller.control.peers import Peer
from controller.daemon.drawing import Drawing
from controller.daemon.health.clock import in_words
from controller.daemon.health.watches import FEW_FILES, WatchedPlace
from controller.daemon.outside import Outside
from controller.daemon.owner import Owner
from controller.daemon.readiness.checks import all_checks
from controller.daemon.readiness.nights import check_night, read_doubts
from controller.daemon.table_handler import TableHandler
from controller.evidence.trust import keys_beside
from controller.files.media import FreeRoom, MediumSilent
from controller.forms.json_values import JsonObject, checked
from controller.game.commands.values import write_amount
from controller.journal.keys import PublicKey
from controller.program import this_program
from controller.rate import Rate
from controller.regular_files import read_whole
from controller.table.events.of_controller import ReadinessReported
from controller.upkeep.night_report import USUAL, NightReport, read_night_report
from drivers import adapters
from drivers.api import DeviceConfig

SYS: Final = Path("/sys")
WORN_OUT: Final = 0x0B
URGENT: Final = 0x03


def read_disks(
    places: Iterable[WatchedPlace], room: Callable[[Path], FreeRoom], sys: Path = SYS
) -> list[Disk]:
    """All of them; for a thread: a medium may not answer."""
    return [_disk(place, room, sys) for place in places]


def _disk(place: WatchedPlace, room: Callable[[Path], FreeRoom], sys: Path) -> Disk:
    free, trouble = None, ""
    try:
        room_there = room(place.path)
        free, files = room_there.bytes, room_there.files
        if files is not None and files < FEW_FILES:
            trouble = f"it takes only {files} more files ('df -i {place.path}')"
    except MediumSilent as error:
        trouble = str(error.strerror)
    except OSError as error:
        trouble = str(cause_of(error, place.path))
    told = dict(_wear(place.path, sys))
    life = max((int(word, 16) for word in told.get("life_time", "").split()), default=0)
    spare = int(told.get("pre_eol_info") or "0", 16)
    wear = ""
    if life:
        wear = "beyond its life" if life >= WORN_OUT else f"{life * 10 - 10} to {life * 10} % used"
    if spare >= URGENT:
        wear = f"{wear}, its spare blocks are nearly gone".removeprefix(", ")
    return {
        "name": place.name,
        "path": str(place.path),
        "free": free,
        "trouble": trouble,
        "wear": wear,
        "worn": life >= WORN_OUT or spare >= URGENT,
    }


def _wear(path: Path, sys: Path) -> Iterator[tuple[str, str]]:
    """What the disk under ``path`` says of its wear; a partition's disk is above it."""
    with contextlib.suppress(OSError, ValueError):
        number = path.stat().st_dev
        block = (sys / "dev" / "block" / f"{os.major(number)}:{os.minor(number)}").resolve()
        disk = block.parent if (block / "partition").exists() else block
        for name in ("life_time", "pre_eol_info"):
            file = disk / "device" / name
            if file.is_file():
                text = read_whole(file).decode("ascii").strip()
                [int(word, 16) for word in text.split()]
                yield name, text


ENTRIES: Final = 10
ENTRIES_PER_S: Final = 0.1
"""So many entries at once, and then so many a second: who asks in a loop does not fill the disk."""
DISKS_S: Final = 3.0
"""A disk that does not answer by then is told as such."""

WHOLE: Final = (
    *("rounds", "void", "cards", "unread", "presses", "presses_ignored"),
    *("shuffles", "incomplete", "jams", "refused", "refusals"),
)
"""Counters that are told since the last report (docs/counters.md)."""


class LookedAt(NamedTuple):
    """What takes a while; ``numbers``: adapters that cannot be told apart."""

    disks: list[Disk] | None = None
    night: NightReport | None = None
    doubts: Sequence[str] = ()
    numbers: Mapping[str, Sequence[str]] = MappingProxyType({})


class ReadinessReporter:
    """Of the table of ``owner``; ``places`` are those that it writes to, ``keys`` those that count,
    ``witnesses`` whether those are well and how each is."""

    def __init__(
        self,
        owner: Owner,
        handler: TableHandler,
        drawing: Drawing,
        config: Configuration,
        outside: Outside,
        places: list[WatchedPlace],
        keys: Collection[PublicKey],
        witnesses: Callable[[], tuple[bool, str]],
    ) -> None:
        self._keys = keys
        self._witnesses = witnesses
        self._entries = Rate(ENTRIES, ENTRIES_PER_S)
        self._reading: asyncio.Future[LookedAt] | None = None
        self._owner, self._handler = owner, handler
        self._drawing = drawing
        self._config = config
        self._outside = outside
        self._places = places

    async def report(self, who: Peer) -> JsonObject:
        """``ready``, ``checks`` (what is not well first), and what a sheet of paper needs."""
        if who.may("technician"):  # who only looks has nothing written
            self._owner.tell_anew()
        looked = await self._read_in_time()
        wall = self._outside.wall()
        at = wall.isoformat(timespec="seconds")
        kept = in_words(known=self._outside.synchronised())
        state: Mapping[str, object] = dict(await self._handler.status())
        devices = checked(dict[str, dict[str, object]], state["devices"], "devices")
        table = self._owner.table
        checks = all_checks(
            table,
            self._config,
            checked(dict[str, object], state["journal"], "journal"),
            devices,
            looked.numbers,
            looked.disks,
            self._drawing.readiness(),
            f"it shows {at[:19].replace('T', ' ')} UTC, {kept}; zone {self._outside.zone().name}",
            check_night(looked.night, self._config.state_directory, wall, looked.doubts),
            self._witnesses(),
        )
        ready = all(one["ok"] for one in checks)
        before = table.readiness
        answer: dict[str, object] = {
            "ready": ready,
            "checks": checks,
            "at": at,
            **self._identity(),
            **{name: state[name] for name in ("round", "state", "journal", "configuration")},
            "devices": {name: self._device(name, device) for name, device in devices.items()},
            "disks": looked.disks,
            "stored": False,
        }
        if not who.may("technician"):
            return answer
        total = self._owner.counted.counters.total
        now = {name: int(getattr(total, name)) for name in WHOLE}
        answer["counted"] = {name: now[name] - before.counted.get(name, 0) for name in now}
        answer["since"] = before.at or None
        loop = asyncio.get_running_loop()
        if self._entries.wait_s(loop.time()):
            return answer
        self._entries.count_one(loop.time())
        self._owner.submit(
            ReadinessReported(
                ready=ready, checks=tuple(checks), counted=now, at=at, **who.as_fields
            )
        )
        await self._owner.settled()
        return {**answer, "stored": True}

    def _identity(self) -> dict[str, object]:
        config, limits = self._config, self._config.table.limits
        document = config.table.rules.document
        return {
            "table": config.table.id,
            "program": this_program().as_status(),
            "rules": {
                **asdict(document),
                "digest": config.table.rules_digest,
                "readings": config.table.readings_digest,
            },
            "decks": config.table.decks,
            "boxes": config.table.boxes,
            "limits": {
                name: write_amount(cents) if cents else None
                for name, cents in asdict(limits).items()
            },
            "weights": [list(pair) for pair in config.weights.pairs] if config.weights else [],
            "approved": config.approved.digests,
        }

    def _device(self, name: str, told: Mapping[str, object]) -> dict[str, object]:
        device = self._owner.table.named(name)
        tests = device.tests if device is not None else {}
        return {**told, "tests": {test: asdict(result) for test, result in tests.items()}}

    async def _read_in_time(self) -> LookedAt:
        """Nothing where it is not there in time. What hangs is not asked again meanwhile."""
        if self._reading is None or self._reading.done():
            self._reading = self._begin_reading()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(DISKS_S):
                return await asyncio.shield(self._reading)
        return LookedAt()

    def _begin_reading(self) -> asyncio.Future[LookedAt]:
        loop = asyncio.get_running_loop()
        reading: asyncio.Future[LookedAt] = loop.create_future()
        room, places, devices = self._outside.room, self._places, self._config.devices
        state, keys, file = self._config.state_directory, self._keys, keys_beside(self._config.path)

        def read_all() -> LookedAt:
            doubts = read_doubts(state, keys, file)
            disks = read_disks(places, room)
            return LookedAt(disks, read_night_report(USUAL), doubts, shared_numbers(devices))

        def settle(looked: LookedAt) -> None:
            if not reading.done():
                reading.set_result(looked)

        self._outside.aside(loop, read_all, settle, lambda _: LookedAt())
        return reading


def shared_numbers(devices: Mapping[str, DeviceConfig]) -> dict[str, list[str]]:
    """By device: what is wrong with a port bound to a number that several adapters have, and the
    next step. For a thread: the system is asked for all its ports."""
    found: dict[str, list[str]] = {}
    try:
        several = adapters.same_number(adapters.ports())
    except OSError:  # one was unplugged meanwhile
        return {}
    for name, device in devices.items():
        port = device.port or ""
        if not adapters.bound_by_number(port):
            continue
        for ports in several.values():
            here = [one for one in ports if os.path.realpath(one.path) == os.path.realpath(port)]
            if here:
                cause = same_number(name, port, ports, here[0].by_path)
                found[name] = [cause.what, cause.next_step]
    return found
