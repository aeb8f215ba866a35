"""What the console answers, and to whom: names, pages from elsewhere, forms and bounds."""

from __future__ import annotations

import http.client
import json
import socket
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.console.server.beside import ConsolePage, DealersConsole, code

MALFORMED = (400, "malformed")


@pytest.mark.parametrize("path", ["/", "/sign", "/rounds", "/settings.json", "/static/live.js"])
def test_pages_and_files_come_with_their_policy(console: DealersConsole, path: str) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", console.port)
    connection.request("GET", path)
    answer = connection.getresponse()
    assert answer.status == 200
    assert "default-src 'none'" in str(answer.headers["content-security-policy"])
    assert answer.read()
    connection.close()


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1", ""])
def test_a_name_that_somebody_points_here_is_refused(console: DealersConsole, host: str) -> None:
    page = console.page()
    for method, path in (("GET", "/"), ("GET", "/events"), ("POST", "/command")):
        named = host.format(port=console.port)
        status, told = page.ask(method, path, Host=named, X_Console_Page=page.page)
        assert (status, "hosts" in told) == (421, True)


def test_its_names_are_known_however_they_are_written(console: DealersConsole) -> None:
    status, _ = console.page().ask("GET", "/", Host=f"LocalHost:{console.port}")
    assert status == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "no-cors"},
        {"Sec_Fetch_Site": "same-site", "Sec_Fetch_Mode": "cors"},
        {"Origin": "https://evil.example", "Sec_Fetch_Mode": "navigate"},
    ],
)
def test_a_page_from_elsewhere_takes_nothing(
    console: DealersConsole, acting: ConsolePage, headers: dict[str, Any]
) -> None:
    for method, path in (
        ("GET", "/events"),
        ("POST", "/events"),
        ("POST", "/rounds/1.html"),
        ("GET", "/choices"),
        ("POST", "/command"),
        ("POST", "/seat"),
    ):
        status, _ = acting.ask(method, path, b"{}", X_Console_Page=acting.page, **headers)
        assert status == 403
    assert acting.parts["seat"] == acting.name


def test_a_link_from_elsewhere_is_followed(console: DealersConsole) -> None:
    followed: dict[str, Any] = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate"}
    assert console.page().ask("GET", "/", **followed)[0] == 200


@pytest.mark.parametrize("path", ["/sign/events", "/events", "/settings.json", "/static/live.js"])
def test_a_link_leads_to_a_page_alone(console: DealersConsole, path: str) -> None:
    """Frames and windows of a stranger's page would hold the places of signs."""
    followed: dict[str, Any] = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate"}
    assert console.page().ask("GET", path, **followed)[0] == 403


@pytest.mark.parametrize("number", ["9" * 21, "9" * 5000, "-1", "last", "%d9%a1", "1.0"])
def test_what_is_no_number_of_a_round_is_refused(console: DealersConsole, number: str) -> None:
    page = console.page()
    assert code(page.get(f"/rounds/{number}.code.json")) == MALFORMED
    form = urlencode({"page": page.page}).encode()
    for end in ("html", "proof.json"):
        assert code(page.ask("POST", f"/rounds/{number}.{end}", form)) == MALFORMED


def test_its_own_page_may_say_where_it_comes_from(acting: ConsolePage) -> None:
    origin = f"http://127.0.0.1:{acting.port}"
    headers = {"Origin": origin, "Sec_Fetch_Site": "same-origin", "X_Console_Page": acting.page}
    body = json.dumps({"console": acting.parts["console"]}).encode()
    assert acting.ask("POST", "/touch", body, **headers) == (200, {"ok": True, "result": {}})


@pytest.mark.parametrize(
    "page",
    ["", "12345678", "12345678.", "x" * 41, "12345678." + "g" * 32, "1234567é." + "0" * 32,
     "12345678." + "0" * 32 + " 1", "12345678." + "A" * 32],
)  # fmt: skip
def test_what_is_no_page_asks_in_vain(console: DealersConsole, page: str) -> None:
    asks = console.page()
    for path in ("/command", "/seat", "/sign-in", "/sign-out", "/touch"):
        assert code(asks.ask("POST", path, b"{}", X_Console_Page=page)) == MALFORMED
    for path in ("/events", "/rounds/1.json", "/rounds/1.code.json"):
        assert code(asks.ask("GET", path, X_Console_Page=page)) == MALFORMED
        assert code(asks.ask("GET", f"{path}?page={asks.page}")) == MALFORMED
    for path in ("/rounds/1.html", "/rounds/1.proof.json"):
        form = urlencode({"page": page}).encode()
        assert code(asks.ask("POST", path, form, X_Console_Page=asks.page)) == MALFORMED
        assert code(asks.ask("POST", path, b"&page=\xff%zz&" * 90)) == MALFORMED


@pytest.mark.parametrize(
    "body",
    [
        b"[]",
        b"nothing",
        b'"text"',
        b"{",
        b'{"a": NaN',
        b"\xff\xfe{}",
        b"[" * 8000,
        b'{"at": ' + b"9" * 5000 + b"}",
        b"{" + b" " * 8192 + b"}",
    ],
)
def test_what_is_no_small_object_is_refused(acting: ConsolePage, body: bytes) -> None:
    assert code(acting.ask("POST", "/command", body, X_Console_Page=acting.page)) == MALFORMED


@pytest.mark.parametrize(
    "given",
    [
        {"do": "status"},
        {"do": None},
        {"command": 5},
        {"command": None},
        {"at": None},
        {"at": "5"},
        {"at": True},
        {"at": 5.0},
        {"at": -1},
        {"at": 10**30},
        {"key": None},
        {"key": ""},
        {"key": "k" * 65},
        {"key": "\ud800"},
        {"command": "open\n"},
        {"command": "\udfff"},
        {"command": "o" * 5000},
        {"why": ["x"]},
        {"dry": 1},
        {"dry": "yes"},
        {"dry": True, "commands": "open"},
        {"dry": True, "commands": [1]},
        {"dry": True, "commands": ["close"] * 31},
        {"dry": True, "key": "k"},
        {"person": "Novak"},
        {"pin": "271828"},
        {"person": "Novak", "pin": "12"},
    ],
)
def test_what_is_no_command_is_refused(acting: ConsolePage, given: dict[str, Any]) -> None:
    at = acting.parts["table"]["at"]
    told = code(acting.give("wager 1 main 25", **given))
    if told[1] == "unavailable":  # the daemon drops a connection that has sent ten of them
        told = code(acting.give("wager 1 main 25", **given))
    assert told == MALFORMED
    assert acting.get("/choices")[1]["result"]["at"] == at


@pytest.mark.parametrize("given", [{"over": 1}, {"over": "yes"}])
def test_flags_are_true_or_false(acting: ConsolePage, given: dict[str, Any]) -> None:
    assert code(acting.post("/seat", **given)) == MALFORMED
    assert code(acting.sign_in("Novak", once=1)) == MALFORMED


def test_other_ways_of_asking_are_none(console: DealersConsole) -> None:
    page = console.page()
    assert page.ask("GET", "/command")[0] == 405
    assert page.ask("OPTIONS", "/command")[0] == 405
    assert page.ask("GET", "/static/../main.py")[0] == 404
    assert page.ask("GET", "/static/%2e%2e%2fmain.py")[0] == 404
    assert page.ask("GET", "/nowhere")[0] == 404


def test_partial_and_broken_requests_leave_it_answering(console: DealersConsole) -> None:
    page = console.page()
    head = f"POST /command HTTP/1.1\r\nHost: 127.0.0.1:{console.port}\r\n"
    own = f"X-Console-Page: {page.page}\r\n"
    for sent in (
        head,
        f"{head}{own}Content-Length: 100\r\n\r\n{{",
        f"{head}{own}Transfer-Encoding: chunked\r\n\r\n5\r\n{{",
        f"{head}{own}Content-Length: 99999999999\r\n\r\n{{}}",
        f"{head}{own}Content-Length: x\r\n\r\n",
        f"{head}X: {'x' * 100_000}\r\n\r\n",
        "\x16\x03\x01",
    ):
        with socket.create_connection(("127.0.0.1", console.port)) as made:
            made.sendall(sent.encode("latin-1"))
        assert page.ask("GET", "/settings.json")[0] == 200
