"""Section 5: what a jackpot unit owes beyond the link, button and meter."""

from __future__ import annotations

import pytest

from drivers.vocabulary import BAD_BODY, BUSY, NOT_NOW
from hil_tests.conformance.controller import Controller
from hil_tests.conformance.subject import (
    ARMED,
    QUIET_S,
    SHOWING,
    SPINNING,
    WELL_GONE_S,
    Subject,
)
from hil_tests.conformance.words import BEFORE_IT

IDLE = 0
SPIN_MS = 1000
SHOWN_WITHIN_S = SPIN_MS / 1000 + 1.0

jackpot = pytest.mark.only_for(kind=("jackpot",))


@jackpot
@pytest.mark.conformance("section 5, jackpot unit")
@pytest.mark.person
def test_the_first_press_counts_and_only_that(subject: Subject, controller: Controller) -> None:
    """Section 5: one PRESS for an offer; the unit disarms itself, and never arms it again."""
    offer = subject.next_offer()
    controller.done("ARM", offer_id=offer, box=3)
    controller.done("ARM", offer_id=offer, box=3)
    controller.shows("METER", "armed for it", state=ARMED, offer_id=offer, box=3, pressed=0)
    number = controller.last + 1
    subject.act(controller, "press")
    subject.act(controller, "press")
    subject.comes(controller, number, what="the first press")
    press = controller.events[number].message
    pressed = press.name == "PRESS" and press.fields["offer_id"] == offer
    controller.expect(pressed, f"PRESS offer_id={offer} as event {number}")
    controller.shows("METER", "disarmed by its press", state=IDLE, pressed=1)
    controller.refused(NOT_NOW, "the offer was pressed", "ARM", offer_id=offer, box=3)
    controller.listen(QUIET_S)
    controller.expect(controller.last == number, "no event of a second press")
    controller.shows("DISARM", BEFORE_IT, {"offer_id": offer}, last_event=number)
    controller.acknowledge(number)


@jackpot
@pytest.mark.conformance("section 5, jackpot unit")
def test_disarming_another_offer_changes_nothing(subject: Subject, controller: Controller) -> None:
    """Section 5: DISARM of another offer is answered, and the armed one stays armed."""
    offer = subject.next_offer()
    controller.done("ARM", offer_id=offer, box=1)
    controller.shows("DISARM", BEFORE_IT, {"offer_id": offer - 1}, last_event=controller.last)
    controller.shows("METER", "armed still, as another offer was disarmed", state=ARMED)
    controller.done("DISARM", offer_id=offer)
    controller.shows("METER", "disarmed", state=IDLE)


@jackpot
@pytest.mark.conformance("section 5, jackpot unit")
def test_the_meter_shows_what_it_is_told(subject: Subject, controller: Controller) -> None:
    """Section 5: SHOWN within the spin and a second, with the figure read back. While it spins
    METER reads multiplier 0, another offer and BLANK get NAK 4, and the same SHOW changes nothing.
    While it shows, the same SHOW makes no event; another multiplier, ARM of that offer and
    TEST_PATTERN get NAK 3."""
    offer, number = subject.next_offer(), controller.last + 1
    show = {"offer_id": offer, "multiplier": 25, "spin_ms": SPIN_MS}
    controller.done("SHOW", **show)
    controller.refused(BUSY, "it spins for another offer", "ARM", offer_id=offer + 1, box=1)
    controller.refused(BUSY, "it spins for another", "SHOW", **{**show, "offer_id": offer + 1})
    controller.refused(BUSY, "it spins", "BLANK")
    controller.done("SHOW", **show)
    controller.shows("METER", "nothing to be read while it spins", state=SPINNING, multiplier=0)
    subject.next_offer()
    subject.comes(controller, number, SHOWN_WITHIN_S, "SHOWN")
    shown = controller.events[number].message
    read_back = (shown.name, shown.fields.get("offer_id"), shown.fields.get("multiplier"))
    controller.expect(
        read_back == ("SHOWN", offer, 25),
        f"SHOWN offer_id={offer} multiplier=25 as event {number}, read back from the display",
    )
    controller.shows("METER", "what is shown", state=SHOWING, offer_id=offer, multiplier=25)
    controller.done("SHOW", **show)
    controller.listen(QUIET_S)
    controller.expect(controller.last == number, "no event of a SHOW of what is shown")
    controller.refused(NOT_NOW, "it shows another", "SHOW", **{**show, "multiplier": 50})
    controller.refused(NOT_NOW, "the offer was shown", "ARM", offer_id=offer, box=1)
    controller.refused(NOT_NOW, "it is showing", "TEST_PATTERN", pattern=1)
    controller.acknowledge(number)


@jackpot
@pytest.mark.conformance("section 5, jackpot unit")
def test_a_blank_meter_shows_the_same_again(subject: Subject, controller: Controller) -> None:
    """Section 5: after BLANK the same SHOW shows it, with a new SHOWN; ARM still gets NAK 3."""
    offer, number = subject.next_offer(), controller.last + 1
    subject.show(controller, offer)
    controller.done("BLANK")
    controller.shows("METER", "nothing to be read on a blank display", multiplier=0)
    controller.refused(NOT_NOW, "the offer was shown", "ARM", offer_id=offer, box=1)
    subject.show(controller, offer)
    subject.comes(controller, number + 1, what="SHOWN for the second time")
    names = [controller.events[n].message.name for n in (number, number + 1)]
    controller.expect(names == ["SHOWN", "SHOWN"], "SHOWN for each time that it was shown")
    controller.acknowledge(controller.last)


@jackpot
@pytest.mark.conformance("section 5, jackpot unit")
def test_arming_a_new_offer_blanks_the_display(subject: Subject, controller: Controller) -> None:
    """Section 5: behind ARM of a new offer METER reads armed, that offer, and multiplier 0."""
    subject.show(controller, subject.next_offer())
    offer = subject.next_offer()
    controller.done("ARM", offer_id=offer, box=2)
    blank = "a blank display: what stood there is of the offer before"
    controller.shows("METER", blank, state=ARMED, offer_id=offer, multiplier=0)
    controller.done("DISARM", offer_id=offer)
    controller.acknowledge(controller.last)


@jackpot
@pytest.mark.conformance("section 5, jackpot unit")
def test_no_offer_and_no_multiplier_is_0(subject: Subject, controller: Controller) -> None:
    """Section 5: offer 0 and multiplier 0 in a command get NAK 2."""
    offer, at_once = subject.next_offer(), {"spin_ms": 0}
    controller.refused(BAD_BODY, "no offer is 0", "ARM", offer_id=0, box=1)
    controller.refused(BAD_BODY, "no offer is 0", "SHOW", offer_id=0, multiplier=5, **at_once)
    controller.refused(
        BAD_BODY, "no multiplier is 0", "SHOW", offer_id=offer, multiplier=0, **at_once
    )


@jackpot
@pytest.mark.conformance("section 3, alive")
def test_a_unit_without_its_controller_disarms_and_keeps_showing(
    subject: Subject, controller: Controller
) -> None:
    """Section 3: after 2 s without a valid payload the button is disarmed; what is shown stays."""
    offer = subject.next_offer()
    subject.show(controller, offer, 100)
    controller.listen(0.1)
    controller.acknowledge(controller.last)
    controller.listen(WELL_GONE_S)
    controller.greet(controller.session, controller.stored)
    controller.shows("METER", "the figure still there", state=SHOWING, multiplier=100)
    controller.done("ARM", offer_id=subject.next_offer(), box=1)
    controller.listen(WELL_GONE_S)
    controller.greet(controller.session, controller.stored)
    controller.shows("METER", "disarmed, as the controller was gone", state=IDLE)
