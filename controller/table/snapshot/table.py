"""The whole live table as plain data at a quiet moment, and a table made of it.

The rules:

- Every attribute of :class:`~.table.Table` and :class:`~.round.Round` stands in a list here with
  its type, or among those left out with the reason. A new attribute that stands in neither fails
  the first dump; what dataclasses hold is written by their own fields (:mod:`~.snapshot_codec`).
- A moment is quiet when no round is played, nothing waits and no card lies about
  (:func:`is_quiet`). Bets may be open: a dealer who goes from round to round with ``open`` alone
  leaves no other moment. The round before is part of the state all the same while ``next`` or
  ``open`` can be taken back.
- A table made of a snapshot does with every event what the table that was dumped would do.
- :data:`FORMAT` is raised when the lists or the types in them change. An older snapshot that is
  not among :data:`READ` is then passed over, and the table is replayed from further back. The
  format before always is among them: behind the first entry of a journal that goes on from an
  archived one there is nothing further back.

Settings stand once in a list of their own, rules by value; tables and rounds name them by place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from controller.round.irregular.cases import Irregularity
from controller.round.log import Given
from controller.round.model import Box, Settlement
from controller.round.money import Stake
from controller.round.play import Round
from controller.round.state import Owner
from controller.round.wagers import Sheet
from controller.rules.cards import Card
from controller.rules.schema import Case
from controller.table.betting.opening import CLOSED
from controller.table.devices.device import Device
from controller.table.entering.keys import Keypad
from controller.table.entering.undo import TAKEN_BACK, Saved
from controller.table.holds.hold import Hold, LooseCard
from controller.table.jackpot.unit import Offer
from controller.table.settings import Settings
from controller.table.shoe.book import ShoeBook
from controller.table.shoe.card_sets import CardSets
from controller.table.snapshot.codec import BadSnapshot, dump, load
from controller.table.table import BETTING, IDLE, Table

FORMAT: Final = 5

READ: Final = frozenset({3, 4, FORMAT})
"""The formats that can be read. Each has fields more than the one before, which have defaults: 4
``Hold.before``, 5 ``Device.given_kind`` and ``Device.misread``."""

_SETTINGS, _ROUND, _SAVED = Settings | None, Round | None, Saved | None

TABLE: Final[Mapping[str, Any]] = {
    "adopted": _SETTINGS,
    "next_settings": _SETTINGS,
    "boot_id": str,
    "digests": dict[str, str],
    "stopped": bool,
    "phase": str,
    "round_number": int,
    "sheet": Sheet,
    "rnd": _ROUND,
    "drawn": list[LooseCard],
    "draws": list[dict[str, int]],
    "used": Counter[Card],
    "cards_taken": int,
    "cards_seen": int,
    "devices": dict[str, Device],
    "holds": list[Hold],
    "conditions": dict[str, str],
    "postponed": dict[str, str],
    "entries": int,
    "resumed": int,
    "offer": Offer | None,
    "next_offer": int,
    "last_draw": int,
    "saved": _SAVED,
    "keypad": Keypad,
    "shuffle": int | None,
    "cutting_card": bool,
    "book": ShoeBook,
    "sets": CardSets,
    "burning": bool,
    "squeezed": frozenset[int],
    "checked": frozenset[str],
    "notice": str,
    "told": int,
    "remarked": int,
    "reshuffled": int,
}
"""What a table remembers, with its types."""

NOT_IN_TABLE: Final[Mapping[str, str]] = {
    "outcome": "what the last event did: begun anew with each",
    "pending": "an entry waits: not quiet",
    "leftover": "cards of a void round may be on their way: not quiet",
    "kept": "a card lies face down: not quiet",
}

ROUND: Final[Mapping[str, Any]] = {
    "state": str,
    "boxes": dict[int, Box],
    "dealer": list[Card],
    "settlements": list[Settlement],
    "turn": tuple[int, int] | None,
    "may_follow": frozenset[str],
    "served": tuple[int, ...],
    "armed": int | None,
    "nominee": str | None,
    "multiplier": int | None,
    "multipliers": list[int],
    "insurance": dict[tuple[Owner, Owner], Stake],
    "closed_insurance": frozenset[tuple[Owner, Owner]],
    "super_bonus": set[Owner],
    "void_clause": str,
    "sheet": Sheet,
    "log": list[Given],
    "irregularity": Irregularity | None,
    "options": Case | None,
    "waiting": list[Card],
    "owed": bool,
    "late": tuple[str, int] | None,
    "finishing": tuple[int, int] | None,
    "owing": Case | None,
    "chooser": int,
    "remarks": list[str],
    "after_round": tuple[str, ...],
}
"""What a round remembers, with its types."""

NOT_IN_ROUND: Final[Mapping[str, str]] = {
    "rules": "those of the settings that it is played under",
    "limits": "those of the settings that it is played under",
}


def is_quiet(table: Table) -> bool:
    """Whether the table's state may be written down now: no card is dealt, with nothing on its
    way and nothing waiting."""
    return (
        table.started
        and table.phase in (IDLE, BETTING, CLOSED)
        and table.rnd is None
        and table.pending is None
        and table.leftover is None
        and table.kept is None
        and not table.burning
        and not any(hold.cards or hold.irregular for hold in table.holds)
    )


def dump_table(table: Table) -> dict[str, Any]:
    """The table as plain data.

    Raises:
        BadSnapshot: it is not quiet, or it holds what a snapshot does not know.
    """
    if not is_quiet(table):
        raise BadSnapshot(f"the table is not quiet ({table.state})")
    _all_listed(table, {**TABLE, **NOT_IN_TABLE})
    pool = _Pool([])
    values = {name: pool.dump(getattr(table, name), TABLE[name]) for name in TABLE}
    return {"settings": [settings.dump() for settings in pool.settings], **values}


def load_table(plain: Mapping[str, Any]) -> Table:
    """The table of that plain data.

    Raises:
        BadSnapshot: it is no table of this format.
    """
    try:
        pool = _Pool([Settings.load(settings) for settings in plain["settings"]])
        values = {name: pool.load(plain[name], TABLE[name]) for name in TABLE}
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise BadSnapshot(f"no snapshot of a table: {error!r}") from error
    table = Table()
    for name, value in values.items():
        setattr(table, name, value)
    return table


class _Pool:
    """The settings of a snapshot, and what is written by its place among them."""

    def __init__(self, settings: list[Settings]) -> None:
        self.settings = settings

    def dump(self, value: Any, hint: Any) -> Any:
        """As :func:`dump`, for a table's own types as well."""
        if hint is _SETTINGS:
            return None if value is None else self._place(value)
        if hint is _ROUND:
            return None if value is None else self._dump_round(value)
        if hint is _SAVED:
            return None if value is None else self._dump_saved(value)
        return dump(value, hint)

    def load(self, plain: Any, hint: Any) -> Any:
        """As :func:`load`, for a table's own types as well."""
        if plain is not None:
            if hint is _SETTINGS:
                return self.settings[plain]
            if hint is _ROUND:
                return self._load_round(plain)
            if hint is _SAVED:
                return self._load_saved(plain)
        return None if hint in (_SETTINGS, _ROUND, _SAVED) else load(plain, hint)

    def _place(self, settings: Settings) -> int:
        if settings not in self.settings:
            self.settings.append(settings)
        return self.settings.index(settings)

    def _dump_round(self, rnd: Round) -> dict[str, Any]:
        _all_listed(rnd, {**ROUND, **NOT_IN_ROUND})
        under = [s for s in self.settings if s.rules == rnd.rules and s.limits == rnd.limits]
        if not under:
            raise BadSnapshot("a round that is played under no settings of the table")
        return {
            "settings": self._place(under[0]),
            **{name: dump(getattr(rnd, name), ROUND[name]) for name in ROUND},
        }

    def _load_round(self, plain: Mapping[str, Any]) -> Round:
        settings = self.settings[plain["settings"]]
        rnd = object.__new__(Round)  # as it was, not as one begins
        rnd.rules, rnd.limits = settings.rules, settings.limits
        for name, hint in ROUND.items():
            setattr(rnd, name, load(plain[name], hint))
        return rnd

    def _dump_saved(self, saved: Saved) -> dict[str, Any]:
        for name in ("adopted", "next_settings"):  # before the round, which is played under them
            self.dump(saved.play[name], _SETTINGS)
        play = {name: self.dump(saved.play[name], TABLE[name]) for name in TAKEN_BACK}
        return {"said": saved.said, "sheet": dump(saved.sheet, Sheet), "play": play}

    def _load_saved(self, plain: Mapping[str, Any]) -> Saved:
        play = {name: self.load(plain["play"][name], TABLE[name]) for name in TAKEN_BACK}
        return Saved(plain["said"], load(plain["sheet"], Sheet), play)


def _all_listed(thing: object, listed: Mapping[str, Any]) -> None:
    """Whether nothing has been forgotten.

    Raises:
        BadSnapshot: an attribute stands in no list of this module, or one listed is not there.
    """
    if vars(thing).keys() != listed.keys():
        names = ", ".join(sorted(vars(thing).keys() ^ listed.keys()))
        raise BadSnapshot(f"{type(thing).__name__}: {names} not in the lists of snapshots")
