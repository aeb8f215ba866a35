"""A report as one HTML file that reads and prints without anything else: no script, no picture,
font or style from elsewhere. It looks as the pages of the floor and the console do. Documents of
several runs stand beside each other first, by decks and by what players do."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Final, NamedTuple

from controller.sheets.sheet import facts, mono, sheet, text
from figures.edges.results import EdgeFigures, Origin
from figures.report import pictures
from figures.report.figure import (
    NONE,
    Content,
    Grid,
    PictureToDraw,
    PlayedBy,
    error,
    figure,
    grid,
    origin_note,
    percent,
)
from figures.report.reading import Result


class MainRow(NamedTuple):
    """A row of the main game: ``unlike`` is in what its runs differ from others of this document
    with so many decks."""

    document: str
    decks: int
    unlike: str


def comparison(edges: Sequence[EdgeFigures]) -> Iterator[str]:
    """The main game by document, decks and policy, and the exact side wagers by decks. The parts
    behind it have what gives each figure again."""
    documents = _documents(edges)
    rows = _rows(edges, documents)
    policies = list(dict.fromkeys(told["setting"]["policy"] for told in edges))
    unlike = any(row.unlike for row in rows)
    yield "<h2>The documents beside each other</h2>"
    yield grid(
        "Main game without the Super Bonus: what the house keeps per initial wager",
        (
            *("document", "decks", *(["played"] if unlike else [])),
            *(head for name in policies for head in (name, "standard error")),
        ),
        [
            (
                *(row.document, str(row.decks), *([row.unlike or NONE] if unlike else [])),
                *_cells(of, policies),
            )
            for row, of in rows.items()
        ],
        words=(2,) if unlike else (),
    )
    sides: dict[tuple[str, str], dict[int, float]] = defaultdict(dict)
    buttons = len({told["setting"]["weights"] for told in edges if told["button"]})
    for told, document in zip(edges, documents, strict=True):
        decks, weights = told["setting"]["decks"], told["setting"]["weights"]
        for side in told["sides"]:
            sides[document, side["kind"]][decks] = side["exact"]["edge"]
        if told["button"]:
            wager = told["button"]["wager"]
            kind = wager["kind"] + (f", weights {weights}" if buttons > 1 else "")
            sides[document, kind][decks] = wager["exact"]["edge"]
    if sides:
        counts = sorted({told["setting"]["decks"] for told in edges})
        yield grid(
            "Side wagers: what the house keeps, exactly",
            ("document", "wager", *(f"{count} decks" for count in counts)),
            [
                (*of, *(percent(exact[count]) if count in exact else NONE for count in counts))
                for of, exact in sides.items()
            ],
            words=(1,),
        )
    yield (
        "<p>The parts that follow have what gives each of these figures again, and every exact "
        "fraction.</p>"
    )


def _documents(edges: Sequence[EdgeFigures]) -> list[str]:
    """The document of each run, with its digest where another of its name has another one."""
    digests = defaultdict[str, set[str]](set)
    for told in edges:
        digests[told["origin"]["rules"]].add(told["origin"]["rules_digest"])
    return [
        rules if len(digests[rules]) == 1 else f"{rules} {told['origin']['rules_digest'][:8]}"
        for told in edges
        for rules in (told["origin"]["rules"],)
    ]


def _rows(
    edges: Sequence[EdgeFigures], documents: Sequence[str]
) -> Mapping[MainRow, Mapping[str, EdgeFigures]]:
    """Runs by policy in rows: documents in the order in which they come, each by decks."""
    groups = defaultdict[tuple[str, int], list[EdgeFigures]](list)
    for told, document in zip(edges, documents, strict=True):
        groups[document, told["setting"]["decks"]].append(told)
    order = list(dict.fromkeys(documents))
    rows = defaultdict[MainRow, dict[str, EdgeFigures]](dict)
    for document, decks in sorted(groups, key=lambda of: (order.index(of[0]), of[1])):
        group = groups[document, decks]
        policies = [told["setting"]["policy"] for told in group]
        unlike = _unlike(group, _setting)
        if len(set(zip(policies, unlike, strict=True))) < len(group):
            unlike = list(map(_joined, unlike, _unlike(group, _seed_and_rounds)))
        told_before = Counter[tuple[str, str]]()
        for told, policy, words in zip(group, policies, unlike, strict=True):
            told_before[policy, words] += 1
            number = told_before[policy, words]  # more than 1: of another block, or given twice
            also = f"run {number}" if number > 1 else ""
            rows[MainRow(document, decks, _joined(words, also))][policy] = told
    return rows


def _setting(told: EdgeFigures) -> tuple[str, ...]:
    setting = told["setting"]
    return (
        "1 box" if setting["boxes"] == 1 else f"{setting['boxes']} boxes",
        f"{setting['penetration_percent']} % to the cut",
        "always insured" if setting["insured"] else "never insured",
        f"weights {setting['weights']}" if setting["weights"] else "no weights",
    )


def _seed_and_rounds(told: EdgeFigures) -> tuple[str, ...]:
    return f"seed {told['origin']['seed']}", f"{told['rounds']:,} rounds"


def _unlike(
    group: Sequence[EdgeFigures], words_of: Callable[[EdgeFigures], tuple[str, ...]]
) -> list[str]:
    """Of each run the words that are not the same for all."""
    words = list(map(words_of, group))
    unlike = [
        place for place, of_all in enumerate(zip(*words, strict=True)) if len(set(of_all)) > 1
    ]
    return [_joined(*(of[place] for place in unlike)) for of in words]


def _joined(*words: str) -> str:
    return ", ".join(filter(None, words))


def _cells(of: Mapping[str, EdgeFigures], policies: Sequence[str]) -> Iterator[str]:
    for policy in policies:
        told = of.get(policy)
        yield percent(told["main"]["per_initial"]["edge"]) if told else NONE
        yield error(told["main"]["per_initial"]) if told else NONE


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
            yield _content_html(content, result.origin, f"picture-{number}-{place}")
        yield "</section>"


def _content_html(content: Content, origin: Origin, name: str) -> str:
    """As HTML; ``name`` is unlike that of any other picture."""
    match content:
        case Grid():
            return grid(*content) + origin_note(origin)
        case PictureToDraw(drawn, caption, values):
            return figure(getattr(pictures, drawn)(name, caption, *values), caption, origin)
        case PlayedBy(rows):
            known = facts((what, mono(value)) for what, value in rows)
            return f"<h3>What gives these figures again</h3>{known}"
        case str():
            return f"<p>{text(content)}</p>"
