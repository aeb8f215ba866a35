"""Section 5: what shoe, keypad, shuffler and jackpot unit owe beyond the link."""

from __future__ import annotations

from drivers.vocabulary import BAD_BODY, BUSY, NOT_NOW
from hil_tests.conformance.catalogue import demands
from hil_tests.conformance.controller import Controller
from hil_tests.conformance.subject import (
    ARMED,
    EVENT_S,
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


@demands("section 5, jackpot unit", kinds=("jackpot",), person=True)
def the_first_press_counts_and_only_that(subject: Subject, controller: Controller) -> None:
    """Section 5: one PRESS for an offer; the unit disarms itself, and never arms it again."""
    offer = subject.next_offer()
    controller.carry_out("ARM", offer_id=offer, box=3)
    controller.carry_out("ARM", offer_id=offer, box=3)
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


@demands("section 5, jackpot unit", kinds=("jackpot",))
def disarming_another_offer_changes_nothing(subject: Subject, controller: Controller) -> None:
    """Section 5: DISARM of another offer is answered, and the armed one stays armed."""
    offer = subject.next_offer()
    controller.carry_out("ARM", offer_id=offer, box=1)
    controller.shows("DISARM", BEFORE_IT, {"offer_id": offer - 1}, last_event=controller.last)
    controller.shows("METER", "armed still, as another offer was disarmed", state=ARMED)
    controller.carry_out("DISARM", offer_id=offer)
    controller.shows("METER", "disarmed", state=IDLE)


@demands("section 5, jackpot unit", kinds=("jackpot",))
def the_meter_shows_what_it_is_told(subject: Subject, controller: Controller) -> None:
    """Section 5: SHOWN within the spin and a second, with the figure read back. While it spins
    METER reads multiplier 0, another offer and BLANK get NAK 4, and the same SHOW changes nothing.
    While it shows, the same SHOW makes no event; another multiplier, ARM of that offer and
    TEST_PATTERN get NAK 3."""
    offer, number = subject.next_offer(), controller.last + 1
    show = {"offer_id": offer, "multiplier": 25, "spin_ms": SPIN_MS}
    controller.carry_out("SHOW", **show)
    controller.refused(BUSY, "it spins for another offer", "ARM", offer_id=offer + 1, box=1)
    controller.refused(BUSY, "it spins for another", "SHOW", **{**show, "offer_id": offer + 1})
    controller.refused(BUSY, "it spins", "BLANK")
    controller.carry_out("SHOW", **show)
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
    controller.carry_out("SHOW", **show)
    controller.listen(QUIET_S)
    controller.expect(controller.last == number, "no event of a SHOW of what is shown")
    controller.refused(NOT_NOW, "it shows another", "SHOW", **{**show, "multiplier": 50})
    controller.refused(NOT_NOW, "the offer was shown", "ARM", offer_id=offer, box=1)
    controller.refused(NOT_NOW, "it is showing", "TEST_PATTERN", pattern=1)
    controller.acknowledge(number)


@demands("section 5, jackpot unit", kinds=("jackpot",))
def a_blank_meter_shows_the_same_again(subject: Subject, controller: Controller) -> None:
    """Section 5: after BLANK the same SHOW shows it, with a new SHOWN; ARM still gets NAK 3."""
    offer, number = subject.next_offer(), controller.last + 1
    subject.show_figure(controller, offer)
    controller.carry_out("BLANK")
    controller.shows("METER", "nothing to be read on a blank display", multiplier=0)
    controller.refused(NOT_NOW, "the offer was shown", "ARM", offer_id=offer, box=1)
    subject.show_figure(controller, offer)
    subject.comes(controller, number + 1, what="SHOWN for the second time")
    names = [controller.events[n].message.name for n in (number, number + 1)]
    controller.expect(names == ["SHOWN", "SHOWN"], "SHOWN for each time that it was shown")
    controller.acknowledge(controller.last)


@demands("section 5, jackpot unit", kinds=("jackpot",))
def arming_a_new_offer_blanks_the_display(subject: Subject, controller: Controller) -> None:
    """Section 5: behind ARM of a new offer METER reads armed, that offer, and multiplier 0."""
    subject.show_figure(controller, subject.next_offer())
    offer = subject.next_offer()
    controller.carry_out("ARM", offer_id=offer, box=2)
    blank = "a blank display: what stood there is of the offer before"
    controller.shows("METER", blank, state=ARMED, offer_id=offer, multiplier=0)
    controller.carry_out("DISARM", offer_id=offer)
    controller.acknowledge(controller.last)


@demands("section 5, jackpot unit", kinds=("jackpot",))
def no_offer_and_no_multiplier_is_0(subject: Subject, controller: Controller) -> None:
    """Section 5: offer 0 and multiplier 0 in a command get NAK 2."""
    offer, at_once = subject.next_offer(), {"spin_ms": 0}
    controller.refused(BAD_BODY, "no offer is 0", "ARM", offer_id=0, box=1)
    controller.refused(BAD_BODY, "no offer is 0", "SHOW", offer_id=0, multiplier=5, **at_once)
    controller.refused(
        BAD_BODY, "no multiplier is 0", "SHOW", offer_id=offer, multiplier=0, **at_once
    )


@demands("section 3, alive", kinds=("jackpot",))
def a_unit_without_its_controller_disarms_and_keeps_showing(
    subject: Subject, controller: Controller
) -> None:
    """Section 3: after 2 s without a valid payload the button is disarmed; what is shown stays."""
    offer = subject.next_offer()
    subject.show_figure(controller, offer, 100)
    controller.listen(0.1)
    controller.acknowledge(controller.last)
    controller.listen(WELL_GONE_S)
    controller.greet(controller.session, controller.stored)
    controller.shows("METER", "the figure still there", state=SHOWING, multiplier=100)
    controller.carry_out("ARM", offer_id=subject.next_offer(), box=1)
    controller.listen(WELL_GONE_S)
    controller.greet(controller.session, controller.stored)
    controller.shows("METER", "disarmed, as the controller was gone", state=IDLE)


LOCKED, UNLOCKED, LID_OPEN = 1, 2, 3
THROUGH_LOCKED = 8


@demands("section 5, card shoe", kinds=("shoe",), person=True)
def an_allowance_is_used_up_card_by_card(subject: Subject, controller: Controller) -> None:
    """Section 5: unlocked for one card the gate locks by itself behind it. The answer to GATE names
    the last event before it took effect."""
    controller.shows("GATE", BEFORE_IT, {"unlocked": 1, "cards": 1}, last_event=controller.last)
    controller.shows("PING", "the gate unlocked for one card", state=UNLOCKED)
    number = controller.last + 1
    subject.act(controller, "draw")
    subject.comes(controller, number, what="the card drawn")
    card = controller.events[number].message
    controller.expect(card.name == "CARD", f"CARD as event {number}")
    flags = int(str(card.fields["flags"]))
    controller.expect(not flags & THROUGH_LOCKED, "flags without bit 3: the gate was unlocked")
    controller.shows("PING", "the gate locked behind the one card", state=LOCKED)
    controller.shows("GATE", BEFORE_IT, {"unlocked": 0, "cards": 0}, last_event=controller.last)
    controller.acknowledge(controller.last)


@demands("section 5, card shoe", kinds=("shoe",), person=True)
def the_lid_locks_the_gate(subject: Subject, controller: Controller) -> None:
    """Section 5: an opened lid locks the gate and clears its allowance; GATE gets NAK 3 then."""
    controller.carry_out("GATE", unlocked=1, cards=0)
    number = controller.last + 1
    subject.act(controller, "lid", open=True)
    subject.comes(controller, number)
    told = controller.events[number].message
    controller.expect(told.fields.get("state") == 2, "SHOE_STATE with state=2, lid open")
    controller.shows("PING", "the lid open", state=LID_OPEN)
    controller.refused(NOT_NOW, "the lid is open", "GATE", unlocked=1, cards=0)
    subject.act(controller, "lid", open=False)
    subject.comes(controller, number + 1)
    controller.shows("PING", "the gate locked, as the lid has cleared its allowance", state=LOCKED)
    controller.acknowledge(controller.last)


@demands("section 3, alive", kinds=("shoe",))
def a_shoe_without_its_controller_locks_itself(controller: Controller) -> None:
    """Section 3: after 2 s without a valid payload its gate is locked and its allowance cleared."""
    controller.carry_out("GATE", unlocked=1, cards=0)
    controller.listen(WELL_GONE_S)
    controller.greet(controller.session, controller.stored)
    controller.shows("PING", "the gate locked, as the controller was gone", state=LOCKED)


@demands("section 5, keypad", kinds=("keypad",), person=True)
def keys_come_as_they_are_pressed(subject: Subject, controller: Controller) -> None:
    """Section 5: each key makes one KEY, in their order."""
    keys = "B1M50#"
    subject.act(controller, "key", keys=keys)
    controller.listen(EVENT_S, lambda: len(controller.arrived) >= len(keys))
    came = "".join(str(heard.message.fields.get("key", "?")) for heard in controller.arrived)
    controller.expect(came == keys, f"a KEY for each of {keys}, in order; {came or 'none'} came")
    controller.acknowledge(controller.last)


@demands("section 3, alive", kinds=("keypad",), person=True)
def a_keypad_without_its_controller_takes_no_keys(subject: Subject, controller: Controller) -> None:
    """Section 3: after 2 s without a valid payload keys make no events, now or later."""
    last = controller.last
    controller.listen(WELL_GONE_S)
    subject.act(None, "key", keys="O")
    hello = controller.greet(controller.session, controller.stored)
    wanted = f"last_event={last}: a key pressed while the controller was gone makes no event"
    controller.expect(hello["last_event"] == last, wanted)


@demands("section 5, keypad", kinds=("keypad",))
def rows_and_lamps_are_taken(controller: Controller) -> None:
    """Section 5: text of 20 characters in either row, every lamp; a third row gets NAK 2."""
    for row in (0, 1):
        controller.carry_out("TEXT", row=row, text="CONFORMANCE 12345678")
    controller.carry_out("LAMPS", lit=0x1FFFF)
    controller.carry_out("LAMPS", lit=0)
    controller.refused(BAD_BODY, "rows are 0 and 1", "TEXT", row=2, text="")


@demands("section 5, shuffler", kinds=("shuffler",))
def a_shuffle_is_begun_once_and_told(subject: Subject, controller: Controller) -> None:
    """Section 5: START for the set being shuffled changes nothing; each change of state is told."""
    first = controller.last + 1
    controller.carry_out("START", set=1)
    subject.comes(controller, first)
    told = controller.events[first].message
    begun = (told.name, told.fields.get("state"), told.fields.get("set")) == (
        "SHUFFLER_STATE",
        2,
        1,
    )
    controller.expect(begun, f"SHUFFLER_STATE state=2 (shuffling) set=1 as event {first}")
    controller.carry_out("START", set=1)
    controller.listen(QUIET_S)
    controller.expect(controller.last == first, "no event of START for the set being shuffled")
    controller.carry_out("ABORT")
    subject.comes(controller, first + 1)
    ended = controller.events[first + 1].message.fields.get("state") == 1
    controller.expect(ended, f"SHUFFLER_STATE state=1 (loaded) behind ABORT as event {first + 1}")
    controller.refused(BAD_BODY, "sets are 1 and 2", "START", set=3)
    controller.acknowledge(controller.last)
