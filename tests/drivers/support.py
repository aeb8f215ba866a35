"""A listener that remembers, and can be waited on without sleeping."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TypeVar

from drivers.api import Answer, DeviceConfig, DeviceEvent, DeviceLink, LinkDown, LinkUp, Value
from drivers.table_link.driver import open_link

Heard = LinkUp | LinkDown | DeviceEvent
T = TypeVar("T")


class Bell:
    """Something that rings when anything happens."""

    def __init__(self) -> None:
        self._rung = asyncio.Event()

    def ring(self) -> None:
        self._rung.set()

    async def until(self, ready: Callable[[], T], within_s: float = 5.0) -> T:
        """What ``ready`` returns once that is true; asked again at every ring."""
        async with asyncio.timeout(within_s):
            while not (found := ready()):
                self._rung.clear()
                await self._rung.wait()
        return found


class Recorder(Bell):
    """A device listener that keeps what it hears; ``stored`` acknowledges at once, if set."""

    def __init__(self, *, stores: bool = False) -> None:
        super().__init__()
        self.heard: list[Heard] = []
        self.stores = stores
        self.link: DeviceLink | None = None

    def link_up(self, up: LinkUp) -> None:
        self._hear(up)

    def link_down(self, down: LinkDown) -> None:
        self._hear(down)

    def device_event(self, event: DeviceEvent) -> None:
        if self.stores:
            assert self.link is not None
            self.link.acknowledge(event.session, event.event_no)
        self._hear(event)

    def _hear(self, what: Heard) -> None:
        self.heard.append(what)
        self.ring()

    @property
    def ups(self) -> list[LinkUp]:
        return [item for item in self.heard if isinstance(item, LinkUp)]

    @property
    def downs(self) -> list[LinkDown]:
        return [item for item in self.heard if isinstance(item, LinkDown)]

    @property
    def events(self) -> list[DeviceEvent]:
        return [item for item in self.heard if isinstance(item, DeviceEvent)]

    def of(self, name: str) -> list[DeviceEvent]:
        return [event for event in self.events if event.type == name]

    def opens(self, config: DeviceConfig, resume: tuple[int, int] = (0, 0)) -> DeviceLink:
        """A started link to a device, listened to by this."""
        self.link = open_link(config, asyncio.get_running_loop(), self, resume)
        self.link.start()
        return self.link

    async def command(self, name: str, **fields: Value) -> Answer:
        """A command's answer."""
        assert self.link is not None
        return await command(self.link, name, fields)

    async def command_when_up(self, name: str, **fields: Value) -> Answer:
        """The same, once the device has answered."""
        await self.until(lambda: self.ups)
        return await self.command(name, **fields)

    def statistics(self) -> Mapping[str, int]:
        assert self.link is not None
        return self.link.statistics()

    async def until_statistics(self, ready: Callable[[Mapping[str, int]], object]) -> None:
        """Wait for counters, which ring no bell: looked at whenever the loop's timers may turn."""
        async with asyncio.timeout(5):
            while not ready(self.statistics()):
                await asyncio.sleep(0.01)


async def command(link: DeviceLink, name: str, fields: Mapping[str, Value]) -> Answer:
    answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
    link.command(name, fields, answer.set_result)
    async with asyncio.timeout(10):
        return await answer
