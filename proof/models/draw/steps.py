"""The steps of the model of a draw, and what of its state is compared; as ``draw.pml`` has them."""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path
from typing import Final, NamedTuple

SOURCE: Final = Path(__file__).with_name("draw.pml")


class Step(IntEnum):
    """What happens. KILL: the process; KILL_BEHIND_COMMIT: what waited is stored, and nobody is
    told; POWER_CUT: the machine; KILL_BEFORE_ROW: the entries of a commit are written and the row
    that signs them is not; KILL_BEFORE_COMMIT: that is, too, and the transaction is not ended."""

    PRESS = 1
    SPUN = 2
    EVENT_COMES = 3
    UNIT_ACTS = 4
    ANSWER_COMES = 5
    COMMIT = 6
    JOIN = 7
    RESUME = 8
    START = 9
    ABANDONED = 10
    BREAK = 11
    UNIT_RESTARTS = 12
    UNIT_FORGETS = 13
    KILL = 14
    KILL_BEHIND_COMMIT = 15
    POWER_CUT = 16
    KILL_BEFORE_ROW = 17
    KILL_BEFORE_COMMIT = 18


FAULTS: Final = frozenset(step for step in Step if step >= Step.BREAK)


class Round(IntEnum):
    """Where the round is."""

    ARMED = 0
    DRAWING = 1
    PAYING = 2


class State(NamedTuple):
    """What is compared after every step: the process, its table ahead of the disk (``figure``:
    which draw it was, 0 for none), the command under way (0: none), what is stored, and the unit
    with its events; how many more faults there may be; and whether the signed row covers the last
    entry that is stored."""

    alive: int
    up: int
    known: int
    round: int
    figure: int
    held: int
    waiting: int
    asked: int
    acted: int
    stored_round: int
    stored_figure: int
    unit: int
    pressed: int
    shows: int
    events: int
    faults: int
    covered: int
