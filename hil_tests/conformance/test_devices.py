"""Section 5: what each kind of device owes beyond the link."""

from __future__ import annotations

import pytest

from drivers.vocabulary import BAD_BODY, BUSY, NOT_NOW
from hil_tests.conformance.controller import Controller
from hil_tests.conformance.subject import QUIET_S, SHOWING, WELL_GONE_S, Subject

LOCKED, UNLOCKED, LID_OPEN = 1, 2, 3
IDLE, ARMED = 0, 1
SPIN_MS = 1000
SHOWN_WITHIN_S = SPIN_MS / 1000 + 1.0

shoe = pytest.mark.only_for(kind=("shoe",))
jackpot = pytest.mark.only_for(kind=("jackpot",))
keypad = pytest.mark.only_for(kind=("keypad",))
shuffler = pytest.mark.only_for(kind=("shuffler",))


@shoe
@pytest.mark.conformance("section 5, card shoe")
@pytest.mark.person
def test_an_allowance_is_used_up_card_by_card(subject: Subject, controller: Controller) -> None:
    """Section 5: unlocked for one card the gate locks by itself behind it."""
    answer = controller.done("GATE", unlocked=1, cards=1)
    assert answer["last_event"] == controller.last
    assert controller.done("PING")["state"] == UNLOCKED
    number = controller.last + 1
    subject.act(controller, "draw")
    subject.comes(controller, number)
    card = controller.events[number].message
    assert card.name == "CARD"
    assert not int(str(card.fields["flags"])) & 8, "drawn through a locked gate, it says"
    assert controller.done("PING")["state"] == LOCKED
    assert controller.done("GATE", unlocked=0, cards=0)["last_event"] == controller.last
    controller.acknowledge(controller.last)


@shoe
@pytest.mark.conformance("section 5, card shoe")
@pytest.mark.person
def test_the_lid_locks_the_gate(subject: Subject, controller: Controller) -> None:
    """Section 5: opened, it locks the gate and clears the allowance; GATE gets NAK 3 meanwhile."""
    controller.done("GATE", unlocked=1, cards=0)
    number = controller.last + 1
    subject.act(controller, "lid", open=True)
    subject.comes(controller, number)
    assert controller.events[number].message.fields["state"] == 2  # SHOE_STATE: lid open
    assert controller.done("PING")["state"] == LID_OPEN
    assert controller.refused("GATE", unlocked=1, cards=0) == NOT_NOW
    subject.act(controller, "lid", open=False)
    subject.comes(controller, number + 1)
    assert controller.done("PING")["state"] == LOCKED
    controller.acknowledge(controller.last)


@shoe
@pytest.mark.conformance("section 3, alive")
def test_a_shoe_without_its_controller_locks_itself(controller: Controller) -> None:
    """Section 3: the allowance is cleared, too."""
    controller.done("GATE", unlocked=1, cards=0)
    controller.listen(WELL_GONE_S)
    controller.greet(controller.session, controller.stored)
    assert controller.done("PING")["state"] == LOCKED


@jackpot
@pytest.mark.conformance("section 5, jackpot unit")
@pytest.mark.person
def test_the_first_press_counts_and_only_that(subject: Subject, controller: Controller) -> None:
    """Section 5: one PRESS for an offer; the unit disarms itself, and never arms it again."""
    offer = subject.next_offer()
    controller.done("ARM", offer_id=offer, box=3)
    controller.done("ARM", offer_id=offer, box=3)
    meter = controller.done("METER")
    told = (meter["state"], meter["offer_id"], meter["box"], meter["pressed"])
    assert told == (ARMED, offer, 3, 0)
    number = controller.last + 1
    subject.act(controller, "press")
    subject.act(controller, "press")
    subject.comes(controller, number)
    press = controller.events[number].message
    assert (press.name, press.fields["offer_id"]) == ("PRESS", offer)
    meter = controller.done("METER")
    assert (meter["state"], meter["pressed"]) == (IDLE, 1)
    assert controller.refused("ARM", offer_id=offer, box=3) == NOT_NOW
    controller.listen(QUIET_S)
    assert controller.last == number, "a second press has made an event"
    assert controller.done("DISARM", offer_id=offer)["last_event"] == number
    controller.acknowledge(number)


@jackpot
@pytest.mark.conformance("section 5, jackpot unit")
def test_disarming_another_offer_changes_nothing(subject: Subject, controller: Controller) -> None:
    """Section 5: it is answered; the armed one stays armed."""
    offer = subject.next_offer()
    controller.done("ARM", offer_id=offer, box=1)
    assert controller.done("DISARM", offer_id=offer - 1)["last_event"] == controller.last
    assert controller.done("METER")["state"] == ARMED
    controller.done("DISARM", offer_id=offer)
    assert controller.done("METER")["state"] == IDLE


@jackpot
@pytest.mark.conformance("section 5, jackpot unit")
def test_the_meter_shows_what_it_is_told(subject: Subject, controller: Controller) -> None:
    """Section 5: SHOWN within the spin and a second, read back; while it spins another offer is
    refused with 4, and the same SHOW changes nothing. An offer that is shown is not armed."""
    offer, number = subject.next_offer(), controller.last + 1
    show = {"offer_id": offer, "multiplier": 25, "spin_ms": SPIN_MS}
    controller.done("SHOW", **show)
    assert controller.refused("ARM", offer_id=offer + 1, box=1) == BUSY
    assert controller.refused("SHOW", **{**show, "offer_id": offer + 1}) == BUSY
    assert controller.refused("BLANK") == BUSY
    controller.done("SHOW", **show)
    assert controller.done("METER")["multiplier"] == 0
    subject.next_offer()
    subject.comes(controller, number, SHOWN_WITHIN_S)
    shown = controller.events[number].message
    assert shown.name == "SHOWN"
    assert (shown.fields["offer_id"], shown.fields["multiplier"]) == (offer, 25)
    meter = controller.done("METER")
    assert (meter["state"], meter["offer_id"], meter["multiplier"]) == (SHOWING, offer, 25)
    controller.done("SHOW", **show)
    controller.listen(QUIET_S)
    assert controller.last == number, "a SHOW of what is shown has made an event"
    assert controller.refused("SHOW", **{**show, "multiplier": 50}) == NOT_NOW
    assert controller.refused("ARM", offer_id=offer, box=1) == NOT_NOW
    assert controller.refused("TEST_PATTERN", pattern=1) == NOT_NOW
    controller.acknowledge(number)


@jackpot
@pytest.mark.conformance("section 5, jackpot unit")
def test_a_blank_meter_shows_the_same_again(subject: Subject, controller: Controller) -> None:
    """Section 5: after BLANK the same SHOW shows it, with a new SHOWN; ARM still gets NAK 3."""
    offer, number = subject.next_offer(), controller.last + 1
    subject.show(controller, offer)
    controller.done("BLANK")
    assert controller.done("METER")["multiplier"] == 0
    assert controller.refused("ARM", offer_id=offer, box=1) == NOT_NOW
    subject.show(controller, offer)
    subject.comes(controller, number + 1)
    shown = [controller.events[n].message for n in (number, number + 1)]
    assert [each.name for each in shown] == ["SHOWN", "SHOWN"]
    controller.acknowledge(controller.last)


@jackpot
@pytest.mark.conformance("section 5, jackpot unit")
def test_arming_a_new_offer_blanks_the_display(subject: Subject, controller: Controller) -> None:
    """Section 5: what stands there is the offer's before, and nobody's who may press now."""
    subject.show(controller, subject.next_offer())
    offer = subject.next_offer()
    controller.done("ARM", offer_id=offer, box=2)
    meter = controller.done("METER")
    assert (meter["state"], meter["offer_id"], meter["multiplier"]) == (ARMED, offer, 0)
    controller.done("DISARM", offer_id=offer)
    controller.acknowledge(controller.last)


@jackpot
@pytest.mark.conformance("section 5, jackpot unit")
def test_no_offer_and_no_multiplier_is_0(subject: Subject, controller: Controller) -> None:
    """Section 5: NAK 2."""
    offer = subject.next_offer()
    assert controller.refused("ARM", offer_id=0, box=1) == BAD_BODY
    assert controller.refused("SHOW", offer_id=0, multiplier=5, spin_ms=0) == BAD_BODY
    assert controller.refused("SHOW", offer_id=offer, multiplier=0, spin_ms=0) == BAD_BODY


@jackpot
@pytest.mark.conformance("section 3, alive")
def test_a_unit_without_its_controller_disarms_and_keeps_showing(
    subject: Subject, controller: Controller
) -> None:
    """Section 3: the button is no use to anybody, the figure is."""
    offer = subject.next_offer()
    subject.show(controller, offer, 100)
    controller.listen(0.1)
    controller.acknowledge(controller.last)
    controller.listen(WELL_GONE_S)
    controller.greet(controller.session, controller.stored)
    meter = controller.done("METER")
    assert (meter["state"], meter["multiplier"]) == (SHOWING, 100)
    controller.done("ARM", offer_id=subject.next_offer(), box=1)
    controller.listen(WELL_GONE_S)
    controller.greet(controller.session, controller.stored)
    assert controller.done("METER")["state"] == IDLE


@keypad
@pytest.mark.conformance("section 5, keypad")
@pytest.mark.person
def test_keys_come_as_they_are_pressed(subject: Subject, controller: Controller) -> None:
    """Section 5: one KEY for each, in their order."""
    keys, first = "B1M50#", controller.last + 1
    subject.act(controller, "key", keys=keys)
    subject.comes(controller, first + len(keys) - 1)
    came = [str(controller.events[first + n].message.fields["key"]) for n in range(len(keys))]
    assert "".join(came) == keys
    controller.acknowledge(controller.last)


@keypad
@pytest.mark.conformance("section 3, alive")
@pytest.mark.person
def test_a_keypad_without_its_controller_takes_no_keys(
    subject: Subject, controller: Controller
) -> None:
    """Section 3: what is pressed meanwhile is not kept either."""
    last = controller.last
    controller.listen(WELL_GONE_S)
    subject.act(None, "key", keys="O")
    assert controller.greet(controller.session, controller.stored)["last_event"] == last


@keypad
@pytest.mark.conformance("section 5, keypad")
def test_rows_and_lamps_are_taken(controller: Controller) -> None:
    """Section 5: text of 20 characters in either row, every lamp; a third row gets NAK 2."""
    for row in (0, 1):
        controller.done("TEXT", row=row, text="CONFORMANCE 12345678")
    controller.done("LAMPS", lit=0x1FFFF)
    controller.done("LAMPS", lit=0)
    assert controller.refused("TEXT", row=2, text="") == BAD_BODY


@shuffler
@pytest.mark.conformance("section 5, shuffler")
def test_a_shuffle_is_begun_once_and_told(subject: Subject, controller: Controller) -> None:
    """Section 5: START for the set being shuffled changes nothing; each change of state is told."""
    first = controller.last + 1
    controller.done("START", set=1)
    subject.comes(controller, first)
    told = controller.events[first].message
    assert (told.name, told.fields["state"], told.fields["set"]) == ("SHUFFLER_STATE", 2, 1)
    controller.done("START", set=1)
    controller.listen(QUIET_S)
    assert controller.last == first, "START of the set being shuffled has made an event"
    controller.done("ABORT")
    subject.comes(controller, first + 1)
    assert controller.events[first + 1].message.fields["state"] == 1
    assert controller.refused("START", set=3) == BAD_BODY
    controller.acknowledge(controller.last)
