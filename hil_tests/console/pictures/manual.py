"""The pictures that the dealer's manual shows: it names them, the walk takes them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[3]
MANUAL: Final = ROOT / "docs" / "dealer-screen.md"
PICTURES: Final = ROOT / "docs" / "pictures"
SHOWN: Final = re.compile(r"\]\(pictures/screen-([a-z-]+)\.webp\)")


def names() -> list[str]:
    """The screens that the manual shows, in its order."""
    return SHOWN.findall(MANUAL.read_text(encoding="utf-8"))
