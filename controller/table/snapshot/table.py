"""The whole live table as plain data at a quiet moment, and a table restored from it.

The rules:

- A table is written part by part, each by the fields that its dataclass declares (:mod:`~.codec`).
  The table has no state outside these fields, and a type that the codec does not know fails in the
  first dump.
- The table is quiet when no round is played, nothing waits and no card waits for a place
  (:func:`is_quiet`). Bets may be open: a dealer who goes from round to round with ``open`` alone
  leaves no other quiet moment. The round before is still part of the state while ``next`` or
  ``open`` can be taken back, also behind the entries that followed.
- A table restored from a snapshot reacts to every event as the dumped table would.
- A snapshot of another format than :data:`FORMAT` is not read.

Settings are written once in a separate list, rules by value; parts and rounds refer to them by
index.
"""

from __future__ import annotations

from typing import Final

from controller.forms.json_values import JsonObject, checked
from controller.game.commands.command import read_open
from controller.game.round.moves import count_cards
from controller.game.round.state import Irregular, Round
from controller.table.settings import Settings
from controller.table.snapshot.codec import BadSnapshot, Codec, Hint, Plain, fields
from controller.table.state.device import Device
from controller.table.state.entering import Saved
from controller.table.state.parts import Phase
from controller.table.state.table import Table

FORMAT: Final = 1

OF_SETTINGS: Final = ("rules", "limits")
"""Fields of a round that come from the settings under which it is played."""

_IRREGULAR: Final = frozenset(field.name for field, _ in fields(Irregular))
"""Fields of its part for what is put right, which are written among its own."""


def is_quiet(table: Table) -> bool:
    """Whether the table's state may be dumped now: no round is in progress, and nothing is on its
    way or waits."""
    entering = table.entering
    return (
        table.started
        and table.phase in (Phase.IDLE, Phase.BETTING, Phase.CLOSED)
        and table.rnd is None
        and entering.pending is None
        and entering.leftover is None
        and table.dealing.kept is None
        and not table.shoe.burning
        and not any(hold.cards or hold.irregular for hold in table.holds.standing)
    )


def dump_table(table: Table) -> dict[str, object]:
    """The table as plain data.

    Raises:
        BadSnapshot: it is not quiet, or it holds what a snapshot does not know.
    """
    if not is_quiet(table):
        raise BadSnapshot(f"the table is not quiet ({table.state})")
    pool = Pool([])
    parts = {name: pool.record(part) for name, part in table.parts().items()}
    devices = pool.dump(table.devices, dict[str, Device])
    settings = [settings.dump() for settings in pool.settings]
    return {"settings": settings, "devices": devices, **parts}


def load_table(given: object) -> Table:
    """The table in that plain data.

    Raises:
        BadSnapshot: it is none.
    """
    table = Table()
    try:
        plain = checked(dict[str, object], given, "table")
        known = checked(list[object], plain["settings"], "settings")
        pool = Pool([Settings.load(settings) for settings in known])
        table.devices = pool.load(plain["devices"], dict[str, Device])
        for name, part in table.parts().items():
            setattr(table, name, pool.load(plain[name], type(part)))
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise BadSnapshot(f"no snapshot of a table: {error!r}") from error
    return table


class Pool(Codec):
    """A codec with the settings of a snapshot, for values that are written as an index into
    them."""

    def __init__(self, settings: list[Settings]) -> None:
        self.settings = settings
        super().__init__(
            {
                Settings: (self._place, self.settings.__getitem__),
                Round: (self._dump_round, self._load_round),
                Saved: (self._dump_saved, self._load_saved),
            }
        )

    def _place(self, settings: Settings) -> int:
        if settings not in self.settings:
            self.settings.append(settings)
        return self.settings.index(settings)

    def _dump_round(self, rnd: Round) -> Plain:
        under = [s for s in self.settings if s.rules == rnd.rules and s.limits == rnd.limits]
        if not under:
            raise BadSnapshot("a round that is played under no settings of the table")
        plain = self.record(rnd, leaving_out=(*OF_SETTINGS, "irregular"))
        return {"settings": self._place(under[0]), **plain, **self.record(rnd.irregular)}

    def _load_round(self, plain: JsonObject) -> Round:
        written = dict(plain)
        under = self.settings[checked(int, written.pop("settings"), "settings")]
        put_right = {name: written.pop(name) for name in _IRREGULAR & written.keys()}
        irregular: Irregular = self.build(Irregular, put_right)
        rnd: Round = self.build(
            Round, written, rules=under.rules, limits=under.limits, irregular=irregular
        )
        count_cards(rnd)
        return rnd

    def _dump_saved(self, saved: Saved) -> Plain:
        types = _types_of_parts()
        parts: dict[str, Plain] = {
            name: {field: self.dump(value, types[name][field]) for field, value in kept.items()}
            for name, kept in saved.parts.items()
            if kept
        }
        return {"said": str(saved.said), "parts": parts}

    def _load_saved(self, plain: JsonObject) -> Saved:
        written = checked(dict[str, dict[str, object]], plain["parts"], "parts")
        parts = {
            name: {
                field: self.load(kept[field], hint)
                for field, hint in types.items()
                if field in (kept := written.get(name, {}))
            }
            for name, types in _types_of_parts().items()
        }
        return Saved(read_open(checked(str, plain["said"], "said")), parts)


def _types_of_parts() -> dict[str, dict[str, Hint]]:
    """The type of each field of each part, and of what it keeps besides."""
    kinds: dict[str, Hint] = {name: type(part) for name, part in Table().parts().items()}
    return {
        name: {**{field.name: hint for field, hint in fields(kind)}, **kind.KEPT_OTHERWISE}
        for name, kind in kinds.items()
    }
