"""Chromium, in a thread of its own, and the pages that a test opens there.

The rules:

- Playwright's synchronous API keeps an event loop in the thread that it is used in, where no other
  then runs. So it has a thread, in which whatever uses it is run (:meth:`Chromium.result_of`), and
  tests that are coroutines go on as ever.
- The browser is Debian's; the one without windows of its own where it is installed: the same
  engine, which needs a third of the time for each visit.
- It runs without its sandbox, which root may not use and containers do not permit: what it shows
  are this project's pages, of this machine.
- No name and no address but this machine's is found by it, and it has no home but its own.
- At the end no process of it is left.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Final, TypeVar
from urllib.parse import urlsplit

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    StorageState,
    WebError,
    expect,
    sync_playwright,
)

from hil_tests.browser.looking import LARGE, Screen
from hil_tests.process_tree import descendants, lives

PROGRAM: Final = "chromium"
WITHOUT_WINDOWS: Final = "chromium-headless-shell"
PATIENCE_S: Final = 30.0
ARGUMENTS: Final = (
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
    "--disable-dev-shm-usage",  # containers give it 64 MB there
)
_STEP_S: Final = 0.02

Result = TypeVar("Result")


class Chromium:
    """The browser, from here to :meth:`close`.

    Raises FileNotFoundError where Chromium is not installed.
    """

    def __init__(self) -> None:
        program = shutil.which(WITHOUT_WINDOWS) or shutil.which(PROGRAM)
        if program is None:
            raise FileNotFoundError("no chromium: apt install --no-install-recommends chromium")
        self._asked: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._home = Path(tempfile.mkdtemp(prefix="chromium-"))
        begun: Future[Browser] = Future()
        self._thread = threading.Thread(
            target=self._serve, args=(program, begun), name=PROGRAM, daemon=True
        )
        self._thread.start()
        try:
            self.browser = begun.result(PATIENCE_S)
        except BaseException:
            self.close()
            raise

    def result_of(self, function: Callable[[], Result]) -> Result:
        """What that gives, or raises, in the browser's thread: nothing else may touch
        :attr:`browser` or what came from it."""
        if threading.current_thread() is self._thread:
            return function()
        return self.future_of(function).result()

    def future_of(self, function: Callable[[], Result]) -> Future[Result]:
        """The same, for whoever does something else until it is there."""
        answer: Future[Result] = Future()

        def answered() -> None:
            try:
                answer.set_result(function())
            except BaseException as error:  # a test that fails or skips itself raises such
                answer.set_exception(error)

        self._asked.put(answered)
        return answer

    def close(self) -> None:
        """End it.

        Raises:
            ChildProcessError: processes of it are left.
        """
        processes = descendants(os.getpid(), self._thread.native_id)
        self._asked.put(None)
        self._thread.join(PATIENCE_S)
        shutil.rmtree(self._home, ignore_errors=True)
        end = time.monotonic() + PATIENCE_S
        while left := [one for one in processes if lives(one)]:
            if time.monotonic() > end:
                raise ChildProcessError(f"processes of {PROGRAM} are left: {left}")
            threading.Event().wait(_STEP_S)

    # ---- in the thread ------------------------------------------------------------------------

    def _serve(self, program: str, begun: Future[Browser]) -> None:
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(
                    executable_path=program,
                    args=ARGUMENTS,
                    chromium_sandbox=False,
                    env={**os.environ, "HOME": str(self._home)},
                )
                begun.set_result(browser)
                while (function := self._asked.get()) is not None:
                    function()
                browser.close()
        except Exception as error:
            if begun.done():
                raise
            begun.set_exception(error)


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
