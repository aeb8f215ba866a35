"""A dealer at the page, who touches and deals, and supervisors who sign in there; his touches are
counted.

A walk of hundreds of touches would wait for most of its time: :func:`hurry` has a page stand still
for less before its keys count.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

from hil_tests.browser.chromium import Visits
from hil_tests.browser.looking import SMALL, Screen
from hil_tests.console.beside_table import ConsoleBesideTable
from hil_tests.people.dealer import Dealer

PINS: Final = {"Novak": "271828", "Ida": "31415926"}
"""What they key."""


def add_supervisors(table: ConsoleBesideTable, pins: Mapping[str, str] = PINS) -> None:
    """Have the table know them, or others by their PINs."""
    for person, pin in pins.items():
        table.bench.control.request("person_add", person=person, role="supervisor", pin=pin)


REFUSED: Final = "the server responded with a status of 4"
"""What Chromium says of an answer that is no."""


def sign_in(page: Page, person: str, key: str, pin: str | None = None) -> None:
    """Name and PIN, by touch; ``key``: once, stay or second."""
    expect(page.locator(".dialog.who")).to_be_visible()
    known = page.locator(f"[data-name={person}]")
    if page.locator("[data-name]").count() and not known.count():
        touch(page.locator("[data-name='']"))
    if known.count():
        touch(known)
    else:
        for letter in person.upper():
            touch(page.locator(".letter", has_text=letter).first)
        touch(page.locator("[data-say=name]"))
    for digit in pin or PINS[person]:
        touch(page.locator(f"[data-digit='{digit}']"))
    touch(page.locator(f"[data-sign-in={key}]"))


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


class TouchingDealer:
    """At ``page`` of that table; :attr:`touches` is how often he has touched it."""

    def __init__(self, table: ConsoleBesideTable, page: Page) -> None:
        self.table = table
        self.page = page
        self.touches = 0

    @classmethod
    def at_page(
        cls, table: ConsoleBesideTable, visits: Visits, screen: Screen = SMALL
    ) -> TouchingDealer:
        """At a page that is newly opened, once it is live."""
        page = visits.open(table.url, screen)
        expect(page.locator(".felt")).to_be_visible()
        expect(page.locator(".overlay")).to_have_count(0)
        return cls(table, page)

    @property
    def status(self) -> dict[str, Any]:
        """The committed state."""
        return self.table.dealer.status

    def key(self, command: str) -> Locator:
        """The key that gives this command."""
        return self.page.locator(f'.keys [data-command="{command}"]').first

    def touch(self, *commands: str) -> None:
        """Touch the keys of these commands, each as soon as it counts; returns when the last one
        is done."""
        for command in commands:
            before = self.status["at"]
            self._tap(self.key(command))
            changed(self.table.dealer, before, command)

    def open(self) -> None:
        """Open bets, where they are not open, and have no wager lie there."""
        if self.status["state"] == "idle":
            self.touch("open")
        self.table.dealer.clear_wagers()

    def box(self, number: int) -> None:
        """Touch a box."""
        self._tap(self.page.locator(f'[data-box="{number}"]'))

    def kind(self, name: str) -> None:
        """Touch a kind of wager, or a bettor."""
        self._tap(self.page.locator(f'[data-choice="{name}"]'))

    def chip(self, *values: int | str) -> None:
        """Touch chips, each once the one before it lies."""
        for value in values:
            before = self.status["at"]
            self._tap(self.page.locator(f'[data-chip="{value}"]'))
            changed(self.table.dealer, before, "a wager")

    def deal(self, count: int) -> None:
        """Draw cards, each as soon as the shoe gives it."""
        for _ in range(count):
            self.table.dealer.reach_for_card()
            self.table.dealer.acknowledged()

    def _tap(self, key: Locator) -> None:
        self.touches += 1
        key.tap()


def changed(dealer: Dealer, before: int, what: str) -> None:
    """Wait until the table is another than the one with that ``at``."""
    dealer.wait_until(lambda state: state["at"] != before, what)


def touch(locator: Locator) -> None:
    """Touch it, once it counts: a key does so only on a page that stands still."""
    expect(locator).to_be_enabled()
    locator.tap()


def drag(page: Page, card: int, place: str) -> None:
    """Move a card by finger to where it lay."""
    start = page.locator(f"[data-card='{card}']").bounding_box()
    end = page.locator(f".felt [data-place='{place}']").bounding_box()
    assert start
    assert end
    page.mouse.move(start["x"] + 10, start["y"] + 10)
    page.mouse.down()
    page.mouse.move(start["x"] + 40, start["y"] + 30, steps=3)
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=5)
    page.mouse.up()
