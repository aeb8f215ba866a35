"""Lines as Rich texts: the one place where a look becomes a style."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from rich.text import Text

from controller.cli.live.spans import Line, Look

STYLES: Final[Mapping[Look, str]] = {
    "": "",
    "strong": "bold",
    "faint": "#a0a0a0",
    "alarm": "bold #ffffff on #b00020",
    "warning": "bold #ffd75f",
    "good": "#7ee787",
    "title": "bold #79c0ff",
    "meter": "bold #101418 on #ffd75f",
    "pay": "bold #ffffff on #1a6b2f",
}


WITHOUT_COLOUR: Final[Mapping[Look, str]] = {
    "": "",
    "strong": "bold",
    "faint": "",
    "alarm": "bold reverse",
    "warning": "bold",
    "good": "",
    "title": "bold",
    "meter": "bold reverse",
    "pay": "bold reverse",
}


def painted(lines: Iterable[Line], styles: Mapping[Look, str] = STYLES) -> Text:
    """The lines, one below the other, never wrapped."""
    text = Text(no_wrap=True, overflow="crop", end="")
    for number, one in enumerate(lines):
        if number:
            text.append("\n")
        for piece in one:
            text.append(piece.text, styles[piece.look])
    return text
