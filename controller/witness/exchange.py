"""The exchange with one witness: C2SP tlog-witness, ``add-checkpoint``. The rules:

- It begins at what this witness cosigned last, as the daemon remembers it. A witness that stands
  elsewhere says where (409); where this log has that, it is proven from there, for the newest
  checkpoint, which may be another one meanwhile: at most :data:`TRIES` times.
- What was answered last is told the daemon, which decides what it means: the status and some words.
  ``none`` stands in place of a status where there is no answer, or none that means anything. 409
  and a number is told of a witness that is ahead, or that has another root for the same number.
- Whether a cosignature is good only the daemon says; lines of other names are left out.
- With the floor's mirror it is the same, and entries follow the checkpoint (:mod:`~.forwarding`).

With the controller several threads speak. A connection is kept. One that has broken is made anew,
and the question asked once more: the controller was started again, or has hung up on somebody who
was silent. A newer checkpoint is waited for on a connection of its own, so that nobody else does.

With the witness:

- The request is one write. Whoever answers before all of it has come is heard, too. The connection
  is for this request alone: rounds are a minute apart.
- TLS is verified against the system's authorities. A redirect is an answer and is not followed.
- Every step has a clock, and all of them together one more: a witness that sends a byte now and
  then is hung up on after :data:`WITHIN_S`; who is sent megabytes has longer. Names are looked up
  by the system, which has a clock of its own (resolv.conf(5)).
- No more than :data:`MOST_BYTES` of an answer are read; a longer one is none.
"""

from __future__ import annotations

import http.client
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Concatenate, Final, ParamSpec, TypeVar
from urllib.parse import urlsplit

from controller.configuration.model import WitnessSettings
from controller.control.answers import NewestCheckpoint
from controller.control.client import (
    ControlClient,
    NoController,
    NotNow,
    RefusedByController,
    Silent,
)
from controller.control.protocol import MAX_COSIGNATURE, MAX_COSIGNATURES
from controller.threads import NotWhole, hung_up_on

P = ParamSpec("P")
T = TypeVar("T")
ANSWER_S: Final = 30.0  # A checkpoint is waited for some 20 s


class WitnessTalk:
    """With the controller at ``path``; one that never ``repeats`` a question hears of starts."""

    def __init__(self, path: Path, *, repeats: bool = True) -> None:
        self._path = path
        self._repeats = repeats
        self._one_at_a_time = threading.Lock()
        self._client: ControlClient | None = None

    def answer_to(
        self, question: Callable[Concatenate[ControlClient, P], T], *of: P.args, **by: P.kwargs
    ) -> T:
        """The answer to a question of the client's. Raises NoController: none answers.
        RefusedByController: the controller says no."""
        with self._one_at_a_time:
            kept = self._client is not None
            try:
                return self._once(question, *of, **by)
            except NoController as error:
                if not (kept and self._repeats) or isinstance(error, NotNow | Silent):
                    raise
                # It was started again; all questions may be repeated.
                return self._once(question, *of, **by)

    def _once(
        self, question: Callable[Concatenate[ControlClient, P], T], *of: P.args, **by: P.kwargs
    ) -> T:
        if self._client is None:
            self._client = ControlClient(self._path, ANSWER_S)
        try:
            return question(self._client, *of, **by)
        except NotNow:  # it is there, and the connection is good
            raise
        except NoController:
            self._client.close()
            self._client = None
            raise


WITHIN_S: Final = 15.0
MOST_BYTES: Final = 16 * 1024
_STEP: Final = 2 / 3  # of the time for all of it: the longest that a step may take
TEXT: Final = "Content-Type: text/plain; charset=utf-8"
OCTETS: Final = "Content-Type: application/octet-stream\r\nContent-Encoding: gzip"
"""Lines of a request's head: what its body is."""


class WitnessSilent(Exception):
    """There was none that can be read; the message says why."""


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """``kind`` is the content type without what may stand behind it."""

    status: int
    kind: str
    body: bytes


def post_request(url: str, body: bytes, within_s: float = WITHIN_S, of: str = TEXT) -> HttpAnswer:
    """The answer to ``body``, which is ``of`` that kind, sent to ``url`` by POST. Raises
    WitnessSilent: none came in time, or none that is HTTP."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    head = (
        f"POST {parts.path or '/'} HTTP/1.1\r\nHost: {parts.netloc}\r\nConnection: close\r\n"
        f"{of}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    begun = time.monotonic()
    try:
        with (
            socket.create_connection((host, port), _STEP * within_s) as plain,
            plain.dup() as same,  # what wraps a socket in TLS takes it over
            hung_up_on(same, within_s, begun),
        ):
            tls = host if parts.scheme == "https" else ""
            return _response(plain, tls, head.encode() + body)
    except NotWhole as error:
        raise WitnessSilent(str(error)) from error
    except TimeoutError as error:
        raise WitnessSilent("it does not answer in time") from error
    except OSError as error:
        why = getattr(error, "verify_message", "") or error.strerror or error
        raise WitnessSilent(str(why)) from error
    except (http.client.HTTPException, ValueError) as error:
        raise WitnessSilent(f"it is no HTTP: {type(error).__name__} {error}") from error


def _response(plain: socket.socket, tls: str, request: bytes) -> HttpAnswer:
    """``tls`` is the host that its certificate must name, empty for none."""
    talks = ssl.create_default_context().wrap_socket(plain, server_hostname=tls) if tls else plain
    with talks:
        with suppress(BrokenPipeError, ConnectionResetError):
            talks.sendall(request)
        response = http.client.HTTPResponse(talks, method="POST")
        try:
            response.begin()
            body = response.read(MOST_BYTES + 1)
            if len(body) > MOST_BYTES:
                raise WitnessSilent(f"it has more than {MOST_BYTES} bytes")
            if response.length:  # of a body that was cut off
                raise http.client.IncompleteRead(body, response.length)
            kind = (response.getheader("Content-Type") or "").partition(";")[0].strip().lower()
            return HttpAnswer(response.status, kind, body)
        finally:
            response.close()


TRIES: Final = 4
MOST_SHOWN: Final = 200  # characters of an answer that are told
GONE: Final = frozenset({"cannot-be-proven", "taken-away"})
"""Codes of the controller's refusal: entries, or what proves them, are here no more."""


_SIZE: Final = re.compile(rb"(0|[1-9][0-9]{0,15})\n")
_SIZE_TYPE: Final = "text/x.tlog.size"
Asking = Callable[[WitnessTalk, WitnessSettings, int], tuple[NewestCheckpoint, HttpAnswer]]
"""Asks somebody to cosign the newest checkpoint who has cosigned so many entries; the checkpoint
and the answer. Raises as :func:`add_checkpoint` does."""


def exchange(talk: WitnessTalk, witness: WitnessSettings, asking: Asking) -> tuple[bool, str]:
    """Have the witness cosign the newest checkpoint, and the daemon told what came of it; whether
    it did, and its answer in words. Raises NoController, RefusedByController: of the controller."""
    newest = talk.answer_to(ControlClient.checkpoint)
    try:
        newest, answer = asking(talk, witness, newest["cosigned"].get(witness.name, 0))
        lines, words = _cosignatures(witness, answer), f"{answer.status} {on_one_line(answer.body)}"
    except (WitnessSilent, RefusedByController) as error:
        if isinstance(error, RefusedByController) and error.code not in GONE:
            raise
        lines, words = (), f"none: {error}"
    if lines:
        words = "200"
    tells = witness.name, newest["size"], int(time.time()), lines, plain(words)
    told = talk.answer_to(ControlClient.witnessed, *tells)
    unchecked = words.startswith("200") and not witness.vkey.is_checked
    return told.get("good") is True or unchecked, plain(words)


def add_checkpoint(
    talk: WitnessTalk, witness: WitnessSettings, old: int
) -> tuple[NewestCheckpoint, HttpAnswer]:
    """The checkpoint that the witness was asked for, and what it answered. Raises WitnessSilent:
    none, or none that means anything. NoController, RefusedByController: of the controller."""
    for _ in range(TRIES):
        newest = talk.answer_to(ControlClient.checkpoint, old=old)
        if not newest["size"]:  # this key has signed no head: there was a checkpoint a while ago
            raise WitnessSilent("no checkpoint is signed yet")
        if newest["proof"] is None:  # the log does not have that (any more): the witness says what
            old = 0
            continue
        body = body_of(newest["checkpoint"], old, newest["proof"])
        answer = post_request(f"{witness.url}/add-checkpoint", body)
        stands = stands_at(answer)
        if answer.status != 409:
            return newest, answer
        if old == newest["size"] and stands in (None, old):
            return newest, HttpAnswer(409, _SIZE_TYPE, f"{old} with another root".encode())
        if stands is None or stands == old:
            raise WitnessSilent(f"409 that says nothing, {on_one_line(answer.body)}")
        if stands > newest["size"]:
            return newest, answer
        old = stands
    raise WitnessSilent(f"409, each time elsewhere, at last at entry {old}")


def body_of(checkpoint: str, old: int, proof: list[str]) -> bytes:
    """The request's body."""
    hashes = "".join(f"{one}\n" for one in proof)
    return f"old {old}\n{hashes}\n{checkpoint}".encode()


def stands_at(answer: HttpAnswer) -> int | None:
    """How many entries a witness that stands elsewhere has cosigned, where it says so properly."""
    found = _SIZE.fullmatch(answer.body)
    return int(found[1]) if found and answer.kind == _SIZE_TYPE else None


def _cosignatures(witness: WitnessSettings, answer: HttpAnswer) -> tuple[str, ...]:
    if answer.status != 200:
        return ()
    start = f"\u2014 {witness.vkey.name} "
    lines = answer.body.decode("utf-8", errors="replace").split("\n")
    fit = [line for line in lines if line.startswith(start) and len(line) <= MAX_COSIGNATURE]
    return tuple(line for line in fit if line.isprintable())[:MAX_COSIGNATURES]


def on_one_line(body: bytes) -> str:
    """An answer as it stands on one line."""
    return " ".join(body.decode("utf-8", errors="replace").split())


def plain(text: str) -> str:
    """The text as it can stand in the journal and on a terminal."""
    shown = "".join(letter if letter.isprintable() else "?" for letter in text[:MOST_SHOWN])
    return shown.strip()
