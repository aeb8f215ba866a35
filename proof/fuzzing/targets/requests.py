"""Lines at the control socket, as text: a request that can be read, or the reason why not.

What was read is within its bounds, printable, and reads the same when it is written again.
"""

from __future__ import annotations

import json
from dataclasses import replace

from controller.control.protocol import (
    MAX_COMMAND,
    MAX_ID,
    MAX_LINE_BYTES,
    MAX_NAME,
    MAX_REASON,
    PIN,
    BadRequest,
    Request,
    encode_error,
    encode_request,
    parse_request,
)
from proof.fuzzing.target import Target

SEEDS = (
    b'{"v":1,"id":1,"do":"status"}',
    b'{"v":1,"id":2,"do":"watch"}',
    b'{"v":1,"id":2,"do":"counters"}',
    b'{"v":1,"id":2,"do":"round","number":"last"}',
    b'{"v":1,"id":2,"do":"shift","which":"2026-11-25"}',
    b'{"v":1,"id":2,"do":"self_test","device":"shoe"}',
    b'{"v":1,"id":2,"do":"ready"}',
    b'{"v":1,"id":2,"do":"links"}',
    b'{"v":1,"id":2,"do":"links_lately"}',
    b'{"v":1,"id":2,"do":"capture","device":"keypad"}',
    b'{"v":1,"id":3,"do":"try","device":"jackpot"}',
    b'{"v":1,"id":4,"do":"device_command","device":"jackpot","command":"ARM box=3"}',
    b'{"v":1,"id":5,"do":"device_tested","device":"shoe","test":"gate","verdict":"well","what":"x"}',
    b'{"v":1,"id":3,"do":"dealer","command":"stand 1"}',
    b'{"v":1,"id":4,"do":"supervisor","command":"void","by":"Ida","why":"misdeal"}',
    b'{"v":1,"id":5,"do":"dealer","command":"open","at":1,"key":"k/1"}',
    b'{"v":1,"id":6,"do":"supervisor","commands":["lies 1 2","lies 2 1"],"dry":true,"by":"Ida"}',
    b'{"v":1,"id":7,"do":"sign_in","person":"Novak","pin":"1234"}',
    b'{"v":1,"id":8,"do":"sign_out"}',
    b'{"v":1,"id":7,"do":"self_test","device":"shoe","person":"Novak","pin":"123456789012"}',
    b'{"v":1,"id":7,"do":"people"}',
    b'{"v":1,"id":7,"do":"person_add","person":"Tan","role":"technician","pin":"0000"}',
    b'{"v":1,"id":7,"do":"person_pin","person":"Tan","pin":"0001"}',
    b'{"v":1,"id":7,"do":"person_remove","person":"Tan"}',
    b'{"v":1,"id":7,"do":"entries","after":5,"most":256}',
    b'{"v":1,"id":7,"do":"checkpoint","after":5,"old":3}',
    b'{"v":1,"id":7,"do":"subtree","start":256,"end":300,"size":400}',
    b'{"v":1,"id":7,"do":"witnessed","name":"w","size":5,"answer":"409 9","cosignatures":["x"]}',
    b'{"v":1,"id":9007199254740991,"do":"supervisor","command":"card 9D","by":null}',
)
_WORDS = rb"""{"v":1, "id": "do": "dealer" "supervisor" "status" "watch" "command" "by" "why"
    "self_test" "capture" "device" "counters" "round" "number" null
    "at" "key" "dry" "commands" "person" "pin" "sign_in" "1234"
    true 1e9 -1 1.0 NaN Infinity 9007199254740992 [ ] { } : , \" \u0000 \ud800 \u001b \n [[[[[[ "" 0
    "v":1,"v":1"""
TOKENS = (
    *_WORDS.split(),
    *(b"\xff", b"\xed\xa0\x80", "\u2028".encode(), "\xe9".encode(), b"\x00"),
    *(b"x" * 600, b"[" * 3000),
)


def run_bytes(data: bytes) -> int:
    """One line."""
    try:
        request = parse_request(data)
    except BadRequest as error:
        bad = error
    else:
        _judge(data, request)
        return 1
    assert str(bad).isprintable(), bad
    assert bad.fatal == (len(data) > MAX_LINE_BYTES)
    encode_error(bad.id, "malformed", str(bad), code=bad.code)
    return 1


def _judge(line: bytes, request: Request) -> None:
    keys = [key for key, _ in json.loads(line, object_pairs_hook=list)]
    assert len(set(keys)) == len(keys), "a key stands twice"
    assert type(request.id) is int
    assert 0 <= request.id <= MAX_ID
    texts = (request.command, MAX_COMMAND), (request.by, MAX_NAME), (request.why, MAX_REASON)
    for text, most in texts:
        assert text is None or (text.isprintable() and len(text) <= most)
    assert (request.do in ("dealer", "supervisor", "device_command")) == bool(request.command)
    assert len(request.device) <= MAX_NAME
    assert not request.pin or (PIN.fullmatch(request.pin) and request.person)
    assert repr(request) == repr(replace(request, pin="")), "a PIN is shown"
    assert parse_request(encode_request(request).rstrip(b"\n")) == request


TARGET = Target("requests", "lines", run_bytes, lambda: SEEDS, TOKENS, MAX_LINE_BYTES + 200)
