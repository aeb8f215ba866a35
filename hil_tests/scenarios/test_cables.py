"""Cables, ports and power: devices pulled before every step of a round, and play goes on.

A card drawn while the cable is out is neither lost nor counted twice; what the controller could
not know of, it asks the supervisor about.
"""

from __future__ import annotations

import contextlib

import pytest

from hil_tests.bench.interface import Bench, Json
from hil_tests.bench.setup import MBS
from hil_tests.people.dealer import Dealer, Wagers
from hil_tests.people.playing import basic, play_to_end
from hil_tests.people.shoe_hand import script_card
from hil_tests.rig.opening import MakeDealer
from hil_tests.tables.scripted import hands_of
from hil_tests.tables.strategy import CARDS
from simulators.lines.wire import name_in_use

pytestmark = pytest.mark.needs_bench("hands")

WAGERS: Wagers = {1: {"main": 100, "pandemonium": 5}, 3: {"main": 50}}


class PatientDealer(Dealer):
    """A dealer who waits as long as a device is waited for."""

    @property
    def status(self) -> Json:
        """The state, once no device is waited for."""
        return self.wait_until(lambda state: state["awaiting"] != "device", "play")


class PulledDealer(PatientDealer):
    """A dealer at whose table somebody pulls a device's plug, and puts it back, before every
    step."""

    def __init__(self, bench: Bench, device: str) -> None:
        super().__init__(bench)
        self.device = device
        self.pulled: list[str] = []

    def pull_plug(self) -> None:
        """Out, noticed; in, noticed."""
        self.pulled.append(self.state)
        self.unplug(self.device)
        self.plug(self.device)

    def enter(self, command: str) -> Json:
        """An entry, after a pull."""
        self.pull_plug()
        return super().enter(command)

    def card(self, **marks: bool) -> str:
        """A card, after a pull."""
        self.pull_plug()
        return super().card(**marks)

    def press(self) -> int:
        """The button, pulled before and while the meter spins."""
        self.pull_plug()
        self.press_button()
        self.pull_plug()
        return self.read_meter()


@pytest.mark.parametrize("device", ["shoe", "jackpot"])
def test_pulled_before_every_step_of_a_round(device: str, dealer: Dealer) -> None:
    pulled = PulledDealer(dealer.bench, device)
    pulled.bet_on(CARDS, WAGERS)
    state = play_to_end(pulled, basic)
    assert state["settlements"] == pulled.record.expected()["settlements"]
    wanted = {"idle", "betting", "deal.first_cards", "jackpot.armed", "play.decide"}
    assert wanted <= set(pulled.pulled)
    pulled.next()


def test_a_card_drawn_while_the_cable_is_out(dealer: Dealer) -> None:
    _to_the_decision(dealer)
    dealer.shoe.wait_for(lambda shoe: shoe["gate"] == "unlocked")
    dealer.shoe.do("unplug")
    [card] = dealer.shoe.do("draw")["cards"]  # in two seconds it would lock itself
    dealer.wait_until(lambda state: state["held"], "the loss")
    dealer.shoe.do("plug")
    dealer.shoe.wait_for(lambda shoe: shoe["unacked"] == 0)
    assert script_card(card) in dealer.status["boxes"]["1"]["hands"][0]["cards"]


def test_the_shoe_killed_and_back_under_another_name(bench: Bench, dealer: Dealer) -> None:
    _to_the_decision(dealer)
    port = dealer.shoe.look()["port"]
    here = port.startswith("/dev/")  # elsewhere the machine alone knows what it calls the port
    bench.devices["keypad"].do("unplug")  # on a machine it takes the shoe's old name
    with name_in_use(port) if here else contextlib.nullcontext():
        bench.kill_device("shoe")
        state = dealer.wait_until(lambda state: state["held"], "the loss")
        assert state["held"]["fault"] == "shoe-down"
        bench.devices["keypad"].do("plug")
        bench.add_device("shoe")
        dealer.wait_for_devices("shoe")
        assert not here or dealer.shoe.look()["port"] != port
    assert dealer.status["held"] is None
    dealer.card()
    dealer.stand(1)
    dealer.dealers_hand()
    assert dealer.status["settlements"] == dealer.record.expected()["settlements"]


def test_a_shoe_that_lost_its_memory_holds_the_round(dealer: Dealer) -> None:
    _to_the_decision(dealer)
    dealer.shoe.do("restart", forget=True)
    state = dealer.wait_until(
        lambda state: state["held"] and state["held"]["fault"] == "device-restarted", "the hold"
    )
    assert "card shoe" in state["held"]["reason"]
    assert "since" in state["held"]["reason"]
    assert state["held"]["remedies"] == ["resume", "void"]
    dealer.supervisor("resume", why="every card is where it was")
    dealer.card()


def test_the_lid_is_opened_and_closed(dealer: Dealer) -> None:
    _to_the_decision(dealer)
    dealer.shoe.do("lid", open=True)
    state = dealer.wait_until(lambda state: state["held"], "the lid")
    assert "has its lid open" in state["prompt"]
    dealer.shoe.do("lid", open=False)
    dealer.wait_until(lambda state: not state["held"], "play")
    dealer.card()


def test_noise_on_every_line(dealer: Dealer) -> None:
    """Of the serial ones; a USB packet comes whole."""
    for name in ("shoe", "shuffler", "keypad"):
        dealer.bench.devices[name].do("noise", flip=0.002, drop=0.002, insert=0.002)
    patient = PatientDealer(dealer.bench)
    patient.bet_on(CARDS, WAGERS)
    state = play_to_end(patient, basic)
    assert state["settlements"] == patient.record.expected()["settlements"]


def test_a_wrong_device_on_a_port(table: MakeDealer) -> None:
    dealer = table(rules=MBS, devices=("shoe", "jackpot", "keypad"))
    dealer.bench.remove_device("keypad")
    dealer.bench.add_device("keypad", kind="shuffler")
    state = dealer.wait_until(
        lambda state: "shuffler" in (state["devices"]["keypad"]["reason"] or ""), "its name"
    )
    assert state["devices"]["keypad"]["link"] == "down"
    dealer.open_bets()


@pytest.mark.parametrize("missing", ["shoe", "jackpot", "keypad", "shuffler"])
def test_a_device_that_is_missing_at_the_start_comes_later(
    missing: str, bench: Bench, dealer: Dealer
) -> None:
    assert bench.stop_controller() == 0
    bench.devices[missing].do("unplug")
    bench.start_controller()
    dealer.wait_for_devices(*(name for name in bench.devices if name != missing))
    assert dealer.status["devices"][missing]["link"] == "down"
    dealer.open_bets()
    bench.devices[missing].do("plug")
    dealer.wait_for_devices(missing)


def test_wagers_without_a_keypad_or_shuffler_configured(table: MakeDealer) -> None:
    dealer = table(devices=("shoe", "jackpot"))
    dealer.deal_round(CARDS, {3: {"main": 50}})
    assert "shuffle 1" not in dealer.status["permitted"]


def _to_the_decision(dealer: Dealer) -> None:
    """Box 1 has 14 against 6."""
    dealer.deal_round("9D 6H 5C 4S KD 9H", {1: {"main": 100}})


def test_a_card_of_a_void_round_is_not_dealt_in_the_next(dealer: Dealer) -> None:
    _to_the_decision(dealer)
    dealer.shoe.wait_for(lambda shoe: shoe["gate"] == "unlocked")
    dealer.shoe.do("unplug")
    dealer.shoe.do("draw")
    dealer.supervisor("void", why="the shoe is exchanged")
    dealer.next()
    dealer.open_bets()
    dealer.no_more_bets()
    dealer.shoe.do("plug")
    state = dealer.wait_until(lambda state: state["awaiting"] == "supervisor", "the card")
    assert state["held"]["fault"] == "card-unexpected"
    assert hands_of(state, 1) == [("", 0)]
    dealer.supervisor("discard")
    dealer.card()
