"""A result as text."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill
from typing import Final

from controller.plain_text import columns
from figures.report.figure import Grid, PictureToDraw, PlayedBy
from figures.report.reading import Result

WIDTH: Final = 100


def as_text(result: Result) -> Iterator[str]:
    """Its lines: all but the pictures."""
    yield result.heading
    for content in result.contents:
        match content:
            case Grid(caption, head):
                yield f"\n{caption}\n{columns([head, *content.rows], right=content.numbers)}"
            case PlayedBy(rows):
                yield f"\n{columns(rows)}"
            case PictureToDraw():
                continue
            case str():
                yield f"\n{fill(content, WIDTH)}"
