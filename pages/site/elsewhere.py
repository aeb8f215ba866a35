"""``python -m pages.site.elsewhere DIR``: whether a built site needs anything from elsewhere.

Everything that a browser fetches by itself has to be in the site: scripts, styles, fonts, pictures,
frames. A link that a person follows may lead anywhere. Exit 1 and a line for each reference that
leads out of the site.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

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
    parser = argparse.ArgumentParser(prog="python -m pages.site.elsewhere")
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
