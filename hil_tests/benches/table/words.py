"""What a scenario has done at a device, in words for the person who does it.

The verbs are those of a twin's hands. One that is not here no person can do: a scenario that wants
it needs ``hands`` of its bench.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from drivers.vocabulary import PLAIN_KINDS
from hil_tests.bench.interface import CannotError

FRONT: Final = 8
"""Cards of a stacked set that a person is told: what the round of the strategy needs, with the one
that is burned. Those behind it are as they come."""

MARKS: Final = {"force": "although the gate is locked", "together": "together with the one before"}


def request(kind: str, verb: str, arguments: Mapping[str, Any]) -> str:
    """One sentence, without "please" and full stop.

    Raises:
        CannotError: no person does that to a real device.
    """
    device = f"the {PLAIN_KINDS.get(kind, kind)}"
    match verb, dict(arguments):
        case "draw", {**given} if given.keys() <= {"count", *MARKS}:
            count = int(given.get("count", 1))
            how = [words for mark, words in MARKS.items() if given.get(mark)]
            cards = "one card" if count == 1 else f"{count} cards, one after the other,"
            let = [] if given.get("force") else ["as soon as its gate lets you"]
            return " ".join([f"Draw {cards} out of {device}", *let, *how])
        case "lid", {"open": bool(opened)}:
            return f"{'Open' if opened else 'Close'} the lid of {device}"
        case "cover", {"open": bool(opened)}:
            return f"{'Open' if opened else 'Close'} the cover of {device}"
        case "press", {}:
            return "Press the button once and let it go"
        case "key", {"keys": str(keys)}:
            return f"Press these keys of {device} one after the other: {' '.join(keys)}"
        case "switch", {"supervisor": bool(on)}:
            return f"Turn the key switch of {device} {'on' if on else 'off'}"
        case "unplug", {**given} if not given:
            return f"Pull the data cable of {device}"
        case "plug", {}:
            return f"Plug the data cable of {device} in again"
        case "power", {"on": bool(on)}:
            return f"Switch {device} {'on' if on else 'off'} (its power, not its cable)"
        case "load", {"cards": [*cards]}:
            return (
                f"Load {device} with a shuffled set, these cards in front of it, the first to "
                f"leave first: {' '.join(map(str, cards[:FRONT]))}; then close its lid"
            )
        case "load", _:
            return f"Load {device} with a whole shuffled set and close its lid"
        case "stack", {"cards": cards}:
            told = cards if isinstance(cards, str) else " ".join(cards)
            front = f"put these cards in front, the first to leave first: {told}"
            return f"Open {device}, {front}; take as many out behind"
    raise CannotError(f"{verb} at {device}: no person can do that")
