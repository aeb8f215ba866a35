"""The button and the meter: one offer for each box that is served, one press, one draw.

An offer's number is never used again at a table. The press counts whenever it comes for the offer
that is armed, also while the table is held; the draw is made once, with the press, and
its result comes back as an event. While a failed generator holds the table nothing is drawn: the
offer and its press are kept until a supervisor resumes. Only what the meter has reported as shown
is settled. A meter that shows another figure after the settlement changes nothing, but players may
see it: the table is held so that a supervisor learns of it, with nothing more to pay
(``meter-differs-later``).

Whatever happens to the meter, the drawn multiplier counts, and no person can give another one.
``seen N`` confirms that a person has read it off the meter, which does not report it. ``pay N`` has
it paid from the controller's own screen, where the meter does not show it and will not soon.

The events of a unit that replaced another in mid-round, or that has another firmware, are ignored
until a supervisor accepts it: then it is queried, and the answer has what its events reported.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from controller.game.commands.command import Command
from controller.game.commands.values import Seat
from controller.game.round import play
from controller.game.round.refusal import Refused
from controller.game.round.states import State
from controller.game.round.steps import Press
from controller.table import holds
from controller.table.events import of_controller
from controller.table.events.of_controller import FigureRead, PressRead
from controller.table.events.of_devices import ButtonPressed, ButtonStuck, CoverMoved, FigureShown
from controller.table.state.holds import Hold
from controller.table.state.table import Table

PRESSES: Final = (ButtonPressed, PressRead)
"""The events by which a button that was pressed reaches the table."""

METER_FAULTS = ("meter-differs", "meter-silent", "meter-differs-later")
UNIT_FAULTS = ("device-replaced", "device-altered")
GENERATOR_FAULT = "generator-failed"
NOT_ACCEPTED = "the jackpot unit is not accepted: ignored until it is"


def trouble(table: Table) -> str:
    """Why wagers that the button settles are not possible; empty when they are."""
    if not table.has("jackpot"):
        return "this table has no jackpot unit"
    return table.devices["jackpot"].trouble()


def press(table: Table, event: ButtonPressed | PressRead) -> None:
    """The button was pressed, or the unit was queried and reports it: this counts like the event,
    which may have been lost with the unit's memory (protocol section 5: pressed and nothing drawn:
    draw)."""
    offer, rnd = table.jackpot.offer, table.rnd
    number = event.offer_id
    if not is_accepted(table):
        table.note(f"a press for offer {number}: {NOT_ACCEPTED}")
        return
    if offer is None or rnd is None or offer.number != number or rnd.state != State.JACKPOT_ARMED:
        table.note(f"a press for offer {number}, which is not armed: ignored")
        return
    table.dealing.settle_up()
    table.dealing.update(play.press(rnd, Press(Seat(offer.box))))
    if isinstance(event, ButtonPressed):
        table.jackpot.offer = replace(offer, press=(event.session, event.event_no))
    table.entering.forget_saved()


def draw(table: Table, event: of_controller.MultiplierDrawn) -> None:
    """Record the multiplier drawn for the offer that was pressed. If the round was voided
    meanwhile, the draw stays in the journal and nothing is paid on it (matrix A-71).

    Raises:
        ValueError: the offer is unknown, not pressed or already drawn; or the generator's failure
        holds the table.
    """
    offer, rnd, number = table.jackpot.offer, table.rnd, event.offer
    if not table.jackpot.last_draw < number < table.jackpot.next_offer:
        raise ValueError(f"offer {number} does not wait for a draw")
    if offer is not None and offer.number == number and not waits_for_draw(table):
        raise ValueError(f"offer {number} has not been pressed, or its generator has failed")
    table.jackpot.last_draw = number
    table.entering.forget_saved()  # a draw is never undone
    multiplier = event.multiplier
    if offer is None or rnd is None or offer.number != number:
        table.note(f"{multiplier}x was drawn for offer {number}, which is over: it is not used")
        return
    table.dealing.update(play.draw(rnd, multiplier))
    table.jackpot.offer = replace(offer, multiplier=multiplier)
    table.jackpot.draws.append({"offer": offer.number, "box": offer.box, "multiplier": multiplier})


def generator_failed(table: Table) -> bool:
    """Whether the generator has failed, or its failure still holds the table: nothing is drawn."""
    return table.holds.has(GENERATOR_FAULT) or GENERATOR_FAULT in table.holds.conditions


def waits_for_draw(table: Table) -> bool:
    """Whether the button was pressed, and a draw is permitted and not yet made."""
    offer, rnd = table.jackpot.offer, table.rnd
    return (
        offer is not None
        and offer.multiplier is None
        and rnd is not None
        and rnd.state == State.JACKPOT_DRAWING
        and not generator_failed(table)
    )


def waits_for_meter(table: Table) -> bool:
    """Whether a drawn multiplier must still be shown before it is settled."""
    offer, rnd = table.jackpot.offer, table.rnd
    drawn = offer is not None and offer.multiplier is not None
    return drawn and rnd is not None and rnd.state == State.JACKPOT_DRAWING


def is_accepted(table: Table) -> bool:
    """Whether the unit is the one that was there before, with the firmware that it had, or has been
    accepted."""
    return not table.holds.has(*UNIT_FAULTS, device="jackpot")


def end_meter_holds(table: Table) -> None:
    """End the holds for the meter: its figure is shown, or paid without it."""
    table.holds.end_where(lambda held: held.fault in METER_FAULTS)


def meter_showed(table: Table, event: FigureShown | FigureRead) -> None:
    """The meter reports what it shows."""
    offer, rnd = table.jackpot.offer, table.rnd
    number, multiplier = event.offer_id, event.multiplier
    if not is_accepted(table):
        table.note(f"the meter shows offer {number}: {NOT_ACCEPTED}")
        return
    if offer is None or rnd is None or offer.number != number or offer.multiplier is None:
        table.note(f"the meter shows offer {number}, which is over: ignored")
        return
    if multiplier != offer.multiplier:
        reads = f"reads {multiplier}x" if multiplier else "cannot be read"
        # Both with the same text, which is stored in journals and compared on replay.
        said = f"box {offer.box} drew {offer.multiplier}x, but the meter {reads}"
        code = "meter-differs" if waits_for_meter(table) else "meter-differs-later"
        table.hold_for(Hold(code, said, device="jackpot"))
        table.jackpot.offer = replace(offer, shown=False)
        return
    end_meter_holds(table)
    table.entering.forget_saved()
    table.jackpot.offer = replace(offer, shown=True)
    if rnd.state == State.JACKPOT_DRAWING:
        table.dealing.update(play.show_multiplier(rnd))


def meter_was_read(table: Table, event: FigureRead) -> None:
    """The unit was queried and shows what was drawn: this counts like the event, which may have
    been lost with the unit's memory. It does not count once the table is held for the meter: a unit
    that shows a figure without reporting it has failed, and the supervisor decides by looking at
    it."""
    if table.holds.has(*METER_FAULTS):
        table.note(f"the jackpot unit reads back {event.multiplier}x: the supervisor confirms")
        return
    table.note("what the meter shows was read from the jackpot unit")
    meter_showed(table, event)


def overdue(table: Table, event: of_controller.MeterOverdue) -> None:
    """The meter has not reported in time that it shows the multiplier."""
    offer = table.jackpot.offer
    if offer is not None and offer.number == event.offer and waits_for_meter(table):
        said = f"box {offer.box} drew {offer.multiplier}x, but the meter does not report it"
        table.hold_for(Hold("meter-silent", said, device="jackpot"))


def stuck(table: Table, _: ButtonStuck) -> None:
    """The button has been down for over five seconds."""
    holds.has_come(table, "button-stuck", "free it")


def cover(table: Table, event: CoverMoved) -> None:
    """The jackpot unit's cover was opened, which holds play, or closed, which releases it
    (SEC-03)."""
    if event.open:
        holds.has_come(table, "cover-open", "")
    else:
        holds.end_condition(table, "cover-open")


def _owes_report(table: Table) -> bool:
    """Whether the table is held for a report of the meter, wrong or missing."""
    return waits_for_meter(table) and table.holds.has(*METER_FAULTS)


def _payable(table: Table) -> bool:
    """Whether the meter does not show the drawn multiplier, and will not soon."""
    refuses = table.holds.has("device-refuses", device="jackpot")
    gone = not table.is_up("jackpot") or not is_accepted(table)
    return _owes_report(table) or (waits_for_meter(table) and (refuses or gone))


def meter_commands(table: Table) -> list[Command]:
    """The permitted ones of these commands, with the multiplier that was drawn."""
    number = (table.jackpot.offer.multiplier or 0) if table.jackpot.offer else 0
    verbs = [("seen", _owes_report(table)), ("pay", _payable(table))]
    return [Command(verb, number=number) for verb, permitted in verbs if permitted]


def go_on_without_meter(table: Table, order: Command) -> None:
    """``seen N``: a person has seen the meter show the multiplier. ``pay N``: it is paid from the
    controller's own screen.

    Raises:
        Refused: the meter owes no report, or nothing waits to be paid; or it is not the drawn one.
    """
    if order.verb == "seen" and not _owes_report(table):
        said = "there is no multiplier that the meter was to report and has not"
        raise Refused(said, short="NO REPORT IS DUE")
    if not _payable(table):  # as it is wherever a report is owed
        said = "no drawn multiplier waits to be paid from the controller's screen"
        raise Refused(said, short="NOTHING TO PAY")
    offer = table.jackpot.offer
    assert offer
    assert table.rnd
    if order.number != offer.multiplier:
        said = f"box {offer.box} drew {offer.multiplier}x, not {order.number}x"
        raise Refused(said, short="NOT WHAT IT DREW")
    table.dealing.update(play.show_multiplier(table.rnd))
    end_meter_holds(table)
