"""Pages on paper: one self-contained HTML file that reads and prints without anything else.

No script, no picture, no font and no link from elsewhere; nothing is told by colour alone. All text
goes through :func:`text`, since names, reasons and serial numbers come from outside.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from controller.game.rules.cards import SIGNS
from drivers.printable import printable

_AS_TEXT: Final = "\ufe0e"
"""Behind a symbol: to be drawn as text, not as a picture in colours."""

STYLE: Final = """\
@page { size: auto; margin: 14mm 12mm 16mm; }
@media print { .page { max-width: none; padding: 0; } }
* { box-sizing: border-box; }
body { margin: 0; background: #fff; color: #000;
  font: 10pt/1.35 "Segoe UI", "Helvetica Neue", Arial, "DejaVu Sans", sans-serif; }
.page { max-width: 190mm; margin: 0 auto; padding: 8mm 4mm; }
h1 { font-size: 17pt; line-height: 1.2; margin: 0 0 1mm; }
h2 { font-size: 12.5pt; margin: 7mm 0 2mm; padding-bottom: .8mm; border-bottom: .5mm solid #000;
  break-after: avoid; }
p { margin: 0 0 2mm; }
.sub { font-size: 11pt; margin-bottom: 4mm; }
table { border-collapse: collapse; width: 100%; font-size: 9pt; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
th, td { text-align: left; vertical-align: top; padding: .8mm 2mm .8mm 0; }
thead th, thead td { border-bottom: .35mm solid #000; font-weight: 600; font-size: 8.5pt;
  vertical-align: bottom; }
tbody td, tbody th { border-bottom: .15mm solid #bbb; }
.facts th { width: 42mm; font-weight: 600; white-space: nowrap; }
.facts td, .facts th { border-bottom: .15mm solid #ddd; }
.num { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.num + td, .num + th { padding-left: 3mm; }
.dense { white-space: nowrap; }
.card { white-space: nowrap; font-weight: 600; font-size: 1.06em; }
.red { color: #b00020; }
.mono { font-family: "DejaVu Sans Mono", Consolas, monospace; font-size: 8.5pt;
  overflow-wrap: anywhere; }
.quiet { color: #444; }
.total td { border-bottom: .35mm solid #000; font-weight: 600; }
.mark { display: inline-block; border: .35mm solid #000; padding: 0 1.2mm; margin: 0 1mm .4mm 0;
  font-size: 7.5pt; font-weight: 700; letter-spacing: .03em; }
.fixed { table-layout: fixed; overflow-wrap: break-word; margin-left: -2.6mm;
  width: calc(100% + 2.6mm); }
.fixed td:first-child, .fixed th:first-child { border-left: 1.2mm solid #fff; padding-left: 1.4mm; }
.fixed .marked > td:first-child { border-left-color: #000; }
.sign { margin-top: 14mm; display: flex; gap: 8mm; break-inside: avoid; }
.sign div { flex: 1; border-top: .35mm solid #000; padding-top: 1mm; font-size: 8pt; }
.code { width: 110mm; max-width: 100%; break-inside: avoid; }
table + table { margin-top: 4mm; }
table + p { margin-top: 2.5mm; }
"""


def text(value: object) -> str:
    """Any text as HTML that only shows it: what a terminal or a browser would obey is escaped."""
    return escape(printable(str(value)))


def cards(written: str) -> str:
    """Cards as ``7C TH`` with the symbols of their suits; what is none (``??``) as it stands."""
    return " ".join(map(_card, written.split()))


def _card(word: str) -> str:
    suit = SIGNS.get(word[1:2])
    if suit is None:
        return f'<span class="card">{text(word)}</span>'
    rank = "10" if word[0] == "T" else text(word[0])
    red = ' class="red"' if word[1] in "DH" else ""
    marks = text(word[2:])
    return f'<span class="card">{rank}<span{red}>{suit}{_AS_TEXT}</span>{marks}</span>'


def table(
    head: Sequence[str],
    rows: Iterable[str],
    name: str = "",
    right: Iterable[int] = (),
    widths: Sequence[int] = (),
    caption: str = "",
) -> str:
    """A table of rows that are HTML already; ``right`` are the columns of numbers, ``widths`` what
    each has of the whole, in percent (none: as its text needs)."""
    numbers = set(right)
    titles = "".join(
        f'<th scope="col"{_number(place in numbers)}>{text(title)}</th>' if title else "<td></td>"
        for place, title in enumerate(head)
    )
    top = f"<thead><tr>{titles}</tr></thead>\n" if head else ""
    body = "\n".join(rows)
    named = f' class="{name}"' if name else ""
    columns = "".join(f'<col style="width:{width}%">' for width in widths)
    fixed = f"<colgroup>{columns}</colgroup>\n" if widths else ""
    over = f"<caption>{text(caption)}</caption>\n" if caption else ""
    return f"<table{named}>\n{over}{fixed}{top}<tbody>\n{body}\n</tbody></table>"


def row(cells: Sequence[str], name: str = "", right: Iterable[int] = ()) -> str:
    """A row of cells that are HTML already."""
    numbers = set(right)
    made = "".join(f"<td{_number(at in numbers)}>{cell}</td>" for at, cell in enumerate(cells))
    return f'<tr class="{name}">{made}</tr>' if name else f"<tr>{made}</tr>"


def _number(is_one: bool) -> str:
    return ' class="num"' if is_one else ""


def mono(value: str) -> str:
    """A digest, a key or what is typed."""
    return f'<span class="mono">{text(value)}</span>'


def signatures(first: str, second: str) -> str:
    """Two lines to sign on."""
    about = "name, signature, time"
    return f'<div class="sign"><div>{first}: {about}</div><div>{second}: {about}</div></div>'


def facts(rows: Iterable[tuple[str, str]]) -> str:
    """What a page is about: names, and values that are HTML already."""
    made = (f'<tr><th scope="row">{text(name)}</th><td>{value}</td></tr>' for name, value in rows)
    return table((), made, "facts")


def sheet(title: str, body: Iterable[str], language: str = "en", style: str = STYLE) -> str:
    """A whole page: ``body`` are its parts, HTML already."""
    return (
        f'<!DOCTYPE html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        # Nothing is loaded and nothing runs, whatever a text on the page may have got past us.
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{text(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        '<main class="page">\n' + "\n".join(body) + "\n</main>\n</body>\n</html>\n"
    )
