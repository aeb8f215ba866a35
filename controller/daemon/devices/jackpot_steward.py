"""The steward of the jackpot unit: button and meter.

After a new link it takes all events up to the unit's last one and asks ``METER``; then: pressed and
nothing drawn, it waits for the draw; drawn and not shown, ``SHOW`` with the same offer and
multiplier; neither, ``ARM`` for the same offer (protocol section 5). Nothing that pays money is
repeated without reading the unit first:

- After a refusal, an unexpected report of the unit, and a supervisor's ``resume`` it is queried
  again. A command refused twice is not sent a third time before something changes.
- A meter that shows another figure for the offer takes the same ``SHOW`` and changes nothing, so it
  is blanked first; once for each link and each ``resume``.
- If this unit showed another figure than the settled one, the settled figure is not shown on it
  again, so that the supervisor is notified once: what it still shows after ``resume``, or on a new
  link, is blanked.
- A press, or a shown figure, that a query finds and the table does not know is reported to the
  table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from controller.daemon.devices.stewards import DeviceCommand, Steward, number_in
from controller.table.events.event import Reported
from controller.table.events.of_controller import FigureRead, PressRead
from controller.table.events.of_devices import ButtonPressed, FigureShown
from controller.table.showing.wanted import Arm, MeterShow, Wants
from drivers.api import Answer, LinkUp
from drivers.vocabulary import (
    METER_ARMED,
    METER_IDLE,
    METER_SHOWING,
    METER_SPINNING,
    METER_TEST,
    NOT_NOW,
)


@dataclass(frozen=True, slots=True)
class Meter:
    """The unit as last read or commanded: ``offer`` last armed or shown."""

    state: int
    offer: int
    multiplier: int = 0
    pressed: bool = False


class JackpotSteward(Steward):
    """``press_read`` and ``shown_read`` are what the unit says and the table has not heard of."""

    def __init__(self) -> None:
        self._last_event = 0
        self._meter: Meter | None = None
        self._refused: list[DeviceCommand] = []
        self._told: MeterShow | None = None
        self._wrong: MeterShow | None = None
        self._serial = ""
        self._wants = Wants()
        self.press_read: int | None = None
        self.shown_read: tuple[int, int] | None = None

    def link_up(self, up: LinkUp) -> None:
        """Nothing is known of button and meter."""
        self._up, self._last_event = True, up.last_event
        if up.identity.serial != self._serial:
            self._serial, self._wrong = up.identity.serial, None
        self._told = None
        self.look_again()

    def look_again(self) -> None:
        """Query the unit before anything else, after something unexpected."""
        self._meter, self._refused = None, []

    def next_command(self, wants: Wants) -> DeviceCommand | None:
        """Read, arm, show, blank or disarm."""
        if wants.resumed != self._wants.resumed:
            self._told = None
            self.look_again()
        elif wants.meter != self._wants.meter:
            self._refused = []
        self._wants = wants
        if not self._up or wants.unit_taken < self._last_event:
            return None
        command = (
            DeviceCommand("METER") if self._meter is None else self._towards(wants, self._meter)
        )
        return None if command is None or self.given_up(command) else command

    def given_up(self, command: DeviceCommand) -> bool:
        """Whether that command is no longer sent to the unit."""
        return self._refused.count(command) > 1

    def is_needed(self) -> bool:
        """Whether play waits for the unit: for a press, or for a figure that is not settled yet."""
        return isinstance(self._wants.meter, Arm) or self._wants.unreported is not None

    def holds_up_play(self, command: DeviceCommand, nak: int) -> bool:
        """Without ARM and SHOW play cannot go on. "Not in this state" is a fault once the unit was
        looked at and refuses again; nothing is, once the multiplier is settled."""
        refused = command.name in ("ARM", "SHOW") and nak != NOT_NOW
        return self.is_needed() and (refused or self.given_up(command))

    def found_events(self, device: str) -> Iterator[PressRead | FigureRead]:
        """Events of the unit that the table does not know yet."""
        if self.press_read is not None:
            offer, self.press_read = self.press_read, None
            yield PressRead(device=device, offer_id=offer)
        if self.shown_read is not None:
            (offer, multiplier), self.shown_read = self.shown_read, None
            yield FigureRead(device=device, offer_id=offer, multiplier=multiplier)

    def _towards(self, wants: Wants, meter: Meter) -> DeviceCommand | None:
        if wants.draw is not None:
            return None
        match wants.meter:
            case Arm(offer, box):
                if meter.offer == offer and (meter.state == METER_ARMED or meter.pressed):
                    return None
                return DeviceCommand("ARM", {"offer_id": offer, "box": box})
            case MeterShow():
                return self._towards_figure(wants.meter, meter)
        if meter.state == METER_ARMED:
            return DeviceCommand("DISARM", {"offer_id": meter.offer})
        if meter.state == METER_TEST:  # a trial by hand that was broken off
            return DeviceCommand("TEST_PATTERN", {"pattern": 0})
        return DeviceCommand("BLANK") if meter.state == METER_SHOWING else None

    def _towards_figure(self, show: MeterShow, meter: Meter) -> DeviceCommand | None:
        if meter.offer == show.offer and meter.state == METER_SPINNING:
            return None
        if meter.offer == show.offer and meter.state == METER_SHOWING:
            done = meter.multiplier == show.multiplier or self._told == show
            return None if done else DeviceCommand("BLANK")
        if self._wrong == show and self._wants.unreported is None:
            return None
        figure = {"multiplier": show.multiplier, "spin_ms": show.spin_ms}
        return DeviceCommand("SHOW", {"offer_id": show.offer, **figure})

    def has_reported(self, event: Reported) -> None:
        """Take an event of button or meter."""
        if isinstance(event, ButtonPressed):
            self.reported("PRESS", event.offer_id)
        elif isinstance(event, FigureShown):
            self.reported("SHOWN", event.offer_id, event.multiplier)

    def reported(self, kind: str, offer: int, multiplier: int = 0) -> None:
        """The unit's own event: it was pressed, or shows something."""
        show = self._wants.meter
        if kind == "SHOWN" and isinstance(show, MeterShow) and show.offer == offer:
            self._wrong = show if show.multiplier != multiplier else None
        if self._meter is None:
            return
        match kind, self._wants.meter:
            case "PRESS", Arm(armed, _) if armed == offer:
                self._meter = Meter(METER_IDLE, offer, pressed=True)
            case "SHOWN", MeterShow(wanted, _, _, _) if wanted == offer:
                self._meter = Meter(METER_SHOWING, offer, multiplier, pressed=True)
            case _:
                self._meter = None

    def answered(self, command: DeviceCommand, answer: Answer) -> None:
        """Note what the unit did."""
        if answer.fields is None:
            self._refused.append(command)
            self._meter = None
            return
        match command.name:
            case "METER":
                names = ("state", "offer_id", "multiplier", "pressed")
                state, offer, multiplier, down = (number_in(answer.fields, name) for name in names)
                self._meter = Meter(state, offer, multiplier, bool(down))
                self._compare(self._meter)
            case "ARM":
                if not self._overtaken(command.number("offer_id")):
                    self._meter = Meter(METER_ARMED, command.number("offer_id"))
            case "SHOW":
                show = self._wants.meter
                self._told = show if isinstance(show, MeterShow) else None
                offer, figure = command.number("offer_id"), command.number("multiplier")
                shows = self._meter is not None and self._meter.state == METER_SHOWING
                if not (self._overtaken(offer) and shows):
                    self._meter = Meter(METER_SPINNING, offer, figure, True)
            case _:
                self._meter = Meter(METER_IDLE, 0)

    def _compare(self, meter: Meter) -> None:
        """Note what the unit has done and the table does not know yet."""
        if meter.pressed and meter.offer == self._wants.offered:
            self.press_read = meter.offer
        match self._wants.meter:
            case MeterShow(offer, _, multiplier, _) if (offer, multiplier, METER_SHOWING) == (
                meter.offer,
                meter.multiplier,
                meter.state,
            ) and offer == self._wants.unreported:
                self.shown_read = offer, multiplier

    def _overtaken(self, offer: int) -> bool:
        """Whether the unit's own event came before this answer (whose frame was lost once)."""
        return bool(self._meter and self._meter.offer == offer and self._meter.pressed)
