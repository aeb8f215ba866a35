"""Defects of the link: each is a macro of ``link.pml`` and a bench whose code has the same defect.

The checker has to find each of them, and the run that it writes has to do the same harm to this
code and none to the real one (``tests/proof/models``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from drivers.api import Value
from drivers.table_link.answers import AnswerMemory
from drivers.table_link.controller_session import ControllerSession, _Phase
from drivers.table_link.device_session import DeviceSession
from drivers.table_link.link_events import Memory
from drivers.table_link.messages import Spec
from drivers.table_link.outstanding import OutstandingCommand
from proof.models.link.link_bench import LinkBench
from proof.models.playing import Defect


class AcknowledgeEarly(LinkBench):
    """An event is acknowledged when it came, not when it is stored."""

    def _received(self, session: int, number: int, event: int) -> None:
        super()._received(session, number, event)
        assert self.controller is not None
        self.controller.acknowledge(session, number)

    def _committed(self, session: int, number: int) -> None:
        """It has been."""


class ForgetSession(LinkBench):
    """A process that starts greets as if it knew nothing."""

    def _resume(self) -> tuple[int, int]:
        return 0, 0


class SameSession(LinkBench):
    """A device that has lost its events goes on under the session that it had."""

    def _next_session(self) -> int:
        return self.device.session_id


class _Oblivious(AnswerMemory):
    def knows(self, command_id: int) -> bool:
        """None was taken before."""
        return False


class ActAgain(LinkBench):
    """A device acts on every copy of a command."""

    def _make_device(self, session: int, memory: Memory | None) -> DeviceSession:
        device = super()._make_device(session, memory)
        device._answers = _Oblivious()
        return device


class _EagerSession(ControllerSession):
    def _receive_event(self, spec: Spec, payload: bytes, now: float) -> None:
        phase = self._phase
        if self._stream.session:
            self._phase = _Phase.UP
        super()._receive_event(spec, payload, now)
        self._phase = phase


class Eager(LinkBench):
    """Events are taken that come before the answer to HELLO."""

    session = _EagerSession


class _AheadSession(ControllerSession):
    def _hello(self, now: float, transmissions: int) -> None:
        stored = self._stream.stored
        self._stream.stored = (self._stream.session, self._stream.received)
        super()._hello(now, transmissions)
        self._stream.stored = stored


class HelloSaysReceived(LinkBench):
    """HELLO carries what was received, stored or not."""

    session = _AheadSession


class _TrustingSession(ControllerSession):
    def _answered(self, asked: OutstandingCommand, fields: dict[str, Value], now: float) -> None:
        if asked.name == "HELLO":
            asked._sent = 1
        super()._answered(asked, fields, now)


class AnyHelloCounts(LinkBench):
    """The answer to a HELLO counts although copies of it may still be on their way: the code as it
    was before the model found that."""

    session = _TrustingSession


_AS_THE_CODE: Final = {"COMMANDS": 0, "SENT": 4, "WINDOW": 8, "ROOM": 2}
"""The code's own number of transmissions and of events in flight."""
_TWO: Final = {**_AS_THE_CODE, "EVENTS": 2, "FAULTS": 2}

DEFECTS: Final[Mapping[str, Defect[LinkBench]]] = {
    "ACKNOWLEDGE_EARLY": Defect(_TWO, 24, AcknowledgeEarly),
    "FORGET_SESSION": Defect(_TWO, 24, ForgetSession),
    "SAME_SESSION": Defect(_TWO, 24, SameSession),
    "ACT_AGAIN": Defect({**_TWO, "COMMANDS": 1}, 24, ActAgain),
    "EAGER": Defect(_TWO, 22, Eager),
    "HELLO_SAYS_RECEIVED": Defect(_TWO, 24, HelloSaysReceived),
    "ANY_HELLO_COUNTS": Defect({**_AS_THE_CODE, "EVENTS": 1, "FAULTS": 4}, 20, AnyHelloCounts),
}
"""By the macro of the model."""
