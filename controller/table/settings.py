"""The settings of a table by value, as in every start record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from controller.round.wagers import Limits
from controller.rules.loader import build_rules, dump_rules
from controller.rules.schema import RuleSet

SUITS_IN_DECK = 4


@dataclass(frozen=True, slots=True)
class Settings:
    """A table's settings: ``devices`` are the names of those configured, ``kinds`` has the kind of
    each device that is not named after its kind; ``spin_ms`` how long the meter spins before it
    shows a multiplier, ``weights`` the games multipliers with theirs."""

    table: str
    rules: RuleSet
    decks: int
    boxes: int
    limits: Limits
    devices: tuple[str, ...]
    spin_ms: int = 4000
    weights: tuple[tuple[int, int], ...] = ()
    kinds: tuple[tuple[str, str], ...] = ()

    @property
    def shoe_size(self) -> int:
        """Cards in a full shoe."""
        ranks = 13 if self.rules.cards.tens.value else 12
        return self.decks * ranks * SUITS_IN_DECK

    def dump(self) -> dict[str, Any]:
        """As plain data, which :meth:`load` takes."""
        return {
            "table": self.table,
            "rules": dump_rules(self.rules),
            "decks": self.decks,
            "boxes": self.boxes,
            "limits": asdict(self.limits),
            "devices": list(self.devices),
            "spin_ms": self.spin_ms,
            "weights": [list(pair) for pair in self.weights],
            **({"kinds": dict(self.kinds)} if self.kinds else {}),
        }

    @classmethod
    def load(cls, data: Mapping[str, Any]) -> Settings:
        """The settings of a start record."""
        return cls(
            table=data["table"],
            rules=build_rules(data["rules"], "journal"),
            decks=data["decks"],
            boxes=data["boxes"],
            limits=Limits(**data["limits"]),
            devices=tuple(data["devices"]),
            spin_ms=data["spin_ms"],
            weights=tuple((int(m), int(w)) for m, w in data["weights"]),
            # In the order of the names, as the journal stores them.
            kinds=tuple(sorted(data.get("kinds", {}).items())),
        )
