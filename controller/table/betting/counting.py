"""The number of wagers on the table, in words."""

from __future__ import annotations

from controller.game.round.wagers import MAIN
from controller.table.state.table import Table


def side_counts(table: Table) -> dict[str, int]:
    """The number of side wagers of each kind of which there are some."""
    counts = {kind: table.betting.sheet.count(kind) for kind in table.rules.side_wagers}
    return {kind: count for kind, count in counts.items() if count}


def side_wagers(table: Table) -> str:
    """The same in words."""
    names = table.rules.side_wagers
    counts = [f"{count} {names[kind].name}" for kind, count in side_counts(table).items()]
    return f"; side wagers: {', '.join(counts)}" if counts else "; no side wagers"


def short_count(table: Table) -> str:
    """The number of boxes and side wagers for a keypad's row: ``3 BOX 2 PAIR 1 PAN``."""
    sheet, kinds = table.betting.sheet, table.rules.side_wagers.items()
    words = [f"{sheet.count(kind)} {rule.short}" for kind, rule in kinds]
    return " ".join([f"{len(sheet.wagers[MAIN])} BOX", *words])
