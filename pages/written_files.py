"""What people write for the controller: every key of the configuration, and round scripts.

A key's row is a field of a table's form: what it expects, and what it counts as where the key is
left out. What stands in the example is read out of it with what is commented out put in. Of round
scripts there are the keys, the steps of a round, what may go wrong in it, and its remedies.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from decimal import Decimal
from typing import Final, get_args

from controller.configuration.keys import SECTIONS
from controller.forms.expected import FormField
from controller.forms.faults import value_text
from controller.forms.reading import fields_of
from controller.game.round import remedies, steps
from controller.game.rules.cases import KNOWN, REMEDIES
from controller.game.scripts import script
from pages.generated import ROOT, as_table, items

EXAMPLE: Final = ROOT / "config" / "table.example.toml"
LEFT_OUT: Final = re.compile(r"^# (\[[^\]]+\]|\w+ = .+)", re.MULTILINE)
"""A key or table that the example has behind a comment sign."""

SHORTENED: Final = re.compile(r"(?<=\")([0-9a-f]{16})…(?=\")")


def complete(example: str) -> str:
    """The example with what it leaves out, and digests that it shortens, in full."""
    return SHORTENED.sub(lambda digest: digest[1] * 4, LEFT_OUT.sub(r"\1", example))


def configuration_keys() -> Iterator[str]:
    """The keys of the configuration."""
    heads = ("key", "what is expected", "left out", "in the example")
    return as_table(heads, rows_of(complete(EXAMPLE.read_text(encoding="utf-8"))))


def example() -> list[str]:
    """The example of a configuration."""
    return [EXAMPLE.read_text(encoding="utf-8").rstrip()]


def rows_of(text: str) -> Iterator[tuple[str, str, str, str]]:
    """A row for every key, with what it has in a configuration of this text.

    Raises:
        ValueError: the text does not give one.
    """
    data = tomllib.loads(text, parse_float=Decimal)
    for section, form in SECTIONS.items():
        place, tables = section, [data.get(section, {})]
        if section == "devices":
            place, tables = "devices.NAME", [*tables[0].values()]
        elif section == "witness":
            tables = tables[0]
        defaults = {one.name: one.default for one in fields(form)}
        for field in fields_of(form):
            given = [table[field.name] for table in tables if field.name in table]
            if not given:
                raise ValueError(f"{EXAMPLE.name} has no {place}.{field.name}")
            written, usual = value_text(given[0]), _left_out(field, defaults[field.name])
            yield f"`{place}.{field.name}`", field.form.words, usual, f"`{written}`"


def _left_out(field: FormField, default: object) -> str:
    if said := [one for one in get_args(field.hint) if isinstance(one, str)]:
        return said[0]
    if field.is_required:
        return "**not**"
    usual = field.usual.value if field.usual else default
    return "may be" if usual in (None, "") else f"`{value_text(usual)}`"


MODULES: Final = (steps, remedies)
SOURCE: Final = re.compile(r" \(:data:[^)]+\)| At a live table .*")
PLAIN: Final = frozenset(REMEDIES) - {"choose"}


def script_keys() -> Iterator[str]:
    """The keys of a round script."""
    return as_table(("key", "meaning"), (key.split(": ", 1) for key in items(script)))


def script_steps() -> Iterator[str]:
    """Steps whose docstring begins with their text; plain remedies have a table of their own."""
    kinds = (
        kind
        for module in MODULES
        for kind in vars(module).values()
        if isinstance(kind, type) and kind.__module__ == module.__name__
    )
    told = {kind: " ".join((kind.__doc__ or "").split()).replace("``", "`") for kind in kinds}
    return as_table(
        ("step",),
        (
            [SOURCE.sub("", text)]
            for kind, text in told.items()
            if text.startswith("`") and getattr(kind, "verb", "") not in PLAIN
        ),
    )


def triggers() -> Iterator[str]:
    """What may go wrong in a round, and how it is said."""
    rows = (
        (
            f"`{name}`",
            "by a card" if one.by_card else f"`report {name}{' BOX' if one.box else ''}`",
            one.words,
        )
        for name, one in KNOWN.items()
    )
    return as_table(("trigger", "", "what it means"), rows)


def remedy_rows() -> Iterator[str]:
    """What is done about it."""
    return as_table(
        ("remedy", "what it does"), ((f"`{one}`", does) for one, does in REMEDIES.items())
    )
