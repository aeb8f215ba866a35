"""The page that shows the screens: every picture in ``docs/pictures``, all written by the code.

The name of a file is what it shows: ``watch-held.svg`` is headed *Watch held*. No picture has to be
there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

PAGE: Final = "screens.md"
FETCHED: Final = re.compile(r",?\s*url\(\s*[\"']?https?://[^)]*\)(?:\s*format\([^)]*\))?")
_HEAD: Final = (
    "# Screens\n\nTaken of a table as it is then, or drawn from the code: none is drawn by hand.\n"
)


def screens(names: Sequence[str]) -> str:
    """The page, of the pictures of these names in their order."""
    if not names:
        return f"{_HEAD}\nNo pictures were taken.\n"
    return _HEAD + "".join(
        f"\n## {_heading(name)}\n\n![{_heading(name)}](pictures/{name})\n" for name in names
    )


def without_fonts(svg: str) -> str:
    """A picture that takes its letters from the machine where it is looked at: what draws terminals
    (rich, textual) names fonts to be fetched beside the local one."""
    return FETCHED.sub("", svg)


def _heading(name: str) -> str:
    return name.removesuffix(".svg").replace("-", " ").replace("_", " ").capitalize()
