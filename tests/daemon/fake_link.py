"""A device that is only its link: what it is told is noted, and answered when the test says so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from drivers.api import Answer, DeviceEvent, DeviceListener, Identity, LinkUp, Value

if TYPE_CHECKING:
    from tests.daemon.house import House


class FakeLink:
    """One device's link; ``outstanding`` is the command that waits for its answer."""

    def __init__(self, name: str, house: House, listener: DeviceListener) -> None:
        self.name = name
        self.house = house
        self.listener = listener
        self.loop = asyncio.get_running_loop()
        self.last_event = 0
        self.counts: dict[str, int] = {}
        self.session = 77
        self.meter = {"state": 0, "offer_id": 0, "box": 0, "multiplier": 0, "pressed": 0}
        self.outstanding: tuple[str, Mapping[str, Value], Callable[[Answer], None]] | None = None

    def start(self) -> None:
        return

    async def close(self) -> None:
        return

    def statistics(self) -> Mapping[str, int]:
        return dict(self.counts)

    def command(
        self, name: str, fields: Mapping[str, Value], done: Callable[[Answer], None]
    ) -> None:
        assert self.outstanding is None, f"{name} while {self.outstanding} waits"
        self.house.sent.append((self.name, name, dict(fields)))
        self.outstanding = name, fields, done
        if self.name in self.house.prompt:
            self.loop.call_soon(self.answer)

    def acknowledge(self, session: int, event_no: int) -> None:
        self.house.sent.append((self.name, "EVENT_ACK", {"session": session, "no": event_no}))

    def answer(self, *, nak: int | None = None, lost: bool = False) -> None:
        """Answer the outstanding command as the device would."""
        if self.outstanding is None:
            return
        (name, fields, done), self.outstanding = self.outstanding, None
        if nak is not None or lost:
            done(Answer(name, nak=nak))
            return
        told: Mapping[str, Value] = {}
        match name:
            case "GATE" | "DISARM":
                told = {"last_event": self.last_event}
            case "METER":
                told = dict(self.meter)
            case "ARM":
                self.meter |= {"state": 1, "offer_id": int(str(fields["offer_id"])), "pressed": 0}
        done(Answer(name, fields=told))

    def up(self, *, new_session: bool = False, taken: int | None = None) -> None:
        """HELLO was answered."""
        identity = Identity(self.name, f"{self.name}-1", (1, 0, 0), "00", 0b1001)
        taken = self.last_event if taken is None else taken
        self.listener.link_up(
            LinkUp(self.name, identity, self.session, new_session, self.last_event, taken)
        )

    def event(self, kind: str, **fields: int | str) -> int:
        """The device's next event; its number."""
        self.last_event += 1
        return self.repeat(self.last_event, kind, **fields)

    def repeat(self, number: int, kind: str, **fields: int | str) -> int:
        """An event under a number of the test's choosing."""
        self.listener.device_event(
            DeviceEvent(self.name, self.session, number, number * 100, kind, fields)
        )
        return number
