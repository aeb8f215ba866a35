"""What a table may want of its devices, as values; :mod:`~.wanted` finds it."""

from __future__ import annotations

from dataclasses import dataclass

OFF, GREEN, AMBER, RED = 0, 1, 2, 3
"""Colours of the shoe's signal lamp (protocol section 5, SIGNAL)."""

HOLD_LAMP = 1 << 16


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
    signal: tuple[int, int] = (OFF, 0)
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
