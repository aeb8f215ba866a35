"""People known by PIN at a whole table: they sign in at a console that is one user, and one of them
confirms another's void; also over a controller that was killed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from controller.control.client import ControlClient, RefusedByController
from hil_tests.people.dealer import Dealer
from hil_tests.people.jackpot_button import armed_offer, deal_to_the_button, wait_until_held

pytestmark = pytest.mark.needs_bench("hands")

PINS = {"Novak": "271828", "Ida": "31415926"}


def _signed_in(dealer: Dealer, person: str) -> ControlClient:
    client = dealer.bench.connect()
    client.request("sign_in", person=person, pin=PINS[person])
    return client


def _journal(dealer: Dealer) -> list[dict[str, Any]]:
    return list(map(json.loads, dealer.bench.tablectl("journal", "export").stdout.splitlines()))


def test_another_person_by_pin_confirms_a_void(dealer: Dealer) -> None:
    for person, pin in PINS.items():
        dealer.bench.control.request("person_add", person=person, role="supervisor", pin=pin)
    assert dealer.bench.tablectl("people", "list").stdout == "Ida  supervisor\nNovak  supervisor\n"
    deal_to_the_button(dealer)
    armed_offer(dealer)
    dealer.press()
    with _signed_in(dealer, "Novak") as novak:
        novak.supervisor("void", "somebody else", "the meter was not seen")
    assert "Novak asks for" in wait_until_held(dealer, "void-unconfirmed")["reason"]
    dealer.start_anew()
    with _signed_in(dealer, "Novak") as novak, _signed_in(dealer, "Ida") as ida:
        for client in (novak, dealer.bench.control):
            with pytest.raises(
                RefusedByController, match="Novak asked for it: another person confirms it"
            ):
                client.supervisor("confirm void", "Ida", "x")
        ida.supervisor("confirm void", None, None)
    assert dealer.state == "void"
    told = _journal(dealer)
    asked, confirmed = (entry["body"] for entry in told if entry["type"] == "supervisor")
    assert (asked["by"], asked["person"]) == ("Novak", "Novak")
    assert (confirmed["by"], confirmed["person"]) == ("Ida", "Ida")
    assert asked["uid"] == confirmed["uid"]
    assert not any(pin in json.dumps(told) for pin in PINS.values())
    dealer.next()
