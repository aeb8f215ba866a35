"""The example of the round-script interface, dealt at a live table with a press."""

from __future__ import annotations

import pytest

from hil_tests.people.dealer import Dealer

pytestmark = pytest.mark.needs_bench("stacked")


def test_a_pontoon_pays_what_the_meter_shows(dealer: Dealer) -> None:
    dealer.deal_round(
        "AS 9D 8H KC 9H 9C",
        {1: {"main": 100, "pair": 10, "pandemonium": 5}, "1b": {"main": 50}, 3: {"main": 25}},
    )
    multiplier = dealer.press()
    dealer.paid()
    dealer.stand(3)
    dealer.dealers_hand()

    state = dealer.status
    assert state["state"] == "settled"
    assert state["settlements"] == dealer.record.expected()["settlements"]
    [paid] = [s for s in state["settlements"] if s["kind"] == "pandemonium"]
    assert (paid["odds"], paid["net"]) == (f"{multiplier}:1", f"{5 * multiplier}.00")
    dealer.next()
    assert dealer.state == "idle"
    assert [w for box in dealer.status["boxes"].values() for w in box["wagers"].values()] == [
        {"main": "100.00"},
        {"main": "50.00"},
        {"main": "25.00"},
    ]
