"""The steps of the model of what is stored, and what of its state is compared."""

from __future__ import annotations

from collections import namedtuple
from enum import IntEnum
from typing import Final

Step = IntEnum(
    "Step",
    """
    LOOK COMMIT ROW TOLD ASK_DRAW ASK_NOTE RESUME SEAL HEAD COPY_ONE COPY_ALL FORGET CLOSE_NAME
    CLOSE_BEGIN CLOSE_PUT CLOSE_END RECOVER KILL KILL_IN_HEAD RECOVER_CUT RECOVER_CUT_MARKED
    RECOVER_CUT_LATE CLOSE_CUT DAMAGE LOSE KEEP PUT_BACK HEADS_BACK FORGE ALTER STRIP REWRITE
    FORGE_COPY FORGE_SUCCESSOR
    """,
)
"""What happens. LOOK: a start judges what it finds; COMMIT: what waits is stored, the start
record first; ROW: with a defect, the row is written apart; SEAL and HEAD: a head is asked for
and written; RECOVER_CUT: the power fails before the recovery's mark, before the journal is in
its place, before the copy is put aside; CLOSE_CUT: it fails behind a closing's head, before the
heads are copied; DAMAGE: the first entry cannot be read; LOSE: nothing
can. From KEEP on: the attacker; STRIP: he takes the row away, REWRITE: he writes all entries
anew besides."""


FAULTS: Final = frozenset(step for step in Step if step >= Step.KILL)
ATTACKS: Final = frozenset(step for step in Step if step >= Step.KEEP)


State = namedtuple(
    "State",
    """
    process refused faults waiting untold due parted medium unfinished mark closing name last
    entry row held drawn copy_name copy_last copy_entry copy_row head_name head fails attacks
    """,
)
"""What is compared after every step: the process, what it found and what waits; the journal's
medium, recovery and closing; the journal, its copy and the last head as their files have them
(0 where the journal cannot be read); and how much more may fail or be attacked."""
