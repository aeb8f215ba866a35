"""``python -m proof.mutation.sampled_code [--count N] [--seed S] [--rows FILE] [TEST ...]``

Changes code of the core, at places taken by chance: a comparison, a condition, a number, a sum, a
call left out. The tests that run the changed line are run, the quickest first, until one fails.
What no test notices is printed; with ``--rows`` all of them are run, and a JSON object for each
mutant says which tests fail.

One pytest collects the tests, runs them once with coverage, and is forked for each mutant: the
changed function gets its new code there. Tests are functions: one that is run with many parameters
is one.
"""

from __future__ import annotations

import argparse
import ast
import gc
import json
import os
import random
import signal
import sys
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType
from typing import Final

import coverage
import pytest
from _pytest.runner import runtestprotocol

ROOT: Final = Path(__file__).resolve().parents[2]
PACKAGES: Final = tuple(f"controller/{room}" for room in ("table", "game", "journal", "evidence"))
TESTS: Final = tuple(
    f"tests/{room}"
    for room in ("counters", "draw", "evidence", "game", "journal", "replay", "table")
)
MEASURED: Final = ROOT / "build" / "mutants"
LONGEST_S: Final = 120.0
"""For all tests of one mutant; one that makes them take longer counts as noticed."""

OTHERS: Final[Mapping[type[ast.AST], type[ast.AST]]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
}


# What can be changed ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Place:
    """The ``number``-th of a ``file``'s places that can be changed, its line and what is changed."""

    file: str
    number: int
    line: int
    what: str


class _Changes(ast.NodeTransformer):
    """Finds the places in the bodies of functions, and changes the one with the number ``at``."""

    def __init__(self, at: int = -1) -> None:
        self.found: list[tuple[int, str]] = []
        self._at = at
        self._inside = False

    def _is_here(self, node: ast.expr | ast.stmt, what: str) -> bool:
        if self._inside:
            self.found.append((node.lineno, what))
        return self._inside and len(self.found) - 1 == self._at

    def _other(self, node: ast.expr | ast.stmt, name: str) -> ast.AST:
        """With another operator."""
        self.generic_visit(node)
        now = getattr(node, name)
        kind = type(now[0] if isinstance(now, list) else now)
        if kind in OTHERS and self._is_here(node, f"{kind.__name__} -> {OTHERS[kind].__name__}"):
            other = OTHERS[kind]()
            setattr(node, name, [other, *now[1:]] if isinstance(now, list) else other)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        outside, self._inside = self._inside, True
        node.body = [self.visit(statement) for statement in node.body]
        self._inside = outside
        return node

    visit_AsyncFunctionDef = visit_FunctionDef  # type: ignore[assignment]

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        return self._other(node, "ops")

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        return self._other(node, "op")

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        return self._other(node, "op")

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        return self._other(node, "op")

    def visit_If(self, node: ast.If | ast.IfExp | ast.While) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.test, ast.Compare | ast.BoolOp) and self._is_here(node, "not"):
            node.test = ast.UnaryOp(ast.Not(), node.test)
        return node

    visit_IfExp = visit_While = visit_If  # type: ignore[assignment]

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, bool) and self._is_here(node, "bool"):
            return ast.Constant(not node.value)
        if type(node.value) is int and self._is_here(node, f"{node.value} + 1"):
            return ast.Constant(node.value + 1)
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        if isinstance(node.value, ast.Call) and self._is_here(node, "left out"):
            return ast.Pass()
        self.generic_visit(node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.value = node.value and self.visit(node.value)
        return node

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        return node  # words

    visit_Assert = visit_Raise  # type: ignore[assignment]


def places_of(file: str) -> list[Place]:
    """All of a file."""
    changes = _Changes()
    changes.visit(ast.parse((ROOT / file).read_text("utf-8")))
    return [Place(file, number, *found) for number, found in enumerate(changes.found)]


def change(place: Place) -> bool:
    """Give the functions of this process the changed code; whether there was one to change."""
    path = str(ROOT / place.file)
    text = (ROOT / place.file).read_text("utf-8")
    tree = _Changes(place.number).visit(ast.parse(text))
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


# A pytest that is forked --------------------------------------------------------------------------


def function_of(item: pytest.Item) -> str:
    """The node id without parameters."""
    return item.nodeid.partition("[")[0]


@dataclass
class Runner:
    """As a plugin: runs what was collected for each mutant, in place of running it once."""

    count: int
    seed: int
    rows: Path | None
    workers: int
    seconds: dict[str, float] = field(default_factory=dict)

    def pytest_configure(self) -> None:
        """Properties take the same examples each time, and do not look for the smallest."""
        from hypothesis import Phase, settings  # not before pytest can rewrite its assertions

        phases = (Phase.explicit, Phase.generate)
        settings.register_profile(
            "mutants", settings(), phases=phases, database=None, derandomize=True
        )
        settings.load_profile("mutants")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Measure, then run the mutants, each worker every so many."""
        began = time.monotonic()
        items: dict[str, list[pytest.Item]] = defaultdict(list)
        for item in session.items:
            items[function_of(item)].append(item)
        MEASURED.mkdir(parents=True, exist_ok=True)
        _in_forks(self.workers, lambda at: self._measure(at, session.items))
        run_by, failed = self._read_measured(items)
        print(f"{len(items)} tests measured, {time.monotonic() - began:.0f} s", flush=True)
        if failed:
            print("they fail without a mutant:", *failed, sep="\n    ")
            session.testsfailed = len(failed)
            return True
        files = (path for room in PACKAGES for path in sorted((ROOT / room).rglob("*.py")))
        places = [
            place
            for path in files
            for place in places_of(path.relative_to(ROOT).as_posix())
            if (place.file, place.line) in run_by
        ]
        chosen = random.Random(self.seed).sample(places, min(self.count, len(places)))
        print(f"{len(chosen)} of {len(places)} places, seed {self.seed}", flush=True)
        _in_forks(self.workers, lambda at: self._mutants(at, chosen, run_by, items))
        self._print_result()
        return True

    def _measure(self, at: int, items: Sequence[pytest.Item]) -> None:
        """Run every so many of the tests' files with coverage; contexts are tests."""
        data = str(MEASURED / f"coverage{at}")
        measured = coverage.Coverage(
            data_file=data, branch=True, source=list(PACKAGES), config_file=False
        )
        names = sorted({item.nodeid.partition("::")[0] for item in items})
        mine = set(names[at :: self.workers])
        ours = [item for item in items if item.nodeid.partition("::")[0] in mine]
        seconds: Counter[str] = Counter()
        failed = set()
        measured.start()
        for item, following in zip(ours, [*ours[1:], None], strict=True):
            measured.switch_context(function_of(item))
            began = time.monotonic()
            if any(report.failed for report in runtestprotocol(item, False, following)):
                failed.add(function_of(item))
            seconds[function_of(item)] += time.monotonic() - began
        measured.stop()
        measured.save()
        told = {"seconds": seconds, "failed": sorted(failed)}
        (MEASURED / f"seconds{at}").write_text(json.dumps(told), "utf-8")

    def _read_measured(
        self, items: Mapping[str, object]
    ) -> tuple[dict[tuple[str, int], list[str]], list[str]]:
        """The tests that run each line, the quickest first; and those that fail."""
        run_by: dict[tuple[str, int], set[str]] = defaultdict(set)
        failed: list[str] = []
        for at in range(self.workers):
            told = json.loads((MEASURED / f"seconds{at}").read_text("utf-8"))
            self.seconds |= told["seconds"]
            failed += told["failed"]
            data = coverage.CoverageData(str(MEASURED / f"coverage{at}"))
            data.read()
            for path in data.measured_files():
                file = Path(path).relative_to(ROOT).as_posix()
                for line, contexts in data.contexts_by_lineno(path).items():
                    run_by[file, line] |= {name for name in contexts if name in items}
        ordered = {at: sorted(names, key=self.seconds.__getitem__) for at, names in run_by.items()}
        return {at: names for at, names in ordered.items() if names}, failed

    def _mutants(
        self,
        at: int,
        chosen: Sequence[Place],
        run_by: Mapping[tuple[str, int], Sequence[str]],
        items: Mapping[str, Sequence[pytest.Item]],
    ) -> None:
        with (MEASURED / f"rows{at}").open("w", encoding="utf-8") as file:
            for place in chosen[at :: self.workers]:
                names = run_by[place.file, place.line]
                row = _forked(place, [items[name] for name in names], whole=self.rows is not None)
                told = {"file": place.file, "line": place.line, "what": place.what, **row}
                file.write(json.dumps(told) + "\n")
                file.flush()

    def _print_result(self) -> None:
        ends: Counter[str] = Counter()
        lines = []
        for at in range(self.workers):
            lines += (MEASURED / f"rows{at}").read_text("utf-8").splitlines()
        for row in map(json.loads, lines):
            ends[row["end"]] += 1
            if row["end"] == "survives":
                print(f"    {row['file']}:{row['line']}: {row['what']}")
        if self.rows is not None:
            self.rows.write_text("\n".join(sorted(lines)) + "\n", "utf-8")
        print(", ".join(f"{count} {end}" for end, count in sorted(ends.items())))


def _forked(
    place: Place, tests: Sequence[Sequence[pytest.Item]], *, whole: bool
) -> dict[str, object]:
    """What becomes of a mutant in a process of its own: its end, and the tests that fail."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        signal.setitimer(signal.ITIMER_REAL, LONGEST_S)
        try:
            if not change(place):
                os.write(writing, b"\n")
                os._exit(3)
        except (ValueError, SyntaxError):
            os._exit(3)
        status = 0
        for test in tests:
            for item in test:
                if any(report.failed for report in runtestprotocol(item, False, None)):
                    os.write(writing, f"{function_of(item)}\n".encode())
                    status = 1
                    break
            if status and not whole:
                break
        os._exit(status)
    os.close(writing)
    with os.fdopen(reading) as lines:
        failing = [line for line in lines.read().split("\n") if line]
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    end = {0: "survives", 1: "killed", 3: "no mutant"}.get(status, "killed")
    return {"end": end, "status": status, "by": failing}


def _in_forks(count: int, work: Callable[[int], None]) -> None:
    """Do it in so many processes."""
    children = []
    for at in range(count):
        if child := os.fork():
            children.append(child)
            continue
        try:
            work(at)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    for child in children:
        if os.waitpid(child, 0)[1]:
            raise RuntimeError("a worker failed")


def main(arguments: Sequence[str]) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m proof.mutation.sampled_code")
    parser.add_argument(
        "tests", nargs="*", default=TESTS, metavar="TEST", help="what pytest collects"
    )
    parser.add_argument("--count", type=int, default=200, metavar="N", help="mutants")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    parser.add_argument("--rows", type=Path, metavar="FILE", help="run all, and write who fails")
    options = parser.parse_args(arguments)
    runner = Runner(options.count, options.seed, options.rows, os.cpu_count() or 1)
    return pytest.main(["-q", "-n0", "-p", "no:cacheprovider", *options.tests], plugins=[runner])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
