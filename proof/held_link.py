"""A device's link above the frames, whose events and answers come when somebody has them come."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from drivers.api import Answer, DeviceEvent, DeviceListener, Identity, LinkDown, LinkUp, Value

Asked = tuple[str, Mapping[str, Value], Callable[[Answer], None]]


class HeldLink:
    """A :class:`drivers.api.DeviceLink`. ``asked`` is the command that waits for its answer, with
    what is called then; ``last_event`` of its ``session`` has arrived."""

    def __init__(self, name: str, listener: DeviceListener, resume: tuple[int, int]) -> None:
        self.name = name
        self.listener = listener
        self.session, self.last_event = resume
        self.up = False
        self.asked: Asked | None = None

    def start(self) -> None:
        """It comes up when that is said."""

    async def close(self) -> None:
        """Nobody is told."""

    def statistics(self) -> Mapping[str, int]:
        """None."""
        return {}

    def command(
        self, name: str, fields: Mapping[str, Value], done: Callable[[Answer], None]
    ) -> None:
        """It is on its way."""
        assert self.asked is None, f"{name} while {self.asked} waits"
        self.asked = name, fields, done

    def acknowledge(self, session: int, event_no: int) -> None:
        """Everything up to there is stored."""

    def answer(self, fields: Mapping[str, Value] | None = None, nak: int | None = None) -> None:
        """The answer to what was asked arrives; with neither it is lost."""
        if self.asked is not None:
            (name, _, done), self.asked = self.asked, None
            done(Answer(name, fields, nak))

    def come_up(self, identity: Identity, last_event: int, *, new_session: bool = False) -> None:
        """HELLO was answered by a device that has made events up to that number."""
        self.up = True
        self.listener.link_up(
            LinkUp(self.name, identity, self.session, new_session, last_event, self.last_event)
        )

    def go_down(self, reason: str) -> None:
        """It does not answer any more."""
        if self.up:
            self.up = False
            self.listener.link_down(LinkDown(self.name, reason))
            self.answer()

    def event(self, kind: str, fields: Mapping[str, Value], t_ms: int) -> None:
        """The device's next event arrives."""
        self.last_event += 1
        event = DeviceEvent(self.name, self.session, self.last_event, t_ms, kind, fields)
        self.listener.device_event(event)
