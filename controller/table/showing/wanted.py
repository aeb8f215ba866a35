"""What a table wants of its devices now, found in its state."""

from __future__ import annotations

from dataclasses import dataclass

from controller.game.round.states import State
from controller.table import holds
from controller.table.jackpot import is_accepted, waits_for_draw, waits_for_meter
from controller.table.showing.prompt import Prompt, prompt
from controller.table.showing.rows import rows
from controller.table.state.table import Table


def wants(table: Table, asked: Prompt | None = None) -> Wants:
    """What every device should be doing now; ``asked`` is what is awaited, where it has been found
    already."""
    asked = asked or prompt(table)
    shoe = table.devices.get("shoe")
    offer = table.jackpot.offer
    unit = table.devices.get("jackpot")
    shuffler = table.devices.get("shuffler")
    waits = table.entering.pending or table.entering.leftover
    return Wants(
        gate_cards=table.gate_open_for,
        lock_for=waits.number if waits else None,
        shoe_session=shoe.session if shoe else 0,
        shoe_taken=shoe.last_event if shoe else 0,
        cards_taken=table.shoe.cards_taken,
        signal=asked.signal,
        meter=_meter(table),
        figure=_figure(table),
        draw=(offer.number, offer.box) if offer and waits_for_draw(table) else None,
        draw_answers=offer.press if offer and waits_for_draw(table) else None,
        unit_taken=unit.last_event if unit else 0,
        meter_due=_meter_due(table),
        offered=_offered(table),
        unreported=_unreported(table),
        resumed=table.holds.resumed,
        devices_open=holds.devices_open(table),
        rows=rows(table, asked.said),
        lamps=asked.said.lit,
        shuffle=table.shoe.shuffle,
        shuffler_taken=shuffler.last_event if shuffler else 0,
    )


def _meter(table: Table) -> Arm | MeterShow | None:
    """The wanted state of the jackpot unit. The button is not offered while the table is held or a
    correction is being made: they come first. A press that was on its way still counts. A drawn
    multiplier stays shown, but is not shown on a replaced unit before the supervisor accepts it."""
    offer = table.jackpot.offer
    if offer is None or not is_accepted(table):
        return None
    if offer.multiplier is not None:
        return _figure(table)
    correcting = bool(table.corrections)
    if table.hold or correcting or waits_for_draw(table):
        return None
    return Arm(offer.number, offer.box)


def _figure(table: Table) -> MeterShow | None:
    offer = table.jackpot.offer
    if offer is None or offer.multiplier is None:
        return None
    return MeterShow(offer.number, offer.box, offer.multiplier, table.settings.spin_ms)


def _offered(table: Table) -> int | None:
    offer, rnd = table.jackpot.offer, table.rnd
    return offer.number if offer and rnd and rnd.state == State.JACKPOT_ARMED else None


def _unreported(table: Table) -> int | None:
    offer = table.jackpot.offer
    return offer.number if offer and waits_for_meter(table) else None


def _meter_due(table: Table) -> int | None:
    return _unreported(table) if not table.hold and table.is_up("jackpot") else None


@dataclass(frozen=True, slots=True)
class Arm:
    """The button is armed for ``box`` under the number ``offer``."""

    offer: int
    box: int


@dataclass(frozen=True, slots=True)
class MeterShow:
    """The meter shows ``multiplier`` for ``offer``, after ``spin_ms`` milliseconds."""

    offer: int
    box: int
    multiplier: int
    spin_ms: int


@dataclass(frozen=True, slots=True)
class Wants:
    """The state of the devices that the table wants.

    ``gate_cards``: the number of cards that may leave the shoe, one after the other; 0: locked.
    ``lock_for`` is the number of what waits for the gate to be locked (a command; below 0 a void
    round). ``shoe_taken`` is the last event of the shoe's ``shoe_session`` that the table has
    taken, ``cards_taken`` how many cards came through the open gate. ``meter`` None: dark and
    disarmed. ``figure`` is what displays show, also while the unit is not accepted; None: dark.
    ``draw``: the offer and box for which a multiplier is to be drawn; the unit is left alone
    meanwhile. ``draw_answers``: session and number of the press that it answers, None for one that
    was read from the unit. ``unit_taken`` is the last event of the jackpot unit that the table has
    taken. ``meter_due`` is the offer that the meter has still to report as shown; ``offered`` the
    one whose press is waited for, ``unreported`` the one whose multiplier the meter has still to
    report, both also while held. ``shuffler_taken`` is the last event of the shuffler that the
    table has taken. ``resumed`` counts the supervisor's resumes: commands that a device refused may
    then be tried again. ``devices_open``: devices may be contacted at all.
    """

    gate_cards: int = 0
    lock_for: int | None = None
    shoe_session: int = 0
    shoe_taken: int = 0
    cards_taken: int = 0
    signal: tuple[int, int] = (0, 0)
    meter: Arm | MeterShow | None = None
    figure: MeterShow | None = None
    draw: tuple[int, int] | None = None
    draw_answers: tuple[int, int] | None = None
    unit_taken: int = 0
    meter_due: int | None = None
    offered: int | None = None
    unreported: int | None = None
    resumed: int = 0
    devices_open: bool = True
    rows: tuple[str, str] = ("", "")
    lamps: int = 0
    shuffle: int | None = None
    shuffler_taken: int = 0
