"""A whole round worked by the keypad alone: keys, two rows of text, lamps."""

from __future__ import annotations

import pytest

from hil_tests.people.dealer import Dealer
from hil_tests.tables.strategy import CARDS

pytestmark = pytest.mark.needs_bench("hands")


class Keys:
    """The dealer's fingers, and what the keypad answers."""

    def __init__(self, dealer: Dealer) -> None:
        self._keypad = dealer.bench.devices["keypad"]

    def press(self, keys: str, *rows: str) -> None:
        """Press keys; wait until the rows begin with these words."""
        taken = self._keypad.do("key", keys=keys)["taken"]
        assert taken == len(keys)
        self.reads(*rows)

    def reads(self, *rows: str) -> None:
        """Wait until the rows begin with these words."""
        self._keypad.wait_for(
            lambda pad: (
                pad["unacked"] == 0
                and all(
                    shown.startswith(row) for shown, row in zip(pad["rows"], rows, strict=False)
                )
            ),
            what=f"reading {rows}",
        )

    def lamps(self, *boxes: int) -> None:
        """Wait until these lamps are lit and no others."""
        self._keypad.wait_for(lambda pad: pad["lamps"] == list(boxes), what=f"lit {boxes}")


def test_a_whole_round_by_the_keypad_alone(dealer: Dealer) -> None:
    keys = Keys(dealer)
    dealer.stack(CARDS)
    keys.reads("OPEN BETS: O")
    keys.press("O", "BETS OPEN: 0 BOXES")
    keys.press("B1M100", "BETS OPEN: 0 BOXES", "BOX 1 M100")
    keys.press("#", "BETS OPEN: 1 BOX", "OK 1 MAIN 100")
    keys.press("P10#J5#", "", "OK 1 PAN 5")
    keys.press("B1.2M50#", "BETS OPEN: 1 BOX", "OK 1B MAIN 50")
    keys.press("B3M25#", "BETS OPEN: 2 BOXES", "OK 3 MAIN 25")
    keys.lamps(1, 3)
    boxes = dealer.status["boxes"]
    assert boxes["1"]["wagers"] == {
        "a": {"main": "100.00", "pair": "10.00", "pandemonium": "5.00"},
        "b": {"main": "50.00"},
    }
    dealer.record.close(boxes)
    keys.press("N", "CARD TO BOX 1")
    keys.lamps(1)
    dealer.deal()
    keys.reads("BUTTON TO BOX 1")
    keys.press("F", "", "BUTTON: BOX 1")
    multiplier = dealer.press()
    keys.reads(f"BOX 1 PAY {5 * multiplier}: E")
    keys.press("E", "BOX 3 18")
    keys.lamps(3)
    keys.press("*", "BOX 3 18", "NO")
    keys.press("S", "CARD TO DEALER 8")
    dealer.record.note_command("stand 3")
    dealer.dealers_hand()
    keys.reads("PAY, CLEAR, THEN E")
    assert dealer.status["settlements"] == dealer.record.expected()["settlements"]
    keys.press("E", "OPEN BETS: O")
    assert dealer.state == "idle"


def test_an_entry_taken_back_by_the_keypad(dealer: Dealer) -> None:
    keys = Keys(dealer)
    keys.press("OB1M100#", "BETS OPEN: 1 BOX", "OK 1 MAIN 100")
    keys.press("*", "BETS OPEN: 0 BOXES", "BACK: 1 MAIN 100")


def test_keys_pressed_fast_while_the_gate_is_being_locked(dealer: Dealer) -> None:
    keys = Keys(dealer)
    dealer.stack("9D KD 5H 8C QC 2S 9H")
    keys.press("OB1M100#B3M100#N", "CARD TO BOX 1")
    dealer.deal()
    dealer.shoe.wait_for(lambda shoe: shoe["gate"] == "unlocked")
    keys.press("SS", "CARD TO DEALER")
    assert dealer.status["state"].startswith("dealer.")


def test_the_supervisors_key_ends_a_hold(dealer: Dealer) -> None:
    keys = Keys(dealer)
    keys.press("OB1M100#N", "CARD TO BOX 1")
    dealer.shoe.do("restart", forget=True)
    keys.reads("HELD: SUPERVISOR")
    keys.press("E", "HELD: SUPERVISOR", "NO: DEVICE RESTARTED")
    dealer.bench.devices["keypad"].do("switch", supervisor=True)
    keys.press("E", "CARD TO BOX 1")


def test_without_a_controller_it_says_so(dealer: Dealer) -> None:
    keypad = dealer.bench.devices["keypad"]
    dealer.bench.kill_controller()
    keypad.wait_for(lambda pad: pad["rows"][0] == "NO CONTROLLER", timeout=5)
    assert keypad.do("key", keys="O")["taken"] == 0
    dealer.bench.start_controller()
    dealer.wait_for_devices("keypad")
    Keys(dealer).press("O", "BETS OPEN")
