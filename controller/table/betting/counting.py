"""The number of wagers on the table, in words."""

from __future__ import annotations

from typing import Final

from controller.table.state.table import Table

SHORT_KINDS: Final = {"pair": "PAIR", "pandemonium": "PAN", "bonus": "BONUS"}


def side_wagers(table: Table) -> str:
    """The number of side wagers of each kind."""
    counts = [
        f"{table.betting.sheet.count(kind)} {'Pandemonium' if kind == 'pandemonium' else kind}"
        for kind in table.rules.betting.side_wagers.value
        if table.betting.sheet.count(kind)
    ]
    return f"; side wagers: {', '.join(counts)}" if counts else "; no side wagers"


def short_count(table: Table) -> str:
    """The number of boxes and side wagers for a keypad's row: ``3 BOX 2 PAIR 1 PAN``."""
    words = [f"{len(table.betting.sheet.wagers['main'])} BOX"]
    words += [
        f"{table.betting.sheet.count(kind)} {SHORT_KINDS[kind]}"
        for kind in table.rules.betting.side_wagers.value
    ]
    return " ".join(words)
