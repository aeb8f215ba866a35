"""The page that shows the screens: every picture in ``docs/pictures``, which tests have taken.

The name of a file is what it shows: ``watch-held.svg`` is headed *Watch held*. No picture has to be
there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

PAGE: Final = "screens.md"
_HEAD: Final = (
    "# Screens\n\nTaken by the tests, of a table as it is then: nothing is drawn by hand.\n"
)


def screens(names: Sequence[str]) -> str:
    """The page, of the pictures of these names in their order."""
    if not names:
        return f"{_HEAD}\nNo pictures were taken.\n"
    return _HEAD + "".join(
        f"\n## {_heading(name)}\n\n![{_heading(name)}](pictures/{name})\n" for name in names
    )


def _heading(name: str) -> str:
    return name.removesuffix(".svg").replace("-", " ").replace("_", " ").capitalize()
