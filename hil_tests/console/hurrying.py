"""A page that need not stand still for as long before its keys count: a walk of hundreds of touches
would wait for most of its time."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import BrowserContext, Route

STILL: Final = "STILL_MS = 300"
"""How long the page stands still before a key counts (console/static/dealer/tapping.js)."""


def hurry(context: BrowserContext, still_ms: int) -> None:
    """So long have pages of ``context`` to stand still."""

    def hurried(route: Route) -> None:
        answer = route.fetch()
        text = answer.text()
        assert STILL in text
        route.fulfill(response=answer, body=text.replace(STILL, f"STILL_MS = {still_ms}"))

    # Once: as long as anything is routed, the browser asks before each of a page's requests.
    context.route("**/static/tapping.js", hurried, times=1)
