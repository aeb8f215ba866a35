"""The screens that pages are looked at with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Screen:
    """A screen, in CSS pixels; ``touch``: it is worked by fingers."""

    name: str
    width: int
    height: int
    touch: bool = False


SMALL: Final = Screen("1024x600", 1024, 600, touch=True)
"""A table's touch screen."""

LARGE: Final = Screen("1920x1080", 1920, 1080)
"""A desk's, or one on a wall."""

UPRIGHT: Final = Screen("800x1280", 800, 1280, touch=True)
"""A tablet on end."""

SCREENS: Final = (SMALL, LARGE, UPRIGHT)

PAPER: Final = Screen("paper", 703, 1017)
"""What is printed on of a sheet of A4, its margins left out (web/static/common.css)."""
