"""Sections 1 and 2: what is a payload and what is none, and how it goes over its carrier."""

from __future__ import annotations

from zlib import crc32

from drivers.probe import list_ports
from drivers.table_link.framing import DELIMITER, MAX_FRAME, encode_frame
from drivers.table_link.messages import COMMANDS, SPECS, encode, seal
from hil_tests.conformance.catalogue import demands
from hil_tests.conformance.controller import NOTHING, Controller
from hil_tests.conformance.subject import Subject

HELLO = COMMANDS["HELLO"].type
PING = COMMANDS["PING"].type
CRC_BYTES = 4


def _hello(controller: Controller) -> bytes:
    return encode(HELLO, controller.next_id(), NOTHING)


def _ping(controller: Controller) -> bytes:
    """A PING whose answer nobody waits for: one that is answered nevertheless is a violation."""
    command_id = 1 if controller.next_id() > 1 else 2
    return seal(PING, command_id, b"")


@demands("section 1, payload", place=[0, 1, 2, -1])
def a_wrong_crc_is_never_answered(place: int, controller: Controller) -> None:
    """Section 1: a payload is dropped when one bit of its version, type, id or CRC differs."""
    payload = bytearray(_ping(controller))
    payload[place] ^= 0x10
    controller.silent([bytes(payload)])


@demands("section 1, payload")
def another_version_is_never_answered(controller: Controller) -> None:
    """Section 1: a payload of another version is dropped, its CRC right or not."""
    start = bytes([2]) + _ping(controller)[1:-CRC_BYTES]
    controller.silent([start + _crc(start)])


@demands("section 1, payload", size=[1, 7, 57, 60])
def a_payload_too_short_or_too_long_is_never_answered(size: int, controller: Controller) -> None:
    """Section 1: a payload of other than 8 to 56 bytes is dropped, its CRC right or not."""
    start = (bytes([1, PING, 1, 0]) + bytes([0x55]) * size)[: max(size - CRC_BYTES, 0)]
    controller.silent([(start + _crc(start))[-size:]])


@demands("section 1, payload", number=[0x80 | HELLO, 0x80 | PING, 0xFF, 0xC0])
def an_answer_sent_to_a_device_is_dropped(number: int, controller: Controller) -> None:
    """Section 1: a payload of type 0x80 and above is dropped: on two wires one hears itself."""
    body = bytes(SPECS[number].layout.size) if number in SPECS else b""
    controller.silent([seal(number, controller.next_id(), body)])


@demands("section 1, payload", name=["PING", "HELLO", "SELF_TEST"])
def a_command_with_id_0_is_dropped(name: str, controller: Controller) -> None:
    """Section 1: a command with id 0, which is that of events and EVENT_ACK, is dropped."""
    fields = NOTHING if name == "HELLO" else {}
    controller.silent([encode(COMMANDS[name].type, 0, fields)])


@demands("section 1, payload", more=[-1, 1])
def a_command_of_the_wrong_length_gets_nak_2(more: int, controller: Controller) -> None:
    """Section 1: a command with a right CRC and a body a byte short or long gets NAK 2."""
    for spec in COMMANDS.values():
        size = spec.layout.size + more
        if controller.kind not in spec.kinds or spec.name == "EVENT_ACK" or size < 0:
            continue
        message = controller.answered(
            controller.say_type(spec.type, bytes(size)), spec.name
        ).message
        controller.expect(
            message.name == "NAK" and message.fields == {"code": 2, "refused": spec.type},
            f"NAK 2 (bad body) for {spec.name} with a body of {size} bytes, not {spec.layout.size}",
        )


@demands("section 1, payload", size=[0, 7, 9])
def an_acknowledgement_of_the_wrong_length_is_dropped(size: int, controller: Controller) -> None:
    """Section 1: EVENT_ACK is never answered, well-formed or not."""
    controller.silent([seal(COMMANDS["EVENT_ACK"].type, 0, bytes(size))])


@demands("section 2, serial", carriers=("serial",))
def empty_frames_are_ignored(controller: Controller) -> None:
    """Section 2: a run of 0x00 is nothing, and costs nothing."""
    controller.line.write(DELIMITER * 40)
    controller.ping_once()


@demands("section 2, serial", carriers=("serial",))
def half_a_frame_costs_no_other(controller: Controller) -> None:
    """Section 2: what a pulled cable has cut off ends with the next 0x00."""
    frame = encode_frame(_hello(controller))
    controller.line.write(frame[: len(frame) // 2] + DELIMITER)
    controller.ping_once()


@demands("section 2, serial", carriers=("serial",))
def noise_costs_no_frame_behind_its_end(controller: Controller) -> None:
    """Section 2: more than 57 bytes without 0x00 are dropped up to the next one."""
    for length in (MAX_FRAME, MAX_FRAME + 1, 300):
        controller.line.write(bytes([0x7A]) * length + DELIMITER)
        controller.ping_once()


@demands("section 2, serial", carriers=("serial",))
def a_frame_may_come_byte_by_byte(controller: Controller) -> None:
    """Section 2: the delimiter ends a frame, and nothing else does."""
    payload = _hello(controller)
    for byte in encode_frame(payload):
        controller.line.write(bytes([byte]))
    controller.once(payload, "HELLO to be answered that comes byte by byte")


@demands("section 2, serial", carriers=("serial",))
def frames_may_come_in_one_piece(controller: Controller) -> None:
    """Section 2: each of several commands sent at once is answered."""
    payloads = [encode(PING, controller.next_id(), {}) for _ in range(4)]
    controller.line.write(b"".join(map(encode_frame, payloads)))
    for number, payload in enumerate(payloads, 1):
        controller.once(
            payload, f"PING {number} of {len(payloads)} to be answered, sent in one piece"
        )


@demands("section 2, USB", carriers=("usb",))
def over_long_packets_are_dropped(controller: Controller) -> None:
    """Section 2: a packet with anything behind its payload is dropped: there is no padding."""
    payload = _ping(controller)
    controller.silent([payload + bytes(64 - len(payload)), payload + b"\0"])


@demands("section 2, USB", carriers=("usb",))
def the_serial_number_is_the_one_of_hello(subject: Subject, controller: Controller) -> None:
    """Section 2: the string descriptor of the serial number says what HELLO says."""
    vendor_product = ":".join(subject.place.port.split(":")[:2])
    controller.line.close()
    listed = [found.port for found in list_ports() if found.port.startswith(vendor_product)]
    serial = controller.hello["serial"]
    controller.expect(
        f"{vendor_product}:{serial}" in listed,
        f"a USB unit with the serial number of HELLO, {serial}; there are {', '.join(listed)}",
    )


def _crc(start: bytes) -> bytes:
    return crc32(start).to_bytes(4, "little")
