"""Code of the core with one thing changed, to ask whether a test notices.

In the body of a function an operator, a condition, a number, true and false can be changed, and a
call whose result nobody takes can be left out. Words of what is raised are left as they are.
"""

from __future__ import annotations

import ast
import gc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from types import CodeType, FunctionType
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]

_PAIRS: Final[tuple[tuple[type[ast.AST], type[ast.AST]], ...]] = (
    (ast.Eq, ast.NotEq),
    (ast.Is, ast.IsNot),
    (ast.In, ast.NotIn),
    (ast.Lt, ast.LtE),
    (ast.Gt, ast.GtE),
    (ast.And, ast.Or),
    (ast.Add, ast.Sub),
    (ast.Mult, ast.FloorDiv),
)
OTHERS: Final = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}
"""What takes the place of an operator."""


@dataclass(frozen=True, slots=True)
class Place:
    """The ``number``-th of a ``file``'s places to change, its line and what is changed."""

    file: str
    number: int
    line: int
    what: str


def places_of(file: str) -> list[Place]:
    """All of a file."""
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    return [
        Place(file, number, line, what) for number, (line, what, _) in enumerate(_changes(tree))
    ]


def _changes(tree: ast.Module) -> Iterator[tuple[int, str, Callable[[], None]]]:
    """Each change that can be made to a tree: line, what it is, and what makes it."""
    for node in _inside_functions(tree, inside=False):
        what: str
        make: Callable[[], None]
        match node:
            case ast.Compare(ops=[operator, *_]) if type(operator) in OTHERS:
                what = type(operator).__name__
                make = partial(node.ops.__setitem__, 0, OTHERS[type(operator)]())
            case ast.BoolOp(op=operator) | ast.BinOp(op=operator) | ast.AugAssign(op=operator) if (
                type(operator) in OTHERS
            ):
                what = type(operator).__name__
                make = partial(setattr, node, "op", OTHERS[type(operator)]())
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test) if not isinstance(
                test, ast.Compare | ast.BoolOp
            ):
                what, make = "not", partial(setattr, node, "test", ast.UnaryOp(ast.Not(), test))
            case ast.Constant(value=bool(value)):
                what, make = f"not {value}", partial(setattr, node, "value", not value)
            case ast.Constant(value=int(value)):
                what, make = f"{value} + 1", partial(setattr, node, "value", value + 1)
            case ast.Expr(value=ast.Call()):
                what, make = "left out", partial(setattr, node, "value", ast.Constant(None))
            case _:
                continue
        yield node.lineno, what, make


def _inside_functions(node: ast.AST, *, inside: bool) -> Iterator[ast.expr | ast.stmt]:
    """What a function does when it is called, but for the words of what it raises."""
    parts: list[ast.AST]
    match node:
        case ast.Raise() | ast.Assert():
            return
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            parts, inside = [*node.body], True
        case ast.AnnAssign(value=value):
            parts = [value] if value else []
        case _:
            parts = list(ast.iter_child_nodes(node))
            if inside and isinstance(node, ast.expr | ast.stmt):
                yield node
    for part in parts:
        yield from _inside_functions(part, inside=inside)


def change(place: Place) -> bool:
    """Give the functions of this process the changed code; whether there was one to change."""
    path = str(ROOT / place.file)
    text = (ROOT / place.file).read_text("utf-8")
    tree = ast.parse(text)
    next(islice(_changes(tree), place.number, None))[2]()
    module = compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)
    new = {(code.co_qualname, code.co_firstlineno): code for code in _codes(module)}
    changed = False
    for one in gc.get_objects():
        if isinstance(one, FunctionType) and one.__code__.co_filename == path:
            code = new.get((one.__code__.co_qualname, one.__code__.co_firstlineno))
            if code is not None and code != one.__code__:
                one.__code__ = code
                changed = True
    return changed


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)
