"""Section 5: what shoe, keypad and shuffler owe beyond the link."""

from __future__ import annotations

import pytest

from drivers.vocabulary import BAD_BODY, NOT_NOW
from hil_tests.conformance.controller import Controller
from hil_tests.conformance.subject import (
    EVENT_S,
    QUIET_S,
    WELL_GONE_S,
    Subject,
)
from hil_tests.conformance.words import BEFORE_IT

LOCKED, UNLOCKED, LID_OPEN = 1, 2, 3
THROUGH_LOCKED = 8

shoe = pytest.mark.only_for(kind=("shoe",))
keypad = pytest.mark.only_for(kind=("keypad",))
shuffler = pytest.mark.only_for(kind=("shuffler",))


@shoe
@pytest.mark.conformance("section 5, card shoe")
@pytest.mark.person
def test_an_allowance_is_used_up_card_by_card(subject: Subject, controller: Controller) -> None:
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


@shoe
@pytest.mark.conformance("section 5, card shoe")
@pytest.mark.person
def test_the_lid_locks_the_gate(subject: Subject, controller: Controller) -> None:
    """Section 5: an opened lid locks the gate and clears its allowance; GATE gets NAK 3 then."""
    controller.done("GATE", unlocked=1, cards=0)
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


@shoe
@pytest.mark.conformance("section 3, alive")
def test_a_shoe_without_its_controller_locks_itself(controller: Controller) -> None:
    """Section 3: after 2 s without a valid payload its gate is locked and its allowance cleared."""
    controller.done("GATE", unlocked=1, cards=0)
    controller.listen(WELL_GONE_S)
    controller.greet(controller.session, controller.stored)
    controller.shows("PING", "the gate locked, as the controller was gone", state=LOCKED)


@keypad
@pytest.mark.conformance("section 5, keypad")
@pytest.mark.person
def test_keys_come_as_they_are_pressed(subject: Subject, controller: Controller) -> None:
    """Section 5: each key makes one KEY, in their order."""
    keys = "B1M50#"
    subject.act(controller, "key", keys=keys)
    controller.listen(EVENT_S, lambda: len(controller.arrived) >= len(keys))
    came = "".join(str(heard.message.fields.get("key", "?")) for heard in controller.arrived)
    controller.expect(came == keys, f"a KEY for each of {keys}, in order; {came or 'none'} came")
    controller.acknowledge(controller.last)


@keypad
@pytest.mark.conformance("section 3, alive")
@pytest.mark.person
def test_a_keypad_without_its_controller_takes_no_keys(
    subject: Subject, controller: Controller
) -> None:
    """Section 3: after 2 s without a valid payload keys make no events, now or later."""
    last = controller.last
    controller.listen(WELL_GONE_S)
    subject.act(None, "key", keys="O")
    hello = controller.greet(controller.session, controller.stored)
    wanted = f"last_event={last}: a key pressed while the controller was gone makes no event"
    controller.expect(hello["last_event"] == last, wanted)


@keypad
@pytest.mark.conformance("section 5, keypad")
def test_rows_and_lamps_are_taken(controller: Controller) -> None:
    """Section 5: text of 20 characters in either row, every lamp; a third row gets NAK 2."""
    for row in (0, 1):
        controller.done("TEXT", row=row, text="CONFORMANCE 12345678")
    controller.done("LAMPS", lit=0x1FFFF)
    controller.done("LAMPS", lit=0)
    controller.refused(BAD_BODY, "rows are 0 and 1", "TEXT", row=2, text="")


@shuffler
@pytest.mark.conformance("section 5, shuffler")
def test_a_shuffle_is_begun_once_and_told(subject: Subject, controller: Controller) -> None:
    """Section 5: START for the set being shuffled changes nothing; each change of state is told."""
    first = controller.last + 1
    controller.done("START", set=1)
    subject.comes(controller, first)
    told = controller.events[first].message
    begun = (told.name, told.fields.get("state"), told.fields.get("set")) == (
        "SHUFFLER_STATE",
        2,
        1,
    )
    controller.expect(begun, f"SHUFFLER_STATE state=2 (shuffling) set=1 as event {first}")
    controller.done("START", set=1)
    controller.listen(QUIET_S)
    controller.expect(controller.last == first, "no event of START for the set being shuffled")
    controller.done("ABORT")
    subject.comes(controller, first + 1)
    ended = controller.events[first + 1].message.fields.get("state") == 1
    controller.expect(ended, f"SHUFFLER_STATE state=1 (loaded) behind ABORT as event {first + 1}")
    controller.refused(BAD_BODY, "sets are 1 and 2", "START", set=3)
    controller.acknowledge(controller.last)
