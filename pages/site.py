"""The documentation as a site that needs no server and nothing from elsewhere (``make site``).

What a page of the repository becomes there, its links and its Markdown; and ``python -m pages.site
DIR``: whether a built site needs anything from elsewhere.

- A file outside ``docs`` that a page links to is taken into the site under ``repository/``, its own
  links alike; a folder of examples gets a page that shows its files. Nothing is done to links
  within ``docs``, to other places (``https:``), and within code.
- The repository's pages are CommonMark with tables, as GitHub shows them. For Python-Markdown what
  belongs to an item of a list stands four columns further in for each level, not as far as the
  item's text does; a list does not end a paragraph, a blank line has to; and within code in a table
  ``\\|`` stays as it is.
- Everything that a browser fetches by itself has to be in the site: scripts, styles, fonts,
  pictures, frames. A link that a person follows may lead anywhere.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
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


ITEM: Final = re.compile(r"(?P<marker>[-*+]|\d{1,9}[.)])(?P<space> {1,4})(?=\S)")
FENCE: Final = re.compile(r"(?P<fence>`{3,}|~{3,})")
CODE_SPAN: Final = re.compile(r"(`+)(.+?)\1(?!`)")
LEVEL: Final = "    "


def rewritten(text: str) -> str:
    """The page as Python-Markdown takes it for the same."""
    return "\n".join(_lines(text.split("\n")))


def _lines(lines: list[str]) -> Iterator[str]:
    insides: list[int] = []
    """Where the text of the items begins that are open, outermost first."""
    fence, before, blank = "", "", True
    for line in lines:
        indent = len(line) - len(line.lstrip(" "))
        if not line.strip():
            yield ""
            blank = True
            continue
        if not fence:
            lazy = not blank and not ITEM.match(line.lstrip(" ")) and before != "fence"
            while insides and indent < insides[-1] and not lazy:
                insides.pop()
        inside = insides[-1] if insides else 0
        rest = line[min(inside, indent) :]
        deep = len(insides)
        if fence:
            if rest.strip().startswith(fence) and not rest.strip().strip(fence[0]):
                fence, before = "", "fence"
        elif found := FENCE.match(rest):
            fence, before = found["fence"], "fence"
        elif item := ITEM.match(rest):
            if not blank and before == "text":
                yield ""
            insides.append(inside + item.end())
            before = "item"
            rest = f"{item['marker']} {rest[item.end() :]}"
        else:
            before = before if not blank and before == "item" else "text"
            rest = _cells(rest) if rest.startswith("|") else rest
        yield f"{LEVEL * deep}{rest}"
        blank = False


def _cells(row: str) -> str:
    return CODE_SPAN.sub(lambda code: code[0].replace("\\|", "|"), row)


FETCHED: Final = ("src", "srcset", "poster", "data", "background", "action", "manifest")
LINKS: Final = ("a", "area")
"""Elements whose ``href`` is followed by a person; any other's is fetched."""

OUT: Final = re.compile(r"\s*(https?:)?//", re.IGNORECASE)
STYLE: Final = re.compile(r"(?:url\(|@import\s+)\s*[\"']?((?:https?:)?//[^\"')\s]+)", re.IGNORECASE)
SCRIPT: Final = re.compile(r"(?:https?:)?//[^\"'`\s]*(?:unpkg|cdn|googleapis|gstatic)[^\"'`\s]*")
"""Whole addresses in a script are fetched or not; those of such hosts are."""


class Page(HTMLParser):
    """The references of an HTML page, or of an SVG picture, that lead elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """See :class:`HTMLParser`."""
        self._inside = tag
        for name, value in attrs:
            fetched = name in FETCHED or (name in ("href", "xlink:href") and tag not in LINKS)
            if not value or (tag == "link" and ("rel", "canonical") in attrs):
                continue
            if fetched and OUT.match(value):
                self.found.append(f"<{tag} {name}={value}>")
            if name == "style":
                self.found += STYLE.findall(value)

    def handle_data(self, data: str) -> None:
        """See :class:`HTMLParser`."""
        if self._inside == "style":
            self.found += STYLE.findall(data)
        elif self._inside == "script":
            self.found += SCRIPT.findall(data)


def references(path: Path) -> list[str]:
    """What the file would have a browser fetch from elsewhere."""
    if path.suffix in (".html", ".svg"):
        page = Page()
        page.feed(path.read_text(encoding="utf-8"))
        page.close()
        return page.found
    if path.suffix == ".css":
        return STYLE.findall(path.read_text(encoding="utf-8"))
    if path.suffix == ".js" and path.name != "search_index.js":  # that is text, and not run
        return SCRIPT.findall(path.read_text(encoding="utf-8"))
    return []


def outside_references(site: Path) -> Iterator[str]:
    """A line for each reference that leads out of the site."""
    for path in sorted(site.rglob("*")):
        if path.is_file():
            for reference in references(path):
                yield f"{path.relative_to(site)}: {reference}"


def main(arguments: list[str] | None = None) -> int:
    """Look through the site; 1 when it needs anything from elsewhere, 2 when there is none."""
    parser = argparse.ArgumentParser(prog="python -m pages.site")
    parser.add_argument("site", type=Path, help="the folder of the built site")
    site: Path = parser.parse_args(arguments).site
    if not (site / "index.html").is_file():
        print(f"{site}: no site is there: make site", file=sys.stderr)
        return 2
    lines = list(outside_references(site))
    for line in lines:
        print(f"from elsewhere: {line}", file=sys.stderr)
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
