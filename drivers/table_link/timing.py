"""The protocol's periods, in seconds (sections 3 and 4), and what this side adds to them."""

from __future__ import annotations

ANSWER_WITHIN_S = 0.150
LONG_ANSWER_WITHIN_S = 5.0
LONG_COMMANDS = frozenset({"SELF_TEST", "AUTHENTICATE"})
TRANSMISSIONS = 4

HELLO_EVERY_S = 0.5
PING_EVERY_S = 0.5
GONE_AFTER_S = 2.0

BUSY_AGAIN_AFTER_S = 0.1
BUSY_AT_MOST_S = 5.0

RESEND_AFTER_S = 0.2
EVENT_WINDOW = 8
ANSWERS_REMEMBERED = 8

# Not in the protocol:
WRONG_KIND_HELLO_EVERY_S = 3.0
"""How often a device of another kind is asked whether it was exchanged."""
RESET_WITHIN_S = 30.0
"""How long a RESET met with silence may wait for the HELLO that tells its success."""


def answer_within_s(command: str) -> float:
    """How long the answer to a command is waited for."""
    return LONG_ANSWER_WITHIN_S if command in LONG_COMMANDS else ANSWER_WITHIN_S
