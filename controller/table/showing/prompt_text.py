"""What is said of what is awaited: a sentence for screens, 20 capitals for the keypad, boxes to
light, and the same for programs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from controller.forms.json_values import JsonObject

Code = Literal[
    "bets-above-maximum",
    "bets-open",
    "bought-card",
    "burn-card",
    "button",
    "card-to-box",
    "card-to-dealer",
    "check-cards",
    "correcting",
    "correction-refused",
    "dealer-draws",
    "decide",
    "device-not-ready",
    "double-card",
    "draw-or-done",
    "first-card-to-dealer",
    "held",
    "in-service",
    "insure",
    "insure-or-surrender",
    "late-offer",
    "load-shoe",
    "must-draw",
    "open-bets",
    "pay-multiplier",
    "reveal",
    "round-over",
    "round-void",
    "second-card",
    "spinning",
    "surrender",
    "wait-shoe",
    "wait-shoe-void",
    "withdraw",
]
"""What can be awaited, one meaning each; docs/codes.md has an example of every one."""


@dataclass(frozen=True, slots=True)
class PromptText:
    """``code`` is what is meant, one meaning each, and ``values`` what its sentence varies by: who
    draws screens of his own, in another language, says the same from them and the status. ``text``
    is for a screen, ``short`` for the keypad's first row, ``lit`` its lamps."""

    code: Code
    text: str
    short: str
    lit: int = 0
    values: JsonObject = field(default_factory=dict)


def lamp(box: int) -> int:
    """The keypad's lamp of a box."""
    return 1 << (box - 1)
