"""Which address is answered how. Everything is a GET, and nothing of it changes anything.

=======================================  ===========================================================
``/``, ``/tables/TABLE``, ``/report``    the pages, which ask for the rest
``/events``                              the floor's state, followed (:mod:`web.streams`)
``/tables/TABLE.json``                   a table: its days, and what happened there last
``/tables/TABLE/DAY.json``               its rounds of a gaming day
``/tables/TABLE/rounds/N``, ``N.json``   a round, as for a dispute (``journal``: of that one; left
                                         out, which there are, where it is more than one)
``/facts/VIEW.csv``, ``VIEW.json``       a view's rows (``table``, ``day``, ``shift``)
``/report.json``, ``/report.csv``        a report (``day`` or ``shift``, ``table``; CSV: ``part``)
``/days.json``                           the gaming days on which any table ran
``/who.json``                            as whom the house's proxy knows the person
``/static/NAME``                         scripts and styles
=======================================  ===========================================================

The person's name comes from the house's proxy (``X-Remote-User``). It is shown and logged, and
nothing else is done with it: who may look the proxy decides. What is not there is 404, in a
sentence; what was and is not kept any more 410.

``table-floor page`` runs in the foreground, until SIGTERM. Logs go to standard error."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from controller.forms.json_values import WrongForm
from controller.journal.errors import BadDraft
from controller.not_done import NOT_WELL, NotDone
from controller.replay.finding import FoundRound
from controller.sheets.dispute_page import dispute_page
from drivers.printable import printable
from floor.configuration import FloorSettings
from floor.facts.report.accounts import AskedSpan, NothingTold
from floor.facts.report.printed import PARTS, as_csv, csv_text
from floor.page.asking import PageQuestions, as_json
from floor.page.choices import RoundChoice, choices_of, choices_page
from floor.page.requests import (
    NOT_FOUND,
    NotAsked,
    asked_for,
    read_day,
    read_number,
    refuse_odd,
    span_of,
    who_asks,
)
from floor.page.round_search import RemovedByAge, RoundFinder
from floor.page.views import VIEWS, Reports, TooMany, ViewQuestions
from floor.page.watching import FloorWatch
from floor.store.failing import StoreFails
from floor.store.reading import AlteredBundle
from floor.store.store import FloorStore
from web.files import SHARED, PageFiles
from web.headers import SHEET_POLICY, SecureHeaders
from web.listening import listening
from web.serving import serve
from web.streams import StateStreams

OWN: Final = Path(__file__).parent / "static"
MOST_STREAMS: Final = 100
LAST: Final = 50
"""So many of a table's last holds, deeds and the like are on its page."""

MANY: Final = 300
GONE: Final = 410

Answer = Callable[[Request], Awaitable[Response]]

_log = logging.getLogger(__name__)


class PageApplication:
    """The page over a store; :attr:`watch` is to be run beside it."""

    def __init__(self, questions: PageQuestions, settings: FloorSettings) -> None:
        self._questions = questions
        self._views = ViewQuestions(questions.store)
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
            self._route("/who.json", self._asker),
            self._route("/tables/{table}/rounds/{number}.json", self._round),
            self._route("/tables/{table}/rounds/{number}", self._dispute),
            self._route("/tables/{table}/{day}.json", self._day),
            self._route("/tables/{table}.json", self._table),
            self._route("/tables/{table}", self._table_page),
            Route("/static/{name}", self._files.answer),
            Route("/events", StateStreams(self.watch.latest, MOST_STREAMS)),
        ]
        self.asgi = Starlette(routes=routes, middleware=[Middleware(SecureHeaders)])

    def _route(self, path: str, answer: Answer) -> Route:
        async def answer_or_refuse(request: Request) -> Response:
            _log.info("%s by %s", printable(request.url.path), who_asks(request) or "nobody named")
            try:
                refuse_odd(request)
                return await answer(request)
            except NotAsked as error:
                return PlainTextResponse(f"{error}\n", error.status)
            except NothingTold as error:
                return PlainTextResponse(f"{error}\n", NOT_FOUND)
            except RemovedByAge as error:
                return PlainTextResponse(f"{error}\n", GONE)
            except TooMany as error:
                return PlainTextResponse(f"{error}\n", 413)
            except (StoreFails, NotDone) as error:
                return PlainTextResponse(f"{error}\n", 503)
            except (AlteredBundle, WrongForm, BadDraft) as error:
                words = f"{error}: 'table-floor rebuild' says more\n"
                return PlainTextResponse(words, 500)

        return Route(path, answer_or_refuse)

    def _page(self, name: str) -> Answer:
        async def answer(request: Request) -> Response:
            return self._files.page(name, request)

        return answer

    def _json(self, value: object) -> Response:
        return JSONResponse(as_json(value, self._zone))

    # ---- what is asked for ----------------------------------------------------------------------

    async def _asker(self, request: Request) -> Response:
        return self._json({"who": who_asks(request)})

    async def _table_page(self, request: Request) -> Response:
        await self._known(request.path_params["table"])
        return self._files.page("table.html", request)

    async def _known(self, table: str) -> None:
        """Raise NotAsked where the floor knows no such table."""
        if not self.watch.knows(table) and not await self._questions.logs(table):
            raise NotAsked(f"the floor knows no table {table!r}: those that it knows are at /")

    async def _table(self, request: Request) -> Response:
        table, ask = request.path_params["table"], self._questions
        await self._known(table)
        lists = {
            view: await ask.newest(view, table, LAST)
            for view in ("holds", "acts", "links", "versions", "differences")
        }
        return self._json({"days": await ask.days(table), **lists})

    async def _day(self, request: Request) -> Response:
        table, day = request.path_params["table"], read_day(request.path_params["day"])
        rows = await self._questions.rounds(table, day)
        if not rows:
            await self._ran(AskedSpan(day=day, table=table))
        return self._json(rows)

    async def _ran(self, asked: AskedSpan) -> None:
        """Raise NotAsked where nothing can be known of that table or day."""
        if asked.table is not None:
            await self._known(asked.table)
        if asked.day is not None and not await self._views.ran(asked):
            where = f"table {asked.table}" if asked.table else "any table"
            raise NotAsked(f"nothing is known of {where} on {asked.day}")

    async def _view(self, request: Request) -> Response:
        view, form = request.path_params["view"], request.path_params["form"]
        if view not in VIEWS or form not in ("csv", "json"):
            raise NotAsked(f"no such figures: {', '.join(VIEWS)}, each .csv or .json")
        asked = asked_for(request)
        columns, rows = await self._views.view(view, asked)
        if not rows:
            await self._ran(asked)
        if form == "json":
            return self._json(rows)
        told = [{name: as_json(row[name], self._zone) for name in columns} for row in rows]
        return _file(f"{view}.csv", csv_text(columns, told))

    async def _days(self, _: Request) -> Response:
        return self._json(await self._questions.days(None))

    async def _report(self, request: Request) -> Response:
        return self._json(await self._reports.report_on(span_of(request)))

    async def _report_csv(self, request: Request) -> Response:
        part = request.query_params.get("part", PARTS[0])
        if part not in PARTS:
            raise NotAsked(f"no such part of a report: {', '.join(PARTS)}")
        return _file(f"{part}.csv", as_csv(await self._reports.report_on(span_of(request)), part))

    async def _round(self, request: Request) -> Response:
        found = await self._find_round(request)
        if not isinstance(found, FoundRound):
            return JSONResponse(found, MANY)
        return self._json({**found.result, "course": [asdict(step) for step in found.steps]})

    async def _dispute(self, request: Request) -> Response:
        found = await self._find_round(request)
        headers = {"content-security-policy": SHEET_POLICY}
        if not isinstance(found, FoundRound):
            table, number = request.path_params["table"], request.path_params["number"]
            page = choices_page(f"Rounds {number} of table {table}", found)
            return Response(page, MANY, headers, "text/html")
        assert found.facts is not None
        page = dispute_page(found.result, found.steps, found.facts)
        return Response(page, headers=headers, media_type="text/html")

    async def _find_round(self, request: Request) -> FoundRound | list[RoundChoice]:
        """The round, or those of its number where it is not said which is meant."""
        table, number = request.path_params["table"], read_number(request.path_params["number"])
        journal = request.query_params.get("journal")
        rows = await self._questions.round(table, number)
        rows = [row for row in rows if journal in (None, row["origin"])]
        if len(rows) > 1:
            return choices_of(request.url.path, rows, self._zone)
        found = await self._rounds.find_round(rows[0]) if rows else None
        if found is None or found.facts is None:
            await self._known(table)
            logs = await self._questions.logs(table)
            older = ": older ones were removed by age" if any(log["begins"] for log in logs) else ""
            raise NotAsked(f"table {table} has no round {number} here{older}")
        return found


def _file(name: str, text: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, headers=headers, media_type="text/csv")


CONNECTIONS: Final = 4


def show_page(settings: FloorSettings) -> None:
    """Serve the page until told to stop.

    Raises:
        NotDone: 1, the database or the address cannot be used, now.
    """
    # A round's page tells times as the machine that shows them has it: here, as the house has it.
    os.environ["TZ"] = settings.zone.key

    async def serve_page() -> None:
        async with FloorStore.open(settings.database, CONNECTIONS, reads_only=True) as store:
            application = PageApplication(PageQuestions(store), settings)
            address = settings.page.listen
            with listening(address.host, address.port, "[page] listen") as listener:
                async with asyncio.TaskGroup() as tasks:  # if one fails so does the program
                    watching = tasks.create_task(application.watch.watch_forever())
                    await serve(application.asgi, listener, application.watch.latest.end_updates)
                    watching.cancel()

    try:
        asyncio.run(serve_page())
    except StoreFails as error:
        raise NotDone(NOT_WELL, str(error)) from error
