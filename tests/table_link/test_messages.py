"""Messages as data and their payloads (sections 1 and 5)."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.api import Value
from drivers.table_link.layout import Field, Layout
from drivers.table_link.messages import (
    COMMANDS,
    EVENTS,
    MAX_PAYLOAD,
    SPECS,
    DroppedError,
    DropReason,
    Role,
    decode,
    encode,
    seal,
)
from tests.table_link.vectors import DROPPED, GOOD, Vector


@pytest.mark.parametrize("vector", GOOD, ids=str)
def test_vectors_are_encoded_and_decoded(vector: Vector) -> None:
    assert encode(vector.type, vector.id, vector.fields) == vector.payload
    message = decode(vector.payload)
    assert (message.type, message.id, message.fields) == (vector.type, vector.id, vector.fields)
    assert vector.name.startswith(message.name)


def test_there_is_a_vector_for_every_message() -> None:
    assert {vector.type for vector in GOOD} == set(SPECS)


@pytest.mark.parametrize("name", DROPPED)
def test_dropped_vectors_are_dropped(name: str) -> None:
    with pytest.raises(DroppedError):
        decode(DROPPED[name])


def test_drops_are_told_apart() -> None:
    payload = encode(0x10, 5, {"unlocked": 1, "cards": 1})
    wrong_version = DROPPED["version 2, CRC right"]
    cases = [
        (payload[:7], DropReason.SIZE),
        (seal(0x10, 5, bytes(49)), DropReason.SIZE),
        (payload[:-1] + bytes([payload[-1] ^ 1]), DropReason.CRC),
        (wrong_version, DropReason.VERSION),
        (seal(0x33, 5, b""), DropReason.TYPE),
        (seal(0x83, 5, b""), DropReason.TYPE),  # EVENT_ACK has no answer
        (seal(0x10, 5, b"\1"), DropReason.LENGTH),
        (seal(0x10, 5, b"\1\1\1"), DropReason.LENGTH),
    ]
    for case, reason in cases:
        with pytest.raises(DroppedError) as caught:
            decode(case)
        assert caught.value.reason is reason


@pytest.mark.parametrize("vector", GOOD, ids=str)
def test_every_single_bit_counts(vector: Vector) -> None:
    for bit in range(len(vector.payload) * 8):
        damaged = bytearray(vector.payload)
        damaged[bit // 8] ^= 1 << bit % 8
        with pytest.raises(DroppedError):
            decode(bytes(damaged))


@given(st.binary(max_size=80))
def test_any_bytes_are_dropped_or_decoded(data: bytes) -> None:
    for payload in (data, seal(data[0] if data else 0, 1, data[1:])):
        with contextlib.suppress(DroppedError):
            assert decode(payload).type in SPECS


def _values(field: Field) -> st.SearchStrategy[Value]:
    if field.shape == "s":
        return st.text(st.characters(min_codepoint=1, max_codepoint=127), max_size=field.size)
    if field.shape == "x":
        return st.binary(min_size=field.size, max_size=field.size).map(bytes.hex)
    if field.shape == "v":
        return st.tuples(*[st.integers(0, 255)] * field.size)
    bits = 8 * field.size
    return st.integers(-128, 127) if field.shape == "i" else st.integers(0, 2**bits - 1)


@given(st.data())
def test_what_is_encoded_is_decoded(data: st.DataObject) -> None:
    spec = data.draw(st.sampled_from(list(SPECS.values())))
    fields = data.draw(st.fixed_dictionaries({f.name: _values(f) for f in spec.layout.fields}))
    command_id = data.draw(st.integers(0, 0xFFFF))
    payload = encode(spec.type, command_id, fields)
    assert len(payload) <= MAX_PAYLOAD
    message = decode(payload)
    assert (message.type, message.id, message.fields) == (spec.type, command_id, fields)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"row": 0},
        {"row": 0, "text": "X", "more": 1},
        {"row": 256, "text": "X"},
        {"row": -1, "text": "X"},
        {"row": "0", "text": "X"},
        {"row": 0, "text": "21 characters is over"},
        {"row": 0, "text": "BÄR"},
        {"row": 0, "text": 5},
    ],
    ids=str,
)
def test_bad_fields_are_not_encoded(fields: dict[str, Value]) -> None:
    with pytest.raises(ValueError, match=r"."):
        encode(COMMANDS["TEXT"].type, 1, fields)


@pytest.mark.parametrize("value", ["00", "zz" * 16, "00" * 17, 5, (1,) * 16])
def test_a_nonce_is_sixteen_bytes_in_hexadecimal(value: Value) -> None:
    with pytest.raises(ValueError, match=r"."):
        encode(COMMANDS["AUTHENTICATE"].type, 1, {"nonce": value})


def test_firmware_is_a_triple_of_bytes() -> None:
    layout = Layout("firmware:3v")
    assert layout.unpack(layout.pack({"firmware": (1, 2, 255)})) == {"firmware": (1, 2, 255)}
    bad: list[Value] = [(1, 2), (1, 2, 256), "123"]
    for value in bad:
        with pytest.raises(ValueError, match=r"."):
            layout.pack({"firmware": value})


def test_a_text_that_is_not_ascii_is_still_read() -> None:
    layout = EVENTS["KEY"].own
    fields = layout.unpack(b"\xe9\0")
    assert fields == {"key": "é", "supervisor": 0}
    assert not layout.is_ascii(fields)


def test_answers_have_bit_7_and_events_are_below() -> None:
    for spec in SPECS.values():
        assert (spec.type >= 0x80) == (spec.role is Role.ANSWER)
