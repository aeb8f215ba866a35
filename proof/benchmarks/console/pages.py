"""The console's process beside the measured table, and its pages in a real browser.

A page's times are told on the clock of this process. Chromium's ticks are those of
``CLOCK_MONOTONIC``, as Python's are; the DevTools protocol tells at which tick a page's
``performance.now()`` was 0. Chromium rounds what it tells a page down to 0.1 ms. Whether the two
clocks are one is checked with every page: its time has to lie between two readings of ours.
"""

from __future__ import annotations

import http.client
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

from playwright.sync_api import CDPSession, Page, expect

from hil_tests.bench.logged_program import free_port
from hil_tests.browser.chromium import Chromium, Visits
from hil_tests.browser.looking import LARGE, SMALL, Screen
from proof.benchmarks.daemon import Process
from proof.benchmarks.table import Table

TWO_PAGES: Final = (("", SMALL), ("", LARGE))
"""A dealer's page that acts, and another one that follows."""
WITH_SIGN: Final = (*TWO_PAGES, ("sign", LARGE))
ROUNDED_S: Final = 0.0002
STEP_S: Final = 0.002

_CARDS: Final = """(count) => {
  window.shown = new Promise((done) => {
    const look = () => {
      if (document.querySelectorAll(".felt .card").length !== count) return;
      changes.disconnect();
      requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())));
    };
    const changes = new MutationObserver(look);
    const all = { subtree: true, childList: true, attributes: true, characterData: true };
    changes.observe(document.getElementById("page"), all);
  });
}"""

_COUNTED: Final = """
  globalThis.told = { state: 0, alive: 0 };
  const dispatch = EventTarget.prototype.dispatchEvent;
  EventTarget.prototype.dispatchEvent = function (event) {
    if (event.type in told) told[event.type] += 1;
    return dispatch.call(this, event);
  };
"""

_HURRIED: Final = """
import sys
import console.following, console.main, web.streams
times = float(sys.argv[1])
console.following.PULSE_S /= times
web.streams.ALIVE_S /= times
sys.exit(console.main.main(sys.argv[2:]))
"""

Result = TypeVar("Result")


class FollowedPage:
    """An open page, in the browser's thread alone; ``origin_s`` is when its
    ``performance.now()`` was 0.

    Raises RuntimeError where the browser has another clock.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self._tools: CDPSession = page.context.new_cdp_session(page)
        self._tools.send("Performance.enable", {"timeDomain": "timeTicks"})
        self.origin_s = self._origin_s()

    def _origin_s(self) -> float:
        origin_s = self.metrics()["NavigationStart"]
        before = time.monotonic()
        now_s = self.page.evaluate("performance.now()") / 1000
        if not before - ROUNDED_S <= origin_s + now_s <= time.monotonic():
            raise RuntimeError("the page's clock is not this machine's monotonic one")
        return origin_s

    def metrics(self) -> dict[str, float]:
        """What Chromium has counted of this page and its process."""
        told: dict[str, Any] = self._tools.send("Performance.getMetrics")
        return {one["name"]: one["value"] for one in told["metrics"]}

    def expect_cards(self, count: int) -> None:
        """Have the page note when it shows so many cards."""
        self.page.evaluate(_CARDS, count)

    def shown_s(self) -> float:
        """When two frames were drawn behind the change to that; waits for it."""
        return self.origin_s + float(self.page.evaluate("window.shown")) / 1000

    def count_events(self) -> None:
        """Load it again and count what it is told from now on."""
        self.page.add_init_script(_COUNTED)
        self.page.reload()
        self.origin_s = until_live(self.page).origin_s

    def events(self) -> dict[str, int]:
        """How often it was told a state, and that the console lives."""
        return dict(self.page.evaluate("told"))

    def heap_bytes(self) -> float:
        """What its scripts hold, once what they have let go is collected."""
        for _ in range(2):  # what the first finds may have held more
            self._tools.send("HeapProfiler.collectGarbage")
        return float(self._tools.send("Runtime.getHeapUsage")["usedSize"])


class ConsoleUnderMeasure:
    """The console of that table in ``folder``, and its pages; while anything is waited for the
    table is served."""

    def __init__(self, table: Table, folder: Path, chromium: Chromium) -> None:
        self._table = table
        self._chromium = chromium
        self._visits = Visits(chromium)
        self._log = folder / "console.log"
        self.config = folder / "console.toml"
        self.port = free_port()
        self.process: Process | None = None
        state = folder / "shown"
        state.mkdir()
        lines = (("listen", f"127.0.0.1:{self.port}"), ("socket", table.control), ("state", state))
        text = "".join(f'{key} = "{value}"\n' for key, value in lines)
        self.config.write_text(text, encoding="utf-8")

    def start(self, times: float = 0) -> float:
        """Start it; seconds until the first page was served. With ``times`` whatever it does at
        intervals comes so many times as often."""
        command = ("-c", _HURRIED, str(times)) if times else ("-m", "console.main")
        self.process = Process(*command, "--config", str(self.config), log=self._log)
        while not self._serves():
            if not self.process.running:
                raise RuntimeError(f"the console has ended:\n{self._log.read_text('utf-8')}")
            self._table.serve(STEP_S)
        return (time.perf_counter_ns() - self.process.started_ns) / 1e9

    def _serves(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("GET", "/")
            answer = connection.getresponse()
            return answer.status == 200 and bool(answer.read())
        except ConnectionRefusedError:
            return False
        finally:
            connection.close()

    def open_pages(self, pages: tuple[tuple[str, Screen], ...] = TWO_PAGES) -> list[FollowedPage]:
        """Open these; each is live."""

        def opened() -> list[FollowedPage]:
            base = f"http://127.0.0.1:{self.port}/"
            return [until_live(self._visits.open(base + path, screen)) for path, screen in pages]

        return self.attended(opened)

    def attended(self, function: Callable[[], Result]) -> Result:
        """What that gives in the browser's thread."""
        return self.awaited(self.future_of(function))

    def future_of(self, function: Callable[[], Result]) -> Future[Result]:
        """Have that begun in the browser's thread."""
        return self._chromium.future_of(function)

    def awaited(self, answer: Future[Result]) -> Result:
        """What comes of what was begun."""
        self._table.wait(answer.done)
        return answer.result()

    def stop(self) -> None:
        """Close the pages, end the process.

        Raises:
            RuntimeError: something was wrong at a page.
        """

        def closed() -> list[str]:
            wrong = self._visits.wrong
            self._visits.close()
            return wrong

        wrong = self.attended(closed)
        if self.process is not None:
            self.process.stop(self._table.serve)
            self.process = None
        if wrong:
            raise RuntimeError("\n".join(wrong))

    @contextmanager
    def beside(self) -> Iterator[None]:
        """It runs with two pages that are live."""
        self.start()
        self.open_pages()
        yield
        self.stop()


def until_live(page: Page) -> FollowedPage:
    """The page, once it shows the table as it is now."""
    expect(page.locator("h1, .felt").first).to_be_visible()
    expect(page.locator(".overlay, .ask")).to_have_count(0)
    return FollowedPage(page)
