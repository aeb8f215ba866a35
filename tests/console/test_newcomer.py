"""The newcomer's trial in short: two rounds with a mistake, from the page and from the keypad."""

from __future__ import annotations

import pytest

from hil_tests.browser.visits import Visits
from hil_tests.console.beside_table import ConsoleBesideTable
from hil_tests.console.dealt import clear_wagers
from hil_tests.console.newcomer.dealing import deal_all
from hil_tests.console.newcomer.first_evening import ROUNDS
from hil_tests.console.newcomer.hands import AtKeypad, AtPage
from hil_tests.console.touching import TouchingDealer

MISTAKES = [one for one in ROUNDS if "mistake" in one.about]


@pytest.mark.needs("chromium")
def test_two_mistakes_take_fewer_touches_than_keys_and_come_to_the_same(
    console_table: ConsoleBesideTable, visits: Visits
) -> None:
    keyed = deal_all(AtKeypad(console_table.bench), MISTAKES)
    console_table.dealer.open_bets()
    clear_wagers(console_table.dealer)
    touched = deal_all(AtPage(TouchingDealer.at_page(console_table, visits)), MISTAKES)
    assert [one.came_to for one in touched] == [one.came_to for one in keyed]
    assert all(page.count < pad.count for page, pad in zip(touched, keyed, strict=True))
