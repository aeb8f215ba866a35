"""Which address is answered how. Everything is a GET, and nothing of it changes anything.

=======================================  ===========================================================
``/``, ``/tables/TABLE``, ``/report``    the pages, which ask for the rest
``/events``                              the floor's state, followed (:mod:`web.streams`)
``/tables/TABLE.json``                   a table: its days, and what happened there last
``/tables/TABLE/DAY.json``               its rounds of a gaming day
``/tables/TABLE/rounds/N``, ``N.json``   a round, as for a dispute
``/facts/VIEW.csv``, ``VIEW.json``       a view's rows (``table``, ``day``, ``shift``)
``/report.json``, ``/report.csv``        a report (``day`` or ``shift``, ``table``; CSV: ``part``)
``/days.json``                           the gaming days on which any table ran
``/who.json``                            as whom the house's proxy knows the person
``/static/NAME``                         scripts and styles
=======================================  ===========================================================

The person's name comes from the house's proxy (``X-Remote-User``). It is shown and logged, and
nothing else is done with it: who may look the proxy decides.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from datetime import date
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from controller.journal.errors import BadDraft
from controller.json_values import WrongForm
from controller.not_done import NotDone
from controller.replay.course.found import Found
from controller.sheets.dispute_page import dispute_page
from drivers.printable import printable
from floor.configuration import FloorSettings
from floor.facts.accounts import AskedSpan
from floor.facts.printed import PARTS
from floor.facts.printed import as_csv as report_as_csv
from floor.page.asking import VIEWS, PageQuestions, TooMany
from floor.page.reports import Reports
from floor.page.rounds import RoundFinder
from floor.page.telling import as_csv, as_json
from floor.page.watching import FloorWatch
from floor.store.failing import StoreFails
from floor.store.reading import AlteredBundle
from web.files import SHARED, PageFiles
from web.headers import SHEET_POLICY, SecureHeaders
from web.streams import StateStreams

USER: Final = "x-remote-user"
OWN: Final = Path(__file__).parent / "static"
MOST_STREAMS: Final = 100
LAST: Final = 50
"""So many of a table's last holds, deeds and the like are on its page."""

Answer = Callable[[Request], Awaitable[Response]]

_log = logging.getLogger(__name__)


class NotAsked(Exception):
    """There is no such thing, or it is named wrongly; the message says what."""


class PageApplication:
    """The page over a store; :attr:`watch` is to be run beside it."""

    def __init__(self, questions: PageQuestions, settings: FloorSettings) -> None:
        self._questions = questions
        self._zone = settings.zone
        self._rounds = RoundFinder(questions.store)
        self._reports = Reports(questions.store, settings)
        self._files = PageFiles(SHARED, OWN)
        self.watch = FloorWatch(questions, settings)
        routes = [
            self._route("/", self._page("floor.html")),
            self._route("/report", self._page("report.html")),
            self._route("/report.json", self._report),
            self._route("/report.csv", self._report_csv),
            self._route("/days.json", self._days),
            self._route("/facts/{view}.{form}", self._view),
            self._route("/who.json", self._who),
            self._route("/tables/{table}/rounds/{number}.json", self._round),
            self._route("/tables/{table}/rounds/{number}", self._dispute),
            self._route("/tables/{table}/{day}.json", self._day),
            self._route("/tables/{table}.json", self._table),
            self._route("/tables/{table}", self._page("table.html")),
            Route("/static/{name}", self._files.answer),
            Route("/events", StateStreams(self.watch.latest, MOST_STREAMS)),
        ]
        self.asgi = Starlette(routes=routes, middleware=[Middleware(SecureHeaders)])

    def _route(self, path: str, answer: Answer) -> Route:
        async def told(request: Request) -> Response:
            _log.info("%s by %s", printable(request.url.path), who_asks(request) or "nobody named")
            try:
                return await answer(request)
            except NotAsked as error:
                return PlainTextResponse(f"{error}\n", 404)
            except TooMany as error:
                return PlainTextResponse(f"{error}\n", 413)
            except (StoreFails, NotDone) as error:
                return PlainTextResponse(f"{error}\n", 503)
            except (AlteredBundle, WrongForm, BadDraft) as error:
                words = f"{error}: 'table-floor rebuild' says more\n"
                return PlainTextResponse(words, 500)

        return Route(path, told)

    def _page(self, name: str) -> Answer:
        async def answer(request: Request) -> Response:
            return self._files.page(name, request)

        return answer

    def _json(self, value: object) -> Response:
        return JSONResponse(as_json(value, self._zone))

    # ---- what is asked for ----------------------------------------------------------------------

    async def _who(self, request: Request) -> Response:
        return self._json({"who": who_asks(request)})

    async def _table(self, request: Request) -> Response:
        table, ask = request.path_params["table"], self._questions
        lists = {
            view: await ask.newest(view, table, LAST)
            for view in ("holds", "acts", "links", "versions", "differences")
        }
        return self._json({"days": await ask.days(table), **lists})

    async def _day(self, request: Request) -> Response:
        day = _date(request.path_params["day"])
        return self._json(await self._questions.rounds(request.path_params["table"], day))

    async def _view(self, request: Request) -> Response:
        view, form = request.path_params["view"], request.path_params["form"]
        if view not in VIEWS or form not in ("csv", "json"):
            raise NotAsked(f"no such figures: {', '.join(VIEWS)}, each .csv or .json")
        rows = await self._questions.view(view, _asked(request))
        if form == "json":
            return self._json(rows)
        return _file(f"{view}.csv", as_csv(rows, list(rows[0]) if rows else [], self._zone))

    async def _days(self, _: Request) -> Response:
        return self._json(await self._questions.days(None))

    async def _report(self, request: Request) -> Response:
        return self._json(await self._reports.made(_span(request)))

    async def _report_csv(self, request: Request) -> Response:
        part = request.query_params.get("part", PARTS[0])
        if part not in PARTS:
            raise NotAsked(f"no such part of a report: {', '.join(PARTS)}")
        return _file(f"{part}.csv", report_as_csv(await self._reports.made(_span(request)), part))

    async def _round(self, request: Request) -> Response:
        found = await self._found(request)
        return self._json({**found.result, "course": [step.as_json() for step in found.steps]})

    async def _dispute(self, request: Request) -> Response:
        found = await self._found(request)
        assert found.facts is not None
        page = dispute_page(found.result, found.steps, found.facts)
        headers = {"content-security-policy": SHEET_POLICY}
        return Response(page, headers=headers, media_type="text/html")

    async def _found(self, request: Request) -> Found:
        table, number = request.path_params["table"], _number(request.path_params["number"])
        row = await self._questions.round(table, number)
        found = None if row is None else await self._rounds.find(row)
        if found is None or found.facts is None:
            raise NotAsked(f"table {table} has no round {number} here")
        return found


def who_asks(request: Request) -> str:
    """The person's name as the house's proxy gives it, printable; "" where it gives none."""
    return printable(request.headers.get(USER, ""))[:200]


def _asked(request: Request) -> AskedSpan:
    given = request.query_params
    day, shift = given.get("day"), given.get("shift")
    return AskedSpan(
        _date(day) if day else None,
        _number(shift) if shift else None,
        given.get("table") or None,
    )


def _span(request: Request) -> AskedSpan:
    asked = _asked(request)
    if asked.day is None and asked.shift is None:
        raise NotAsked("of which day or shift? ?day=YYYY-MM-DD or ?shift=N")
    return asked


def _file(name: str, text: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, headers=headers, media_type="text/csv")


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise NotAsked(f"{text!r} is no day: expected YYYY-MM-DD") from error


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise NotAsked(f"{text!r} is no number")
    return int(text)
