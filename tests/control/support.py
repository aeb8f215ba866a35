"""A small controller behind a real control socket, and clients that speak raw lines."""

from __future__ import annotations

import asyncio
import json
import tempfile
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from controller.control.address import ControlAddress
from controller.control.handler import Attempt, BadCommand, Daemon, RequestRefused, Unavailable
from controller.control.peers import Groups, Peer
from controller.control.protocol import Request
from controller.control.serving.door import Bounds
from controller.control.serving.server import ControlServer
from controller.daemon.table_handler import answering

NOBODY = Groups("no-such-group-d", "no-such-group-s")


@contextmanager
def open_to_all() -> Iterator[Path]:
    """A socket's path that every user can come to: pytest's folders are for its own user."""
    with tempfile.TemporaryDirectory(prefix="control-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder) / "control.sock"


@dataclass
class Till:
    """Counts commands; ``stand`` is refused, ``wait`` waits for ``go``, ``crash`` fails."""

    count: int = 0
    given: list[tuple[Any, ...]] = field(default_factory=list)
    go: asyncio.Event = field(default_factory=asyncio.Event)
    asked: int = 0
    more: Mapping[str, Any] = field(default_factory=dict)
    attempts: list[Attempt] = field(default_factory=list)
    hangs: bool = False
    _watchers: list[Callable[[], None]] = field(default_factory=list)

    async def status(self) -> Mapping[str, Any]:
        if self.hangs:
            raise Unavailable("the journal's disk", "not-stored")
        self.asked += 1
        return {"table": "P12", "count": self.count, **self.more}

    async def choices(self) -> Mapping[str, Any]:
        return {"at": 1, "dealer": ["report other"], "supervisor": ["report other"]}

    async def counters(self) -> Mapping[str, Any]:
        return {"total": {"rounds": self.count}}

    def subscribe(self, changed: Callable[[], None]) -> Callable[[], None]:
        self._watchers.append(changed)
        return lambda: self._watchers.remove(changed)

    def hang(self, now: bool) -> None:
        """Its disk does, or no more: its state is to be asked for again."""
        self.hangs = now
        self.commit()

    def commit(self) -> None:
        self.count += 1
        for changed in self._watchers:
            changed()

    async def command(self, request: Request, who: Peer) -> Mapping[str, Any]:
        if request.do == "supervisor":
            self.given.append((request.command, request.by, request.why, who.uid))
            self.commit()
            return {}
        self.given.append((request.command, who.uid))
        match request.command:
            case "stand 1":
                raise RequestRefused(
                    "box 1 has no hand in turn", "3.27", [{"text": "hit 2"}], code="not-in-turn"
                )
            case "gibberish":
                raise BadCommand("unknown command 'gibberish'")
            case "crash":
                raise RuntimeError("unforeseen")
            case "wait":
                await self.go.wait()
        self.commit()
        return {"prompt": "next"}

    def refused_attempt(self, attempt: Attempt) -> None:
        self.attempts.append(attempt)


class Nothing:
    """Does nothing that it is asked for."""

    def __getattr__(self, _: str) -> Callable[..., NoReturn]:
        return self._no

    def _no(self, *_: object) -> NoReturn:
        raise Unavailable("this controller has none of that", "none")


class Late:
    """A part whose methods are those that it has when it is asked."""

    def __init__(self, part: Any) -> None:
        self._part = part

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return lambda *asked: getattr(self._part, name)(*asked)  # noqa: PLW0108 - as it is then


def answering_of(
    till: Any, technician: Any = None, rounds: Any = None, witnesses: Any = None, people: Any = None
) -> Daemon:
    """A daemon that consists of these."""
    parts: list[Any] = [part or Nothing() for part in (technician, rounds, witnesses, people)]
    return answering(Late(till), *parts)  # type: ignore[arg-type]


@asynccontextmanager
async def serving(
    path: Path,
    groups: Groups = NOBODY,
    bounds: Bounds | None = None,
    technician: Any = None,
    rounds: Any = None,
    witnesses: Any = None,
    people: Any = None,
) -> AsyncIterator[Till]:
    till = Till()
    daemon = answering_of(till, technician, rounds, witnesses, people)
    server = ControlServer(ControlAddress(path), daemon, groups, bounds)
    await server.start()
    try:
        yield till
    finally:
        await server.close(grace_s=0.2)


@contextmanager
def controller(
    path: Path, more: Mapping[str, Any] | None = None, technician: Any = None, rounds: Any = None
) -> Iterator[Callable[[Callable[[Till], None]], object]]:
    """A controller in a thread of its own; yields what has something done in it."""
    loop = asyncio.new_event_loop()
    ready = threading.Event()
    done = asyncio.Event()
    tills: list[Till] = []

    async def whole() -> None:
        async with serving(path, technician=technician, rounds=rounds) as till:
            till.more = more or {}
            tills.append(till)
            ready.set()
            await done.wait()
        await loop.shutdown_default_executor()

    thread = threading.Thread(target=loop.run_until_complete, args=(whole(),))
    thread.start()
    assert ready.wait(10)
    try:
        yield lambda what: loop.call_soon_threadsafe(what, tills[0])
    finally:
        loop.call_soon_threadsafe(done.set)
        thread.join(10)
        loop.close()


class Line:
    """A client that sends and reads raw lines."""

    till: Till
    """What it speaks to, where :func:`talking` has begun both."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self._id = 0

    def send(self, raw: bytes) -> None:
        self.writer.write(raw)

    def ask(self, do: str, **more: Any) -> None:
        self._id += 1
        self.send(json.dumps({"v": 1, "id": self._id, "do": do, **more}).encode() + b"\n")

    async def read(self) -> Any:
        line = await asyncio.wait_for(self.reader.readline(), 10)
        return json.loads(line) if line else None

    async def answer(self, do: str, **more: Any) -> Any:
        self.ask(do, **more)
        return await self.read()


@asynccontextmanager
async def connected(path: Path) -> AsyncIterator[Line]:
    reader, writer = await asyncio.open_unix_connection(path)
    try:
        yield Line(reader, writer)
    finally:
        writer.close()
        with suppress(BrokenPipeError, ConnectionResetError):
            await writer.wait_closed()


@asynccontextmanager
async def talking(
    path: Path, bounds: Bounds | None = None, technician: Any = None
) -> AsyncIterator[Line]:
    async with serving(path, bounds=bounds, technician=technician) as till, connected(path) as line:
        line.till = till
        yield line


def error_of(answer: Any) -> Any:
    assert answer["ok"] is False
    return answer["error"]
