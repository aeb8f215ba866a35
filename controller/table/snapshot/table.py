"""The whole live table as plain data at a quiet moment, and a table made of it.

The rules:

- A table is written part by part, each by the fields that its dataclass declares
  (:mod:`~.codec`). What stands in none cannot be remembered at all, and a type that the codec does
  not know fails the first dump.
- A moment is quiet when no round is played, nothing waits and no card lies about
  (:func:`is_quiet`). Bets may be open: a dealer who goes from round to round with ``open`` alone
  leaves no other moment. The round before is part of the state all the same while ``next`` or
  ``open`` can be taken back.
- A table made of a snapshot does with every event what the table that was dumped would do.
- :data:`FORMAT` is raised when parts, fields or types change. An older snapshot that is not among
  :data:`READ` is then passed over, and the table is replayed from further back. The format before
  always is among them (:mod:`~.before_parts`): behind the first entry of a journal that goes on
  from an archived one there is nothing further back.

Settings stand once in a list of their own, rules by value; parts and rounds name them by place.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from controller.round.state import Round
from controller.table.settings import Settings
from controller.table.snapshot import before_parts
from controller.table.snapshot.codec import BadSnapshot, Codec, fields
from controller.table.state.course import Phase
from controller.table.state.device import Device
from controller.table.state.entering import Saved
from controller.table.state.table import Table

FORMAT: Final = 5

READ: Final = before_parts.FORMATS | {FORMAT}
"""The formats that can be read."""

OF_SETTINGS: Final = ("rules", "limits")
"""Fields of a round that are those of the settings that it is played under."""


def is_quiet(table: Table) -> bool:
    """Whether the table's state may be written down now: no card is dealt, with nothing on its
    way and nothing waiting."""
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


def dump_table(table: Table) -> dict[str, Any]:
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


def load_table(plain: Mapping[str, Any]) -> Table:
    """The table of that plain data, of any format that is read.

    Raises:
        BadSnapshot: it is none.
    """
    table = Table()
    try:
        if before_parts.is_it(plain):
            plain = before_parts.as_parts(plain)
        pool = Pool([Settings.load(settings) for settings in plain["settings"]])
        table.devices = pool.load(plain["devices"], dict[str, Device])
        for name, part in table.parts().items():
            setattr(table, name, pool.load(plain[name], type(part)))
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise BadSnapshot(f"no snapshot of a table: {error!r}") from error
    return table


class Pool(Codec):
    """A codec with the settings of a snapshot, and what is written by its place among them."""

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

    def _dump_round(self, rnd: Round) -> dict[str, Any]:
        under = [s for s in self.settings if s.rules == rnd.rules and s.limits == rnd.limits]
        if not under:
            raise BadSnapshot("a round that is played under no settings of the table")
        return {"settings": self._place(under[0]), **self.record(rnd, leaving_out=OF_SETTINGS)}

    def _load_round(self, plain: Mapping[str, Any]) -> Round:
        written = dict(plain)
        under = self.settings[written.pop("settings")]
        rnd: Round = self.build(Round, written, rules=under.rules, limits=under.limits)
        return rnd

    def _dump_saved(self, saved: Saved) -> dict[str, Any]:
        types = _types_of_parts()
        parts = {
            name: {field: self.dump(value, types[name][field]) for field, value in kept.items()}
            for name, kept in saved.parts.items()
            if kept
        }
        return {"said": saved.said, "parts": parts}

    def _load_saved(self, plain: Mapping[str, Any]) -> Saved:
        types = _types_of_parts()
        parts = {
            name: {
                field: self.load(kept[field], hint)
                for field, hint in types[name].items()
                if field in (kept := plain["parts"].get(name, {}))
            }
            for name in types
        }
        return Saved(plain["said"], parts)


def _types_of_parts() -> dict[str, dict[str, Any]]:
    """The type of each field of each part."""
    kinds: dict[str, Any] = {name: type(part) for name, part in Table().parts().items()}
    return {
        name: {field.name: hint for field, hint in fields(kind)} for name, kind in kinds.items()
    }
