"""The steps of the model of the link, and what of its state is compared, as in ``link.pml``."""

from __future__ import annotations

from collections import namedtuple
from enum import IntEnum
from typing import Final

Step = IntEnum(
    "Step",
    """
    MAKE DEVICE_TAKES DEVICE_TAKES_TWICE DEVICE_REPEATS DEVICE_GIVES_UP DEVICE_RESTARTS
    DEVICE_FORGETS CONTROLLER_TAKES CONTROLLER_TAKES_TWICE COMMIT ACKNOWLEDGE CONTROLLER_WAITED
    CONTROLLER_PINGS CONTROLLER_COMMANDS KILL START START_SEEN CUT PLUG PLUG_SEEN LOSE_OUTWARD
    LOSE_INWARD
    """,
)
"""What happens. ``…_SEEN``: the device can tell that its port was opened anew."""


_FAULTS: Final = """
    DEVICE_TAKES_TWICE DEVICE_GIVES_UP DEVICE_RESTARTS DEVICE_FORGETS CONTROLLER_TAKES_TWICE
    CONTROLLER_WAITED KILL CUT LOSE_OUTWARD LOSE_INWARD
"""
FAULTS: Final = frozenset(Step[name] for name in _FAULTS.split())
"""What goes wrong, or may (a timer that runs out has waited for something lost, or for long)."""


Phase = IntEnum(
    "Phase",
    "DEAD CLOSED GREETING UP",
    start=0,
)
"""The controller's end of the link; DEAD: there is no process."""


Payload = IntEnum("Payload", "HELLO PING COMMAND EVENT_ACK EVENT NAK")
"""Types of payloads; an answer has its command's."""


State = namedtuple(
    "State",
    """
    phase session covered received stored_session stored asked again greeted listening
    device_session last held flight outward inward pending durable journal_session journal
    """,
)
"""What is compared after every step: the controller's stream of events and its outstanding
request (``again``: transmissions left), the device and its events, what is under way, and the
journal."""
