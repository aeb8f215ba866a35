"""Chromium, in a thread of its own.

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
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from queue import SimpleQueue
from typing import Final, TypeVar

from playwright.sync_api import Browser, sync_playwright

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
