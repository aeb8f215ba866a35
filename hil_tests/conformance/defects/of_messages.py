"""Mistakes of sections 1 to 3: payloads, frames, commands, HELLO, a controller that is gone."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from drivers.api import Value
from drivers.table_link import device_session, framing, timing
from drivers.table_link.answers import AnswerMemory
from drivers.table_link.device_session import DeviceSession
from drivers.table_link.framing import Deframer
from drivers.table_link.layout import Layout
from drivers.table_link.messages import MAX_PAYLOAD, seal, unseal
from simulators.twin import Twin

LATE_S: Final = 0.16
FEW_ANSWERS = 4


class Defect(NamedTuple):
    """``put_in`` puts a mistake into this process. ``twin`` is the kind of the twin that has it,
    ``fails`` the checks that must not hold in a whole run, no other may: the first is the one that
    is about it. ``keeps_from_being_made``: others cannot be made because of it."""

    put_in: Callable[[], None]
    twin: str
    fails: tuple[str, ...]
    keeps_from_being_made: bool


DEFECTS: Final[dict[str, Defect]] = {}
"""By name."""


def defect(
    twin: str, *fails: str, keeps_from_being_made: bool = False
) -> Callable[[Callable[[], None]], None]:
    """A defect, named after its function; see :class:`Defect`."""

    def note_defect(put_in: Callable[[], None]) -> None:
        name = put_in.__name__.replace("_", "-")
        DEFECTS[name] = Defect(put_in, twin, fails, keeps_from_being_made)

    return note_defect


def plant(owner: Any, name: str, value: Any) -> None:
    """Have this process's ``owner`` do otherwise."""
    setattr(owner, name, value)


@defect(
    "shoe",
    "a_wrong_crc_is_never_answered",
    "another_version_is_never_answered",
    "only_valid_payloads_count_as_life",
)
def crc_not_checked() -> None:
    """A payload is taken with whatever CRC it has."""

    def lenient(payload: bytes) -> tuple[int, int]:
        if len(payload) < 8:
            return unseal(payload)
        return unseal(seal(payload[1], int.from_bytes(payload[2:4], "little"), payload[4:-4]))

    plant(device_session, "unseal", lenient)


@defect("jackpot-usb", "over_long_packets_are_dropped")
def padding_taken() -> None:
    """A payload may be followed by zeros."""

    def lenient(payload: bytes) -> tuple[int, int]:
        return unseal(payload[:8] if len(payload) > MAX_PAYLOAD else payload)

    plant(device_session, "unseal", lenient)


@defect("keypad", "a_command_of_the_wrong_length_gets_nak_2", "hello_is_first")
def length_not_checked() -> None:
    """A body of the wrong length is taken, with zeros for what is missing."""
    real = Layout.unpack

    def lenient(spec: Any, payload: bytes) -> dict[str, Value]:
        body = payload[4:-4][: spec.layout.size].ljust(spec.layout.size, b"\0")
        return real(spec.layout, body)

    plant(device_session, "read_body", lenient)


@defect(
    "shoe",
    "noise_costs_no_frame_behind_its_end",
    "a_payload_too_short_or_too_long_is_never_answered",
)
def lost_in_noise() -> None:
    """After a run of noise the next frame is lost, too."""
    real = Deframer.clear

    def clear(self: Deframer) -> None:
        noisy = self._skipping and self.noise % 2 == 1
        real(self)
        if noisy:
            self.noise += 1
            self._skipping = True

    plant(framing.Deframer, "clear", clear)


@defect(
    "jackpot",
    "a_repeated_command_is_not_done_again",
    "a_repeated_command_gets_the_same_answer",
    "eight_answers_are_remembered",
)
def done_again() -> None:
    """A command that is repeated is carried out again."""
    plant(AnswerMemory, "knows", lambda self, command_id: False)


@defect("keypad", "eight_answers_are_remembered")
def few_answers_remembered() -> None:
    """Four answers are remembered, not eight."""
    plant(timing, "ANSWERS_REMEMBERED", FEW_ANSWERS)


@defect("shoe", "hello_empties_the_memory_of_answers")
def answers_outlive_hello() -> None:
    """HELLO does not empty the memory of answers."""
    plant(AnswerMemory, "forget", lambda self: None)


@defect("shuffler", "an_unknown_type_gets_nak_1")
def unknown_ignored() -> None:
    """What is unknown is not answered."""
    real = device_session._nak

    def nak(number: int, command_id: int, code: int) -> bytes:
        return b"" if code == 1 else real(number, command_id, code)

    plant(device_session, "_nak", nak)
    send = Twin._send

    def only_payloads(self: Twin) -> None:
        self._session._output[:] = [payload for payload in self._session._output if payload]
        send(self)

    plant(Twin, "_send", only_payloads)


@defect("keypad", "answers_come_in_time")
def answers_late() -> None:
    """Everything takes a little longer than it may."""
    real = Twin._send

    def send(self: Twin) -> None:
        if self._session._output:
            time.sleep(LATE_S)
        real(self)

    plant(Twin, "_send", send)


@defect("shoe", "only_valid_payloads_count_as_life")
def noise_is_life() -> None:
    """Whatever arrives keeps the controller alive."""
    real = DeviceSession.receive

    def receive(self: DeviceSession, payload: bytes, now: float) -> None:
        self._heard(now)
        real(self, payload, now)

    plant(DeviceSession, "receive", receive)


@defect("shoe", "a_controller_that_is_slow_is_not_gone")
def impatient() -> None:
    """The controller counts as gone after one second."""
    plant(timing, "GONE_AFTER_S", 1.0)
