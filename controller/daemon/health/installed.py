"""The self-test of the program: whether the installed files are unchanged (PWR-05).

The rules:

- The installation of a distribution left its ``RECORD``: the hash of each of its files. Each is
  read and compared; one that is missing or differs is damage. So is a module that no ``RECORD``
  names in a folder that one does: Python would import it.
- A distribution without a ``RECORD``, and the program itself where it runs from a checkout (its
  ``RECORD`` then names none of its files), has nothing to be compared with here. The start record
  has the digest of both, and the table compares it with the last start's.
- What Python compiled by itself (``__pycache__``) has no hash; the service does not read it
  (systemd/table-controller.service).
- Nothing is remembered from one start to the next: every file is read at every start.
"""

from __future__ import annotations

import csv
import hashlib
import os
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator
from importlib.machinery import all_suffixes
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Final

from controller.daemon.health.findings import Found, SelfTest
from controller.program import NAME, files_in, this_program
from controller.regular_files import read_regular

DAMAGED: Final = "program-damaged"

MOST_NAMED: Final = 3
"""Files that are named one by one."""


def program_self_test() -> SelfTest:
    """The test of the program that runs, and of the libraries that it requires."""
    names = [NAME, *(library.name for library in this_program().libraries)]
    return SelfTest("the program's files", (DAMAGED,), lambda: _damages(names))


def _damages(names: Iterable[str]) -> Iterator[Found]:
    wrong = [said for name in names for said in damage_of(name)]
    if wrong:
        more = [f"and {len(wrong) - MOST_NAMED} more"] if len(wrong) > MOST_NAMED else []
        yield DAMAGED, ", ".join(wrong[:MOST_NAMED] + more)


def damage_of(name: str) -> list[str]:
    """What is wrong with a distribution's files; OSError, or ValueError for its ``RECORD``."""
    try:
        found = distribution(name)
    except PackageNotFoundError:  # a checkout that was never installed
        return []
    return list(_compare(found))


def _compare(found: Distribution) -> Iterator[str]:
    text = found.read_text("RECORD")
    if text is None:
        return
    root = Path(str(found.locate_file("")))
    recorded: set[str] = set()
    for name, digest, _ in csv.reader(text.splitlines()):
        recorded.add(name)
        if not digest:  # RECORD itself, and what was compiled when it was installed
            continue
        kind, _, expected = digest.partition("=")
        try:
            with read_regular(root / name) as file:
                read = hashlib.file_digest(file, kind).digest()
        except FileNotFoundError:
            yield f"{name} is missing"
            continue
        if urlsafe_b64encode(read).rstrip(b"=").decode() != expected:
            yield f"{name} is not as it was installed"
    first = {name.partition("/")[0] for name in recorded if "/" in name}
    folders = {one for one in first if one.isidentifier() and one != "__pycache__"}
    for name in sorted(_modules_in(root, folders) - recorded):
        yield f"{name} does not belong there"


def _modules_in(root: Path, folders: Iterable[str]) -> set[str]:
    """All that Python would import there, each by its name from ``root``."""
    suffixes = tuple(map(os.fsencode, all_suffixes()))
    top = os.fsencode(root) + b"/"
    return {
        os.fsdecode(path.removeprefix(top))
        for folder in folders
        if (root / folder).is_dir()
        for path in files_in(top + os.fsencode(folder))
        if path.endswith(suffixes)
    }
