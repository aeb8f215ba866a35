"""What numbers on the wire of Table Link mean (protocol sections 3 and 5), each said once.

Data alone: the table, the daemon, the CLI and the drivers import it; it imports nothing of theirs.
The twins in ``simulators`` keep their own on purpose, so that a mistake here is found.
"""

from __future__ import annotations

from typing import Final

# ---- Kinds of device ------------------------------------------------------------------------

SHOE: Final = "shoe"
SHUFFLER: Final = "shuffler"
JACKPOT: Final = "jackpot"
KEYPAD: Final = "keypad"

KINDS: Final = {1: SHOE, 2: SHUFFLER, 3: JACKPOT, 4: KEYPAD}
"""Kinds of device by their number in the answer to HELLO."""

DISPLAY: Final = "display"
"""A meter without a button, by its kind in the configuration; on the wire it is a jackpot unit."""

PLAIN_KINDS: Final = {
    SHOE: "card shoe",
    SHUFFLER: "shuffler",
    JACKPOT: "jackpot unit",
    KEYPAD: "dealer keypad",
    DISPLAY: "display",
}
"""The kinds that a device may be configured as, as people call them."""


def kind_on_the_wire(kind: str) -> str:
    """The kind that a device configured as ``kind`` answers HELLO with."""
    return JACKPOT if kind == DISPLAY else kind


def plain_name(kind: str, name: str) -> str:
    """A device as people call it: by its kind, of which there is one at a table; a display, of
    which there may be several, by its ``name`` too."""
    return f"{PLAIN_KINDS[kind]} {name}" if kind == DISPLAY else PLAIN_KINDS.get(kind, name)


# ---- Every device ---------------------------------------------------------------------------

UNKNOWN_TYPE, BAD_BODY, NOT_NOW, BUSY, HARDWARE, HELLO_FIRST = range(1, 7)
"""Codes of NAK."""

NAK_WORDS: Final = {
    UNKNOWN_TYPE: "it does not know the command",
    BAD_BODY: "it cannot read the command",
    NOT_NOW: "not in the state it is in",
    BUSY: "it is busy all the time",
    HARDWARE: "a fault of its own",
}
"""What a device means by refusing. ``HELLO_FIRST`` is no refusal: the link says HELLO."""

FAULT_BITS: Final = ("power", "memory", "sensor", "motor", "display", "input stuck", "cover open")
"""Names of the bits of ``faults``, from bit 0."""

INPUT_STUCK: Final = 1 << FAULT_BITS.index("input stuck")


def fault_names(bits: int) -> list[str]:
    """The names of the bits that are set; those without a name are left out."""
    if not bits:
        return []
    return [name for bit, name in enumerate(FAULT_BITS) if bits >> bit & 1]


# ---- Card shoe ------------------------------------------------------------------------------

GATE_CAPABILITY: Final = 1
"""Bit of a shoe's ``capabilities``: it has a gate."""

COUNT_CAPABILITY: Final = 1 << 3
"""Bit of a shoe's ``capabilities``: it counts what remains."""

SHOE_STATES: Final = ("empty", "loaded", "lid open", "fault")
"""Names of ``state`` of SHOE_STATE, from 0."""

SHOE_EMPTY, SHOE_LOADED, SHOE_LID_OPEN, SHOE_FAULT = range(4)

FACE_UP, TOGETHER, FOREIGN, LOCKED, DAMAGED = 1, 2, 4, 8, 16
"""Bits of ``flags`` of CARD: lay face up, came with the card before it, has a back of another
design, was drawn while the gate was locked, is damaged."""

# ---- Shuffler -------------------------------------------------------------------------------

SHUFFLER_STATES: Final = ("empty", "loaded", "shuffling", "ready", "jam", "door open", "fault")
"""Names of ``state`` of SHUFFLER_STATE, from 0."""

SHUFFLER_STOPPED: Final = frozenset({"jam", "door open", "fault"})
"""States in which somebody has to see to it."""

SHUFFLE_RESULTS: Final = (
    "complete",
    "cards are missing",
    "there are cards too many",
    "a card cannot be read",
    "a foreign card is among them",
)
"""What ``result`` of SHUFFLE_DONE means, from 0."""

# ---- Jackpot unit ---------------------------------------------------------------------------

METER_IDLE, METER_ARMED, METER_SPINNING, METER_SHOWING, METER_TEST = range(5)
"""``state`` of METER; at 5 the unit has a fault."""
