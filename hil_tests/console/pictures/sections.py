"""Where the walk goes, in this order, at a table that was set up for it; and which of its pictures
the dealer's manual shows.

What stands around a round is here: the sign, a round gone by, two pages, settings, what is not
live.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from playwright.sync_api import Page, expect

from hil_tests.browser.looking import LARGE
from hil_tests.console.beside_table import ConsoleBesideTable, deal_anew
from hil_tests.console.pictures.camera import Section, Walk
from hil_tests.console.pictures.scenes import MISTAKES, ROUND
from hil_tests.console.touching import add_supervisors, sign_in, touch
from hil_tests.people.dealer import Wagers

DEALT: Final = "AS 9S 7C KS 8S 9C"
FROM_THE_END: Final = 3
"""So many steps before the last one something lies on the felt."""

GONE: Final = "ERR_"
"""What Chromium says of a server that went away."""


def sign(walk: Walk) -> None:
    """Between rounds, in a round, as the meter shows, and not live."""
    people = walk.table.dealer
    with walk.page("sign", LARGE) as page:
        expect(page.locator(".ladder li").first).to_be_visible()
        walk.note_screen(page, "sign-between")
        wagers: Wagers = {3: {"main": 100, "pandemonium": 10}, 5: {"main": 100}}
        deal_anew(people, DEALT, wagers)
        expect(page.locator(".ladder")).to_have_count(0)
        walk.note_screen(page, "sign-round")
        multiplier = people.press()
        expect(page.locator(".figure")).to_have_text(f"{multiplier}×")
        walk.note_screen(page, "sign-multiplier")
        people.paid()
        people.stand(5)
        people.dealers_hand()
        people.next()
        expect(page.locator(".ladder")).to_be_visible()
        walk.note_screen(page, "sign-last")


def rounds(walk: Walk) -> None:
    """The round that was played last, step by step, and what vouches for it."""
    with walk.page("rounds") as page:
        expect(page.locator("[data-go=sign-in]")).to_be_visible()
        walk.note_screen(page, "round-sign-in")
        page.locator("[data-go=sign-in]").click()
        sign_in(page, "Novak", "stay")
        expect(page.locator("svg.code")).to_be_visible()
        page.locator("[data-go=end]").click()
        for _ in range(FROM_THE_END):
            page.locator("[data-go=back]").click()
        expect(page.locator(".step .card").first).to_be_visible()
        walk.note_screen(page, "round-step")
        walk.note_screen(page, "round-seal", ".seal")
        page.locator("[data-sign-in=leave]").click()
        expect(page.locator(".step")).to_have_count(0)


def two_pages(walk: Walk) -> None:
    """Two pages at one table, and what a page is set to."""
    with walk.dealing() as dealer, walk.page() as second:
        touch(dealer.page.locator("header .small").last)
        walk.note_screen(dealer.page, "settings")
        touch(dealer.page.locator(".dialog .quiet-key"))
        expect(second.locator(".another")).to_be_visible()
        walk.note_screen(second, "another-page")
        touch(second.locator("[data-ask=seat]"))
        walk.note_screen(second, "take-over")


def gone(walk: Walk) -> None:
    """The controller, then the console are not there: dealer's page and sign say so."""
    table = walk.table
    walk.visits.expect(GONE)
    with walk.dealing() as dealer, walk.page("sign", LARGE) as sign_page:
        expect(sign_page.locator(".ladder")).to_be_visible()
        table.bench.kill_controller()
        not_live(walk, dealer.page, "table-lost")
        expect(sign_page.locator(".ask")).to_be_visible()
        walk.note_screen(sign_page, "sign-not-live")
        table.bench.start_controller()
        table.dealer.wait_for_devices()
        expect(dealer.page.locator(".overlay")).to_have_count(0)
        table.program.kill()
        not_live(walk, dealer.page, "not-live")
        table.start_console()
        expect(dealer.page.locator(".overlay")).to_have_count(0)


def not_live(walk: Walk, page: Page, name: str) -> None:
    """Once it says so."""
    expect(page.locator(".overlay")).to_be_visible()
    walk.note_screen(page, name)


def go(walk: Walk) -> None:
    """All of it."""
    for part in (sign, rounds, two_pages, gone):
        part(walk)


AROUND: Final = Section(
    (
        *("sign-between", "sign-round", "sign-multiplier", "sign-last"),
        *("round-sign-in", "round-step", "round-seal"),
        *("settings", "another-page", "take-over", "table-lost", "sign-not-live", "not-live"),
    ),
    go,
)


ROOT: Final = Path(__file__).resolve().parents[3]
MANUAL: Final = ROOT / "docs" / "dealer-screen.md"
PICTURES: Final = ROOT / "docs" / "pictures"
SHOWN: Final = re.compile(r"\]\(pictures/screen-([a-z-]+)\.webp\)")


def names() -> list[str]:
    """The screens that the manual shows, in its order."""
    return SHOWN.findall(MANUAL.read_text(encoding="utf-8"))


SECTIONS: Final = {"round": ROUND, "mistakes": MISTAKES, "around": AROUND}

NAMES: Final = tuple(name for section in SECTIONS.values() for name in section.screens)
"""Every screen that there is."""


@contextmanager
def table_to_walk(languages: Sequence[str]) -> Iterator[ConsoleBesideTable]:
    """A table with its supervisors, whose sign speaks these languages."""
    spoken = ", ".join(f'"{one}"' for one in languages)
    sign = f'{{words = ["Welcome to table P12"], languages = [{spoken}]}}'
    with ConsoleBesideTable(settings={"sign": sign}) as table:
        add_supervisors(table)
        yield table
