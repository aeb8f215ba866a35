"""Which address is answered how.

=====================================  =============================================================
``GET /``, ``/sign``, ``/rounds``      the pages, which ask for the rest
``GET /events?page=PAGE``              the state of the dealer's page, followed (:mod:`web.streams`)
``GET /sign/events``                   the state of the sign, followed
``GET /choices``                       what may be put right now: cards by number, reports
``GET /rounds/N.json``                 a round with its course; the supervisor's
``GET /settings.json``                 ``language``, ``languages``, ``lock_s``, ``sign_languages``
``GET /static/NAME``                   scripts, styles, pictures and words
``POST /seat``                         let this page act: ``over``: from another one
``POST /command``                      give a command, or try it (``dry``)
``POST /sign-in``, ``/sign-out``       a person, by PIN
``POST /touch``                        somebody is there
=====================================  =============================================================

The rules:

- A request to do something has the page's name and secret (``X-Console-Page``), which no page from
  elsewhere can send, and a JSON object. Who asks by another name than the console's own is refused:
  so no name that somebody points at this machine lets a stranger's page in.
- Nothing is done while the table is not live, by a page that does not act, or by one that was shown
  a state of another start of the console.
- An answer is ``{"ok": true, "result": …}`` or ``{"ok": false, "error": …}``, as on the control
  socket (docs/control-socket.md). Kinds of the console's own: ``not_acting`` and ``not_live``.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from console.acting import Actor
from console.configuration import LANGUAGES, ConsoleSettings
from console.following import TableFollower
from console.seat import Seat, name_of
from console.shown import ShownMultipliers
from console.telling import for_dealer, for_sign
from controller.control.client import NoController, RefusedByController
from controller.json_values import JsonObject, WrongForm, checked
from web.files import SHARED, PageFiles
from web.headers import SecureHeaders
from web.latest import LatestState
from web.streams import StateStreams

PAGE: Final = "x-console-page"
OWN: Final = Path(__file__).parent / "static"
WORDS: Final = Path(__file__).parent / "words"
MOST_PAGES: Final = 8
MOST_SIGNS: Final = 4
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
COMMANDS: Final = ("dealer", "supervisor")

Answer = Callable[[Request], Awaitable[Response]]


class NotDoneHere(Exception):
    """The console does not hand it on: ``kind`` and ``code`` as of an error of the socket."""

    def __init__(self, kind: str, code: str, reason: str) -> None:
        super().__init__(reason)
        self.kind, self.code = kind, code


class ConsoleApplication:
    """The screens of the table behind a socket; :attr:`table` is to be run beside it."""

    def __init__(self, settings: ConsoleSettings) -> None:
        self._settings = settings
        self._boot = secrets.token_hex(8)
        self._seat = Seat()
        self._shown = ShownMultipliers(settings.state)
        self.table = TableFollower(settings.socket, self._changed)
        self.actor = Actor(settings.socket, settings.lock_s, self._changed)
        self.dealer, self.sign = LatestState({}), LatestState({})
        self._changed()
        self._files = PageFiles(SHARED, OWN, WORDS)
        streams = StateStreams(self.dealer, MOST_PAGES)
        routes = [
            Route("/", self._page("dealer.html")),
            Route("/sign", self._page("sign.html")),
            Route("/rounds", self._page("round.html")),
            Route("/events", _PageStreams(streams, self._began, self._ended)),
            Route("/sign/events", StateStreams(self.sign, MOST_SIGNS)),
            Route("/choices", self._answered(self._choices)),
            Route("/rounds/{number}.json", self._answered(self._round)),
            Route("/settings.json", self._told),
            Route("/static/{name}", self._files.answer),
            Route("/seat", self._answered(self._take_seat), methods=["POST"]),
            Route("/command", self._answered(self._command), methods=["POST"]),
            Route("/sign-in", self._answered(self._sign_in), methods=["POST"]),
            Route("/sign-out", self._answered(self._sign_out), methods=["POST"]),
            Route("/touch", self._answered(self._touch), methods=["POST"]),
        ]
        middleware = [Middleware(SecureHeaders), Middleware(_OwnNames, hosts=settings.hosts)]
        self.asgi = Starlette(routes=routes, middleware=middleware)

    def end(self) -> None:
        """No more states will come."""
        self.dealer.end()
        self.sign.end()

    # ---- what is shown --------------------------------------------------------------------------

    def _changed(self) -> None:
        if not self.table.lost:
            self._shown.see(self.table.status)
        self.dealer.put(for_dealer(self._boot, self.table, self._seat, self.actor))
        self.sign.put(for_sign(self.table, self._shown, self._settings.sign_words))

    def _began(self, page: str) -> None:
        self._seat.stream_began(page)
        self._changed()

    def _ended(self, page: str) -> None:
        acted = self._seat.has(page)
        self._seat.stream_ended(page)
        if acted and not self._seat.has(page):
            self.actor.leave()
        self._changed()

    def _page(self, name: str) -> Answer:
        async def answer(request: Request) -> Response:
            return self._files.page(name, request)

        return answer

    async def _told(self, _: Request) -> Response:
        return JSONResponse(
            {
                "language": self._settings.language,
                "languages": LANGUAGES,
                "lock_s": self._settings.lock_s,
                "sign_languages": self._settings.sign_languages,
            }
        )

    # ---- what is asked and done -----------------------------------------------------------------

    def _answered(self, answer: Callable[[Request], Awaitable[JsonObject]]) -> Answer:
        async def told(request: Request) -> Response:
            try:
                return JSONResponse({"ok": True, "result": await answer(request)})
            except RefusedByController as error:
                fields = {"clause": error.clause, "permitted": error.permitted, **error.now}
                return _no(error.kind, error.code, error.reason, fields)
            except NoController as error:
                return _no("unavailable", error.code, str(error))
            except NotDoneHere as error:
                return _no(error.kind, error.code, str(error))

        return told

    async def _choices(self, _: Request) -> JsonObject:
        return await self.actor.look("choices", {})

    async def _round(self, request: Request) -> JsonObject:
        return await self.actor.look("round", {"number": request.path_params["number"][:20]})

    async def _take_seat(self, request: Request) -> JsonObject:
        page, given = await _asked(request)
        before = self._seat.name
        if not self._seat.take(page, over=given.get("over") is True):
            words = "another page acts at this table" if before else "this page follows nothing"
            raise NotDoneHere("not_acting", "another-page", words)
        if before != self._seat.name:
            await self.actor.sign_out()
        self._changed()
        return {"seat": self._seat.name}

    async def _command(self, request: Request) -> JsonObject:
        given = await self._by_the_seat(request)
        do = given.get("do")
        if do not in COMMANDS:
            raise NotDoneHere("malformed", "unknown-request", "do: expected dealer or supervisor")
        return await self.actor.give(do, _terms(given), more=given.get("more") is True)

    async def _sign_in(self, request: Request) -> JsonObject:
        given = await self._by_the_seat(request)
        person, pin = _text(given, "person"), _text(given, "pin")
        return await self.actor.sign_in(person, pin, once=given.get("once") is True)

    async def _sign_out(self, request: Request) -> JsonObject:
        page, _ = await _asked(request)
        if self._seat.has(page):
            await self.actor.sign_out()
        return {}

    async def _touch(self, request: Request) -> JsonObject:
        await self._by_the_seat(request)
        self.actor.touched()
        return {}

    async def _by_the_seat(self, request: Request) -> JsonObject:
        """What the page that acts has sent.

        Raises:
            NotDoneHere: the table is not live, another page acts, or the page shows a state of
                another start.
        """
        page, given = await _asked(request)
        if self.table.lost:
            raise NotDoneHere("not_live", "not-live", self.table.lost)
        if not self._seat.has(page):
            raise NotDoneHere("not_acting", "another-page", "another page acts at this table")
        if given.get("console") != self._boot:
            raise NotDoneHere("changed", "changed", "the console was started anew: look again")
        return given


class _PageStreams:
    """The streams of pages, each of which says by its name when it begins and ends."""

    def __init__(
        self, streams: ASGIApp, began: Callable[[str], None], ended: Callable[[str], None]
    ) -> None:
        self._streams, self._began, self._ended = streams, began, ended

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        page = Request(scope).query_params.get("page", "")
        if not name_of(page):
            words = "expected ?page=NAME.SECRET, 8 and 32 hexadecimal digits\n"
            await PlainTextResponse(words, 400)(scope, receive, send)
            return
        self._began(page)
        try:
            await self._streams(scope, receive, send)
        finally:
            self._ended(page)


class _OwnNames:
    """An application that answers by its own names alone."""

    def __init__(self, application: ASGIApp, hosts: frozenset[str]) -> None:
        self._application, self._hosts = application, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            host = Request(scope).headers.get("host", "")
            if host not in self._hosts:
                words = "this console is not known by that name: see 'hosts' in its configuration\n"
                await PlainTextResponse(words, 421)(scope, receive, send)
                return
        await self._application(scope, receive, send)


async def _asked(request: Request) -> tuple[str, JsonObject]:
    """The page that asks, and the object that it has sent."""
    page = request.headers.get(PAGE, "")
    if not name_of(page):
        raise NotDoneHere("malformed", "unreadable-request", f"expected {PAGE}: NAME.SECRET")
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_BODY:
            raise NotDoneHere("malformed", "line-too-long", f"at most {MOST_BODY} bytes")
    try:
        return page, checked(dict[str, object], json.loads(body or b"{}"), "body")
    except (ValueError, RecursionError, WrongForm) as error:
        words = "expected a JSON object in UTF-8"
        raise NotDoneHere("malformed", "unreadable-request", words) from error


def _terms(given: JsonObject) -> dict[str, Any]:
    """What of it goes to the daemon, which judges it."""
    fields: dict[str, Any] = {}
    for key in ("command", "why", "key", "person", "pin"):
        if key in given:
            fields[key] = _text(given, key)
    if given.get("dry") is True:
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


def _text(given: Mapping[str, object], key: str) -> str:
    value = given.get(key)
    if not isinstance(value, str):
        raise NotDoneHere("malformed", "unreadable-request", f"{key}: expected a text")
    return value


def _no(kind: str, code: str, reason: str, more: Mapping[str, object] | None = None) -> Response:
    error = {"kind": kind, "code": code, "reason": reason, **(more or {})}
    return JSONResponse({"ok": False, "error": error}, STATUS.get(kind, 503))
