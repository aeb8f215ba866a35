"""The steps of the model of what is stored, and what of its state is compared."""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path
from typing import Final, NamedTuple

SOURCE: Final = Path(__file__).with_name("stored.pml")


class Step(IntEnum):
    """What happens. LOOK: a start judges what it finds; COMMIT: what waits is stored, the start
    record first; ROW: with a defect, the row is written apart; SEAL and HEAD: a head is asked for
    and written; RECOVER_CUT: the power fails before the recovery's mark, before the journal is in
    its place, before the copy is put aside; CLOSE_CUT: it fails behind a closing's head, before the
    heads are copied; DAMAGE: the first entry cannot be read; LOSE: nothing
    can. From KEEP on: the attacker; STRIP: he takes the row away, REWRITE: he writes all entries
    anew besides."""

    LOOK = 1
    COMMIT = 2
    ROW = 3
    TOLD = 4
    ASK_DRAW = 5
    ASK_NOTE = 6
    RESUME = 7
    SEAL = 8
    HEAD = 9
    COPY_ONE = 10
    COPY_ALL = 11
    FORGET = 12
    CLOSE_NAME = 13
    CLOSE_BEGIN = 14
    CLOSE_PUT = 15
    CLOSE_END = 16
    RECOVER = 17
    KILL = 18
    KILL_IN_HEAD = 19
    RECOVER_CUT = 20
    RECOVER_CUT_MARKED = 21
    RECOVER_CUT_LATE = 22
    CLOSE_CUT = 23
    DAMAGE = 24
    LOSE = 25
    KEEP = 26
    PUT_BACK = 27
    HEADS_BACK = 28
    FORGE = 29
    ALTER = 30
    STRIP = 31
    REWRITE = 32
    FORGE_COPY = 33
    FORGE_SUCCESSOR = 34


FAULTS: Final = frozenset(step for step in Step if step >= Step.KILL)
ATTACKS: Final = frozenset(step for step in Step if step >= Step.KEEP)


class State(NamedTuple):
    """What is compared after every step: the process, what it found and what waits; the journal's
    medium, recovery and closing; the journal, its copy and the last head as their files have them
    (0 where the journal cannot be read); and how much more may fail or be attacked."""

    process: int
    refused: int
    faults: int
    waiting: int
    untold: int
    due: int
    parted: int
    medium: int
    unfinished: int
    mark: int
    closing: int
    name: int
    last: int
    entry: int
    row: int
    held: int
    drawn: int
    copy_name: int
    copy_last: int
    copy_entry: int
    copy_row: int
    head_name: int
    head: int
    fails: int
    attacks: int
