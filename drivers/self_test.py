"""Runs the self-test of the device on a port, without a daemon: as a probe, then SELF_TEST.

While it tests itself the device is sent an acknowledgement of nothing, now and then: it would take
its controller as gone after 2 s of silence (protocol section 3) and might break off. What is said
of probes (:mod:`drivers.probe`) holds here too.
"""

from __future__ import annotations

from dataclasses import dataclass

from drivers.probe import NOTHING_CONFIRMED, ask_device, open_line, some_id
from drivers.table_link.greeting import Greeting
from drivers.table_link.messages import EVENT_ACK, encode
from drivers.vocabulary import FAULT_BITS


@dataclass(frozen=True, slots=True)
class SelfTestReport:
    """Who tested itself on ``port``: the numbers of the tests that ``failed``, and how long it took
    by its own account."""

    port: str
    kind: str
    serial: str
    failed: tuple[int, ...]
    duration_ms: int


def failed_tests(bits: int) -> tuple[int, ...]:
    """The numbers of the tests whose bit is set in the answer to SELF_TEST."""
    return tuple(bit for bit in range(bits.bit_length()) if bits >> bit & 1)


def test_name(number: int) -> str:
    """A test's number, with what the same bit means among a device's faults."""
    return f"{number} ({FAULT_BITS[number]})" if number < len(FAULT_BITS) else str(number)


def self_test(port: str, baud: int = 115200) -> SelfTestReport:
    """Have the device on a serial port, or a USB unit, test itself; up to 20 s.

    ``DriverError``: the port cannot be opened or is in use, nobody answers, or it refuses.
    """
    line = open_line(port, baud)
    first_id = some_id()
    nothing = encode(EVENT_ACK, 0, NOTHING_CONFIRMED)
    try:
        who = Greeting.from_fields(
            ask_device(line, port, "HELLO", first_id, NOTHING_CONFIRMED)
        ).identity
        told = ask_device(line, port, "SELF_TEST", first_id + 1, {}, meanwhile=nothing)
    finally:
        line.close()
    return SelfTestReport(
        port,
        who.kind,
        who.serial,
        failed_tests(int(str(told["failed"]))),
        int(str(told["duration_ms"])),
    )
