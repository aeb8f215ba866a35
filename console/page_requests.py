"""What a page has sent, checked by its form; and how it is answered no. What it means is judged by
the daemon.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qs

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from console.seat import name_of
from controller.forms.json_values import JsonObject, WrongForm, checked

PAGE: Final = "x-console-page"
MOST_BODY: Final = 8192
STATUS: Final = {
    "refused": 409,
    "changed": 409,
    "not_acting": 409,
    "not_allowed": 403,
    "malformed": 400,
    "unavailable": 503,
    "not_live": 503,
}


class NotDoneHere(Exception):
    """The console does not hand it on: ``kind`` and ``code`` as of an error of the socket."""

    def __init__(self, kind: str, code: str, reason: str) -> None:
        super().__init__(reason)
        self.kind, self.code = kind, code


def page_of(request: Request) -> str:
    """The page that asks.

    Raises:
        NotDoneHere: no page does.
    """
    return _named(request.headers.get(PAGE, ""))


async def page_of_form(request: Request) -> str:
    """The page that a form names, by ``page``; errors likewise."""
    given = parse_qs((await _body(request)).decode("ascii", "replace"))
    return _named(given.get("page", [""])[0])


def _named(page: str) -> str:
    if not name_of(page):
        raise NotDoneHere("malformed", "unreadable-request", f"expected {PAGE}: NAME.SECRET")
    return page


async def _body(request: Request) -> bytes:
    body = b""
    try:
        async for part in request.stream():
            body += part
            if len(body) > MOST_BODY:
                raise NotDoneHere("malformed", "line-too-long", f"at most {MOST_BODY} bytes")
    except ClientDisconnect as error:
        raise NotDoneHere("malformed", "unreadable-request", "it was not sent whole") from error
    return body


async def read_page_request(request: Request) -> tuple[str, JsonObject]:
    """The page that asks, and the object that it has sent.

    Raises:
        NotDoneHere: no page does, or it has sent something else.
    """
    page, body = page_of(request), await _body(request)
    try:
        return page, checked(dict[str, object], json.loads(body or b"{}"), "body")
    except (ValueError, RecursionError, WrongForm) as error:
        words = "expected a JSON object in UTF-8"
        raise NotDoneHere("malformed", "unreadable-request", words) from error


def terms(given: JsonObject) -> dict[str, Any]:
    """What of it goes to the daemon, which judges it.

    Raises:
        NotDoneHere: it is no command, or is not told at which state it was given.
    """
    fields: dict[str, Any] = {}
    for key in ("command", "why", "key", "person", "pin"):
        if key in given:
            fields[key] = text(given, key)
    if bool(fields.get("person")) != bool(fields.get("pin")):
        raise NotDoneHere("malformed", "unreadable-request", "expected person and pin, or neither")
    if flag(given, "dry"):
        fields["dry"] = True
        if "commands" in given:
            commands = given["commands"]
            if not isinstance(commands, list) or not all(isinstance(one, str) for one in commands):
                raise NotDoneHere("malformed", "unreadable-request", "commands: expected a list")
            fields["commands"] = tuple(commands)
        return fields
    at = given.get("at")
    if type(at) is not int or "key" not in fields:
        raise NotDoneHere("malformed", "unreadable-request", "expected at and key, as shown")
    return {**fields, "at": at}


def text(given: Mapping[str, object], key: str) -> str:
    """What is given under that key, a text."""
    value = given.get(key)
    if not isinstance(value, str):
        raise NotDoneHere("malformed", "unreadable-request", f"{key}: expected a text")
    return value


def flag(given: Mapping[str, object], key: str) -> bool:
    """What is given under that key, true or false; False where it is left out."""
    value = given.get(key, False)
    if not isinstance(value, bool):
        raise NotDoneHere("malformed", "unreadable-request", f"{key}: expected true or false")
    return value


def no(kind: str, code: str, reason: str, more: Mapping[str, object] | None = None) -> Response:
    """The answer that it is not done, ``more`` being further keys of its error."""
    error = {"kind": kind, "code": code, "reason": reason, **(more or {})}
    return JSONResponse({"ok": False, "error": error}, STATUS.get(kind, 503))
