"""What is checked, and within which bounds: a few for every change, wider ones by ``make models``.

The runs of a claim of kind ``safe`` break no assertion of the model and are never stuck; those of
kind ``ends`` come to rest once faults cease, if every process that can always act does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_HERE: Final = Path(__file__).parent
SOURCES: Final = {name: _HERE / name / f"{name}.pml" for name in ("link", "draw", "stored")}


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim about a model; ``bounds`` are its macros."""

    model: str
    kind: str
    bounds: Mapping[str, int]

    def __str__(self) -> str:
        bounds = " ".join(f"{name}={value}" for name, value in self.bounds.items())
        return f"{self.model} {self.kind}: {bounds}"

    @property
    def defines(self) -> dict[str, int | None]:
        """The macros with which it is built."""
        return {**self.bounds, **({"ENDS": None} if self.kind == "ends" else {})}


def _link(kind: str, **bounds: int) -> Claim:
    return Claim("link", kind, bounds)


def _draw(kind: str, **bounds: int) -> Claim:
    return Claim("draw", kind, bounds)


def _stored(*, entries: int, faults: int, attacks: int, closes: int) -> Claim:
    bounds = {"ENTRIES": entries, "FAULTS": faults, "ATTACKS": attacks, "CLOSES": closes}
    return Claim("stored", "safe", bounds)


SMALL: Final = (
    _link("safe", EVENTS=2, SESSIONS=2, COMMANDS=0, ROOM=2, SENT=2, WINDOW=2, FAULTS=2),
    _link("safe", EVENTS=1, SESSIONS=2, COMMANDS=1, ROOM=2, SENT=2, WINDOW=2, FAULTS=2),
    _link("ends", EVENTS=1, SESSIONS=2, COMMANDS=0, ROOM=3, SENT=2, WINDOW=2, FAULTS=1),
    _draw("safe", FAULTS=3),
    _draw("ends", FAULTS=2),
    _stored(entries=4, faults=1, attacks=0, closes=1),
    _stored(entries=3, faults=0, attacks=1, closes=1),
    _stored(entries=3, faults=0, attacks=2, closes=1),
)
LARGE: Final = (
    _link("safe", EVENTS=2, SESSIONS=2, COMMANDS=1, ROOM=2, SENT=2, WINDOW=2, FAULTS=3),
    _link("safe", EVENTS=2, SESSIONS=2, COMMANDS=1, ROOM=2, SENT=4, WINDOW=8, FAULTS=2),
    _link("safe", EVENTS=3, SESSIONS=2, COMMANDS=1, ROOM=3, SENT=2, WINDOW=2, FAULTS=2),
    _link("safe", EVENTS=1, SESSIONS=3, COMMANDS=1, ROOM=2, SENT=2, WINDOW=2, FAULTS=4),
    _link("ends", EVENTS=2, SESSIONS=2, COMMANDS=1, ROOM=4, SENT=2, WINDOW=2, FAULTS=1),
    _link("ends", EVENTS=2, SESSIONS=2, COMMANDS=0, ROOM=3, SENT=2, WINDOW=1, FAULTS=2),
    _draw("safe", FAULTS=5),
    _draw("ends", FAULTS=4),
    _stored(entries=5, faults=2, attacks=0, closes=2),
    _stored(entries=6, faults=2, attacks=0, closes=1),
    _stored(entries=4, faults=0, attacks=2, closes=1),
    _stored(entries=3, faults=1, attacks=2, closes=1),
    _stored(entries=4, faults=1, attacks=2, closes=1),
)
