"""What is to be paid and taken, where a correction takes back what was said before."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from hil_tests.browser.chromium import Visits
from hil_tests.browser.looking import SMALL
from hil_tests.console.beside_table import ConsoleBesideTable, dealt

pytestmark = pytest.mark.needs("chromium")


def test_behind_a_correction_a_box_has_its_net(
    console_table: ConsoleBesideTable, visits: Visits
) -> None:
    """Who had not yet done what was said before sees what the box is to have in all."""
    dealer = console_table.dealer
    dealt(dealer, "KS 8S 9D 7H 8H KD", b1=100, b2=50)
    felt = visits.open(console_table.url, SMALL).locator(".felt")
    dealer.hit(1)
    expect(felt.locator(".tick")).to_contain_text("take 100")
    expect(felt.locator(".net")).to_have_count(0)  # so far it is the same
    dealer.supervisor("correct 6 2D", why="card misread")
    dealer.supervisor("done")
    expect(felt.locator(".tick")).to_contain_text("pay 100")  # back
    expect(felt.locator(".net").first).to_have_text("net: 0")
    dealer.supervisor("void")
    dealer.next()
