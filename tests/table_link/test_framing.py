"""Frames on a serial line (section 2): in step again within one frame, whatever happened."""

from __future__ import annotations

import pytest
from cobs import cobs
from hypothesis import given
from hypothesis import strategies as st

from drivers.table_link.framing import DELIMITER, MAX_FRAME, Deframer, encode_frame
from drivers.table_link.messages import DroppedError, Message, decode, encode
from tests.table_link.vectors import GOOD, Vector

NEXT = encode(0x02, 77, {})
PAYLOADS = st.binary(min_size=1, max_size=56)


def messages(deframer: Deframer, data: bytes) -> list[Message]:
    """What a reader makes of the bytes: whole messages only."""
    read = []
    for payload in deframer.feed(data):
        try:
            read.append(decode(payload))
        except DroppedError:
            continue
    return read


@pytest.mark.parametrize("vector", GOOD, ids=str)
def test_vectors_whole_and_byte_by_byte(vector: Vector) -> None:
    assert encode_frame(vector.payload) == vector.serial
    assert Deframer().feed(vector.serial) == [vector.payload]
    deframer = Deframer()
    read = [payload for byte in vector.serial for payload in deframer.feed(bytes([byte]))]
    assert read == [vector.payload]


def test_all_vectors_in_one_piece() -> None:
    deframer = Deframer()
    data = b"".join(vector.serial for vector in GOOD)
    assert deframer.feed(data) == [vector.payload for vector in GOOD]
    assert (deframer.noise, deframer.bad_frames) == (0, 0)


@pytest.mark.parametrize("vector", GOOD, ids=str)
def test_a_damaged_bit_costs_one_frame(vector: Vector) -> None:
    following = encode_frame(NEXT)
    in_frame = (len(vector.serial) - 1) * 8
    for bit in range(len(vector.serial) * 8):
        damaged = bytearray(vector.serial)
        damaged[bit // 8] ^= 1 << bit % 8
        deframer = Deframer()
        read = messages(deframer, bytes(damaged) + following)
        if bit >= in_frame:  # the delimiter: both frames it parted are lost
            assert read == []
            read = messages(deframer, following)
        assert read == [decode(NEXT)]


@pytest.mark.parametrize("vector", GOOD, ids=str)
def test_a_lost_byte_costs_one_frame(vector: Vector) -> None:
    for index in range(len(vector.serial) - 1):
        deframer = Deframer()
        cut = vector.serial[:index] + vector.serial[index + 1 :]
        assert messages(deframer, cut + encode_frame(NEXT)) == [decode(NEXT)]


def test_empty_frames_are_ignored() -> None:
    deframer = Deframer()
    assert deframer.feed(b"\0\0\0" + encode_frame(NEXT) + b"\0\0") == [NEXT]
    assert (deframer.noise, deframer.bad_frames) == (0, 0)


def test_the_longest_frame_is_read_and_one_byte_more_is_noise() -> None:
    longest = encode_frame(bytes(range(1, 57)))
    assert len(longest) == MAX_FRAME + 1
    deframer = Deframer()
    assert deframer.feed(longest) == [bytes(range(1, 57))]
    assert deframer.feed(b"\1" * 58 + DELIMITER + encode_frame(NEXT)) == [NEXT]
    assert deframer.noise == 1


@pytest.mark.parametrize("step", [1, 7, 58, 1000])
def test_noise_is_counted_once_and_held_nowhere(step: int) -> None:
    deframer = Deframer()
    data = b"\xaa" * 1000 + DELIMITER + encode_frame(NEXT)
    read = []
    for start in range(0, len(data), step):
        read += deframer.feed(data[start : start + step])
    assert read == [NEXT]
    assert (deframer.noise, deframer.bad_frames) == (1, 0)


def test_bad_cobs_is_counted() -> None:
    deframer = Deframer()
    assert deframer.feed(b"\x05ab" + DELIMITER + encode_frame(NEXT)) == [NEXT]
    assert deframer.bad_frames == 1


@given(st.binary(max_size=56))
def test_a_frame_is_cobs_as_others_write_it(payload: bytes) -> None:
    assert encode_frame(payload) == cobs.encode(payload) + DELIMITER


@given(st.binary(min_size=1, max_size=MAX_FRAME) | st.lists(st.integers(1, 9)).map(bytes))
def test_a_frame_is_read_as_others_read_it(frame: bytes) -> None:
    frame = frame.replace(DELIMITER, b"\1")[:MAX_FRAME]
    try:
        expected = [cobs.decode(frame)] if frame else []
    except cobs.DecodeError:
        expected = []
    assert Deframer().feed(frame + DELIMITER) == expected


def test_clearing_forgets_the_frame_begun() -> None:
    deframer = Deframer()
    deframer.feed(b"\xaa" * 100)
    deframer.clear()
    deframer.feed(encode_frame(NEXT)[:5])
    deframer.clear()
    assert deframer.feed(encode_frame(NEXT)) == [NEXT]


@given(st.lists(PAYLOADS), st.data())
def test_frames_are_read_however_they_are_cut_up(
    payloads: list[bytes], data: st.DataObject
) -> None:
    stream = b"".join(map(encode_frame, payloads))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=20)))
    deframer = Deframer()
    read = []
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        read += deframer.feed(stream[start:end])
    assert read == payloads


@given(st.binary(max_size=200), PAYLOADS)
def test_after_any_garbage_the_frame_after_the_next_delimiter_is_read(
    garbage: bytes, payload: bytes
) -> None:
    deframer = Deframer()
    deframer.feed(garbage)
    assert deframer.feed(DELIMITER + encode_frame(payload))[-1:] == [payload]
