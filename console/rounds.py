"""The addresses of the round's page. It asks with the header that all requests of pages have
(:mod:`console.page_requests`); a file is opened by a form, whose ``page`` is the same: in an
address it would stand in the log of a proxy.

===============================  ===================================================================
``GET /rounds/N.json``           a round with its course; ``last``: the last one
``GET /rounds/N.code.json``      what vouches for it, what has no room in its code, its ``picture``
``POST /rounds/N.proof.json``    its proof, a file to keep
``POST /rounds/N.html``          the round as one file to keep or print
===============================  ===================================================================

``N`` is a number of up to :data:`LONGEST` digits."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from console.page_requests import NotDoneHere, page_of, page_of_form
from console.reading import Readers
from controller.control.client import RefusedByController
from web.headers import SHEET_POLICY

LONGEST: Final = 20

Answer = Callable[[Request], Awaitable[Response]]


class RoundAddresses:
    """Answers by what the ``readers`` may see; ``told`` makes errors answers."""

    def __init__(self, readers: Readers, told: Callable[[Answer], Answer]) -> None:
        self._readers = readers
        self.routes = [
            Route(f"/rounds/{{number}}{end}", told(answer), methods=[method])
            for method, end, answer in (
                ("GET", ".code.json", self._code),
                ("POST", ".proof.json", self._proof),
                ("POST", ".html", self._sheet),
                ("GET", ".json", self._round),
            )
        ]

    async def _round(self, request: Request) -> Response:
        number = request.path_params["number"][:LONGEST]
        return _ok(await self._readers.course(page_of(request), number))

    async def _code(self, request: Request) -> Response:
        from controller.sheets.codes import as_picture  # noqa: PLC0415  # only few pages show a code

        code = (await self._readers.proof(page_of(request), _number(request), anew=True)).code
        side, dark = as_picture(code.text)
        return _ok({**asdict(code), "picture": {"side": side, "dark": dark}})

    async def _proof(self, request: Request) -> Response:
        number = _number(request)
        shown = await self._readers.proof(await page_of_form(request), number)
        name = f'attachment; filename="round-{number}.json"'
        headers = {"content-disposition": name}
        return Response(shown.file, headers=headers, media_type="application/json")

    async def _sheet(self, request: Request) -> Response:

        from console.sheet import sheet_of  # noqa: PLC0415  # it needs what nothing else here does

        page, number = await page_of_form(request), _number(request)
        told = await self._readers.course(page, str(number))
        try:
            code = (await self._readers.proof(page, number)).code
        except RefusedByController as error:
            if error.code != "cannot-be-proven":
                raise
            code = None  # of a round in progress, or before its checkpoint
        headers = {"content-security-policy": SHEET_POLICY}
        return Response(sheet_of(told, code), headers=headers, media_type="text/html")


def _number(request: Request) -> int:
    number = request.path_params["number"]
    if not (number.isascii() and number.isdecimal() and len(number) <= LONGEST):
        raise NotDoneHere("malformed", "unreadable-request", "expected the number of a round")
    return int(number)


def _ok(result: object) -> Response:
    return JSONResponse({"ok": True, "result": result})
