"""Mistakes of section 4: events, their numbers and sessions, what is kept and what is covered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from drivers.api import Value
from drivers.table_link import timing
from drivers.table_link.device_session import DeviceSession
from drivers.table_link.event_queue import EventQueue
from drivers.table_link.link_events import Memory
from drivers.table_link.messages import seal
from hil_tests.conformance.defects.of_messages import defect, plant
from simulators.twin import Twin

LARGE_WINDOW = 16


@defect("keypad", "an_event_is_repeated_until_it_is_acknowledged")
def not_repeated() -> None:
    """An event is sent once."""
    real = EventQueue.to_send

    def to_send(self: EventQueue, now: float) -> list[bytes]:
        self.resend_at = None
        due = real(self, now)
        self.resend_at = None
        return due

    plant(EventQueue, "to_send", to_send)


@defect(
    "shoe", "an_event_is_repeated_until_it_is_acknowledged", "every_event_heard_again_was_the_same"
)
def repeated_with_another_time() -> None:
    """A repetition has the time of now."""
    real = EventQueue.to_send

    def to_send(self: EventQueue, now: float) -> list[bytes]:
        stamp = int(now * 1000) & 0xFFFFFFFF
        return [
            seal(each[1], 0, each[4:8] + stamp.to_bytes(4, "little") + each[12:-4])
            for each in real(self, now)
        ]

    plant(EventQueue, "to_send", to_send)


def _numbered(by: Callable[[int], int]) -> None:
    real = EventQueue.add

    def add(self: EventQueue, payload: bytes) -> None:
        number = by(int.from_bytes(payload[4:8], "little"))
        real(self, seal(payload[1], 0, number.to_bytes(4, "little") + payload[8:-4]))

    plant(EventQueue, "add", add)


@defect(
    "keypad",
    "numbers_follow_each_other",
    "every_event_heard_had_the_next_number",
    keeps_from_being_made=True,
)
def numbers_go_back() -> None:
    """Every third event has the number of the one before."""
    _numbered(lambda number: number - (number % 3 == 0))


@defect(
    "keypad",
    "numbers_follow_each_other",
    "every_event_heard_had_the_next_number",
    keeps_from_being_made=True,
)
def numbers_left_out() -> None:
    """Every third number is left out for the next one."""
    _numbered(lambda number: number + (number % 3 == 0))


@defect("shoe", "at_most_eight_are_in_flight")
def window_too_large() -> None:
    """Sixteen events are in flight."""
    plant(timing, "EVENT_WINDOW", LARGE_WINDOW)


@defect("shoe", "an_acknowledgement_of_something_else_changes_nothing")
def any_session_acknowledges() -> None:
    """An acknowledgement counts whatever session it names."""
    real = DeviceSession._acknowledged

    def acknowledged(self: DeviceSession, fields: Mapping[str, Value], now: float) -> None:
        real(self, {**fields, "session_id": self._session_id}, now)

    plant(DeviceSession, "_acknowledged", acknowledged)


def _greeting(change: Callable[[DeviceSession, Mapping[str, Value]], Mapping[str, Value]]) -> None:
    real = DeviceSession._hello

    def hello(
        self: DeviceSession, command_id: int, fields: Mapping[str, Value], now: float
    ) -> None:
        real(self, command_id, change(self, fields), now)

    plant(DeviceSession, "_hello", hello)


@defect("keypad", "hello_of_another_session_covers_nothing")
def any_session_covers() -> None:
    """HELLO covers events whatever session it names."""
    _greeting(lambda session, fields: {**fields, "session_id": session.session_id})


@defect("keypad", "hello_covers_what_is_stored")
def hello_covers_nothing() -> None:
    """HELLO does not drop what the controller has stored."""
    _greeting(lambda session, fields: {**fields, "event_no": 0})


@defect("keypad", "events_wait_for_hello", "only_valid_payloads_count_as_life", "hello_is_first")
def talks_to_nobody() -> None:
    """Events go on when the controller is gone."""
    plant(DeviceSession, "_fall_silent", lambda self: self._queue.rewind())


@defect("shoe", "nothing_is_lost_with_the_cable")
def lost_with_the_cable() -> None:
    """A pulled cable costs the events that were not acknowledged."""
    real = Twin.do_plug

    def plug(self: Twin) -> dict[str, Any]:
        self._session._queue = EventQueue(self._session._queue.last)
        return real(self)

    plant(Twin, "do_plug", plug)


@defect(
    "shoe", "nothing_is_lost_with_the_power", "a_reset_device_wants_hello_and_keeps_its_session"
)
def session_kept_without_memory() -> None:
    """After a loss of power it has forgotten its events and goes on under the same session."""

    def power_on(self: Twin, *, forget: bool) -> None:
        _start_with(self, Memory(self.session, 0, ()))

    plant(Twin, "_power_on", power_on)


@defect(
    "jackpot", "a_reset_device_wants_hello_and_keeps_its_session", "nothing_is_lost_with_the_power"
)
def lost_with_a_restart() -> None:
    """A restart costs the events that were not acknowledged, and the session goes on."""

    def power_on(self: Twin, *, forget: bool) -> None:
        _start_with(self, Memory(self.session, self.last_event, ()))

    plant(Twin, "_power_on", power_on)


@defect(
    "shoe", "a_reset_device_wants_hello_and_keeps_its_session", "nothing_is_lost_with_the_power"
)
def another_session_counts_on() -> None:
    """Behind a restart another session goes on with the numbers of the one before."""

    def power_on(self: Twin, *, forget: bool) -> None:
        _start_with(self, replace(self._session.memory(), session_id=self._session_id()))

    plant(Twin, "_power_on", power_on)


def _start_with(twin: Twin, memory: Memory) -> None:
    twin.model = twin._make_model(twin)
    twin.powered, twin.served = True, False
    twin._session = twin._start(memory)
