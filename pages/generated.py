"""Shared by the generators of documentation: write a file, or with ``--check`` compare it."""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
"""The project's directory."""
DOCS = ROOT / "docs"


def write_page(
    module: str, document: Path, make: Callable[[str], str], arguments: list[str]
) -> int:
    """Give the document the text that ``make`` makes of its present one; 1 when ``--check`` is
    given and it differs."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}")
    parser.add_argument("--check", action="store_true", help="write nothing, fail on drift")
    parser.add_argument("--output", type=Path, default=document, help="the file to write")
    chosen = parser.parse_args(arguments)
    present = chosen.output.read_text(encoding="utf-8") if chosen.output.is_file() else ""
    text = make(present)
    if text == present:
        return 0
    if not chosen.check:
        chosen.output.parent.mkdir(parents=True, exist_ok=True)
        chosen.output.write_text(text, encoding="utf-8")
        return 0
    print(f"{chosen.output} does not agree with the code: run python -m {module}", file=sys.stderr)
    return 1


def write_files(files: Iterable[tuple[Path, str]], *, check: bool) -> list[Path]:
    """Write the files, or with ``check`` only compare them; those that differ then."""
    differ = []
    for path, text in files:
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        elif not path.is_file() or path.read_text(encoding="utf-8") != text:
            differ.append(path)
    return differ


def between(text: str, name: str, lines: list[str]) -> str:
    """The text with ``lines`` between its markers of that name.

    Raises:
        ValueError: it has no such markers.
    """
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->\n"
    head, found, rest = text.partition(begin)
    _, closed, tail = rest.partition(end)
    if not (found and closed):
        raise ValueError(f"no markers {begin.strip()} and {end.strip()}")
    return "".join([head, begin, *(f"{line}\n" for line in lines), end, tail])


def items(told: object) -> list[str]:
    """The items of a docstring's list, each on one line."""
    _, *found = (inspect.getdoc(told) or "").replace("``", "`").split("\n- ")
    return [" ".join(item.split()) for item in found]
