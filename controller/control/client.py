"""The other end of the control socket, for programs that may wait: ``tablectl`` and scripts.

The rules:

- No answer means no controller (:class:`NoController`). Where a command was sent and the answer
  never came, nobody here knows whether it was done (:class:`OutcomeUnknown`): it is never sent
  again, the person asks ``status``.
- A connection that has failed is not used again.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import struct
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from controller.causes.finding import briefly
from controller.causes.holders import holder_of
from controller.control.answers import NewestCheckpoint, Portion, SelfTestOutcome
from controller.control.protocol import COMMANDS, Request, encode_request
from controller.forms.json_values import JsonObject, T, checked

MAX_ANSWER_BYTES: Final = 4 << 20
CONNECT_S: Final = 5.0
"""Others may wait to be let in, too."""
ANSWER_S: Final = 15.0
"""A dealer's command may wait for the gate to be known locked."""
LOOK_S: Final = 5.0
"""Who only looks has nothing to wait for but the disk."""


class NoController(Exception):
    """No controller answers at the socket; the message says where and what to do."""

    @property
    def code(self) -> str:
        """Why, for programs: as its last word said, else ``no-answer``."""
        said = self.__cause__
        return (said.code if isinstance(said, RefusedByController) else "") or "no-answer"


class NotLetIn(NoController):
    """The socket is there, and not for this user; the message says so."""


class Silent(NoController):
    """A controller is there and did not answer in time."""


class NotNow(NoController):
    """It answered that it cannot tell that now; the connection may be used again."""


class OutcomeUnknown(NoController):
    """The connection broke after a command was sent: it may have been done."""


class RefusedByController(Exception):
    """The controller answered no. ``kind`` as in :data:`controller.control.protocol.ErrorKind`;
    ``now`` has, where the table has changed, its present ``at``, ``prompt`` and ``asks``."""

    def __init__(self, error: JsonObject) -> None:
        self.kind = str(error.get("kind", "unavailable"))
        self.code = str(error.get("code") or "")
        self.reason = str(error.get("reason", "no reason given"))
        self.clause = str(error.get("clause") or "")
        self.permitted = checked(list[str], error.get("permitted") or [], "permitted")
        self.actions = checked(list[dict[str, object]], error.get("actions") or [], "actions")
        self.now = {name: error[name] for name in ("at", "prompt", "asks") if name in error}
        super().__init__(f"{self.reason} ({self.clause})" if self.clause else self.reason)


@dataclass(frozen=True, slots=True)
class CommandTerms:
    """How a command is given: for the table as it was ``at`` that entry; with a ``key`` by which it
    may be given again; as a ``dry`` run, of several ``commands`` in place of one."""

    at: int | None = None
    key: str | None = None
    dry: bool = False
    commands: tuple[str, ...] = ()


AS_IT_IS: Final = CommandTerms()


def _where_else(path: Path) -> str:
    """What to do where nobody answers: its controller may run, and its socket have been removed."""
    lock = Path(f"{path}.lock")
    if not os.path.lexists(path) and lock.exists() and (holder := holder_of(lock)) is not None:
        return (
            f"its controller, {holder}, runs, and somebody has removed its socket: between rounds "
            "'sudo systemctl restart table-controller'"
        )
    return "is it running ('systemctl status table-controller'), and is this its socket?"


class ControlClient:
    """A connection to the controller at ``path``; a context manager. Raises :class:`NoController`
    when nobody answers there, :class:`RefusedByController` for a request that is answered no."""

    def __init__(self, path: Path, answer_s: float = ANSWER_S) -> None:
        self.path = path
        self._id = 0
        self._buffer = bytearray()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            # While others wait to be let in, too: a socket with a timeout of Python's would not.
            timeval = struct.pack("ll", *divmod(round(CONNECT_S * 1_000_000), 1_000_000))
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, timeval)
            self._socket.connect(os.fspath(path))
            self._socket.settimeout(answer_s)
        except (OSError, ValueError) as error:
            self._socket.close()
            why = briefly(error, path) if isinstance(error, OSError) else str(error)
            if isinstance(error, BlockingIOError):
                why = "so many others wait to be let in"
            if isinstance(error, PermissionError):
                raise NotLetIn(f"{path} is not for this user ({why})") from error
            raise NoController(
                f"no controller answers at {path} ({why}); {_where_else(path)}"
            ) from error

    def status(self) -> dict[str, object]:
        """The committed state."""
        return self.request("status")

    def request(self, do: str, **fields: Any) -> dict[str, object]:
        """The answer to a request (:class:`controller.control.protocol.Request`)."""
        return self._result(do, dict[str, object], **fields)

    def round(self, number: int | None) -> dict[str, object]:
        """The round of that number (None: the last one), as ``round show --json`` prints it."""
        which = "last" if number is None else str(number)
        return self.request("round", number=which)

    def dealer(self, command: str, given: CommandTerms = AS_IT_IS) -> dict[str, object]:
        """Give a dealer's command; what the controller answers once it is committed.
        RefusedByController: it was not done; OutcomeUnknown: it may have been done."""
        return self.request("dealer", command=command, **asdict(given))

    def supervisor(
        self,
        command: str,
        by: str | None = None,
        why: str | None = None,
        given: CommandTerms = AS_IT_IS,
    ) -> dict[str, object]:
        """Give a supervisor's command; as :meth:`dealer`."""
        return self.request("supervisor", command=command, by=by, why=why, **asdict(given))

    def checkpoint(self, after: int = 0, old: int = 0) -> NewestCheckpoint:
        """The newest, for more than ``after`` entries if waited for, proven to extend ``old``."""
        return self._result("checkpoint", NewestCheckpoint, after=after, old=old)

    def entries(self, after: int, most: int) -> list[str]:
        """The lines of entries behind ``after``, of ``most`` or fewer."""
        told = self.request("entries", after=after, most=most)
        return checked(list[str], told["lines"], "lines")

    def subtree(self, start: int, end: int, size: int) -> list[str]:
        """In base64, that entries behind ``start`` up to ``end`` are a subtree of ``size``."""
        told = self.request("subtree", start=start, end=end, size=size)
        return checked(list[str], told["proof"], "proof")

    def witnessed(
        self, name: str, size: int, time: int, cosignatures: tuple[str, ...], answer: str
    ) -> dict[str, object]:
        """Tell what a witness has answered to the checkpoint for ``size`` entries."""
        fields = {"name": name, "size": size, "time": time, "answer": answer}
        return self.request("witnessed", cosignatures=cosignatures, **fields)

    def people(self) -> list[dict[str, str]]:
        """The people known by PIN: of each the ``name`` and ``role``."""
        return checked(list[dict[str, str]], self.request("people")["people"], "people")

    def self_test(self, device: str) -> SelfTestOutcome:
        """Have a device test itself; what came of it."""
        return self._result("self_test", SelfTestOutcome, device=device)

    def device_tested(self, device: str, test: str, what: str, *, ok: bool) -> None:
        """Have the journal store what came of a test."""
        verdict = "well" if ok else "not well"
        self.request("device_tested", device=device, test=test, verdict=verdict, what=what)

    def capture(self, device: str, do: str = "capture") -> Iterator[Portion]:
        """Yield a device's traffic in portions, two a second at least, until the controller ends;
        with ``try`` of a device that is tried until the connection is closed."""
        return self._stream(do, Portion, device=device)

    def watch(self, quiet_s: float | None = None) -> Iterator[dict[str, object]]:
        """The state, and after every change; NoController where nothing changes for ``quiet_s``."""
        for state in self._stream("watch", dict[str, object]):
            yield state
            # By itself, the next may take as long as the table is quiet.
            self._socket.settimeout(quiet_s)

    def close(self) -> None:
        """Close it; harmless when done twice. Who waits in another thread learns of it."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def __enter__(self) -> ControlClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _result(self, do: str, form: type[T], **fields: Any) -> T:
        return next(self._stream(do, form, **fields))

    def _stream(self, do: str, form: type[T], **fields: Any) -> Iterator[T]:
        """What is answered to one request, again and again where it is one that goes on."""
        self._id += 1
        request = Request(self._id, do, **fields)
        self._send(request)
        while True:
            yield self._answer(request, form)

    def _send(self, request: Request) -> None:
        try:
            self._socket.sendall(encode_request(request))
        except OSError as error:
            # What the controller said before it hung up is more than that it did.
            if not isinstance(error, BrokenPipeError | ConnectionResetError):
                raise self._broken(request, str(error)) from error

    def _answer(self, request: Request, form: type[T]) -> T:
        try:
            answer = json.loads(self._line())
            if not isinstance(answer, dict) or answer.get("id") not in (request.id, None):
                raise ValueError("an answer to something else")
            if answer.get("ok") is True:
                return checked(form, answer["result"], "result")
            rejected = RefusedByController(dict(answer["error"]))
        except TimeoutError:
            raise self._broken(request, "it does not answer in time", Silent) from None
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as failure:
            raise self._broken(request, str(failure)) from failure
        if rejected.kind != "unavailable":
            raise rejected
        if request.do in COMMANDS or answer["id"] is None:  # it hangs up
            raise self._broken(request, rejected.reason) from rejected
        raise NotNow(self._not_answered(rejected.reason)) from rejected

    def _line(self) -> bytes:
        while (end := self._buffer.find(b"\n")) < 0:
            if len(self._buffer) > MAX_ANSWER_BYTES:
                raise ValueError("an answer without end")
            data = self._socket.recv(1 << 16)
            if not data:
                raise ConnectionError("it hung up")
            self._buffer += data
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return line

    def _broken(
        self, request: Request, why: str, kind: type[NoController] = NoController
    ) -> NoController:
        self.close()
        if request.do in COMMANDS:
            return OutcomeUnknown(
                f"the controller at {self.path} did not answer {request.command!r} ({why}); it "
                "may have been done: ask 'tablectl status' before giving it again"
            )
        return kind(self._not_answered(why))

    def _not_answered(self, why: str) -> str:
        return f"the controller at {self.path} did not answer ({why})"
