"""A configuration that is there, changed key by key: comments, order and form stay.

The rules:

- A key that is there keeps its place and its comment; a new one stands behind the last key of its
  table, a new device behind the last device.
- Comments before a table's header are, to a parser, the end of the table above it. They stay
  before that header, whatever is put above.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import Any

import tomlkit
from tomlkit.items import InlineTable, Item, Table


class ChangedFile:
    """The content of a file; raises what ``tomlkit`` does for a text that is no TOML."""

    def __init__(self, text: str) -> None:
        self._document = tomlkit.parse(text)

    def values(self) -> Mapping[str, object]:
        """See :class:`.proposal.ProposedForm`."""
        return self._document.unwrap()

    def put(self, way: list[str], last: str, item: Item) -> None:
        """See :class:`.proposal.ProposedForm`."""
        table: MutableMapping[str, Any] = self._document
        for depth, part in enumerate(way):
            if part not in table:
                if isinstance(table, InlineTable):
                    table[part] = tomlkit.inline_table()
                else:
                    _add_table(table, part, is_super=depth + 1 < len(way))
            table = table[part]
            if not isinstance(table, MutableMapping):
                raise KeyError(part)
        if last in table or not isinstance(table, Table):
            table[last] = item
        else:
            behind = _cut(table, everything=True)
            table.append(last, item)
            table.value.body.extend(behind)

    def take(self, way: list[str], last: str) -> None:
        """See :class:`.proposal.ProposedForm`."""
        table: MutableMapping[str, Any] = self._document
        for part in way:
            table = table[part]
        going = table[last]
        before = [one for name, one in table.items() if name != last]
        behind = _cut(going, everything=True) if isinstance(going, Table) else []
        del table[last]
        if before and isinstance(before[-1], Table):
            before[-1].value.body.extend(behind)

    def text(self) -> str:
        """See :class:`.proposal.ProposedForm`."""
        return tomlkit.dumps(self._document)


def _add_table(above: MutableMapping[str, Any], name: str, *, is_super: bool) -> None:
    """An empty table behind those that are there; a blank line follows it."""
    made = tomlkit.table(is_super_table=is_super)
    if not is_super:
        before = _last(above)
        made.add(tomlkit.nl())
        if isinstance(before, Table) and isinstance(above, Table):
            made.value.body.extend(_cut(before, everything=False))
        elif isinstance(before, Table):
            before.value.body.append((None, tomlkit.nl()))
    above[name] = made


def _last(above: MutableMapping[str, Any]) -> object:
    """The innermost table that stands last."""
    last: object = None
    while isinstance(above, MutableMapping) and above:
        *_, above = above.values()
        if isinstance(above, Table):
            last = above
    return last


def _cut(table: Table, *, everything: bool) -> list[Any]:
    """Take off what stands behind the last key: blank lines and comments, all of them or those of
    the last block of comments."""
    body = table.value.body
    end = len(body)
    while end and body[end - 1][0] is None:
        if not everything and not body[end - 1][1].as_string().strip():
            break
        end -= 1
    behind = body[end:]
    del body[end:]
    return behind
