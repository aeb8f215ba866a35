"""Pages that a test opens, and what may not happen while they are open."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from playwright.sync_api import (
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    StorageState,
    WebError,
    expect,
)

from hil_tests.browser.chromium import Chromium
from hil_tests.browser.looking import LARGE, Screen

PATIENCE_MS: Final = 15_000
"""For whatever is waited for, where a test says nothing else."""

LOADED_FROM_NOWHERE: Final = ("about", "blob", "data")


class Visits:
    """What a test opens; each page is a person's, with nothing kept of others.

    :attr:`wrong` gets whatever nobody expected: a request to elsewhere than where the page came
    from, an error or a warning in the console (a breach of the Content-Security-Policy is one), and
    an error that no script caught.
    """

    def __init__(self, chromium: Chromium, pictures: Path | None = None) -> None:
        expect.set_options(PATIENCE_MS)
        self._chromium = chromium
        self._pictures = pictures
        self._contexts: list[BrowserContext] = []
        self._expected: list[str] = []
        self._found: list[str] = []

    def open(
        self,
        url: str,
        screen: Screen = LARGE,
        *,
        dark: bool = False,
        language: str = "en-GB",
        kept: Mapping[str, str] | None = None,
        prepare: Callable[[BrowserContext], None] | None = None,
    ) -> Page:
        """A page at that address, loaded; ``kept`` is what the browser has kept of an earlier visit
        (local storage); ``prepare`` gets its context before."""
        origin = urlsplit(url)[:2]
        state: StorageState | None = None
        if kept:  # a page from nowhere has nothing that could be kept
            state = {"origins": [{"origin": f"{origin[0]}://{origin[1]}", "localStorage": []}]}
            for name, value in kept.items():
                state["origins"][0]["localStorage"].append({"name": name, "value": value})
        context = self._chromium.browser.new_context(
            viewport={"width": screen.width, "height": screen.height},
            has_touch=screen.touch,
            color_scheme="dark" if dark else "light",
            locale=language,
            reduced_motion="reduce",
            storage_state=state,
        )
        self._contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        context.on("console", self._note_message)
        context.on("weberror", self._uncaught)
        context.on("request", partial(self._note_request, origin))
        if prepare is not None:
            prepare(context)
        page = context.new_page()
        page.goto(url)
        return page

    def leave(self, page: Page) -> None:
        """Close it; what it has told counts."""
        page.evaluate("0")
        self._contexts.remove(page.context)
        page.context.close()

    def expect(self, words: str) -> None:
        """Messages that contain ``words`` are what the test is about, from now on."""
        self._expected.append(words)

    def picture(self, page: Page, name: str) -> None:
        """Have the whole page as a picture, where pictures are asked for (``--pictures``)."""
        if self._pictures is not None:
            self._pictures.mkdir(parents=True, exist_ok=True)
            (self._pictures / f"{name}.png").write_bytes(page.screenshot(full_page=True))

    @property
    def wrong(self) -> list[str]:
        """What has happened and nobody expected."""
        for context in self._contexts:  # what the browser has told so far is taken with an answer
            for page in context.pages:
                page.evaluate("0")
        return [told for told in self._found if not any(words in told for words in self._expected)]

    def close(self) -> None:
        """Close all of them."""
        while self._contexts:
            self._contexts.pop().close()

    def _note_message(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning", "assert"):
            self._found.append(f"{message.type} in the console: {message.text}")

    def _uncaught(self, error: WebError) -> None:
        self._found.append(f"not caught: {error.error}")

    def _note_request(self, origin: tuple[str, str], request: Request) -> None:
        asked = urlsplit(request.url)
        if asked[:2] != origin and asked.scheme not in LOADED_FROM_NOWHERE:
            self._found.append(f"a request to elsewhere: {request.url}")
