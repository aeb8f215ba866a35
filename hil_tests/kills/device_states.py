"""What a device was waiting for when the controller was killed.

It is looked at after the kill, when nobody can change it any more:

- an event unacknowledged: the device still has it, whether or not the journal does;
- a press not read back: pressed, and SHOWN not acknowledged;
- a command outstanding: sent and unread, or carried out and unanswered.
"""

from __future__ import annotations

from collections.abc import Iterator

from hil_tests.bench.interface import Json

EVENT = "an event unacknowledged"
PRESS = "a press not read back"
COMMAND = "a command outstanding"
NEITHER = "none of these"
NO_COMMANDS = ("HELLO", "EVENT_ACK")


def kinds_of(look: Json) -> Iterator[str]:
    """What a device was waiting for, of EVENT, PRESS and COMMAND; ``look``: its state."""
    if look["unacked"]:
        yield EVENT
    events = look["events"]
    shown = events.get("SHOWN", 0) - (look.get("state") == "showing" and look["unacked"] > 0)
    if events.get("PRESS", 0) > shown:
        yield PRESS
    if commands(look):
        yield COMMAND


def commands(look: Json) -> list[str]:
    """The commands that wait at a device, unread or unanswered."""
    unread = [name for name in look["held_in"] if name not in NO_COMMANDS]
    return unread + [name for name in look["held_out"] if name.startswith("answer ")]
