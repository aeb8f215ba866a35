"""Lines of the control socket: what is a request, and that nothing else ever is."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.control.protocol import (
    MAX_LINE_BYTES,
    BadRequest,
    Request,
    encode_error,
    encode_request,
    encode_result,
    parse_request,
)

SWAP = ("lies 1 2", "lies 2 1")


def line(**data: Any) -> bytes:
    return json.dumps({"v": 1, "id": 1, **data}).encode()


@pytest.mark.parametrize(
    "request_",
    [
        Request(1, "status"),
        Request(0, "watch"),
        Request(2, "dealer", "double 1 50"),
        Request(3, "supervisor", "void", "Ida", "Stromausfall, §5 — müde"),
        Request(4, "supervisor", "resume"),
        Request(5, "self_test", device="jackpot"),
        Request(6, "capture", device="shoe"),
        Request(7, "links"),
        Request(8, "round", number="118"),
        Request(9, "dealer", "open", at=0, key="9f-2/1"),
        Request(9, "dealer", "open", at=7, dry=True),
        Request(10, "entries", after=12, most=256),
        Request(10, "checkpoint", after=12, old=3),
        Request(10, "witnessed", name="w1", answer="200", size=5, time=7, cosignatures=("— a",)),
        Request(9, "supervisor", "lies 1 2; lies 2 1", "Ida", dry=True, commands=SWAP),
    ],
)
def test_a_request_is_read_as_it_was_written(request_: Request) -> None:
    assert parse_request(encode_request(request_).removesuffix(b"\n")) == request_


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "JSON object"),
        (b"open", "JSON object"),
        (b"[]", "a JSON object"),
        (b"\xff\xfe", "UTF-8"),
        (b'{"v":1,"v":1,"id":1,"do":"status"}', "each key once"),
        (b'{"v":1,"id":NaN,"do":"status"}', "JSON"),
        (b"[" * 8000, "JSON object"),
        (b'{"v":1,"id":' + b"9" * 5000 + b',"do":"status"}', "JSON object"),
        (b'{"v":1,"do":"status"}', "id: expected"),
        (line(id=True, do="status"), "id: expected"),
        (line(id=-1, do="status"), "id: expected"),
        (line(v=2, do="status"), "version 1"),
        (line(v=True, do="status"), "version 1"),
        (line(do="stop"), "do: expected one of"),
        (line(do=["status"]), "do: expected one of"),
        (line(do="status", command="x"), "has no key 'command'"),
        (line(do="dealer"), "command.* expected printable"),
        (line(do="dealer", command=" "), "command.* expected printable"),
        (line(do="dealer", command={"a": 1}), "command.* expected printable"),
        (line(do="dealer", command="open\n"), "command.* expected printable"),
        (line(do="dealer", command="\x1b[2J"), "command.* expected printable"),
        (line(do="dealer", command="\ud800"), "command.* expected printable"),
        (line(do="dealer", command="x" * 201), "at most 200"),
        (line(do="dealer", command="open", by="Ida"), "has no key 'by'"),
        (line(do="supervisor", command="void", why="x" * 501), "at most 500"),
        (line(do="supervisor", command="void", by=7), "by.* expected printable"),
        (line(do="dealer", command="open", at="7"), "at = .*: expected 0 to 9007199254740991"),
        (line(do="dealer", command="open", at=-1), "at = .*: expected 0 to 9007199254740991"),
        (line(do="dealer", command="open", at=True), "at = .*: expected 0 to 9007199254740991"),
        (line(do="status", at=7), "has no key 'at'"),
        (line(do="dealer", command="open", key=""), "key.* expected printable"),
        (line(do="dealer", command="open", key="x" * 65), "at most 64"),
        (line(do="dealer", command="open", dry=1), "dry = 1: expected true or false"),
        (line(do="dealer", command="open", dry=True, key="k"), "a dry run is not stored"),
        (line(do="dealer", commands=SWAP), "commands: of a dry run"),
        (line(do="dealer", command="open", commands=SWAP, dry=True), "commands: of a dry run"),
        (line(do="dealer", commands=[], dry=True), "expected a list of 1 to 30"),
        (line(do="dealer", commands=["x"] * 31, dry=True), "expected a list of 1 to 30"),
        (line(do="dealer", commands="open", dry=True), "expected a list of 1 to 30"),
        (line(do="dealer", commands=["open", 7], dry=True), "commands.* expected printable"),
        (line(do="dealer", commands=["x" * 201], dry=True), "at most 200"),
        (line(do="entries", after=-1, most=5), "after = .*: expected 0 to 9007199254740991"),
        (line(do="entries", after=True, most=5), "after = .*: expected 0 to 9007199254740991"),
        (line(do="entries", most=1 << 53), "most = .*: expected 0 to 9007199254740991"),
        (line(do="entries", old=5), "has no key 'old'"),
        (line(do="checkpoint", cosignatures=[]), "has no key 'cosignatures'"),
        (line(do="witnessed", name="w1"), "answer.* expected printable"),
        (line(do="witnessed", name="w1", answer="200", cosignatures="x"), "at most 8 lines"),
        (line(do="witnessed", name="w1", answer="2", cosignatures=["x"] * 9), "at most 8 lines"),
        (line(do="witnessed", name="w1", answer="2", cosignatures=["x\n"]), "expected printable"),
        (line(do="witnessed", name="w1", answer="2", cosignatures=["x" * 501]), "at most 500"),
    ],
)
def test_anything_else_is_refused_with_what_was_expected(raw: bytes, reason: str) -> None:
    with pytest.raises(BadRequest, match=reason) as caught:
        parse_request(raw)
    assert not caught.value.fatal


def test_a_line_that_is_too_long_is_fatal() -> None:
    with pytest.raises(BadRequest) as caught:
        parse_request(b" " * (MAX_LINE_BYTES + 1))
    assert caught.value.fatal


def test_the_id_comes_back_where_it_could_be_read() -> None:
    with pytest.raises(BadRequest) as caught:
        parse_request(line(id=77, do="stop"))
    assert caught.value.id == 77


@given(st.binary(max_size=300))
def test_bytes_are_read_or_refused(raw: bytes) -> None:
    with suppress(BadRequest):
        parse_request(raw)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
KEYS = st.sampled_from(
    [*("v", "id", "do", "command", "by", "why", "x"), *("at", "key", "dry", "commands")]
)
SAMPLES: list[Any] = [1, 0, "status", "watch", "dealer", "supervisor", "open", True, ["open"]]
VALUES = st.sampled_from(SAMPLES) | JSON


@given(st.dictionaries(KEYS, VALUES))
def test_objects_are_read_or_refused(data: dict[str, Any]) -> None:
    raw = json.dumps(data).encode()
    try:
        request = parse_request(raw)
    except BadRequest:
        return
    told = {k: v for k, v in data.items() if v is not None and (k, v) != ("dry", False)}
    assert json.loads(encode_request(request)) == told


def test_answers_are_one_line_each() -> None:
    result = encode_result(3, b'{"a":1}')
    error = encode_error(None, "refused", "Zeile\nzwei", "3.27", ["hit 2"], code="not-in-turn")
    assert json.loads(result) == {"v": 1, "id": 3, "ok": True, "result": {"a": 1}}
    assert json.loads(error)["error"]["reason"] == "Zeile\nzwei"
    assert result.count(b"\n") == error.count(b"\n") == 1
