"""The live table is a function of its events: :func:`apply` is the only way in.

It takes one event, changes the table, and returns the effect as an outcome; a command that is not
permitted is refused and changes nothing. The table computes what every device should be doing and
what is to be shown (:mod:`controller.table.showing`), but sends and shows nothing itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from controller.table import sequence
from controller.table.dealing import cards_in, correcting, lying, putting_right, shoe_events
from controller.table.devices import displays, links, reports
from controller.table.entering import attempts, enrolling, fence, keys, supervising
from controller.table.entering.needs import needed_device
from controller.table.events import Event, Outcome
from controller.table.holds import conditions
from controller.table.jackpot import unit
from controller.table.service import mode, reporting, trying
from controller.table.shoe import doubts, shuffling
from controller.table.state.table import Table


def apply(table: Table, event: Event) -> Outcome:
    """Apply one event.

    Raises:
        Refused: a dealer's or supervisor's command is not permitted; nothing has changed.
        Malformed: a command cannot be parsed; nothing has changed.
        ValueError: the type of the event is unknown, or it is a second draw for an offer.
    """
    handler = HANDLERS.get(event.type)
    if handler is None and event.event_no is None:
        raise ValueError(f"no table knows an event of type {event.type!r}")
    table.outcome = Outcome()
    before, said = table.round_number, table.entering.keypad.says
    lay = lying.hands(table)
    device = table.named(event.device)
    if device is not None and event.event_no is not None:
        device.has_told(event)
    if device is not None and device.only_shows:
        handler = displays.HANDLERS.get(event.type)
    elif table.in_service:
        handler = IN_SERVICE.get(event.type, handler)
    if handler is not None:
        handler(table, event)
    fence.process_pending(table)
    keys.work_off(table)
    _follow(table, answered=event.type == "KEY" or table.entering.keypad.says != said)
    lying.tell(table, event, lay)
    conditions.update_holds(table)
    table.outcome.state = table.state
    if table.round_number > before:
        table.outcome.opened = table.round_number
    return table.outcome


def _follow(table: Table, *, answered: bool) -> None:
    """Apply the consequences of the event: a new offer, new settlements, the round's end.
    ``answered``: the event has answered a key."""
    if table.rnd is None:
        return
    putting_right.update_irregularity(table)
    missing = needed_device(table)
    if missing and missing.fault == "shoe-empty":
        putting_right.shoe_ran_out(table)
    unit.update_offer(table)
    if sequence.may(table, "reopen"):
        sequence.pull(table, "reopen")
    if sequence.may(table, "end"):
        sequence.pull(table, "end")
        table.entering.forget_saved()
        doubts.round_is_over(table)
    table.outcome.settlements += table.dealing.newly_settled()
    if table.outcome.settlements:
        table.entering.keypad.something_is_owed(answered=answered)


def _dealer(table: Table, event: Event) -> None:
    mode.check_not(table)
    fence.take_command(table, str(event.body["command"]), as_seen="at" in event.body)


def _press(table: Table, event: Event) -> None:
    """The button was pressed, or was found to have been: a correction is judged first."""
    if table.rnd is not None and table.rnd.irregular.edits:
        correcting.end_before_event(table)
        unit.update_offer(table)
    heard = unit.press if event.type == "PRESS" else unit.pressed
    heard(table, event)


def _stop(table: Table, event: Event) -> None:
    """Record a clean stop: play continues after the next start."""
    table.setup.stop()


def _head(table: Table, event: Event) -> None:
    """A head of the journal was signed: nothing of play."""


HANDLERS: Final[Mapping[str, Callable[[Table, Event], None]]] = {
    "condition": conditions.condition,
    "dealer": _dealer,
    "gate": fence.gate,
    "head": _head,
    "stop": _stop,
    "start": links.start,
    "link": links.link,
    "supervisor": supervising.supervisor,
    "draw": unit.draw,
    "overdue": unit.overdue,
    "person": enrolling.person,
    "pressed": _press,
    "shown": unit.meter_was_read,
    "refused": reports.refused,
    "refused-attempt": attempts.refused_attempt,
    "device-command": trying.device_command,
    "device-tested": trying.device_tested,
    "readiness": reporting.readiness,
    "PRESS": _press,
    "SHOWN": unit.meter_showed,
    "STUCK": unit.stuck,
    "COVER": unit.cover,
    "CARD": cards_in.card,
    "CUTTING_CARD": shuffling.cutting_card,
    "SHOE_STATE": shoe_events.shoe_state,
    "SHUFFLER_STATE": reports.shuffler_state,
    "SHUFFLE_DONE": reports.shuffle_done,
    "CARD_DISCREPANCY": reports.discrepancy,
    "FAULT": reports.fault,
    "KEY": keys.key,
}

IN_SERVICE: Final[Mapping[str, Callable[[Table, Event], None]]] = {
    "CARD": mode.card,
    "CUTTING_CARD": mode.tried,
    "SHOE_STATE": mode.shoe_state,
    "PRESS": mode.tried,
    "SHOWN": mode.tried,
    "STUCK": mode.tried,
    "KEY": mode.tried,
}
"""What is of play, while nothing is played."""
