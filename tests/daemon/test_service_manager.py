"""The watchdog is fed while commits get on, or wait for what a new process would wait for, too."""

from __future__ import annotations

import asyncio
from typing import ClassVar

import pytest

from controller.daemon.notify import Notifier
from controller.daemon.service_manager import ServiceManager


class Commits:
    """A committer whose oldest draft waits for so long, perhaps for a disk or another program."""

    def __init__(self, age_s: float, held: str, *, disk: bool) -> None:
        self._age_s, self._held, self._disk = age_s, held, disk

    def age_s(self) -> float:
        return self._age_s

    def in_the_disk(self) -> bool:
        return self._disk

    def held(self) -> str:
        return self._held


class Told(Notifier):
    """What a service manager is told; its watchdog has a period of three seconds."""

    told: ClassVar[list[str]] = []

    def __init__(self) -> None:
        super().__init__()
        self.watchdog_s = 3.0
        self.told.clear()

    def send(self, *states: str) -> bool:
        self.told.extend(states)
        return True


@pytest.mark.parametrize(
    ("age_s", "disk", "held", "fed"),
    [
        (0.1, False, "", True),
        (2.0, False, "", False),
        (2.0, True, "", True),
        (2.0, False, "process 12 holds it", True),
    ],
)
def test_the_watchdog_is_not_fed_while_a_commit_hangs(
    age_s: float, disk: bool, held: str, fed: bool
) -> None:
    async def main() -> None:
        stopping = asyncio.Event()
        commits = Commits(age_s, held, disk=disk)
        loop = asyncio.get_running_loop()
        ServiceManager(Told(), loop, "T1", commits, stopping).is_ready()  # type: ignore[arg-type]
        assert ("WATCHDOG=1" in Told.told) == fed
        stopping.set()

    asyncio.run(main())
