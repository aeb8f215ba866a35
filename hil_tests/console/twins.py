"""``python -m hil_tests.console.twins FOLDER PORT``: the simulated devices of a standing table,
worked by mouse. It answers on this machine alone, until SIGTERM.

==================  ============================================================================
``GET /twins``      the page
``GET /look``       what a person sees at each device (:meth:`simulators.person.Person.look`)
``POST /do``        ``{"deed": NAME, "given": {…}}``: what a person does there
==================  ============================================================================

A deed is answered with ``{"ok": true, "result": …}`` or ``{"ok": false, "error": TEXT}``. It has
the header ``X-Twins``, which no page from elsewhere can send.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from simulators.person import NotDone, Person
from web.files import SHARED, PageFiles
from web.headers import SecureHeaders
from web.listening import listening
from web.serving import serve

DEEDS: Final = ("draw", "next", "press", "key", "switch", "cable")
OWN: Final = Path(__file__).parent / "static"


class TwinsPage:
    """The page for the devices that listen in ``folder``."""

    def __init__(self, folder: Path) -> None:
        self._person = Person(folder)
        self._files = PageFiles(SHARED, OWN)
        routes = [
            Route("/twins", self._page),
            Route("/look", self._answer_look),
            Route("/do", self._answer_deed, methods=["POST"]),
            Route("/static/{name}", self._files.answer),
        ]
        names = Middleware(TrustedHostMiddleware, allowed_hosts=["127.0.0.1", "localhost"])
        self.asgi = Starlette(routes=routes, middleware=[Middleware(SecureHeaders), names])

    async def _page(self, request: Request) -> Response:
        return self._files.page("twins.html", request)

    async def _answer_look(self, _: Request) -> Response:
        return await self._person_answer("look", {"name": None})

    async def _answer_deed(self, request: Request) -> Response:
        if "x-twins" not in request.headers:
            return _no("this comes from another page", 403)
        try:
            asked = json.loads(await request.body())
            deed, given = asked["deed"], dict(asked["given"])
        except (ValueError, KeyError, TypeError):
            return _no('expected {"deed": NAME, "given": {}}', 400)
        if deed not in DEEDS:
            return _no(f"expected one of {', '.join(DEEDS)}", 400)
        return await self._person_answer(deed, given)

    async def _person_answer(self, deed: str, given: dict[str, Any]) -> Response:
        try:
            told = await run_in_threadpool(getattr(self._person, deed), **given)
        except NotDone as failed:
            return _no(str(failed), 409)
        except (TypeError, ValueError) as error:  # of what was given
            return _no(str(error), 400)
        return JSONResponse({"ok": True, "result": told})


def _no(words: str, status: int) -> Response:
    return JSONResponse({"ok": False, "error": words}, status)


def main(argv: Sequence[str]) -> int:
    """Serve; returns the exit status."""
    folder, port = argv
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s", stream=sys.stderr)
    with listening("127.0.0.1", int(port), "PORT") as listener:
        asyncio.run(serve(TwinsPage(Path(folder)).asgi, listener))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
