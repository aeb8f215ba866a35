"""One request to a witness that hangs, drips, lies or says too much: an answer, or why there is
none, in time."""

from __future__ import annotations

import socket
import ssl
import time
from contextlib import suppress
from pathlib import Path

import pytest

from controller.witness.exchange import MOST_BYTES, OCTETS, WitnessSilent, post_request
from tests.witness.certificates import certificate
from tests.witness.stock import PATIENCE_S, free_port
from tests.witness.strange import Answering, http, raw, strange

WITHIN_S = 0.5


def refused(url: str, why: str, within_s: float = PATIENCE_S) -> None:
    with pytest.raises(WitnessSilent, match=why):
        post_request(f"{url}/add-checkpoint", b"old 0\n", within_s)


def hung_up_on(url: str, why: str) -> None:
    begun = time.monotonic()
    refused(url, why, WITHIN_S)
    assert time.monotonic() - begun < WITHIN_S + 5  # a machine that does much else


def test_the_request_is_one_write_and_the_answer_is_read_whole() -> None:
    answering = http("409 Conflict", b"12\n", "Content-Type: Text/x.tlog.size; charset=utf-8")
    with strange(answering) as witness:
        answer = post_request(
            f"{witness.url}/some/prefix/add-checkpoint", b"old 0\n\n" + b"x" * 3000
        )
    assert (answer.status, answer.kind, answer.body) == (409, "text/x.tlog.size", b"12\n")
    (heard,) = witness.heard
    head, _, body = heard.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    assert lines[0] == "POST /some/prefix/add-checkpoint HTTP/1.1"
    assert {"Content-Length: 3007", "Connection: close"} <= {*lines}
    assert body == b"old 0\n\n" + b"x" * 3000


def test_an_answer_in_chunks_is_read() -> None:
    said = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
    with strange(raw(said)) as witness:
        assert post_request(f"{witness.url}/a", b"").body == b"abcde"


def test_a_redirect_is_an_answer_and_is_not_followed() -> None:
    with strange(http("302 Found", b"", "Location: http://127.0.0.1:1/")) as witness:
        assert post_request(f"{witness.url}/a", b"").status == 302
    assert len(witness.heard) == 1


def hang(connection: socket.socket) -> None:
    connection.recv(1)


def drip(connection: socket.socket) -> None:
    """A byte now and then, each before any step's clock."""
    with suppress(OSError):
        for byte in b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n" + b"x" * 9999:
            connection.sendall(bytes([byte]))
            time.sleep(0.02)


def for_ever(connection: socket.socket) -> None:
    """Nothing but beginnings."""
    with suppress(OSError):
        while True:
            connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
            time.sleep(0.001)


@pytest.mark.parametrize("answering", [hang, drip, for_ever])
def test_one_that_never_comes_to_an_end_is_hung_up_on(answering: Answering) -> None:
    with strange(answering) as witness:
        hung_up_on(witness.url, r"it was not whole within 0\.5 s|does not answer in time")


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (b"", "closed connection without response"),
        (b"\x00\xff" * 1000, "no HTTP"),
        (b"HTTP/1.1 abc\r\n\r\n", "no HTTP"),
        (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200 + b"\r\n", "no HTTP"),
        (b"HTTP/1.1 200 " + b"x" * 100_000, "no HTTP"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", "IncompleteRead"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "no HTTP"),
        (b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * (MOST_BYTES + 1), "more than"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n" + b"x" * 99_999, "more than"),
    ],
)
def test_what_is_no_answer_is_refused(said: bytes, why: str) -> None:
    with strange(raw(said)) as witness:
        refused(witness.url, why)


def test_nobody_there_is_said() -> None:
    refused(f"http://127.0.0.1:{free_port()}", "Connection refused")
    refused("http://no-such-host.invalid", "not known|resolution")


@pytest.fixture
def tls(tmp_path: Path) -> tuple[ssl.SSLContext, Path]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    file = certificate(tmp_path)
    context.load_cert_chain(file)
    return context, file


@pytest.mark.needs("localhost")
def test_a_certificate_is_verified_against_the_authorities(
    tls: tuple[ssl.SSLContext, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    context, file = tls
    with strange(http("200 OK", b"well"), context) as witness:
        refused(witness.url, "self.signed certificate")
        monkeypatch.setenv("SSL_CERT_FILE", str(file))
        assert post_request(f"{witness.url}/a", b"").body == b"well"
        refused(witness.url.replace("localhost", "127.0.0.1"), "IP address mismatch")


@pytest.mark.needs("localhost")
@pytest.mark.parametrize("answering", [hang, drip])
def test_behind_tls_the_clock_runs_as_well(
    tls: tuple[ssl.SSLContext, Path], monkeypatch: pytest.MonkeyPatch, answering: Answering
) -> None:
    context, file = tls
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    with strange(answering, context) as witness:
        hung_up_on(witness.url, r"not whole within 0\.5 s|does not answer in time")


def test_a_body_of_bytes_is_told_as_such() -> None:
    with strange(http("202 Accepted", b"")) as witness:
        assert post_request(f"{witness.url}/add-entries", b"\x1f\x8b", of=OCTETS).status == 202
    head, _, body = witness.heard[0].partition(b"\r\n\r\n")
    assert b"Content-Type: application/octet-stream\r\nContent-Encoding: gzip\r\n" in head
    assert body == b"\x1f\x8b"


def test_who_answers_before_all_has_come_is_heard() -> None:
    """And hangs up: most of what it is sent was never taken."""
    with strange(http("409 Conflict", b"5\n3\n\n")) as witness:
        answer = post_request(f"{witness.url}/add-entries", bytes(32 << 20), of=OCTETS)
    assert (answer.status, answer.body) == (409, b"5\n3\n\n")
