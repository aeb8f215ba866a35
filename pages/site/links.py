"""Links of a page to what is no page of the site: files and folders of the repository.

A file outside ``docs`` that a page links to is taken into the site under ``repository/``, its own
links alike; a folder of examples gets a page that shows its files. Nothing is done to links within
``docs``, to other places (``https:``), and within code.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from typing import Final

TAKEN: Final = "repository"
"""The folder of the site for what is not below ``docs``."""

SHOWN: Final = "files.md"
"""The page that stands for a folder without one of its own."""

LINK: Final = re.compile(r"(?<=\]\()(?P<to>[^)#\s]+)(?P<anchor>#[^)\s]*)?(?=\))")
ELSEWHERE: Final = re.compile(r"[a-z]+:|/")
CODE: Final = re.compile(r"(^(?P<fence>`{3,}|~{3,})[^\n]*\n.*?^(?P=fence)$|`[^`\n]+`)", re.M | re.S)


def relinked(text: str, page: str, root: Path, take: Callable[[str], str]) -> str:
    """The text of ``docs/PAGE`` with its links to files of the repository as the site has them.

    ``take`` is given the path below ``root`` of a file or folder that has no place in the site yet,
    and returns its place, a path below ``docs``.
    """
    source = _source(page)

    def led(link: re.Match[str]) -> str:
        to = link["to"]
        if ELSEWHERE.match(to):
            return link[0]
        wanted = normpath((source.parent / to).as_posix())
        if wanted.startswith("..") or not (root / wanted).exists():
            return link[0]  # MkDocs says what is wrong with it
        if (root / wanted).is_dir() and (root / wanted / "README.md").is_file():
            wanted += "/README.md"
        inside = PurePosixPath(wanted).parts[0] == "docs" and (root / wanted).is_file()
        place = wanted.removeprefix("docs/") if inside else take(wanted)
        return relpath(place, PurePosixPath(page).parent.as_posix()) + (link["anchor"] or "")

    parts = CODE.split(text)
    # split() gives what is between, then the two groups of each match: the code and its fence.
    return "".join(
        LINK.sub(led, part) if number % 3 == 0 else part
        for number, part in enumerate(parts)
        if number % 3 != 2
    )


def _source(page: str) -> PurePosixPath:
    """The file below the repository that a page is."""
    taken = PurePosixPath(page)
    if taken.parts[0] == TAKEN:
        return taken.relative_to(TAKEN)
    return PurePosixPath("docs") / page


def place_of(wanted: str, root: Path) -> str:
    """Where a file or folder of the repository stands in the site."""
    if (root / wanted).is_dir():
        below = wanted.removeprefix("docs/") if wanted.startswith("docs/") else f"{TAKEN}/{wanted}"
        return f"{below}/{SHOWN}"
    return f"{TAKEN}/{wanted}"


def folder_page(wanted: str, root: Path) -> str:
    """A page that shows the files of a folder."""
    lines = [f"# {wanted}", ""]
    for path in sorted((root / wanted).iterdir()):
        if path.is_file():
            text = path.read_text(encoding="utf-8").rstrip()
            kind = {".py": "python"}.get(path.suffix, path.suffix.removeprefix("."))
            lines += [f"## {path.name}", "", f"````{kind}", text, "````", ""]
    return "\n".join(lines)
