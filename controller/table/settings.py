"""The settings of a table by value, as in every start record."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Final

from controller.forms.json_values import checked
from controller.game.round.wagers import Limits
from controller.game.rules.loader import build_rules, dump_rules
from controller.game.rules.schema import RuleSet

SUITS_IN_DECK = 4

DAY_BEGINS: Final = "06:00"
"""When the gaming day begins where the configuration does not say."""


@dataclass(frozen=True, slots=True)
class Settings:
    """A table's settings: ``devices`` are the names of those configured, ``kinds`` has the kind of
    each device that is not named after its kind; ``spin_ms`` how long the meter spins before it
    shows a multiplier, ``weights`` the games multipliers with theirs; ``day_begins`` the hour and
    minute, ``HH:MM`` by the clock on the wall, at which the gaming day begins."""

    table: str
    rules: RuleSet
    decks: int
    boxes: int
    limits: Limits
    devices: tuple[str, ...]
    spin_ms: int = 4000
    weights: tuple[tuple[int, int], ...] = ()
    kinds: tuple[tuple[str, str], ...] = ()
    day_begins: str = DAY_BEGINS

    @property
    def shoe_size(self) -> int:
        """Cards in a full shoe."""
        ranks = 13 if self.rules.cards.tens.value else 12
        return self.decks * ranks * SUITS_IN_DECK

    def dump(self) -> dict[str, object]:
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
            **({"day_begins": self.day_begins} if self.day_begins != DAY_BEGINS else {}),
        }

    @classmethod
    def load(cls, plain: object) -> Settings:
        """The settings of a start record; LookupError, WrongForm or RulesError where they are
        none."""
        data = checked(dict[str, object], plain, "settings")
        weights = checked(list[list[int]], data["weights"], "weights")
        return cls(
            table=checked(str, data["table"]),
            rules=_rules(json.dumps(checked(dict[str, object], data["rules"]))),
            decks=checked(int, data["decks"]),
            boxes=checked(int, data["boxes"]),
            limits=Limits(**checked(dict[str, int], data["limits"])),
            devices=tuple(checked(list[str], data["devices"])),
            spin_ms=checked(int, data["spin_ms"]),
            weights=tuple((multiplier, weight) for multiplier, weight in weights),
            # In the order of the names, as the journal stores them.
            kinds=tuple(sorted(checked(dict[str, str], data.get("kinds", {})).items())),
            day_begins=checked(str, data.get("day_begins", DAY_BEGINS)),
        )


@lru_cache(maxsize=4)
def _rules(stored: str) -> RuleSet:
    """The rules of a start record. A journal has such a record for every start and every change of
    the configuration, nearly always with the rules of the one before."""
    return build_rules(json.loads(stored), "journal")
