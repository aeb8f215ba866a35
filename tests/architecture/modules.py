"""How the modules of the house are laid out, and which are laid out otherwise.

The rules (``exceptions.toml`` beside this file has the exceptions, which only become fewer):

- A module has 40 to 300 lines in all, and one idea. A test's file has no least size.
- A module that one other of its folder alone imports, and that has fewer than 300 lines with it,
  is a part of that one. A folder of fewer than 300 lines is one file.
- A name says what it names: a bare participle, or a verb that fits everything, does not
  (``[tool.house]`` in pyproject.toml lists them).
"""

from __future__ import annotations

import ast
import shutil
import subprocess
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PROJECT: Final = ROOT / "pyproject.toml"
LEAST, MOST = 40, 300
_NAMES: Final[dict[str, list[str]]] = tomllib.loads(PROJECT.read_text("utf-8"))["tool"]["house"]
BARE: Final = frozenset(_NAMES["bare_names"])
ONCE_A_PACKAGE: Final = frozenset(_NAMES["once_a_package"])


@dataclass(frozen=True)
class Module:
    """One file of Python, by its path from the root."""

    path: str

    @cached_property
    def text(self) -> str:
        """What stands in it."""
        return (ROOT / self.path).read_text("utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        """The same, parsed."""
        return ast.parse(self.text)

    @cached_property
    def length(self) -> int:
        """Its lines, whatever they are."""
        return self.text.count("\n")

    @property
    def name(self) -> str:
        """Its name as an import writes it."""
        return self.path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")

    @property
    def stem(self) -> str:
        """The name of its file."""
        return Path(self.path).stem

    @property
    def folder(self) -> str:
        """Where it stands."""
        return str(Path(self.path).parent)

    @property
    def is_special(self) -> bool:
        """Whether Python gives it its name."""
        return self.stem in ("__init__", "__main__", "conftest")

    def code(self) -> int:
        """Its lines of code."""
        lines = self.text.splitlines()
        docstrings: set[int] = set()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                match node.body:
                    case [ast.Expr(value=ast.Constant(value=str())) as first, *_]:
                        docstrings.update(range(first.lineno, (first.end_lineno or 0) + 1))
        return sum(
            bool(line.strip()) and not line.lstrip().startswith("#") and number not in docstrings
            for number, line in enumerate(lines, 1)
        )

    def bare_names(self) -> Iterator[str]:
        """Its classes, functions and itself, where the name is one bare word."""
        if self.stem in BARE:
            yield self.path
        for node in ast.walk(self.tree):
            match node:
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                    named = name.strip("_")
                case ast.ClassDef(name=name):
                    named = name.strip("_").lower()
                case _:
                    continue
            if named in BARE:
                yield f"{self.path}:{name}"


def git(*words: str) -> list[str]:
    """The lines that git answers; none where this is no repository, or there is no git."""
    if not (program := shutil.which("git")):
        return []
    asked = [program, *words]
    answer = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    return answer.stdout.split("\n")[:-1] if answer.returncode == 0 else []


@cache
def files() -> tuple[str, ...]:
    """Every file that git knows, or would; without git, every file that is not hidden."""
    listed = git("ls-files", "--cached", "--others", "--exclude-standard") or _walked()
    return tuple(sorted({path for path in listed if (ROOT / path).is_file()}))


def _walked() -> Iterator[str]:
    for path in ROOT.rglob("*"):
        parts = path.relative_to(ROOT).parts
        if parts[0] == ".ci" or not any(part.startswith((".", "build")) for part in parts[:-1]):
            yield "/".join(parts)


@cache
def modules() -> tuple[Module, ...]:
    """Every module, tests among them."""
    return tuple(Module(path) for path in files() if path.endswith(".py"))


@cache
def of_the_house() -> tuple[Module, ...]:
    """The modules that are no tests."""
    return tuple(module for module in modules() if not module.path.startswith("tests/"))


@cache
def importers() -> Mapping[str, frozenset[str]]:
    """The paths of the modules that import one, tests left out, by its path."""
    by_name = {module.name: module.path for module in of_the_house()}
    result: dict[str, set[str]] = defaultdict(set)
    for module in of_the_house():
        for node in ast.walk(module.tree):
            for name in _imported(node, by_name):
                if name in by_name and by_name[name] != module.path:
                    result[by_name[name]].add(module.path)
    return {path: frozenset(paths) for path, paths in result.items()}


def _imported(node: ast.AST, by_name: Mapping[str, str]) -> Iterator[str]:
    match node:
        case ast.ImportFrom(module=str(package), names=names):
            for alias in names:
                inner = f"{package}.{alias.name}"
                yield inner if inner in by_name else package
        case ast.Import(names=names):
            yield from (alias.name for alias in names)


def too_short() -> set[str]:
    """Modules below the least size, other than tests."""
    return {m.path for m in of_the_house() if m.length < LEAST and not m.is_special}


def too_long() -> set[str]:
    """Modules above the largest size."""
    return {module.path for module in modules() if module.length > MOST}


def parts_of_another() -> set[str]:
    """Modules that one other of their folder alone imports, and that would fit into it."""
    by_path = {module.path: module for module in of_the_house()}
    result = set()
    for module in of_the_house():
        match list(importers().get(module.path, ())):
            case [only] if not module.is_special and not by_path[only].is_special:
                together = module.length + by_path[only].length
                if by_path[only].folder == module.folder and together < MOST:
                    result.add(module.path)
    return result


def small_folders() -> set[str]:
    """Folders of several modules that would be one."""
    inside: dict[str, list[Module]] = defaultdict(list)
    for module in of_the_house():
        inside[module.folder].append(module)
    return {
        folder
        for folder, there in inside.items()
        if len(there) > 1 and "/" in folder and sum(m.length for m in there) < MOST
        if not any(other.startswith(f"{folder}/") for other in inside)
    }


def bare_names() -> set[str]:
    """Files, classes and functions that are named by a bare word, tests left out."""
    return {name for module in of_the_house() for name in module.bare_names()}


def names_given_twice() -> set[str]:
    """Modules of one package that share one of the names that a package gives once."""
    result: dict[tuple[str, str], list[str]] = defaultdict(list)
    for module in of_the_house():
        if module.stem in ONCE_A_PACKAGE:
            result[module.path.partition("/")[0], module.stem].append(module.path)
    return {path for paths in result.values() if len(paths) > 1 for path in paths}


EXCEPTIONS_OF: Final = {
    "short": too_short,
    "long": too_long,
    "parts": parts_of_another,
    "folders": small_folders,
    "names": bare_names,
    "twice": names_given_twice,
}
"""What finds a kind of exception, by the kind's name in exceptions.toml."""
