"""Identity of the running program: name, version and digest, as in every start record.

The rules:

- The digest is that of the lines that ``sha256sum`` prints for every file of ``controller/`` and
  ``drivers/``, sorted by name as bytes. So it can be computed without this program
  (docs/evidence.md). What Python generates from the files (``__pycache__``) is left out.
- Libraries are those that the program requires, and those that these require, each with its version
  and the digest of its ``RECORD``, which has the hash of each of its files as they were installed.
- It is read once: a process keeps running the program that it was started with.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, distribution
from io import FileIO
from pathlib import Path
from typing import Final

from controller import ENGINE_VERSION, __version__

NAME: Final = "table-controller"
ROOT: Final = Path(__file__).resolve().parents[1]
PACKAGES: Final = ("controller", "drivers")

_NAME = re.compile(r"[A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class Library:
    """``record`` is the SHA-256 of its RECORD in hexadecimal, empty where it has none."""

    name: str
    version: str
    record: str


@dataclass(frozen=True, slots=True)
class Program:
    """``digest`` is that of its files, SHA-256 in hexadecimal as that of its libraries."""

    name: str
    version: str
    engine: str
    digest: str
    files: int
    python: str
    libraries: tuple[Library, ...]

    @property
    def libraries_digest(self) -> str:
        """SHA-256 over a line for Python and for each library, in hexadecimal."""
        lines = [f"{self.python}  python", *(f"{lib.record}  {lib.name}" for lib in self.libraries)]
        return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()

    @property
    def digests(self) -> dict[str, str]:
        """What a start record compares with the last one's."""
        return {"program": self.digest, "libraries": self.libraries_digest}

    def as_status(self) -> dict[str, str]:
        """What the status tells."""
        fields = {"name": self.name, "version": self.version, "engine": self.engine}
        return {**fields, "digest": self.digest, "libraries_digest": self.libraries_digest}

    def as_body(self) -> dict[str, object]:
        """For the start record."""
        return {
            **asdict(self),
            "libraries": {lib.name: [lib.version, lib.record] for lib in self.libraries},
            "libraries_digest": self.libraries_digest,
        }


@lru_cache(maxsize=1)
def this_program() -> Program:
    """The program that runs."""
    digest, count = digest_of_files(ROOT, PACKAGES)
    libraries = tuple(sorted(_libraries(NAME, set()), key=lambda lib: lib.name))
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return Program(NAME, __version__, ENGINE_VERSION, digest, count, python, libraries)


def digest_of_files(root: Path, folders: tuple[str, ...]) -> tuple[str, int]:
    """The digest of all files in these folders of ``root``, in hexadecimal; and their number."""
    top = os.fsencode(root) + b"/"
    names = sorted(
        name.removeprefix(top) for folder in folders for name in files_in(top + os.fsencode(folder))
    )
    lines = hashlib.sha256()
    for name in names:
        with FileIO(top + name) as file:
            one = hashlib.sha256(file.read()).hexdigest()
        lines.update(one.encode() + b"  " + name + b"\n")
    return lines.hexdigest(), len(names)


def files_in(folder: bytes) -> Iterator[bytes]:
    """Every file in the folder and those below it, without what Python generates."""
    with os.scandir(folder) as found:
        for entry in found:
            if entry.is_file():
                yield entry.path
            elif entry.is_dir(follow_symlinks=False) and entry.name != b"__pycache__":
                yield from files_in(entry.path)


def _libraries(name: str, seen: set[str]) -> Iterator[Library]:
    """The libraries that a distribution requires without an extra, and theirs in turn."""
    try:
        found = distribution(name)
    except PackageNotFoundError:  # a checkout that was never installed; for another system; missing
        return
    if name != NAME:
        record = found.read_text("RECORD")
        digest = hashlib.sha256(record.encode()).hexdigest() if record else ""
        yield Library(name, found.version, digest)
    for line in found.requires or ():
        match = _NAME.match(line)
        if match is None or "extra ==" in line:
            continue
        other = re.sub(r"[-_.]+", "-", match[0]).lower()
        if other not in seen:
            seen.add(other)
            yield from _libraries(other, seen)
