"""One request to a witness, and its answer, within bounds.

The rules:

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
import socket
import ssl
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from controller.threads import NotWhole, hung_up_on

WITHIN_S: Final = 15.0
MOST_BYTES: Final = 16 * 1024
_STEP: Final = 2 / 3
"""Of the time for all of it: the longest that a step may take."""

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
    """The answer to ``body``, which is ``of`` that kind, sent to ``url`` by POST.

    Raises:
        WitnessSilent: none came in time, or none that is HTTP.
    """
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
