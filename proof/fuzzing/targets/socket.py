"""Clients of a real control socket who send anything: every line gets its answer, or the end.

Some may give commands and some may not. What each is answered is told beforehand from what he sent,
line by line; nobody without the role reaches the controller behind it, and every attempt at it is
told.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from controller.control import handler
from controller.control.address import ControlAddress
from controller.control.answers import Portion, SelfTestOutcome
from controller.control.peers import Groups, Peer
from controller.control.protocol import MAX_LINE_BYTES, BadRequest, Request, Role, parse_request
from controller.control.serving.conversation import Conversation
from controller.control.serving.door import Bounds
from controller.control.serving.rights import LISTS
from controller.control.serving.server import ControlServer
from controller.daemon.table_handler import answering
from controller.forms.json_values import JsonObject
from proof.fuzzing.choices import Choices
from proof.fuzzing.target import Target
from proof.fuzzing.targets.requests import SEEDS, TOKENS

BOUNDS = Bounds(malformed=4, requests_per_s=1e6, guest_requests_per_s=1e6, slow_s=2.0, idle_s=5.0)
ROLES: tuple[frozenset[Role], ...] = (
    frozenset(),
    frozenset(("dealer",)),
    frozenset(("dealer", "supervisor")),
    frozenset(("witness",)),
)
ROLE_FOR: dict[str, Role | None] = {
    "status": None,
    "counters": "supervisor",
    "dealer": "dealer",
    "supervisor": "supervisor",
    "self_test": "supervisor",
    "ready": None,
    "capture": "supervisor",
    "try": "supervisor",
    "device_command": "supervisor",
    "device_tested": "supervisor",
    "links": None,
    "links_lately": None,
    "round": "supervisor",
    "shift": "supervisor",
    "sign_out": None,
    "people": None,
    "person_add": None,
    "person_pin": None,
    "person_remove": None,
    "entries": "witness",
    "checkpoint": "witness",
    "subtree": "witness",
    "witnessed": "witness",
}
"""The role that each request needs, as docs/control-socket.md has it."""

ANSWER_S = 5.0


class _Desk:
    """What is behind the socket: it notes who came through."""

    def __init__(self) -> None:
        self.given: list[tuple[str, Peer]] = []
        self.attempts: list[handler.Attempt] = []

    async def status(self) -> Mapping[str, Any]:
        return {"commands": len(self.given)}

    async def counters(self) -> Mapping[str, Any]:
        return {}

    async def choices(self) -> Mapping[str, Any]:
        return {}

    async def shift(self, which: str) -> Mapping[str, Any]:
        return {}

    round = course = proof = shift

    def subscribe(self, changed: Callable[[], None]) -> Callable[[], None]:
        return lambda: None

    async def command(self, request: Request, who: Peer) -> Mapping[str, Any]:
        self.given.append((request.do, who))
        if request.do == "dealer" and request.at == 1:
            raise handler.Changed(2, "open bets", {})
        if request.do == "dealer" and request.command == "stand 1":
            raise handler.RequestRefused("box 1 has no hand in turn", "3.27", [{"text": "hit 2"}])
        if request.do == "dealer" and not request.command.isascii():
            raise handler.BadCommand("unknown command")
        return {}

    async def known(self, name: str, pin: str, uid: int) -> handler.Person:
        raise handler.PinNotTaken(name)

    async def listed(self) -> JsonObject:
        return {"people": []}

    async def change(self, request: Request, who: Peer) -> JsonObject:
        return {}

    def refused_attempt(self, attempt: handler.Attempt) -> None:
        self.attempts.append(attempt)


class _Bench:
    """The devices behind the socket."""

    def __init__(self, desk: _Desk) -> None:
        self.desk = desk

    async def links(self) -> JsonObject:
        return {}

    links_lately = links

    async def ready(self, who: Peer) -> JsonObject:
        return {}

    async def self_test(self, device: str, who: Peer) -> SelfTestOutcome:
        self.desk.given.append(("supervisor", who))
        return {"device": device, "well": True, "failed": [], "duration_ms": 1, "trouble": ""}

    def capture(self, device: str, who: Peer, changed: Callable[[], None]) -> _Bench:
        self.desk.given.append(("supervisor", who))
        return self

    def trial(self, device: str, who: Peer, changed: Callable[[], None]) -> _Bench:
        return self.capture(device, who, changed)

    async def device_command(self, device: str, command: str, who: Peer) -> JsonObject:
        self.desk.given.append(("supervisor", who))
        return {}

    async def device_tested(
        self, device: str, test: str, verdict: str, what: str, who: Peer
    ) -> JsonObject:
        self.desk.given.append(("supervisor", who))
        return {}

    async def entries(self, after: int, most: int) -> JsonObject:
        return {"lines": []}

    async def checkpoint(self, after: int, old: int) -> JsonObject:
        return {}

    async def subtree(self, start: int, end: int, size: int) -> JsonObject:
        return {}

    async def witnessed(self, request: Request) -> JsonObject:
        return {}

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
    kinds: list[str] = []
    garbage = 0
    *lines, rest = sent.split(b"\n")
    for line in [*lines, *([rest] if len(rest) > MAX_LINE_BYTES else [])]:
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
            or ROLE_FOR[request.do] not in (None, *roles)
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
        return [_kind(line) for line in answered.splitlines()]
    finally:
        writer.close()
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            await writer.wait_closed()


async def _serve(clients: list[tuple[frozenset[Role], list[bytes]]]) -> int:
    desk, lines = _Desk(), 0
    with TemporaryDirectory(prefix="fuzz-") as folder:
        path = Path(folder) / "control.sock"
        groups = Groups("no-such-d", "no-such-s")
        bench = _Bench(desk)
        doing: Any = (desk, bench, desk, bench, desk)
        server = _Door(ControlAddress(path), answering(*doing), groups, BOUNDS)
        await server.start()
        try:
            for roles, chunks in clients:
                server.roles = [roles]
                desk.attempts.clear()
                sent = b"".join(chunks)
                wanted, got = _kinds(sent, roles), await _talk(path, chunks)
                lines += len(wanted)
                _compare(wanted, got, sent)
                tried = sum(attempt.count for attempt in desk.attempts if ":" in attempt.what)
                assert tried <= wanted.count("not_allowed")
        finally:
            await server.close(grace_s=0.2)
    for role, who in desk.given:
        assert role in who.roles, f"{role} was reached by {who}"
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


TARGET = Target("socket", "lines", run_bytes, seeds, most_bytes=2048)
