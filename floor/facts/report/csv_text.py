"""Rows as CSV: RFC 4180, but that lines end as those of other text do, with a newline alone."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from typing import Final

FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet would work out, instead of showing it, where a text begins with it."""

_SUM: Final = re.compile(r"-?\d+(\.\d+)?")


def csv_text(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    """The rows below a line of the columns' names, which stands there without any row, too; what is
    None is empty."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(row[name]) for name in columns] for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    """The value as a cell that a spreadsheet shows: of a name, not what would come of it. Sums are
    text, and stay numbers."""
    formula = isinstance(value, str) and value.startswith(FORMULAS) and not _SUM.fullmatch(value)
    return f"'{value}" if formula else value
