"""Who is answered at all: the console's own pages, by the console's own names.

The rules:

- A name that somebody else has pointed at this machine is refused: no page under it becomes one of
  the console's own.
- So is what a browser says that a page from elsewhere asks for (``Origin``, ``Sec-Fetch-Site``): it
  could read nothing, but take the seat, or the places of pages. Links from elsewhere to a page are
  followed.
- A page that finds no place for its stream sees nothing, and so does not act.
- A page has one stream. Where a network fails, nobody may know for minutes that an old one has
  ended: the page's next one ends it, and has its place.
- A name that an open page has is no other page's: each knows by it whether it acts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from console.page_requests import NotDoneHere, no, page_of
from console.seat import name_of
from web.streams import StateStreams

ACTED: Final = "x-console-acted"
"""A page's word that it acted when it was last told who does."""
PAGES: Final = ("/", "/sign", "/rounds")
"""What a link may lead to."""


class PageStreams:
    """The streams of pages, each of which says by its name when it begins and ends."""

    def __init__(
        self,
        streams: StateStreams,
        began: Callable[[str, bool], None],
        ended: Callable[[str], None],
    ) -> None:
        self._streams, self._began, self._ended = streams, began, ended
        self._open: dict[str, asyncio.Event] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Follow the state to the page's end."""
        try:
            page = page_of(Request(scope))
        except NotDoneHere as error:
            await no(error.kind, error.code, str(error))(scope, receive, send)
            return
        if any(one != page and name_of(one) == name_of(page) for one in self._open):
            taken = no("not_acting", "another-page", "another page has that name")
            await taken(scope, receive, send)
            return
        before = self._open.get(page)
        if before is None and self._streams.full:  # who cannot see the state does not act
            await self._streams(scope, receive, send)
            return
        over = self._open[page] = asyncio.Event()
        self._began(page, Headers(scope=scope).get(ACTED) == "yes")
        if before is not None:
            before.set()
        try:
            await self._streams.follow(scope, receive, send, over)
        finally:
            if self._open[page] is over:
                del self._open[page]
            self._ended(page)


class OwnNames:
    """An application that answers by its own names alone, and its own pages."""

    def __init__(self, application: ASGIApp, hosts: frozenset[str]) -> None:
        self._application, self._hosts = application, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or say why not."""
        if scope["type"] == "http":
            headers = Request(scope).headers
            if headers.get("host", "").lower() not in self._hosts:
                words = "this console is not known by that name: see 'hosts' in its configuration\n"
                await PlainTextResponse(words, 421)(scope, receive, send)
                return
            if self._from_elsewhere(headers, scope["path"]):
                words = "a page from elsewhere asks: open the console's own\n"
                await PlainTextResponse(words, 403)(scope, receive, send)
                return
        await self._application(scope, receive, send)

    def _from_elsewhere(self, headers: Headers, path: str) -> bool:
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2].lower() not in self._hosts:
            return True
        followed = path in PAGES and headers.get("sec-fetch-mode") == "navigate"
        return headers.get("sec-fetch-site") in ("cross-site", "same-site") and not followed
