"""No part of the live table writes another part's fields (decision 16).

A part's state changes its own fields by its methods; besides them only the part's own file, or the
files of its folder, assign to them. Everybody else calls the methods. The same holds for what a
part's state consists of (a hold, a device, a loose card), under whatever name a function has it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import controller.table
from controller.table.state.table import Table

ROOT = Path(str(controller.table.__file__)).parent

WRITERS = {
    "setup": ("starting",),
    "course": ("betting",),
    "holds": ("holds",),
    "shoe": ("shoe",),
    "jackpot": ("jackpot",),
    "betting": ("below_minimum", "betting"),
    "dealing": ("dealing",),
    "entering": ("entering",),
    "service": ("service",),
    "readiness": ("service",),
}
"""By part, the files, and the folders of files, that may write its fields."""

PIECES = {
    name: folders
    for names, folders in (
        ("Device", ("links", "starting")),
        ("Tested", ()),
        ("LooseCard Cleared", ("dealing",)),
        ("Hold Exchanged", ("holds",)),
        ("Offer", ("jackpot",)),
        ("Doubt ShoeBook CardSets", ("shoe",)),
        ("Pending Leftover Saved MenuChoice Menu Keypad", ("entering",)),
    )
    for name in names.split()
}
"""The same by class of what a part consists of."""

NO_PARTS = {"Part", "Phase", "Table"}

CHANGES = {"append", "extend", "insert", "remove", "pop", "clear"} | {"update", "add"}
CHANGES |= {"discard", "setdefault"}
"""Methods of lists, mappings and sets that change them."""

FILES = sorted(path for path in ROOT.rglob("*.py") if "state" not in path.parts)


def chain(node: ast.AST) -> list[str]:
    """``table.shoe.used[card]`` as ``["table", "shoe", "used"]``; empty for anything else."""
    if isinstance(node, ast.Subscript):
        return chain(node.value)
    if isinstance(node, ast.Attribute):
        return [*before, node.attr] if (before := chain(node.value)) else []
    return [node.id] if isinstance(node, ast.Name) else []


def leaves(target: ast.AST) -> Iterator[ast.AST]:
    """What is assigned to, one by one: ``a.b, *c = ...``."""
    match target:
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from leaves(part)
        case ast.Starred(value=value):
            yield from leaves(value)
        case _:
            yield target


def written(source: str) -> Iterator[ast.Attribute | ast.Subscript]:
    """Every place that is assigned to or deleted, and every collection that is changed."""
    for node in ast.walk(ast.parse(source)):
        targets: list[ast.AST] = []
        match node:
            case ast.Assign() | ast.Delete():
                targets = [leaf for target in node.targets for leaf in leaves(target)]
            case ast.AugAssign() | ast.AnnAssign():
                targets = [node.target]
            case ast.Call(func=ast.Attribute(attr=name, value=value)) if name in CHANGES:
                targets = [value]
        yield from (one for one in targets if isinstance(one, ast.Attribute | ast.Subscript))


def writers_of_fields() -> dict[str, set[str]]:
    """By the name of a field of a class of the state, what may write it."""
    owners = {name.capitalize(): folders for name, folders in WRITERS.items()} | PIECES
    writers: dict[str, set[str]] = {}
    for path in (ROOT / "state").glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for found in (one for one in tree.body if isinstance(one, ast.ClassDef)):
            for line in found.body if found.name not in NO_PARTS else ():
                if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
                    writers.setdefault(line.target.id, set()).update(owners[found.name])
    return writers


FIELDS = writers_of_fields()


def written_under_another_name(source: str, folder: str) -> list[str]:
    """The same, where the file writes to something that it has under a name of its own."""
    places = (one.value if isinstance(one, ast.Subscript) else one for one in written(source))
    return [
        f"line {place.lineno}: {ast.unparse(place)}"
        for place in places
        if isinstance(place, ast.Attribute) and chain(place)[:1] not in (["table"], ["self"])
        if folder not in FIELDS.get(place.attr, {folder})
    ]


def wrongly_written(source: str, folder: str) -> list[str]:
    """What a file of that folder writes though it belongs to another part."""
    places = ((place.lineno, chain(place)) for place in written(source))
    return [
        f"line {line}: {'.'.join(names)}"
        for line, names in places  # a shorter one is a method of the part
        if len(names) > 2 and names[0] in ("table", "self") and names[1] in WRITERS
        if folder not in WRITERS[names[1]]
    ]


def test_every_part_has_its_writers() -> None:
    assert Table().parts().keys() == WRITERS.keys()


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_part_writes_another(path: Path) -> None:
    source, folder = (
        path.read_text(encoding="utf-8"),
        path.relative_to(ROOT).parts[0].removesuffix(".py"),
    )
    assert wrongly_written(source, folder) == []
    assert written_under_another_name(source, folder) == []


@pytest.mark.parametrize(
    "line",
    [
        "table.shoe.burning = False",
        "table.shoe.used[card] += 1",
        "table.shoe.sets.blocked.pop(number)",
        "table.shoe.book.out, x = 1, 2",
        "del table.shoe.sets.blocked[1]",
    ],
)
def test_what_is_written_is_found(line: str) -> None:
    assert wrongly_written(line, "shoe") == []
    assert len(wrongly_written(line, "entering")) == 1


@pytest.mark.parametrize(
    ("line", "folder"),
    [
        ("held.reason = said", "holds"),
        ("x, held.by_dealer = 1, True", "holds"),
        ("first_hold(table).before = known", "holds"),
        ("device.misread += said", "links"),
        ("loose.down = 0", "dealing"),
        ("sets.blocked.update(more)", "shoe"),
        ("sets.blocked[0] = why", "shoe"),
        ("del device.misread", "starting"),
    ],
)
def test_what_is_written_under_another_name_is_found(line: str, folder: str) -> None:
    assert written_under_another_name(line, folder) == []
    assert len(written_under_another_name(line, "entering")) == 1
