"""The live table is a function of its events: :func:`apply` is the only way in.

It takes one event, changes the table, and returns the effect as an outcome; a command that is not
permitted is refused and changes nothing. The table computes what every device should be doing and
what is to be shown (:mod:`controller.table.showing`), but sends and shows nothing itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from controller.table import holds, jackpot, links, sequence, service, starting
from controller.table.dealing import card_places, cards_in, correcting, putting_right
from controller.table.entering import fence, keys, supervising
from controller.table.entering.fence import needed_device
from controller.table.events import of_controller, of_devices, of_people
from controller.table.events.event import Event, Handler, OfDevice, Reported, on
from controller.table.outcome import Outcome
from controller.table.shoe import card_sets, shuffling
from controller.table.state.parts import Readiness
from controller.table.state.table import Table

CHANGES: Final = {
    "add": "adds {of} as a {role}",
    "pin": "gives {of} ({role}) another PIN",
    "remove": "removes {of} ({role})",
}
"""Changes of who is known by PIN, in words."""


def apply(table: Table, event: Event) -> Outcome:
    """Apply one event.

    Raises:
        Refused: a dealer's or supervisor's command is not permitted; nothing has changed.
        Malformed: a command cannot be parsed; nothing has changed.
        ValueError: it is a second draw for an offer.
    """
    handler = HANDLERS.get(type(event))
    table.outcome = Outcome()
    before, said = table.round_number, table.entering.keypad.says
    lay = card_places.lay_of(table)
    device = table.named(event.device) if isinstance(event, OfDevice) else None
    if device is not None and isinstance(event, Reported):
        device.has_told(event)
    if device is not None and device.only_shows:
        handler = OF_DISPLAYS.get(type(event))
    elif table.in_service:
        handler = IN_SERVICE.get(type(event), handler)
    if handler is not None:
        handler(table, event)
    fence.process_pending(table)
    while key := table.entering.next_key():
        keys.process_key(table, *key)
    _follow(
        table,
        answered=isinstance(event, of_devices.KeyPressed) or table.entering.keypad.says != said,
    )
    card_places.tell_places(table, event, lay)
    holds.update_holds(table)
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
    _update_offer(table)
    if sequence.may(table, "reopen"):
        sequence.pull(table, "reopen")
    if sequence.may(table, "end"):
        sequence.pull(table, "end")
        table.entering.forget_saved()
        card_sets.round_is_over(table)
    table.outcome.settlements += table.dealing.newly_settled()
    if table.outcome.settlements:
        table.entering.forget_saved()  # a card that waited may have settled a hand
        table.entering.keypad.something_is_owed(answered=answered)


def _update_offer(table: Table) -> None:
    """Number the offer of the box that has the button; end it once the box is served."""
    assert table.rnd
    offer, box = table.jackpot.offer, None if table.rnd.is_over else table.rnd.armed
    if box != (offer.box if offer else None):
        table.jackpot.offer_to(box)


def _dealer(table: Table, event: of_people.DealerCommanded) -> None:
    sequence.check_not_in_service(table)
    fence.take_command(table, event.said_command, as_seen=event.at is not None)


def _press(table: Table, event: of_devices.ButtonPressed | of_controller.PressRead) -> None:
    """The button was pressed, or was found to have been: a correction is judged first."""
    if table.corrections:
        correcting.end_before_event(table)
        _update_offer(table)
    jackpot.press(table, event)
    if isinstance(event, of_controller.PressRead):
        table.note("the press was read from the jackpot unit")


# ---- events for the journal's sake: it has them in order, and play does not depend on them -----


def _stop(table: Table, _: of_controller.ControllerStopped) -> None:
    table.setup.stop()


def _attempt(table: Table, event: of_people.AttemptRefused) -> None:
    """A client tried a command beyond its role, which was refused outside the table."""
    who = event.user
    if event.pid is not None:
        who += f" (uid {event.uid}, process {event.pid})"
    times = f", {event.count} times" if event.count > 1 else ""
    table.note(f"refused {who}{times}: {event.what} ({event.why})")


def _person(table: Table, event: of_people.PeopleChanged) -> None:
    """Somebody was added or removed, or was given another PIN, of which the entry has nothing."""
    did = CHANGES[event.change].format(of=event.of, role=event.role)
    table.note(f"people: {event.giver.name} {did}")


def _readiness(table: Table, event: of_controller.ReadinessReported) -> None:
    # In the order in which the journal has them, however they came.
    table.readiness = Readiness(event.at, dict(sorted(event.counted.items())))
    missing = [str(check["name"]) for check in event.checks if not check["ok"]]
    said = f"not ready: {', '.join(missing)}" if missing else "ready"
    table.note(f"report before opening: {said}")


HANDLERS: Final[Mapping[type[Event], Handler[Table]]] = dict(
    [
        on(of_controller.ConditionChanged, holds.condition),
        on(of_people.DealerCommanded, _dealer),
        on(of_controller.GateLocked, fence.gate),
        on(of_controller.ControllerStopped, _stop),
        on(of_controller.ControllerStarted, starting.start),
        on(of_controller.LinkCame, links.link_came),
        on(of_controller.LinkWent, links.link_went),
        on(of_people.SupervisorCommanded, supervising.supervisor),
        on(of_controller.MultiplierDrawn, jackpot.draw),
        on(of_controller.MeterOverdue, jackpot.overdue),
        on(of_people.PeopleChanged, _person),
        on(of_controller.PressRead, _press),
        on(of_controller.FigureRead, jackpot.meter_was_read),
        on(of_controller.CommandRefused, links.refused),
        on(of_people.AttemptRefused, _attempt),
        on(of_people.DeviceCommanded, service.device_command),
        on(of_people.DeviceTested, service.device_tested),
        on(of_controller.ReadinessReported, _readiness),
        on(of_devices.ButtonPressed, _press),
        on(of_devices.FigureShown, jackpot.meter_showed),
        on(of_devices.ButtonStuck, jackpot.stuck),
        on(of_devices.CoverMoved, jackpot.cover),
        on(of_devices.CardCame, cards_in.card),
        on(of_devices.CuttingCardCame, shuffling.cutting_card),
        on(of_devices.ShoeReported, cards_in.shoe_state),
        on(of_devices.ShufflerReported, shuffling.shuffler_state),
        on(of_devices.ShuffleDone, shuffling.shuffle_done),
        on(of_devices.CardsDiffer, shuffling.discrepancy),
        on(of_devices.FaultsChanged, links.fault),
        on(of_devices.KeyPressed, keys.key),
    ]
)

IN_SERVICE: Final[Mapping[type[Event], Handler[Table]]] = dict(
    [
        on(of_devices.CardCame, service.card),
        on(of_devices.CuttingCardCame, service.tried),
        on(of_devices.ShoeReported, service.shoe_state),
        on(of_devices.ButtonPressed, service.tried),
        on(of_devices.FigureShown, service.tried),
        on(of_devices.ButtonStuck, service.tried),
        on(of_devices.KeyPressed, service.tried),
    ]
)
"""What is of play, while nothing is played."""

OF_DISPLAYS: Final[Mapping[type[Event], Handler[Table]]] = dict(
    [
        on(of_controller.LinkCame, links.link_came),
        on(of_controller.LinkWent, links.link_went),
        on(of_devices.FaultsChanged, links.fault),
        on(of_devices.FigureShown, links.display_showed),
    ]
)
"""What is heard of a meter that only shows: it holds no play, and has no button to be pressed."""
