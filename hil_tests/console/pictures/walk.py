"""Who walks: at a table, in one language, with a page open where he needs one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

from playwright.sync_api import Page, expect

from hil_tests.browser.chromium import Visits
from hil_tests.browser.looking import SMALL, Screen
from hil_tests.console.beside_table import ConsoleBesideTable
from hil_tests.console.touching import TouchingDealer, hurry

Look = Callable[[Page, str, str], None]
"""What is done at each screen: the page, the screen's name, and what of the page is to be seen (a
selector; "": its beginning)."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the walk that begins and ends between rounds, and the screens that it comes to."""

    screens: tuple[str, ...]
    go: Callable[[Walk], None]


@dataclass(slots=True)
class Walk:
    """A walk in ``language``; ``look`` is done at each screen, in the order of :attr:`seen`."""

    table: ConsoleBesideTable
    visits: Visits
    language: str
    look: Look
    still_ms: int | None = None
    """The page need not stand still for longer than that before its keys count."""
    seen: list[str] = field(default_factory=list)

    def note_screen(self, page: Page, name: str, show: str = "") -> None:
        """Here is the screen of that name."""
        self.seen.append(name)
        self.look(page, name, show)

    @contextmanager
    def page(self, path: str = "", screen: Screen = SMALL) -> Iterator[Page]:
        """A page at that path, closed behind the block."""
        kept = {"language": self.language}
        still_ms = self.still_ms
        hurried = None if still_ms is None else partial(hurry, still_ms=still_ms)
        page = self.visits.open(f"{self.table.url}{path}", screen, kept=kept, prepare=hurried)
        yield page
        self.visits.leave(page)

    @contextmanager
    def dealing(self) -> Iterator[TouchingDealer]:
        """The dealer at a page that acts."""
        with self.page() as page:
            expect(page.locator(".keys")).to_be_visible()
            expect(page.locator(".overlay, .another")).to_have_count(0)
            yield TouchingDealer(self.table, page)
