"""The steps of the model of a draw, and what of its state is compared; as ``draw.pml`` has them."""

from __future__ import annotations

from collections import namedtuple
from enum import IntEnum
from typing import Final

Step = IntEnum(
    "Step",
    """
    PRESS SPUN EVENT_COMES UNIT_ACTS ANSWER_COMES COMMIT JOIN RESUME START ABANDONED BREAK
    UNIT_RESTARTS UNIT_FORGETS KILL KILL_BEHIND_COMMIT POWER_CUT KILL_BEFORE_ROW
    KILL_BEFORE_COMMIT
    """,
)
"""What happens. KILL: the process; KILL_BEHIND_COMMIT: what waited is stored, and nobody is
told; POWER_CUT: the machine; KILL_BEFORE_ROW: the entries of a commit are written and the row
that signs them is not; KILL_BEFORE_COMMIT: that is, too, and the transaction is not ended."""


FAULTS: Final = frozenset(step for step in Step if step >= Step.BREAK)


Round = IntEnum(
    "Round",
    "ARMED DRAWING PAYING",
    start=0,
)
"""Where the round is."""


State = namedtuple(
    "State",
    """
    alive up known round figure held waiting asked acted stored_round stored_figure unit pressed
    shows events faults covered
    """,
)
"""What is compared after every step: the process, its table ahead of the disk (``figure``:
which draw it was, 0 for none), the command under way (0: none), what is stored, and the unit
with its events; how many more faults there may be; and whether the signed row covers the last
entry that is stored."""
