"""The report on a shift as a page to be signed, in the style of the other pages
(:mod:`controller.cli.printed.sheets`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from controller.cli.printed.sheets import facts, row, sheet, table, text
from controller.cli.shifts import words
from controller.cli.table.counters import MONEY_HEAD
from controller.counters.spans.report import SpanReport

STYLE: Final = """<style>
.sign { margin-top: 14mm; display: flex; gap: 8mm; break-inside: avoid; }
.sign div { flex: 1; border-top: .35mm solid #000; padding-top: 1mm; font-size: 8pt; }
</style>"""

COUNTED: Final = (
    "As the journal of the table has it. Sums are of wagers with amounts; rounds an hour and the "
    "time of holds are while the controller ran."
)


def page(name: str, report: SpanReport) -> str:
    """The whole page; ``name`` is the table's."""
    of_table = f"Table {name}: " if name else ""
    return sheet(f"{of_table}{words.title(report)}", _parts(of_table, report))


def _parts(of_table: str, report: SpanReport) -> Iterator[str]:
    yield STYLE
    yield f"<h1>{text(of_table)}report on a {'day' if 'day' in report else 'shift'}</h1>"
    yield f'<p class="sub">{text(words.title(report))}, {text(words.span(report))}</p>'
    yield facts((name, text(value)) for name, value in words.figures(report))
    yield "<h2>Money</h2>"
    yield _grid(MONEY_HEAD, words.money_rows(report), total=True)
    if draws := words.draw_rows(report):
        yield "<h2>Draws of the games multiplier</h2>"
        yield _grid(words.DRAWS_HEAD, draws)
    yield "<h2>Holds of play</h2>"
    holds = words.hold_rows(report)
    yield _grid(words.HOLDS_HEAD, holds) if holds else "<p>none</p>"
    yield "<h2>By whom</h2>"
    yield facts(
        (heading, text(words.by_name(report[what])))  # type: ignore[literal-required]
        for what, heading in words.PEOPLE
    )
    yield f'<p class="quiet">{text(COUNTED)}</p>'
    yield (
        '<div class="sign"><div>Supervisor: name, signature, time</div>'
        "<div>Taken over by: name, signature, time</div></div>"
    )


def _grid(head: Sequence[str], rows: Iterable[Sequence[object]], *, total: bool = False) -> str:
    """A table whose columns behind the first are numbers; ``total``: the last row sums it up."""
    right = range(1, len(head))
    made = [[text(cell) for cell in cells] for cells in rows]
    last = len(made) - 1
    return table(
        head,
        (
            row(cells, "total" if total and at == last else "", right)
            for at, cells in enumerate(made)
        ),
        right=right,
    )
