"""The dealer's page, worked by touch: rounds dealt through it at a real table."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from hil_tests.browser.screens import SMALL
from hil_tests.browser.visits import Visits
from hil_tests.console.beside_table import ConsoleBesideTable

pytestmark = pytest.mark.needs("chromium")


def test_it_is_live_and_acts(console_table: ConsoleBesideTable, visits: Visits) -> None:
    page = visits.open(console_table.url, SMALL)
    expect(page.locator("[data-command=open]")).to_be_enabled()
    visits.picture(page, "dealer-idle")
