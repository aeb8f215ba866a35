"""The button and the meter: one offer for each box that is served, one press, one draw.

An offer's number never comes again at a table. The press counts whenever it comes for the offer
that is armed, also while the table is held; the draw is asked for once, by the table's wants, and
comes back as an event. While a failed generator holds the table nothing is drawn: the offer and
its press are kept until a supervisor resumes. Only what the meter has reported as shown is settled,
unless a supervisor says that he has seen it there, or has it paid from the box's own screen. A
meter that reads otherwise once that is settled changes nothing, but players may see it: the table
is held for a supervisor to hear of it, with nothing more to pay (``meter-differs-later``).

A unit that came in place of another in mid-round, or with another firmware, is not heard before a
supervisor accepts it: it is looked at then, and tells what its events told.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from controller.round import play
from controller.round.steps.step import Seat, Step
from controller.table.events import Event
from controller.table.holds import conditions
from controller.table.holds.hold import Hold, hold

if TYPE_CHECKING:
    from controller.table.table import Table

METER_FAULTS = ("meter-differs", "meter-silent", "meter-differs-later")
UNIT_FAULTS = ("device-replaced", "device-altered")
GENERATOR_FAULT = "generator-failed"
NOT_ACCEPTED = "the jackpot unit is not accepted: ignored until it is"


@dataclass(frozen=True, slots=True)
class Offer:
    """The button offered to a box: ``press`` is the session and number of the event by which it
    was pressed, None for one read from the unit; ``shown`` once the meter has reported the
    multiplier."""

    number: int
    box: int
    press: tuple[int, int] | None = None
    multiplier: int | None = None
    shown: bool = False


def follow(table: Table) -> None:
    """Number the offer of the box that the button goes to; forget it once the box is served."""
    rnd = table.rnd
    assert rnd
    if rnd.armed is None or rnd.ended:
        table.offer = None
    elif table.offer is None or table.offer.box != rnd.armed:
        table.offer = Offer(table.next_offer, rnd.armed)
        table.next_offer += 1


def press(table: Table, event: Event) -> None:
    """The button was pressed."""
    offer, rnd = table.offer, table.rnd
    number = int(event.body["offer_id"])
    if not _is_heard(table):
        table.outcome.notes.append(f"a press for offer {number}: {NOT_ACCEPTED}")
        return
    if offer is None or rnd is None or offer.number != number or rnd.state != "jackpot.armed":
        table.outcome.notes.append(f"a press for offer {number}, which is not armed: ignored")
        return
    table.rnd = play.press(rnd, Step("press", Seat(offer.box)))
    if event.session is not None and event.event_no is not None:
        table.offer = replace(offer, press=(event.session, event.event_no))
    table.saved = None


def pressed(table: Table, event: Event) -> None:
    """The unit was looked at and says that it was pressed: as good as its event, which may have
    been lost with its memory (protocol section 5: pressed and nothing drawn: draw)."""
    press(table, event)
    table.outcome.notes.append("the press was read from the jackpot unit")


def draw(table: Table, event: Event) -> None:
    """The multiplier drawn for the offer that was pressed. The round may have been voided while
    it was drawn: then it stays in the journal, and nothing is paid on it (matrix A-71).

    Raises:
        ValueError: the offer is not known, not pressed, or has been drawn for; or the generator's
            failure holds the table.
    """
    offer, rnd, number = table.offer, table.rnd, event.offer or 0
    if not table.last_draw < number < table.next_offer:
        raise ValueError(f"offer {number} does not wait for a draw")
    if offer is not None and offer.number == number and not waits_for_draw(table):
        raise ValueError(f"offer {number} has not been pressed, or its generator has failed")
    table.last_draw = number
    multiplier = int(event.body["multiplier"])
    if offer is None or rnd is None or offer.number != number:
        table.outcome.notes.append(
            f"{multiplier}x was drawn for offer {number}, which is over: it is not used"
        )
        return
    table.rnd = play.draw(rnd, multiplier)
    table.offer = replace(offer, multiplier=multiplier)
    table.draws.append({"offer": offer.number, "box": offer.box, "multiplier": multiplier})


def generator_failed(table: Table) -> bool:
    """Whether the generator has failed, or its failure still holds the table: nothing is drawn."""
    held = any(hold.fault == GENERATOR_FAULT for hold in table.holds)
    return held or GENERATOR_FAULT in table.conditions


def waits_for_draw(table: Table) -> bool:
    """Whether the button was pressed, nothing is drawn, and something may be."""
    offer, rnd = table.offer, table.rnd
    return (
        offer is not None
        and offer.multiplier is None
        and rnd is not None
        and rnd.state == "jackpot.drawing"
        and not generator_failed(table)
    )


def waits_for_meter(table: Table) -> bool:
    """Whether a drawn multiplier has still to be shown before it is settled."""
    offer, rnd = table.offer, table.rnd
    drawn = offer is not None and offer.multiplier is not None
    return drawn and rnd is not None and rnd.state == "jackpot.drawing"


def is_accepted(table: Table) -> bool:
    """Whether the unit is the one that was there before, with the firmware that it had, or has been
    accepted."""
    return not any(held.device == "jackpot" and held.fault in UNIT_FAULTS for held in table.holds)


def _is_heard(table: Table) -> bool:
    """Whether what the unit tells counts. A unit that is not accepted was heard by the versions
    whose journals do not say that it is ``unheard``: what they drew and paid stays drawn and paid
    when it is played again."""
    return is_accepted(table) or not any(
        held.device == "jackpot" and held.fault in UNIT_FAULTS and held.before[0]
        for held in table.holds
    )


def end_meter_holds(table: Table) -> None:
    """What the meter did not show is shown, or paid without it."""
    table.holds = [hold for hold in table.holds if hold.fault not in METER_FAULTS]


def shown(table: Table, event: Event) -> None:
    """The meter reports what it shows."""
    offer, rnd = table.offer, table.rnd
    number, multiplier = int(event.body["offer_id"]), int(event.body["multiplier"])
    if not _is_heard(table):
        table.outcome.notes.append(f"the meter shows offer {number}: {NOT_ACCEPTED}")
        return
    if offer is None or rnd is None or offer.number != number or offer.multiplier is None:
        table.outcome.notes.append(f"the meter shows offer {number}, which is over: ignored")
        return
    if multiplier != offer.multiplier:
        reads = f"reads {multiplier}x" if multiplier else "cannot be read"
        # Both in the same words, which stand in journals that are played again.
        said = f"box {offer.box} drew {offer.multiplier}x, but the meter {reads}"
        code = "meter-differs" if waits_for_meter(table) else "meter-differs-later"
        hold(table, Hold(code, said, device="jackpot"))
        table.offer = replace(offer, shown=False)
        return
    end_meter_holds(table)
    table.offer = replace(offer, shown=True)
    if rnd.state == "jackpot.drawing":
        table.rnd = play.show(rnd)


def shown_read(table: Table, event: Event) -> None:
    """The unit was looked at and shows what was drawn: as good as its event, which may have been
    lost with its memory. Not so once the table is held for the meter: a unit that shows and does
    not say so has failed, and the supervisor's eye decides."""
    if any(hold.fault in METER_FAULTS for hold in table.holds):
        said = f"the jackpot unit reads back {event.body['multiplier']}x: the supervisor confirms"
        table.outcome.notes.append(said)
        return
    table.outcome.notes.append("what the meter shows was read from the jackpot unit")
    shown(table, event)


def overdue(table: Table, event: Event) -> None:
    """The meter was told to show a multiplier and has not said that it does."""
    offer = table.offer
    if offer is not None and offer.number == event.body["offer"] and waits_for_meter(table):
        hold(
            table,
            Hold(
                "meter-silent",
                f"box {offer.box} drew {offer.multiplier}x, but the meter does not report it",
                device="jackpot",
            ),
        )


def stuck(table: Table, event: Event) -> None:
    """The button has been down for over five seconds."""
    conditions.has_come(table, "button-stuck", "free it")


def cover(table: Table, event: Event) -> None:
    """The jackpot unit's cover was opened, which holds play, or closed: it goes on (SEC-03)."""
    if event.body["open"]:
        conditions.has_come(table, "cover-open", "")
    else:
        conditions.end(table, "cover-open")
