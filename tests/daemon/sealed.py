"""Tables that were played at and stopped, with the heads that were signed meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, TypeVar

import pytest

from controller.configuration.reading import load_configuration
from controller.control.protocol import Request
from controller.daemon.health.memory import ProcessMemory
from controller.daemon.outside import Outside
from controller.daemon.runtime import Runtime
from controller.evidence.heads import SignedHead, heads_in
from controller.files.media import FreeRoom
from controller.journal.opening import make_directory
from controller.journal.store import Journal
from controller.table.events.reading import read_event
from controller.upkeep.signing import signing_of
from tests.daemon.house import DEALER
from tests.daemon.process import Place

T = TypeVar("T")


def heads(place: Place) -> list[SignedHead]:
    found = [head for _, head in heads_in(place.state / "heads.jsonl")]
    assert all(isinstance(head, SignedHead) for head in found)
    return [head for head in found if isinstance(head, SignedHead)]


BOOT: Final = "boot-2"
"""Another boot than that of the journals that were played before, whose clock may be ahead of this
machine's."""


def runtime_at(place: Place, journal: Journal, outside: Outside) -> Runtime:
    """The controller of that table, in this loop, on that journal."""
    config = load_configuration(place.configuration)
    loop = asyncio.get_running_loop()
    enough = replace(outside, memory=lambda: ProcessMemory(1 << 25, 1 << 40))  # not of this process
    return Runtime(config, journal, signing_of(config), enough, loop, pytest.fail, journal.iterate)


def journal_at(place: Place, boot_id: str = BOOT) -> Journal:
    """The journal of that table, with its key, which is made where there is none."""
    config = load_configuration(place.configuration)
    make_directory(config.state_directory)
    return Journal(place.state, signing_of(config).key, boot_id=boot_id)


def play(
    place: Place, *commands: str, resume: bool = False, outside: Outside | None = None
) -> dict[str, Any]:
    """Start the controller, give the commands, stop; the status as it was after the start."""

    async def live() -> dict[str, Any]:
        with journal_at(place) as journal:
            world = outside or Outside(
                boot_id=lambda: BOOT, aside=at_once, room=lambda _: FreeRoom(1 << 40)
            )
            runtime = runtime_at(place, journal, world)
            runtime.committer.start()
            await runtime.submit_start()
            told = dict(await runtime.handler.status())
            for command in commands:
                await runtime.handler.command(Request(1, "dealer", command), DEALER)
            if resume:
                await runtime.handler.command(
                    Request(1, "supervisor", "resume", "Sue", "the inspector was told"), DEALER
                )
                assert (await runtime.handler.status())["held"] is None
            await runtime.close()
            runtime.owner.submit(read_event("stop", {}))
            await runtime.owner.settled()
            runtime.committer.close()
            last = runtime.sealing.last()
            assert last is not None
            last.join(5.0)
        return told

    return asyncio.run(live())


def at_once(_: object, work: Callable[[], T], then: Callable[[T], None], __: object) -> None:
    """Beside the loop there is nobody else."""
    then(work())


async def told_of_heads(runtime: Runtime, *, failing: bool) -> str:
    """What is told of heads that cannot be written, once it is told, or over."""
    changed = asyncio.Event()
    leave = runtime.owner.subscribe(changed.set)
    while ("heads-failing" in runtime.owner.table.holds.conditions) is not failing:
        changed.clear()
        await asyncio.wait_for(changed.wait(), 20)
    leave()
    return runtime.owner.table.holds.conditions.get("heads-failing", "")
