"""The whole live table as plain data at a quiet moment, and a table restored from it.

The rules:

- Of each part of the table all fields are written that its dataclass declares; there is no state
  outside these. A value of a type that is not known here is an error and never left out. It is read
  by the types of the fields (:mod:`controller.forms`).
- Plain data is whole numbers, text, booleans, null, lists and objects with text keys. Mappings are
  lists of pairs in their own order, which play may depend on and a canonical encoding would lose;
  sets are sorted lists. Commands and steps are their texts. A field that has its default is left
  out, which keeps a snapshot small and readable.
- Settings are written once in a separate list, rules by value; parts and rounds refer to them by
  index.
- A quiet table may have bets open: a dealer who goes from round to round with ``open`` alone leaves
  no other quiet moment. The round before is still part of the state while ``next`` or ``open`` can
  be taken back, also behind the entries that followed.
- A table restored from a snapshot reacts to every event as the dumped table would. A snapshot of
  another format than :data:`FORMAT` is not read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from functools import cache
from types import NoneType
from typing import Any, Final, TypeAlias, TypeVar, cast, get_args, get_origin

from controller.forms.expected import Form, FormField, fields_reader
from controller.forms.faults import Wrong
from controller.forms.json_values import JsonObject, checked
from controller.forms.reading import fields_of, form_of
from controller.game.commands.command import Command, read_open
from controller.game.round.log import Draws, Input, Loose, Returns
from controller.game.round.moves import counted
from controller.game.round.remedies import Correction, step_of
from controller.game.round.state import Irregular, Round
from controller.game.round.steps import Step
from controller.game.rules.cards import Card, parse_card
from controller.game.rules.cases import Case
from controller.table.settings import Settings
from controller.table.state.device import Device
from controller.table.state.entering import Saved
from controller.table.state.parts import Phase
from controller.table.state.table import Table

FORMAT: Final = 1

T = TypeVar("T")

Plain: TypeAlias = "int | str | bool | list[Plain] | dict[str, Plain] | None"
"""Plain data of a snapshot."""

Pool = list[Settings]
"""The settings of a snapshot, to which its values refer by index."""


class BadSnapshot(ValueError):
    """A value that no snapshot can hold, or plain data that is not a snapshot of this version."""


_NOT_OF_ROUND: Final = ("rules", "limits", "irregular")  # of its settings; field by field
GIVEN: Final[Mapping[str, Any]] = {
    "card": Card,
    "loose": Loose,
    "back": tuple[Card, ...],
    "waiting": NoneType,
    "burned": Card,
    "options": Case | None,
    "corrected": tuple[Correction, ...],
    "drawn for": Draws,
    "returned": Returns,
    "step": Step,
    "drawn": int,
    "shown": NoneType,
}
"""The type of each kind of a round's inputs (:mod:`~controller.game.round.log`)."""


def is_quiet(table: Table) -> bool:
    """Whether the table may be dumped now: no round is played, nothing is on its way or waits."""
    entering = table.entering
    return (
        table.started
        and table.phase in (Phase.IDLE, Phase.BETTING, Phase.CLOSED)
        and table.rnd is None
        and not (entering.pending or entering.leftover or table.dealing.kept)
        and not table.shoe.burning
        and not any(hold.cards or hold.irregular for hold in table.holds.standing)
    )


def dump_table(table: Table) -> dict[str, object]:
    """The table as plain data; BadSnapshot where it is not quiet, or holds what a snapshot does not
    know."""
    if not is_quiet(table):
        raise BadSnapshot(f"the table is not quiet ({table.state})")
    pool: Pool = []
    parts = {name: record(part, pool) for name, part in table.parts().items()}
    devices = dump(table.devices, pool)
    return {"settings": [settings.dump() for settings in pool], "devices": devices, **parts}


def load_table(given: object) -> Table:
    """The table in that plain data; raises :class:`BadSnapshot`."""
    table = Table()
    try:
        plain = checked(dict[str, object], given, "table")
        pool = [Settings.load(one) for one in checked(list[object], plain["settings"], "settings")]
        table.devices = load(plain["devices"], dict[str, Device], pool)
        for name, part in table.parts().items():
            setattr(table, name, load(plain[name], type(part), pool))
    except (LookupError, ValueError) as error:
        raise BadSnapshot(f"no snapshot of a table: {error!r}") from error
    return table


def dump(value: object, pool: Pool | None = None) -> Plain:
    """A value as plain data; settings become places in the ``pool``. Raises :class:`BadSnapshot`
    where no snapshot holds values of its type."""
    match value:
        case None | int() | str() if value is None or type(value) in (int, str, bool):
            return value
        case Card() | Command() | StrEnum() | Step():
            return str(value)
        case Input(what=what, value=given):
            _type_given(what)
            return [what, dump(given, pool)]
        case list() | tuple():
            return [dump(one, pool) for one in value]
        case set() | frozenset():
            return [dump(one, pool) for one in sorted(value)]
        case dict():
            return [[dump(key, pool), dump(one, pool)] for key, one in value.items()]
        case Settings() if pool is not None:
            if value not in pool:
                pool.append(value)
            return pool.index(value)
        case Round() if pool is not None:
            return _dump_round(value, pool)
        case Saved():
            parts: dict[str, Plain] = {
                name: {field: dump(one, pool) for field, one in kept.items()}
                for name, kept in value.parts.items()
                if kept
            }
            return {"said": str(value.said), "parts": parts}
    if is_dataclass(value):
        return record(value, pool)
    raise BadSnapshot(f"a snapshot cannot hold {value!r}")


def record(
    value: object, pool: Pool | None = None, *, leaving_out: Container[str] = ()
) -> dict[str, Plain]:
    """A dataclass as plain data: its fields without those that have their defaults."""
    defaults = _defaults(cast("Any", type(value))).items()
    return {
        name: dump(one, pool)
        for name, default in defaults
        if name not in leaving_out and (one := getattr(value, name)) != default
    }


@cache
def _defaults(kind: Any) -> Mapping[str, object]:
    """The fields that a dataclass can be given, with their defaults."""
    return {
        one.name: one.default if one.default_factory is MISSING else one.default_factory()
        for one in fields(kind)
        if one.init
    }


def _dump_round(rnd: Round, pool: Pool) -> Plain:
    under = [one for one in pool if one.rules == rnd.rules and one.limits == rnd.limits]
    if not under:
        raise BadSnapshot("a round that is played under no settings of the table")
    own = record(rnd, pool, leaving_out=_NOT_OF_ROUND)
    return {"settings": pool.index(under[0]), **own, **record(rnd.irregular, pool)}


def load(plain: object, kind: type[T], pool: Pool | None = None) -> T:
    """The value of that type that :func:`dump` has written; raises :class:`BadSnapshot`."""
    try:
        return cast("T", _value_of(form_of(cast("Any", kind), _own_form).read(plain, pool)))
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise BadSnapshot(f"{str(plain)[:80]!r} is no {kind!r} of a snapshot: {error}") from error


def _value_of(found: Any) -> Any:
    if type(found) is Wrong:
        raise BadSnapshot("; ".join(found.lines("")))
    return found


def _own_form(hint: Any) -> Form | None:
    """The form of a type that a snapshot writes in a way of its own."""
    kind, inner = get_origin(hint) or hint, get_args(hint)
    row: Any = tuple
    if kind in (list, set, frozenset):
        return _made_of(row[inner[0], ...], kind)
    if kind in (dict, Mapping, Counter):
        pair, make = row[(*inner, int)[:2]], dict if kind is Mapping else kind
        return _made_of(row[pair, ...], lambda pairs: make(dict(pairs)))
    if kind is Loose:
        return _made_of(row[tuple[Card, ...], str, bool, tuple[Card, ...], int, bool], Loose._make)
    if kind is Round:
        return _of_round()
    if isinstance(kind, type) and issubclass(kind, Step):
        return _text(lambda text: _step(text, kind))
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return _text(kind)
    return _OWN.get(kind)


def _text(parse: Callable[[str], object]) -> Form:
    return Form(lambda text, pool: parse(str(text)), "text", same=False)


def _made_of(hint: Any, make: Callable[[Any], object]) -> Form:
    """The form of what ``make`` makes of a value of another type."""
    form = form_of(hint, _own_form)
    return Form(lambda plain, pool: make(_value_of(form.read(plain, pool))), form.words, same=False)


def _step(text: str, kind: type[Step]) -> Step:
    step = step_of(read_open(text))
    if not isinstance(step, kind):
        raise BadSnapshot(f"{step} is no {kind.__name__}")
    return step


def _type_given(what: str) -> Any:
    if what not in GIVEN:
        raise BadSnapshot(f"a round is given no {what!r}")
    return GIVEN[what]


def _input(plain: Any, pool: Pool) -> Input:
    what, given = plain
    return Input(what, _value_of(form_of(_type_given(what), _own_form).read(given, pool)))


def _of_round() -> Form:
    """The form of a round: with its fields stand its settings, and those of what is put right."""
    own = [one for one in fields_of(Round, _own_form) if one.name not in _NOT_OF_ROUND]
    put_right = fields_of(Irregular, _own_form)
    settings = FormField("settings", form_of(Settings, _own_form), Settings, is_required=True)
    read_fields = fields_reader([*own, *put_right, settings])

    def read_round(plain: Any, pool: Pool) -> Round:
        found = _value_of(read_fields(plain, pool))
        under = found.pop("settings")
        irregular = Irregular(**{o.name: found.pop(o.name) for o in put_right if o.name in found})
        return counted(Round(rules=under.rules, limits=under.limits, irregular=irregular, **found))

    return Form(read_round, "a round", same=False)


def _saved(plain: Any, pool: Pool) -> Saved:
    parts = plain["parts"]
    kept = {name: _value_of(read(parts.get(name, {}), pool)) for name, read in _of_parts().items()}
    return Saved(read_open(plain["said"]), kept)


@cache
def _of_parts() -> Mapping[str, Callable[[JsonObject, Pool], Any]]:
    """What reads the fields of each part, and what it keeps besides, as far as they are written."""
    found = {}
    for name, part in Table().parts().items():
        more = part.KEPT_OTHERWISE.items()
        besides = [FormField(key, form_of(hint, _own_form), hint, False) for key, hint in more]
        found[name] = fields_reader([*fields_of(type(part), _own_form), *besides])
    return found


_OWN: Final[Mapping[Any, Form]] = {
    Card: _text(parse_card),
    Command: _text(read_open),
    Input: Form(_input, "an input", same=False),
    Saved: Form(_saved, "a command", same=False),
    Settings: Form(lambda place, pool: pool[place], "a place", same=False),
}
"""The forms of types that need no arguments."""
