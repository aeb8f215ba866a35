"""The codes of errors that the source can give, read out of it.

A place gives its code itself, hands on that of another error, or leaves it to be found: a refusal
from the text for the keypad's row, others by what is usual for them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from controller.game.round import guards
from controller.game.round.refusal import code_of
from controller.table.sequence import REFUSALS
from pages.generated import ROOT


class Maker(NamedTuple):
    """What makes errors: of which ``kind``, where the code stands if it is not named, and which is
    usual."""

    kind: str
    place: int | None = None
    usual: str = ""


SCRIPT: Final = "of a script"
"""In place of a kind: errors of ``tablectl round run`` have a status."""
KEYPAD_SHORT: Final = 2

MAKERS: Final[Mapping[str, Maker]] = {
    "Refused": Maker("refused", 3),
    "TakesBack": Maker("refused", 3),
    "RequestRefused": Maker("refused", None, "not-now"),
    "Changed": Maker("changed", None, "changed"),
    "BadCommand": Maker("malformed", 1, "unreadable-command"),
    "Malformed": Maker("malformed", 1, "unreadable-command"),
    "BadRequest": Maker("malformed", None, "unreadable-request"),
    "NotAllowed": Maker("not_allowed", 1),
    "Unavailable": Maker("unavailable", 1),
    "Dropped": Maker("unavailable", 1),
    "encode_error": Maker("unavailable"),
    "_failed": Maker(SCRIPT, 4),
}
KINDS_OF: Final[Mapping[str, str]] = {"not-allowed": "not_allowed", "signed-out": "not_allowed"}
"""Codes of another kind than that of what makes them."""

UNMADE: Final[Mapping[str, str]] = {"stopping": "unavailable", "no-answer": "unavailable"}
"""Codes that stand where nothing is made: of a conversation, and of one that never began."""

SHORTS: Final[Mapping[str, tuple[str, ...]]] = {
    "controller/game/round/draft.py": (
        *guards.PLACES.values(),
        *guards.MISSED.values(),
        "OFFERS ARE OVER",
        "ROUND IS OVER",
    ),
    "controller/game/round/settling/judgement.py": ("WAS SPLIT", "WAS DOUBLED", "CARD WAS BOUGHT"),
    "controller/table/entering/menus.py": ("NO CHOICE NOW", "SUPERVISOR'S KEY"),
    "controller/table/sequence.py": (
        "HELD: SUPERVISOR",
        *(
            short
            for text in REFUSALS.values()
            for short in ([text.short] if isinstance(text.short, str) else text.short.values())
        ),
    ),
}
"""The texts for the keypad's row where a refusal is given one that varies."""


class Unclear(Exception):
    """A place of which it cannot be said which codes it gives."""


def kinds_by_code() -> dict[str, set[str]]:
    """Every code, and the kinds of errors that have it.

    Raises:
        Unclear: a place gives a code that is not plainly written there.
    """
    found: dict[str, set[str]] = {code: {kind} for code, kind in UNMADE.items()}
    for path in sorted((ROOT / "controller").rglob("*.py")):
        for code, kind in _codes_in(path):
            found.setdefault(code, set()).add(KINDS_OF.get(code, kind))
    return found


def _codes_in(path: Path) -> Iterator[tuple[str, str]]:
    name = str(path.relative_to(ROOT))
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        if maker := MAKERS.get(node.func.id):
            for code in codes_of(node, maker, SHORTS.get(name, ())):
                yield code, maker.kind


def codes_of(call: ast.Call, maker: Maker, shorts: tuple[str, ...] = ()) -> list[str]:
    """The codes that a place can give itself; none where it hands on another error's.

    Raises:
        Unclear: it gives one that is not plainly written there.
    """
    code = _argument(call, "code", maker.place)
    match code:
        case ast.Constant(value=str() as given):
            return [given]
        case None if maker.usual:
            return [maker.usual]
        case None if maker.kind == "refused":
            return _by_short(call, shorts)
    if code is not None and ast.unparse(code).rpartition(".")[2].lstrip("_") == "code":
        return []
    raise Unclear(f"line {call.lineno}: {ast.unparse(call)}: which code?")


def _by_short(call: ast.Call, shorts: tuple[str, ...]) -> list[str]:
    match _argument(call, "short", KEYPAD_SHORT):
        case None:
            return ["not-now"]
        case ast.Constant(value=str() as short):
            return [code_of(short)]
    if shorts:
        return list(map(code_of, shorts))
    raise Unclear(f"line {call.lineno}: {ast.unparse(call)}: its text for the keypad varies")


def _argument(call: ast.Call, name: str, place: int | None) -> ast.expr | None:
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    return call.args[place] if place is not None and place < len(call.args) else None
