"""How ``tablectl`` prints: JSON a line at a time, tables in columns, complaints elsewhere.

What was asked for goes to standard output, everything else to standard error. JSON is ASCII, so it
survives any terminal and any locale.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any, TextIO


def say(text: str = "") -> None:
    """A line of what was asked for."""
    _write(sys.stdout, f"{text}\n")


def say_json(value: Any) -> None:
    """A value as one line of JSON."""
    sys.stdout.write(json.dumps(value, allow_nan=False) + "\n")


def complain(text: str) -> None:
    """A message for the person, on standard error."""
    sys.stdout.flush()
    _write(sys.stderr, f"tablectl: {text}\n")


def _write(stream: TextIO, text: str) -> None:
    """Write what the stream's encoding can hold; what it cannot, escaped."""
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding))


def columns(rows: Iterable[Sequence[object]], indent: str = "  ", right: Iterable[int] = ()) -> str:
    """Rows as aligned text; ``right`` are the columns that stand to the right."""
    texts = [[str(cell) for cell in row] for row in rows]
    if not texts:
        return ""
    widths = [max(len(row[i]) for row in texts) for i in range(len(texts[0]))]
    to_right = set(right)
    lines = []
    for row in texts:
        cells = [
            cell.rjust(width) if i in to_right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append((indent + "  ".join(cells)).rstrip())
    return "\n".join(lines)
