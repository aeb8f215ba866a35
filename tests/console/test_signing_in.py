"""Who is signed in at a page, for how long, and who is not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from hil_tests.bench.logged_program import LISTENS, LoggedProgram, free_port
from hil_tests.browser.chromium import Visits
from hil_tests.browser.looking import SMALL
from hil_tests.console.beside_table import ConsoleBesideTable, dealt
from hil_tests.console.touching import PINS, REFUSED, add_supervisors, sign_in, touch

pytestmark = pytest.mark.needs("chromium")


@pytest.fixture(scope="module")
def table(console_table: ConsoleBesideTable) -> ConsoleBesideTable:
    add_supervisors(console_table)
    return console_table


@pytest.fixture
def locking_soon(table: ConsoleBesideTable, tmp_path: Path) -> Iterator[str]:
    """The address of another console of that table, whose screen locks soon."""
    port, config = free_port(), tmp_path / "console.toml"
    known = table.config.read_text("utf-8").replace(str(table.port), str(port))
    config.write_text(known, encoding="utf-8")
    program = LoggedProgram(("tests.console.locking_soon", str(config)), tmp_path / "log")
    program.start()
    try:
        program.until_said(LISTENS)
        yield f"http://127.0.0.1:{port}/"
    finally:
        program.kill()


def test_a_screen_that_nobody_touches_locks(locking_soon: str, visits: Visits) -> None:
    page = visits.open(locking_soon, SMALL)
    touch(page.locator("header [data-sign-in=ask]"))
    sign_in(page, "Ida", "stay")
    expect(page.locator(".person")).to_contain_text("Ida")
    expect(page.locator(".person")).to_have_count(0)


def test_a_wrong_pin_says_so_and_five_bar(table: ConsoleBesideTable, visits: Visits) -> None:
    page = visits.open(table.url, SMALL)
    visits.expect(REFUSED)
    touch(page.locator("header [data-sign-in=ask]"))
    sign_in(page, "Ida", "once", "0000")
    wrong = page.locator(".dialog [role=alert]")
    expect(wrong).to_be_visible()
    for pin in ("1111", "2222", "3333", "4444", PINS["Ida"]):
        expect(page.locator("output")).to_have_text("–")  # the PIN is not kept
        for digit in pin:
            touch(page.locator(f"[data-digit='{digit}']"))
        expect(wrong).to_have_count(0)
        touch(page.locator("[data-sign-in=once]"))
        expect(wrong).to_be_visible()
    expect(page.locator(".person")).to_have_count(0)
    assert PINS["Ida"] not in page.content()


def test_a_dealer_who_has_signed_in_corrects_as_a_dealer(
    table: ConsoleBesideTable, visits: Visits
) -> None:
    dealer = table.dealer
    table.bench.control.request("person_add", person="Lim", role="dealer", pin=PINS["Novak"])
    dealt(dealer, "KS 9D 7H", b1=100)
    page = visits.open(table.url, SMALL)
    touch(page.locator(".top [data-sign-in=ask]"))
    sign_in(page, "Lim", "stay", PINS["Novak"])
    touch(page.locator(".wrong-key"))
    touch(page.locator("[data-choice^='correct']"))
    touch(page.locator("[data-card='3']"))
    touch(page.locator("[data-rank='8']"))
    touch(page.locator("[data-suit=H]"))
    touch(page.locator("[data-say=confirm]"))  # no reason is asked of him
    expect(page.locator(".fixing")).to_have_count(0)
    assert dealer.status["drawn"][2]["card"] == "8H"
    told = table.bench.tablectl("journal", "export").stdout.splitlines()
    last = json.loads(told[-1])
    assert (last["type"], last["body"]["person"]) == ("dealer", "Lim")
    dealer.supervisor("void")
    dealer.next()


def test_who_is_to_sign_in_is_told_what_for(table: ConsoleBesideTable, visits: Visits) -> None:
    dealt(table.dealer, "KS 9D 8H", b1=100)
    page = visits.open(table.url, SMALL)
    touch(page.locator(".wrong-key"))
    touch(page.locator(".dialog [data-choice=void]"))
    expect(page.locator(".dialog.who .quiet").first).to_have_text("The round is void")
    table.dealer.supervisor("void")
