"""A page of the repository in the Markdown that MkDocs reads.

The repository's pages are CommonMark with tables, as GitHub shows them. Python-Markdown differs:

- What belongs to an item of a list stands four columns further in for each level, not as far as the
  item's text does.
- A list does not end a paragraph: a blank line has to.
- Within code in a table ``\\|`` stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

ITEM: Final = re.compile(r"(?P<marker>[-*+]|\d{1,9}[.)])(?P<space> {1,4})(?=\S)")
FENCE: Final = re.compile(r"(?P<fence>`{3,}|~{3,})")
CODE: Final = re.compile(r"(`+)(.+?)\1(?!`)")
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
    return CODE.sub(lambda code: code[0].replace("\\|", "|"), row)
