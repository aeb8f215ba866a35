"""A report as one HTML file that reads and prints without anything else: no script, no picture,
font or style from elsewhere. It looks as the pages of the floor and the console do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from controller.sheets.sheet import facts, mono, sheet, text
from figures.edges.results import EdgeFigures, Origin
from figures.report import pictures
from figures.report.comparison import comparison
from figures.report.figure import Content, Grid, PictureToDraw, PlayedBy, again, figure, grid
from figures.report.reading import Result

HEADING: Final = "Figures of the games"
STYLE: Final = """
main { max-width: 60rem; margin: 0 auto; }
h2 { border-bottom: 1px solid var(--line); padding-bottom: .2rem; margin-top: 2.5rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
.scroll { margin-top: 1rem; }
.scroll table { width: auto; min-width: min(100%, 28rem); }
.scroll caption, h2 + .scroll caption { color: var(--ink); font-weight: 600; }
.scroll th[scope=row] { font-weight: 400; }
.scroll th[scope=col].num, .scroll td.num { padding-left: .9rem; }
.scroll td { overflow-wrap: break-word; }
.scroll td:not(.num), .scroll th[scope=col]:not(.num):not(:first-child) { padding-left: .9rem; }
.facts { table-layout: fixed; overflow-wrap: anywhere; }
.facts th { width: 11rem; font-weight: 600; }
@media (max-width: 40rem) {
  .facts th { width: 7rem; }
  .scroll caption { max-width: calc(100vw - 1.5rem); }
}
figure { margin: 1.5rem 0; max-width: 36rem; break-inside: avoid; }
figure svg { display: block; width: 100%; height: auto; }
figure svg * { stroke-linejoin: round; stroke-linecap: butt; }
figure svg text { fill: var(--ink); }
figcaption { padding-top: .4rem; }
.again { margin: .4rem 0 0; font-size: .8rem; color: var(--quiet); overflow-wrap: anywhere;
  break-before: avoid; }
h2, h3, caption { break-after: avoid; }
"""

PAPER: Final = """
@page { size: A4; margin: 22mm 15mm 18mm;
  font: 7.5pt "DejaVu Sans", sans-serif; color: #333;
  @top-left { content: string(brief); width: 100%; }
  @bottom-left { content: string(title); }
  @bottom-right { content: "page " counter(page) " of " counter(pages); } }
html { font: 9pt/1.4 "DejaVu Sans", sans-serif; }
main { max-width: none; padding: 0; }
h1 { string-set: title content(); }
section { string-set: brief attr(data-brief); }
section + section { break-before: page; }
figure { max-width: 125mm; }
.mono { font-size: .85em; }
.again { font-size: 6.5pt; }
.facts { break-inside: avoid; font-size: 8pt; }
.facts th, .facts td { padding-top: .12rem; padding-bottom: .12rem; }
.scroll table { min-width: 110mm; }
.scroll td { overflow-wrap: anywhere; }
"""


@dataclass(frozen=True, slots=True)
class WholeReport:
    """A report whose pictures are drawn."""

    title: str
    parts: tuple[str, ...]

    @property
    def screen(self) -> str:
        """The page to be read, and to be printed from a browser."""
        return pictures.with_page_colours(sheet(self.title, self.parts, style=_common() + STYLE))

    @property
    def paper(self) -> str:
        """The page to be made into a PDF, whose sheets have heads and feet."""
        return sheet(self.title, self.parts, style=_common() + STYLE + PAPER)


def report_of(results: Sequence[Result]) -> WholeReport:
    """The report of some results, in their order."""
    title = results[0].heading if len(results) == 1 else HEADING
    return WholeReport(title, tuple(_parts(results)))


def _common() -> str:
    return files("web").joinpath("static", "common.css").read_text("utf-8")


def _parts(results: Sequence[Result]) -> Iterator[str]:
    yield f"<h1>{HEADING}</h1>"
    yield (
        "<p>What the house keeps of wagers, computed and played from the values of rule files. An "
        "edge above 0 is the house's; a standard error is that of the mean, and the true value "
        "lies within 1.96 of it either way in 95 of 100 runs.</p>"
    )
    edges = [result.told for result in results if result.kind.form is EdgeFigures]
    if len(edges) > 1:
        yield f'<section data-brief="{len(edges)} games beside each other">'
        yield from comparison(edges)
        yield "</section>"
    for number, result in enumerate(results):
        yield f'<section data-brief="{text(result.brief)}">'
        yield f"<h2>{text(result.heading)}</h2>"
        for place, content in enumerate(result.contents):
            yield _shown(content, result.origin, f"picture-{number}-{place}")
        yield "</section>"


def _shown(content: Content, origin: Origin, name: str) -> str:
    """As HTML; ``name`` is unlike that of any other picture."""
    match content:
        case Grid():
            return grid(*content) + again(origin)
        case PictureToDraw(drawn, caption, values):
            return figure(getattr(pictures, drawn)(name, caption, *values), caption, origin)
        case PlayedBy(rows):
            known = facts((what, mono(value)) for what, value in rows)
            return f"<h3>What gives these figures again</h3>{known}"
        case str():
            return f"<p>{text(content)}</p>"
