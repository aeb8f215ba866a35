"""No byte goes to any device before the controller has passed its self-tests (PWR-04, ERR-01,
ERR-03)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from controller.configuration.reading import load_configuration
from controller.control.protocol import Request
from controller.counters.balance import Balance
from controller.daemon.health.findings import Found, SelfTest
from controller.daemon.health.memory import ProcessMemory
from controller.daemon.outside import Outside
from controller.daemon.runtime import Runtime
from controller.files.media import FreeRoom
from controller.journal.reader import JournalReader
from controller.table.showing.status_fields import StatusHold
from controller.upkeep.signing import signing_of
from drivers.api import DeviceConfig, DeviceListener, Identity, LinkUp
from tests.daemon.house import DEALER, turns
from tests.daemon.process import Place
from tests.daemon.sealed import at_once, journal_at

DAMAGED = ("program-damaged", "controller/table/table.py is not as installed")


class Port:
    """A device's port: whether it was opened and closed."""

    def __init__(self, name: str, listener: DeviceListener) -> None:
        self.name, self.listener = name, listener
        self.told: list[str] = []

    def start(self) -> None:
        self.told.append("opened")

    async def close(self) -> None:
        self.told.append("closed")

    def statistics(self) -> dict[str, int]:
        return {}

    def command(self, name: str, *_: object) -> None:
        self.told.append(name)

    def acknowledge(self, *_: object) -> None:
        self.told.append("EVENT_ACK")

    def up(self) -> None:
        identity = Identity(self.name, f"{self.name}-1", (1, 0, 0), "00", 1)
        self.listener.link_up(LinkUp(self.name, identity, 7, False, 0, 0))


class Started:
    """A box that has begun and opened, with ``finds`` as what a self-test of it finds."""

    def __init__(self, runtime: Runtime, ports: dict[str, Port], stopped: list[str]) -> None:
        self.runtime, self.ports, self.stopped = runtime, ports, stopped

    @property
    def told(self) -> list[str]:
        return [word for port in self.ports.values() for word in port.told]

    async def hold(self) -> StatusHold:
        held = (await self.runtime.handler.status())["held"]
        assert held is not None
        return held

    async def is_held(self) -> bool:
        return (await self.runtime.handler.status())["held"] is not None

    async def resume(self) -> None:
        await self.runtime.handler.command(
            Request(1, "supervisor", "resume", "Sue", "mended"), DEALER
        )
        await turns(5)

    async def tell(self, fault: str, *, present: bool = True) -> None:
        self.runtime.owner.condition(fault, "seen now", present=present)
        await self.runtime.owner.settled()
        await turns(5)


@asynccontextmanager
async def at_start(
    folder: Path, *finds: Found, room: int = 1 << 40, left: int = 1 << 40
) -> AsyncIterator[Started]:
    place = Place(folder)
    config = load_configuration(place.configuration)
    ports: dict[str, Port] = {}
    stopped: list[str] = []

    def open_device(config: DeviceConfig, _: object, listener: DeviceListener, __: object) -> Port:
        return ports.setdefault(config.name, Port(config.name, listener))

    outside = Outside(
        boot_id=lambda: "boot-1",
        open_device=open_device,
        room=lambda _: FreeRoom(room),
        memory=lambda: ProcessMemory(own=1 << 25, left=left),
        aside=at_once,
    )
    with journal_at(place) as journal:
        loop = asyncio.get_running_loop()
        signing = signing_of(config)
        runtime = Runtime(config, journal, signing, outside, loop, stopped.append, journal.iterate)
        runtime.self_tests.append(SelfTest("the program", ("program-damaged",), lambda: finds))
        runtime.committer.start()
        await runtime.submit_start()
        assert [word for port in ports.values() for word in port.told] == []
        runtime.open()
        yield Started(runtime, ports, stopped)
        await runtime.close()
        runtime.committer.close()


async def test_nothing_is_opened_while_a_self_test_has_failed(tmp_path: Path) -> None:
    for _ in range(2):  # it is latched, and told once
        async with at_start(tmp_path, DAMAGED) as started:
            held = await started.hold()
            assert (held["fault"], held["remedies"]) == ("program-damaged", [])
            assert "table.py is not as installed" in held["reason"]
            assert started.told == []
    with JournalReader(tmp_path / "state") as reader:
        types = [entry.type for entry in reader.iterate()]
    assert types == ["start", "condition", "start"]


async def test_what_was_mended_still_waits_for_the_supervisor(tmp_path: Path) -> None:
    async with at_start(tmp_path, DAMAGED) as started:
        assert started.told == []
    async with at_start(tmp_path) as started:
        held = await started.hold()
        assert (held["fault"], held["remedies"]) == ("program-damaged", ["resume"])
        assert started.told == []
        await started.resume()
        assert started.told == ["opened", "opened"]
        assert started.stopped == []
    async with at_start(tmp_path) as started:
        assert started.told == ["opened", "opened"]


async def test_a_self_test_that_cannot_be_carried_out_keeps_devices_closed(tmp_path: Path) -> None:
    no_pair: Any = ("program-damaged",)  # it raises
    async with at_start(tmp_path, no_pair) as started:
        held = await started.hold()
        assert held["fault"] == "self-test-failed"
        assert started.told == []


async def test_a_fault_that_comes_later_closes_what_is_open(tmp_path: Path) -> None:
    async with at_start(tmp_path) as started:
        for port in started.ports.values():
            port.up()
        await started.runtime.owner.settled()
        await started.tell("journal-damaged")
        assert [port.told[-1] for port in started.ports.values()] == ["closed", "closed"]
        devices = (await started.runtime.handler.status())["devices"]
        assert {device["link"] for device in devices.values()} == {"down"}
        assert started.stopped == []
        await started.tell("journal-damaged", present=False)
        await started.resume()
        assert started.stopped[0].startswith("devices may be spoken to again")


@pytest.mark.parametrize(
    ("room", "left", "fault"),
    [
        (1 << 40, 1 << 40, None),
        (1 << 29, 1 << 40, "disk-low"),
        (1 << 20, 1 << 40, "disk-full-soon"),
        (1 << 40, 1 << 26, "memory-low"),
        (1 << 40, 1 << 24, "memory-full-soon"),
    ],
)
async def test_little_room_or_memory_is_seen_at_the_start(
    tmp_path: Path, room: int, left: int, fault: str | None
) -> None:
    async with at_start(tmp_path, room=room, left=left) as started:
        told = await started.runtime.handler.status()
        assert started.told == ["opened", "opened"]
        assert (fault is None) == (told["conditions"] == {})
        if fault is not None:
            assert fault in told["conditions"]
        assert (told["held"] is not None) == str(fault).endswith("full-soon")


async def test_counters_that_do_not_add_up_hold_play_between_rounds(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    mocker.patch.object(
        Balance, "discrepancies", return_value=["draws of 25x: 0 counted, 1 in the round"]
    )

    async with at_start(tmp_path) as started:
        await turns(5)
        held = await started.hold()
        assert held["fault"] == "counters-differ"
        assert "draws of 25x: 0 counted" in held["reason"]
        mocker.patch.object(Balance, "discrepancies", return_value=None)
        await started.resume()
        assert not await started.is_held()
        assert "counters-differ" in started.runtime.owner.table.holds.conditions
        mocker.patch.object(Balance, "discrepancies", return_value=[])
        await started.runtime.handler.command(Request(1, "dealer", "open"), DEALER)
        await turns(5)
        assert not await started.is_held()
        # It is in the sums.
        assert "counters-differ" in started.runtime.owner.table.holds.conditions


async def test_a_round_that_adds_up_does_not_end_what_was_found_by_rebuilding(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    async with at_start(tmp_path) as started:
        await started.tell("counters-differ")
        mocker.patch.object(Balance, "discrepancies", return_value=[])
        await started.tell("disk-low")  # something is committed: the balance is looked at
        held = await started.hold()
        assert held["fault"] == "counters-differ"
        assert started.runtime.owner.table.holds.conditions["counters-differ"] == "seen now"
    with JournalReader(tmp_path / "state") as reader:
        told = [entry.body for entry in reader.iterate() if entry.type == "condition"]
    assert [body["present"] for body in told if body["fault"] == "counters-differ"] == [True]


async def test_the_same_figure_that_differs_in_another_round_is_news(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    async with at_start(tmp_path) as started:
        mocker.patch.object(Balance, "discrepancies", return_value=["draws of 25x: 0 counted"])
        told = mocker.patch.object(started.runtime.owner, "condition")
        for number in (1, 2):
            started.runtime.owner.table.course.round_number = number
            started.runtime._reconcile()
        assert [call.args for call in told.call_args_list] == [
            ("counters-differ", "round 1: draws of 25x: 0 counted"),
            ("counters-differ", "round 2: draws of 25x: 0 counted"),
        ]


async def test_what_holds_play_is_in_the_log_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "controller.daemon.log_messages")
    async with at_start(tmp_path) as started:
        await started.tell("disk-low")
        await started.tell("disk-low", present=False)
        await started.tell("configuration-changed")
        await started.tell("journal-cut")
    said = [record.getMessage() for record in caplog.records if "log_messages" in record.name]
    assert [line.partition(":")[0] for line in said] == [
        "note, disk-low",
        "over",
        "play is held, configuration-changed",
        "play is held, journal-cut",
    ]
    assert said[1] == "over: note, disk-low"
    assert "seen now" in said[-1]


async def test_a_doubted_journal_is_told_before_what_was_meant_to_change(tmp_path: Path) -> None:
    """One resume ends both, so nobody may overlook the one that says that entries are missing."""

    async with at_start(tmp_path) as started:
        await started.tell("configuration-changed")
        await started.tell("journal-cut")
        held = await started.hold()
        assert held["faults"] == ["journal-cut", "configuration-changed"]
        assert held["fault"] == "journal-cut"
        assert held["reason"].startswith("the end of the journal is missing")
        steps = held["next_step"]
        assert steps.startswith("journal-cut: ")
        assert " configuration-changed: " in steps
        assert started.runtime.owner.published.rows[0].strip() != "CONFIGURATION CHANGE"
