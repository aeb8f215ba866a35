"""Lines at the control socket: as text, a request that can be read, or the reason why not; and sent
to a real socket by clients who send anything, where every line gets its answer, or the end.

What was read is within its bounds, printable, and reads the same when it is written again. Of the
clients some may give commands and some may not. What each is answered is told beforehand from what
he sent, line by line; nobody without the role reaches the controller behind it, and every attempt
at it is told.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from controller.control import handler, protocol
from controller.control.address import ControlAddress
from controller.control.answers import Portion
from controller.control.peers import Groups, Peer
from controller.control.protocol import BadRequest, Request, Role, parse_request
from controller.control.serving.conversation import Conversation
from controller.control.serving.door import Bounds
from controller.control.serving.rights import LISTS
from controller.control.serving.server import ControlServer
from controller.forms.json_values import JsonObject
from proof.fuzzing.choices import Choices
from proof.fuzzing.target import Target

_BARE = (b"status", b"watch", b"counters", b"ready", b"links", b"links_lately", b"people")
SEEDS = (
    *(b'{"v":1,"id":2,"do":"%s"}' % do for do in (*_BARE, b"sign_out")),
    b'{"v":1,"id":2,"do":"round","number":"last"}',
    b'{"v":1,"id":2,"do":"shift","which":"2026-11-25"}',
    b'{"v":1,"id":2,"do":"self_test","device":"shoe"}',
    b'{"v":1,"id":2,"do":"capture","device":"keypad"}',
    b'{"v":1,"id":3,"do":"try","device":"jackpot"}',
    b'{"v":1,"id":4,"do":"device_command","device":"jackpot","command":"ARM box=3"}',
    b'{"v":1,"id":5,"do":"device_tested","device":"shoe","test":"gate","verdict":"well","what":"x"}',
    b'{"v":1,"id":3,"do":"dealer","command":"stand 1"}',
    b'{"v":1,"id":4,"do":"supervisor","command":"void","by":"Ida","why":"misdeal"}',
    b'{"v":1,"id":5,"do":"dealer","command":"open","at":1,"key":"k/1"}',
    b'{"v":1,"id":6,"do":"supervisor","commands":["lies 1 2","lies 2 1"],"dry":true,"by":"Ida"}',
    b'{"v":1,"id":7,"do":"sign_in","person":"Novak","pin":"1234"}',
    b'{"v":1,"id":7,"do":"self_test","device":"shoe","person":"Novak","pin":"123456789012"}',
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


def read_line(data: bytes) -> int:
    """One line."""
    try:
        request = parse_request(data)
    except BadRequest as error:
        bad = error
    else:
        _judge(data, request)
        return 1
    assert str(bad).isprintable(), bad
    assert bad.fatal == (len(data) > protocol.MAX_LINE_BYTES)
    protocol.encode_error(bad.id, "malformed", str(bad), code=bad.code)
    return 1


def _judge(line: bytes, request: Request) -> None:
    keys = [key for key, _ in json.loads(line, object_pairs_hook=list)]
    assert len(set(keys)) == len(keys), "a key stands twice"
    assert type(request.id) is int
    assert 0 <= request.id <= protocol.MAX_ID
    longest = {"command": protocol.MAX_COMMAND, "why": protocol.MAX_REASON}
    for name in ("command", "by", "why", "device"):
        text = getattr(request, name) or ""
        assert text.isprintable()
        assert len(text) <= longest.get(name, protocol.MAX_NAME)
    assert (request.do in ("dealer", "supervisor", "device_command")) == bool(request.command)
    assert not request.pin or (protocol.PIN.fullmatch(request.pin) and request.person)
    assert repr(request) == repr(replace(request, pin="")), "a PIN is shown"
    assert parse_request(protocol.encode_request(request).rstrip(b"\n")) == request


BOUNDS = Bounds(malformed=4, requests_per_s=1e6, guest_requests_per_s=1e6, slow_s=2.0, idle_s=5.0)
_ROLES: tuple[tuple[Role, ...], ...] = (), ("dealer",), ("dealer", "supervisor"), ("witness",)
ROLES = tuple(map(frozenset, _ROLES))
NOBODY = Groups("no-such-d", "no-such-s")
ROLE_FOR: Final[Mapping[str, str]] = {
    **dict.fromkeys(("dealer", "choices"), "dealer"),
    **dict.fromkeys(("supervisor", "counters", "round", "course", "proof", "shift"), "supervisor"),
    **dict.fromkeys(("self_test", "capture", "try"), "supervisor"),
    **dict.fromkeys(("device_command", "device_tested"), "supervisor"),
    **dict.fromkeys(("entries", "checkpoint", "subtree", "witnessed"), "witness"),
}
"""The role that a request needs, as docs/control-socket.md has it; the others need none."""

ANSWER_S = 5.0


class _Desk:
    """What is behind the socket: it notes who came through, with which request."""

    def __init__(self) -> None:
        self.given: list[tuple[str, Peer]] = []
        self.attempts: list[handler.Attempt] = []

    def daemon(self) -> handler.Daemon:
        return handler.Daemon(
            self.status,
            lambda _: lambda: None,
            self.attempts.append,
            self.known,
            streams={name: partial(self.stream, name) for name in ("capture", "try")},
            answers=dict.fromkeys(protocol.REQUESTS, self.answer),
        )

    async def status(self) -> JsonObject:
        return {"commands": len(self.given)}

    async def known(self, name: str, pin: str, uid: int) -> handler.Person:
        raise handler.PinNotTaken(name)

    async def answer(self, request: Request, who: Peer) -> JsonObject:
        self.given.append((request.do, who))
        if request.do == "dealer" and request.at == 1:
            raise handler.Changed(2, "open bets", {})
        if request.do == "dealer" and request.command == "stand 1":
            raise handler.RequestRefused("box 1 has no hand in turn", "3.27", [{"text": "hit 2"}])
        if request.do == "dealer" and not request.command.isascii():
            raise handler.BadCommand("unknown command")
        return {}

    def stream(self, do: str, device: str, who: Peer, changed: Callable[[], None]) -> _Desk:
        self.given.append((do, who))
        return self

    def take_portion(self) -> Portion:
        return {"more": False}

    def close(self) -> None:
        return


class _Door(ControlServer):
    """Gives its clients the roles that the bytes name, in the order in which they come."""

    roles: list[frozenset[Role]]

    async def admit(self, conversation: Conversation) -> Peer:
        peer = await super().admit(conversation)
        return Peer(peer.pid, peer.uid, peer.gid, "somebody", self.roles.pop(0), views=True)


def _kinds(sent: bytes, roles: frozenset[Role]) -> list[str]:
    """What each line is to be answered, by its kind; "ok" where nothing is wrong with it."""
    kinds, garbage = list[str](), 0
    *lines, rest = sent.split(b"\n")
    for line in [*lines, *([rest] if len(rest) > protocol.MAX_LINE_BYTES else [])]:
        try:
            request = parse_request(line)
        except BadRequest as bad:
            kinds.append("malformed")
            garbage += 1
            if bad.fatal or garbage == BOUNDS.malformed:
                return [*kinds, "unavailable"]
            continue
        if request.do == "watch":
            kinds.append("stream")
        elif (
            request.do == "sign_in"
            or (request.pin and request.do not in LISTS)
            or ROLE_FOR.get(request.do) not in (None, *roles)
        ):
            kinds.append("not_allowed")
        elif request.do in ("capture", "try"):
            kinds.append("stream")
        elif request.do == "dealer" and request.at == 1:
            kinds.append("changed")
        elif request.do == "dealer" and request.command == "stand 1":
            kinds.append("refused")
        elif request.do == "dealer" and not request.command.isascii():
            kinds.append("malformed")
        else:
            kinds.append("ok")
    return kinds


def _kind(line: bytes) -> str:
    answer = json.loads(line)
    assert answer["v"] == 1
    return "ok" if answer["ok"] else str(answer["error"]["kind"])


async def _talk(path: Path, chunks: list[bytes]) -> list[str]:
    reader, writer = await asyncio.open_unix_connection(path, limit=1 << 22)
    try:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            for chunk in chunks:
                writer.write(chunk)
                await writer.drain()
            writer.write_eof()
        answered = b""
        with contextlib.suppress(ConnectionResetError):
            async with asyncio.timeout(ANSWER_S):
                while data := await reader.read(1 << 16):
                    answered += data
        return list(map(_kind, answered.splitlines()))
    finally:
        writer.close()
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            await writer.wait_closed()


async def _serve(clients: list[tuple[frozenset[Role], list[bytes]]]) -> int:
    desk, lines = _Desk(), 0
    with TemporaryDirectory(prefix="fuzz-") as folder:
        path = Path(folder) / "control.sock"
        server = _Door(ControlAddress(path), desk.daemon(), NOBODY, BOUNDS)
        await server.start()
        try:
            for roles, chunks in clients:
                server.roles = [roles]
                desk.attempts.clear()
                sent = b"".join(chunks)
                wanted = _kinds(sent, roles)
                lines += len(wanted)
                _compare(wanted, await _talk(path, chunks), sent)
                tried = sum(attempt.count for attempt in desk.attempts if ":" in attempt.what)
                assert tried <= wanted.count("not_allowed")
        finally:
            await server.close(grace_s=0.2)
    for do, who in desk.given:
        assert ROLE_FOR.get(do) in (None, *who.roles), f"{do} was reached by {who}"
    return lines


def _compare(wanted: list[str], got: list[str], sent: bytes) -> None:
    if "stream" in wanted:
        return  # states or traffic come in between, and again
    # Who is cut off while he sends may lose what was not read yet, but nothing else is told.
    assert got == wanted[: len(got)], f"{sent[:200]!r}: {got} instead of {wanted}"
    assert len(got) == len(wanted) or "unavailable" in wanted, f"{sent[:200]!r}: only {got}"


def run_bytes(data: bytes) -> int:
    """Up to three clients out of bytes."""
    logging.disable()
    choices = Choices(data)
    clients = []
    for _ in range(choices.below(3) + 1):
        roles = choices.among(ROLES)
        chunks = []
        for _ in range(choices.below(8) + 1):
            match choices.below(4):
                case 0:
                    chunks.append(choices.raw(choices.below(120)))
                case 1:
                    chunks.append(choices.among(TOKENS))
                case 2:
                    line = choices.among(SEEDS)
                    at = choices.below(len(line))
                    chunks.append(line[:at] + choices.raw(choices.below(3)) + line[at:] + b"\n")
                case 3:
                    chunks.append(choices.among(SEEDS) + b"\n")
        clients.append((roles, chunks))
    return asyncio.run(_serve(clients))


def seeds() -> list[bytes]:
    """Good lines of everybody; anything."""
    return [bytes([2, *(role, 7, *([3, 2, 3, 3] * 4))]) * 3 for role in range(3)] + [
        bytes(range(256)),
        bytes([0, 2, 7]) + bytes([0, 100]) * 60,
    ]


TARGETS = (
    Target("requests", "lines", read_line, lambda: SEEDS, TOKENS, protocol.MAX_LINE_BYTES + 200),
    Target("socket", "lines", run_bytes, seeds, most_bytes=2048),
)
