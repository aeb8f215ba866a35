"""The text of a configuration: a new one in order, and every key with what it means; one that is
there changed key by key, so that comments, order and form stay.

The rules:

- What decides about money is given by somebody, or left out for the reader to miss; what has one
  usual value stands in a new file all the same, so that the file says all of it.
- In a new file a key that is not known here stands at the end of its table: the reader says what is
  wrong.
- A key that is there keeps its place and its comment; a new one stands behind the last key of its
  table, a new device behind the last device.
- Comments before a table's header are, to a parser, the end of the table above it. They stay
  before that header, whatever is put above."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any, Final

import tomlkit
from tomlkit import TOMLDocument
from tomlkit.items import AbstractTable, InlineTable, Item, Table

from controller.configuration.model import DEALERS, SOCKET, STATE_DIRECTORY, SUPERVISORS
from drivers.vocabulary import PLAIN_KINDS


def set_key(document: TOMLDocument, way: list[str], last: str, item: Item) -> None:
    """Give the key ``last`` of the table at ``way`` a value; raises ``KeyError`` where that is no
    table."""
    table: MutableMapping[str, Any] = document
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


def remove_key(document: TOMLDocument, way: list[str], last: str) -> None:
    """Take out a key that is there."""
    table: MutableMapping[str, Any] = document
    for part in way:
        table = table[part]
    going = table[last]
    before = [one for name, one in table.items() if name != last]
    behind = _cut(going, everything=True) if isinstance(going, Table) else []
    del table[last]
    if before and isinstance(before[-1], Table):
        before[-1].value.body.extend(behind)


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
    last: object = None
    while isinstance(above, MutableMapping) and above:
        *_, above = above.values()
        if isinstance(above, Table):
            last = above
    return last


def _cut(table: Table, *, everything: bool) -> list[Any]:
    """Take off the blank lines and comments behind the last key: all, or the last block of
    comments."""
    body = table.value.body
    end = len(body)
    while end and body[end - 1][0] is None:
        if not everything and not body[end - 1][1].as_string().strip():
            break
        end -= 1
    behind = body[end:]
    del body[end:]
    return behind


VIEWERS: Final = "table-viewers"
"""The group that may look; the user of the exporter is in it."""
USUAL: Final[Mapping[str, Mapping[str, str | int]]] = {
    "table": {},
    "state": {"directory": STATE_DIRECTORY},
    "control": {
        "socket": SOCKET,
        "dealers": DEALERS,
        "supervisors": SUPERVISORS,
        "viewers": VIEWERS,
    },
    "archive": {"after_days": 365, "after_mb": 1000},
}
HEAD: Final = """\
# The configuration of one table, written by 'tablectl setup'. Given again, setup changes what is
# new and leaves the rest, comments too, as it is. A change counts from the next start, between
# rounds: 'systemctl restart table-controller'. Every key: table.example.toml.
"""
ABOVE: Final = {
    "devices": "Devices. The names under /dev/table are bound to the adapters' serial numbers, in\n"
    "# 99-table-controller.rules.",
    "multiplier": "What the draw may give, and how often: multiplier = weight. No document gives\n"
    "# these: they are the house's. 'tablectl draw odds' says what they return.",
    "archive": "When the journal is closed as a file, and a new one goes on from it; where\n"
    '# closed ones are taken by night ("to"), and for how many days they are kept here, too.',
    "control": "Who may speak to the controller: members of these groups. Root and the daemon's\n"
    "# own user may do everything.",
}
KEYS: Final = {
    "table": {
        "id": "the table's name on the floor",
        "rules": "'tablectl rules list'; or a rule file's path",
        "decks": "decks in the shoe",
        "boxes": "playing areas on the layout",
        "min": "main wagers",
        "max": "",
        "box_max": "all main wagers on one box together",
        "player_max": "one bettor's main wagers on one box",
        "side_min": "side wagers",
        "side_max": "",
        "increment": "the smallest step of any wager",
        "day_begins": "when the gaming day begins, local time",
    },
    "multiplier": {"weights": "", "spin_ms": "how long the meter spins, in milliseconds"},
    "state": {"directory": "the journal", "copy": "its second copy, on another medium"},
    "archive": {
        "after_days": "by age, or",
        "after_mb": "by size, in MiB",
        "to": "a directory on another medium",
        "keep_days": "",
    },
    "control": {"socket": "", "dealers": "", "supervisors": "", "viewers": "may look, no more"},
}
"""The keys of a table in their order, with what is said of them."""
ORDER: Final = ("table", "devices", "multiplier", "state", "archive", "control", "approved")
COMMENT_AT: Final = 40


def new_document() -> TOMLDocument:
    """The content of a file that is not there yet: what has one usual value."""
    return tomlkit.parse(tomlkit.dumps(USUAL))


def new_text(document: TOMLDocument) -> str:
    """The text of a file that is not there yet, every key in its place with what it means."""
    return HEAD + "".join(f"{line}\n" for line in _lines(document))


def _lines(document: TOMLDocument) -> Iterator[str]:
    for name in sorted(document, key=_place(ORDER)):
        table = _items(document.item(name))
        if above := ABOVE.get(name):
            yield f"\n# {above}"
        if name == "devices":
            plain = {key: one for key, one in table.items() if not isinstance(one, Table)}
            yield from _table(name, plain, {}) if plain else ()  # the reader refuses them
            for device in sorted(table.keys() - plain.keys(), key=_place(tuple(PLAIN_KINDS))):
                yield from _table(f"devices.{device}", _items(table[device]), {})
        else:
            yield from _table(name, table, KEYS.get(name, {}), below=name in ABOVE)


def _items(table: object) -> dict[str, Any]:
    assert isinstance(table, AbstractTable)
    return {key: table.value.item(key) for key in table}


def _table(
    name: str, table: Mapping[str, Item], comments: Mapping[str, str], *, below: bool = False
) -> Iterator[str]:
    yield from () if below else ("",)
    yield f"[{name}]"
    for key in sorted(table, key=_place(tuple(comments))):
        line = f"{_key(key)} = {_value_text(table[key])}"
        about = comments.get(key)
        yield f"{line.ljust(COMMENT_AT - 1)} # {about}" if about else line


def _place(order: tuple[str, ...]) -> Any:
    """A key to sort by: that order, then the others by name."""
    return lambda name: (order.index(name) if name in order else len(order), name)


def _value_text(value: Item) -> str:
    if isinstance(value, AbstractTable):
        pairs = (f"{_key(key)} = {_value_text(one)}" for key, one in _items(value).items())
        return f"{{ {', '.join(pairs)} }}"
    return value.as_string()


def _key(key: str) -> str:
    return str(tomlkit.key(key).as_string())
