"""The addresses of the round's page; PAGE is its name and secret, which may come in the header that
all requests of pages have (:mod:`console.asked`) instead.

=====================================  =============================================================
``GET /rounds/N.json?page=PAGE``       a round with its course; ``last``: the last one
``GET /rounds/N.code.json?page=PAGE``  what vouches for it, and what has no room in its code
``GET /rounds/N.code.svg?page=PAGE``   the same as a QR code
``GET /rounds/N.proof.json?page=PAGE`` its proof, a file to keep
``GET /rounds/N.html?page=PAGE``       the round as one file to keep or print
=====================================  =============================================================
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from console.asked import page_of
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
            Route(f"/rounds/{{number{kind}}}{end}", told(answer))
            for kind, end, answer in (
                (":int", ".code.json", self._code),
                (":int", ".code.svg", self._picture),
                (":int", ".proof.json", self._proof),
                (":int", ".html", self._sheet),
                ("", ".json", self._round),
            )
        ]

    async def _round(self, request: Request) -> Response:
        number = request.path_params["number"][:LONGEST]
        return _ok(await self._readers.course(_page(request), number))

    async def _code(self, request: Request) -> Response:
        number = request.path_params["number"]
        return _ok(asdict((await self._readers.proof(_page(request), number, anew=True)).code))

    async def _picture(self, request: Request) -> Response:
        from controller.sheets.qr import as_svg  # noqa: PLC0415  # only few pages show a code

        shown = await self._readers.proof(_page(request), request.path_params["number"])
        return Response(as_svg(shown.code.text), media_type="image/svg+xml")

    async def _proof(self, request: Request) -> Response:
        number = request.path_params["number"]
        shown = await self._readers.proof(_page(request), number)
        name = f'attachment; filename="round-{number}.json"'
        headers = {"content-disposition": name}
        return Response(shown.file, headers=headers, media_type="application/json")

    async def _sheet(self, request: Request) -> Response:
        from console.sheet import sheet_of  # noqa: PLC0415  # it needs what nothing else here does

        page, number = _page(request), request.path_params["number"]
        told = await self._readers.course(page, str(number))
        try:
            code = (await self._readers.proof(page, number)).code
        except RefusedByController as error:
            if error.code != "cannot-be-proven":
                raise
            code = None  # of a round in progress, or before its checkpoint
        headers = {"content-security-policy": SHEET_POLICY}
        return Response(sheet_of(told, code), headers=headers, media_type="text/html")


def _page(request: Request) -> str:
    """The page that asks: in the header, or in the address of what a browser opens."""
    return request.query_params.get("page") or page_of(request)


def _ok(result: object) -> Response:
    return JSONResponse({"ok": True, "result": result})
