"""Which address is answered how.

=====================================  =============================================================
``GET /``, ``/sign``, ``/rounds``      the pages, which ask for the rest
``GET /events``                        the state of the dealer's page, followed (:mod:`web.streams`)
``GET /sign/events``                   the state of the sign, followed
``GET /choices``                       what may be put right now: cards by number, reports
``GET /rounds/…``                      rounds, for who has signed in (:mod:`console.rounds`)
``GET /settings.json``                 ``language``, ``languages``, ``lock_s``, ``sign_languages``,
                                       and the ``verbs`` with their facts
``GET /static/NAME``                   scripts, styles, pictures and words
``POST /seat``                         let this page act: ``over``: from another one
``POST /command``                      give a command, or try it (``dry``)
``POST /sign-in``, ``/sign-out``       a person, by PIN
``POST /rounds/sign-in``, ``-out``     a person who looks at rounds, on a page that acts nowhere
``POST /touch``                        somebody is there
=====================================  =============================================================

The rules:

- A request to do something has the page's name and secret (``X-Console-Page``), which no page from
  elsewhere can send, and a JSON object. Who asks by another name than the console's own is refused:
  so no name that somebody points at this machine lets a stranger's page in. So is what a browser
  says that a page from elsewhere asks for: it would take the seat, or the places of pages.
- What a signed-in person may see is told to the page at which he signed in, which asks with that
  header likewise, or, where a browser opens a file, by a form. In no address stands a secret.
- Nothing is done while the table is not live, by a page that does not act, or by one that was shown
  a state of another start of the console.
- An answer is ``{"ok": true, "result": …}`` or ``{"ok": false, "error": …}``, as on the control
  socket (docs/control-socket.md). Kinds of the console's own: ``not_acting`` and ``not_live``.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from console.acting import Actor
from console.configuration import LANGUAGES, ConsoleSettings
from console.following import TableFollower
from console.own_pages import OwnNames, PageStreams
from console.page_requests import NotDoneHere, flag, no, read_page_request, terms, text
from console.reading import Readers
from console.rounds import RoundAddresses
from console.seat import Seat
from console.sign import ShownMultipliers
from console.telling import for_dealer, for_sign, verb_rows
from controller.control.client import NoController, RefusedByController
from controller.forms.json_values import JsonObject, WrongForm
from web.files import SHARED, PageFiles
from web.headers import SecureHeaders
from web.latest import LatestState
from web.serving import keep_place
from web.streams import StateStreams

OWN: Final = Path(__file__).parent / "static"
WORDS: Final = Path(__file__).parent / "words"
MOST_PAGES: Final = 8
MOST_SIGNS: Final = 4
COMMANDS: Final = ("dealer", "supervisor")

Answer = Callable[[Request], Awaitable[Response]]


class ConsoleApplication:
    """The screens of the table behind a socket; :attr:`table` is to be run beside it."""

    def __init__(self, settings: ConsoleSettings) -> None:
        self._settings = settings
        self._boot = secrets.token_hex(8)
        self._seat = Seat()
        self._shown = ShownMultipliers(settings.state)
        self.table = TableFollower(settings.socket, self._changed)
        self.actor = Actor(settings.socket, settings.lock_s, self._changed)
        self.readers = Readers(settings.socket, settings.lock_s)
        self.dealer, self.sign = LatestState({}), LatestState({})
        self._changed()
        self._files = PageFiles(SHARED, OWN, WORDS)
        streams = StateStreams(self.dealer, MOST_PAGES)
        routes = [
            Route("/", self._page("dealer.html")),
            Route("/sign", self._page("sign.html")),
            Route("/rounds", self._page("round.html")),
            Route("/events", PageStreams(streams, self._began, self._end_stream)),
            Route("/sign/events", StateStreams(self.sign, MOST_SIGNS)),
            Route("/choices", self._answered(self._choices)),
            *RoundAddresses(self.readers, self._with_refusals).routes,
            Route("/rounds/sign-in", self._answered(self._reads), methods=["POST"]),
            Route("/rounds/sign-out", self._answered(self._reads_not), methods=["POST"]),
            Route("/settings.json", self._page_settings),
            Route("/static/{name}", self._files.answer),
            Route("/seat", self._answered(self._take_seat), methods=["POST"]),
            Route("/command", self._answered(self._command), methods=["POST"]),
            Route("/sign-in", self._answered(self._sign_in), methods=["POST"]),
            Route("/sign-out", self._answered(self._sign_out), methods=["POST"]),
            Route("/touch", self._answered(self._touch), methods=["POST"]),
        ]
        middleware = [Middleware(SecureHeaders), Middleware(OwnNames, hosts=settings.own_names)]
        self.asgi = Starlette(routes=routes, middleware=middleware)

    def end_streams(self) -> None:
        """No more states will come."""
        self.dealer.end_updates()
        self.sign.end_updates()

    # ---- what is shown --------------------------------------------------------------------------

    def _changed(self) -> None:
        if self.table.lost:
            self.actor.leave()
        else:
            self._shown.note_meter(self.table.status)
        self.dealer.put_parts(for_dealer(self._boot, self.table, self._seat, self.actor))
        self.sign.put_parts(for_sign(self.table, self._shown, self._settings.sign.words))

    def _began(self, page: str, acted: bool) -> None:  # as the stream tells it
        self._seat.stream_began(page, acted=acted)
        self._keep_person()
        self._changed()

    def _end_stream(self, page: str) -> None:
        self._seat.stream_ended(page)
        self._keep_person()
        self._changed()

    def _keep_person(self) -> None:
        """Whoever is signed in stays as long as his page acts."""
        if not self._seat.has(self.actor.page):
            self.actor.leave()

    def _page(self, name: str) -> Answer:
        async def answer(request: Request) -> Response:
            return self._files.page(name, request)

        return answer

    async def _page_settings(self, _: Request) -> Response:
        told = {
            "language": self._settings.language,
            "languages": LANGUAGES,
            "lock_s": self._settings.lock_s,
            "sign_languages": self._settings.sign_languages,
            "verbs": verb_rows(),
        }
        return JSONResponse(told)

    # ---- what is asked and done -----------------------------------------------------------------

    def _answered(self, answer: Callable[[Request], Awaitable[JsonObject]]) -> Answer:
        async def answer_in_json(request: Request) -> Response:
            return JSONResponse({"ok": True, "result": await answer(request)})

        return self._with_refusals(answer_in_json)

    def _with_refusals(self, answer: Answer) -> Answer:
        async def answer_or_refuse(request: Request) -> Response:
            try:
                return await answer(request)
            except RefusedByController as error:
                may = {"permitted": error.permitted, "actions": error.actions}
                fields = {"clause": error.clause, **may, **error.now}
                return no(error.kind, error.code, error.reason, fields)
            except NoController as error:
                return no("unavailable", error.code, str(error))
            except NotDoneHere as error:
                return no(error.kind, error.code, str(error))
            except WrongForm as error:  # a daemon of another version
                return no("unavailable", "no-answer", f"the table tells something else: {error}")

        return answer_or_refuse

    async def _choices(self, _: Request) -> JsonObject:
        self._live()
        return await self.actor.public_answer("choices")

    async def _reads(self, request: Request) -> JsonObject:
        page, given = await read_page_request(request)
        return await self.readers.sign_in(page, text(given, "person"), text(given, "pin"))

    async def _reads_not(self, request: Request) -> JsonObject:
        page, _ = await read_page_request(request)
        self.readers.sign_out(page)
        return {}

    async def _take_seat(self, request: Request) -> JsonObject:
        page, given = await read_page_request(request)
        before = self._seat.name
        if not self._seat.take_seat(page, over=flag(given, "over")):
            words = "another page acts at this table" if before else "this page follows nothing"
            raise NotDoneHere("not_acting", "another-page", words)
        self._keep_person()
        self._changed()
        return {"seat": self._seat.name}

    async def _command(self, request: Request) -> JsonObject:
        page, given = await self._by_the_seat(request)
        do = given.get("do")
        if do not in COMMANDS:
            raise NotDoneHere("malformed", "unknown-request", "do: expected dealer or supervisor")
        still, more = partial(self._acts, page), flag(given, "more")
        return await self.actor.give_command(page, do, terms(given), more=more, still=still)

    async def _sign_in(self, request: Request) -> JsonObject:
        page, given = await self._by_the_seat(request)
        person, pin, once = text(given, "person"), text(given, "pin"), flag(given, "once")
        still = partial(self._acts, page)
        return await self.actor.sign_in(page, person, pin, once=once, still=still)

    async def _sign_out(self, request: Request) -> JsonObject:
        page, _ = await read_page_request(request)
        if self._seat.has(page):
            self.actor.leave()
        return {}

    async def _touch(self, request: Request) -> JsonObject:
        page, _ = await self._by_the_seat(request)
        await self.actor.stay(page)
        return {}

    async def _by_the_seat(self, request: Request) -> tuple[str, JsonObject]:
        """The page that acts, and what it has sent.

        Raises:
            NotDoneHere: not live, another page acts, or the page shows another start's state.
        """
        page, given = await read_page_request(request)
        self._acts(page)
        keep_place(request)
        if given.get("console") != self._boot:
            raise NotDoneHere("changed", "changed", "the console was started anew: look again")
        self._seat.used()
        return page, given

    def _acts(self, page: str) -> None:
        """Raises NotDoneHere where the table is not live, or another page acts."""
        self._live()
        if not self._seat.has(page):
            raise NotDoneHere("not_acting", "another-page", "another page acts at this table")

    def _live(self) -> None:
        if self.table.lost:
            raise NotDoneHere("not_live", "not-live", self.table.lost)
