"""A finger on a page of the console, and what the page showed and sent when it came down."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from playwright.sync_api import BrowserContext, Page

from hil_tests.browser.looking import SMALL
from hil_tests.browser.visits import Visits
from hil_tests.console.touching import hurry

WATCHING: Final = (Path(__file__).parent / "watching.js").read_text(encoding="utf-8")
TRIES: Final = 3
"""On a busy machine a touch may last so long that the browser takes it for none."""

Json = dict[str, Any]


class NotOnPage(AssertionError):
    """What was to be tapped is not there, or does not count; in words."""


class Finger:
    """A finger on that page; :attr:`touches` is how often it came down."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.touches = 0
        self._session = page.context.new_cdp_session(page)

    @classmethod
    def at_page(cls, visits: Visits, url: str, still_ms: int | None = None) -> Finger:
        """On a touch screen with the page at ``url``; ``still_ms``: the page need not stand still
        for longer than that."""

        def prepare(context: BrowserContext) -> None:
            context.add_init_script(WATCHING)
            if still_ms is not None:
                hurry(context, still_ms)

        return cls(visits.open(url, SMALL, prepare=prepare))

    # ---- touching -------------------------------------------------------------------------------

    def down(self, x: float, y: float) -> None:
        """It comes down there."""
        self.touches += 1
        points = [{"x": round(x, 1), "y": round(y, 1)}]
        self._session.send(
            "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points}
        )

    def up(self) -> None:
        """It goes up."""
        self._session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def tap(self, selector: str, text: str | None = None) -> None:
        """Tap the first such thing that is to be seen, once it counts.

        Raises:
            NotOnPage: it is not there in time.
        """
        for _ in range(TRIES):
            place = self._page_answer("place", selector, text)
            self.touches += 1
            self.page.touchscreen.tap(round(place["x"], 1), round(place["y"], 1))
            if self.page.evaluate("(before) => walk.clicked(before)", place["clicks"]):
                return
        raise NotOnPage(f"{selector} {text or ''}: touches of it are none")

    # ---- what is to be seen ---------------------------------------------------------------------

    def page_state(self) -> Json:
        """``at`` that the page shows, whether it is live, its cards, keys and prompt."""
        return dict(self.page.evaluate("walk.look()"))

    def has(self, selector: str) -> bool:
        """Whether such a thing is to be seen now."""
        return bool(self.page.evaluate("(one) => walk.has(one)", selector))

    def all(self, key: str, *selectors: str) -> list[list[str]]:
        """What those that are to be seen say under ``data-KEY``, selector by selector."""
        given = [key, list(selectors)]
        return list(self.page.evaluate("([key, all]) => walk.all(key, all)", given))

    def visible_of(self, *selectors: str) -> list[str]:
        """Those of the selectors of which something is to be seen now."""
        return list(self.page.evaluate("(all) => all.filter(walk.has)", list(selectors)))

    def texts(self, selector: str) -> list[str]:
        """The words of those that are to be seen."""
        return list(self.page.evaluate("(one) => walk.texts(one)", selector))

    def until_shown(self, at: int) -> None:
        """Wait until the page shows the table as it is since that entry."""
        self._page_answer("shows", at)

    def first(self, number: int, *selectors: str) -> Json:
        """``is``: the first of these that is to be seen and counts, or "sent", with the commands
        from that number on, once the last one is answered."""
        return self._page_answer("first", number, list(selectors))

    def gone(self, selector: str) -> None:
        """Wait until no such thing is to be seen."""
        self._page_answer("gone", selector)

    @property
    def sent(self) -> int:
        """How many commands this page has sent."""
        return int(self.page.evaluate("walk.taken().sent"))

    def _page_answer(self, name: str, *given: object) -> Json:
        told = dict(self.page.evaluate(f"(given) => walk.{name}(...given)", list(given)))
        if "missing" in told:
            raise NotOnPage(told["missing"])
        return told
