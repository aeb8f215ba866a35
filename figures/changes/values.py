"""The values that a key might have instead: every other one that is permitted, or near ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

Value: TypeAlias = "str | int | list[Value]"
"""What a rule file may have as a value; an int may be a bool."""

ANOTHER = "another clause"
"""What takes the place of a clause."""


def others(value: Value, permitted: Sequence[object]) -> list[Value]:
    """Other values of the kind: those ``permitted`` (none: any of the type). Lists lose each member
    in turn and gain each permitted one; their numbers, and any other number, become one less and
    one more; a text that may be any is a clause, and becomes :data:`ANOTHER`."""
    if isinstance(value, list):
        return [*_shorter(value), *_longer(value, permitted), *_near(value, permitted)]
    if permitted:
        return [one for one in permitted if one != value and isinstance(one, str | int)]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [near for near in (value - 1, value + 1) if near >= 0]
    return [ANOTHER]


def _shorter(value: list[Value]) -> Iterator[Value]:
    for index in range(len(value)):
        yield value[:index] + value[index + 1 :]


def _longer(value: list[Value], permitted: Sequence[object]) -> Iterator[Value]:
    for one in permitted:
        if one not in value and isinstance(one, str):
            yield [*value, one]


def _near(value: list[Value], permitted: Sequence[object]) -> Iterator[Value]:
    """With one member changed, where it is a number or a list of them."""
    for index, member in enumerate(value):
        if not permitted and not isinstance(member, str):
            inner = list(_near(member, ())) if isinstance(member, list) else others(member, ())
            yield from ([*value[:index], other, *value[index + 1 :]] for other in inner)
