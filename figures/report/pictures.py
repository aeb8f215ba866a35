"""Pictures of figures, as SVG elements to stand in a page. Text stays text, and the same figures
give the same bytes. What is drawn is told by place and words, never by colour alone.

Lengths are in inches, 72 units of the picture each: at 5.2 its text can still be read on a screen
400 pixels wide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape
from io import StringIO
from itertools import pairwise
from typing import Any, Final

from cycler import cycler
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.typing import RcKeyType

from figures.rounds.figures import WITHIN_95

WIDTH: Final = 5.2
HEIGHT: Final = 2.9

INK: Final = "#16181d"
QUIET: Final = "#454b57"
LINE: Final = "#c5cad3"
ACCENT: Final = "#0b4592"
COLOURS: Final = {INK: "ink", QUIET: "quiet", LINE: "line", ACCENT: "link"}
"""The light colours of ``common.css`` that are used, by the names that they have there."""

STYLE: Final[dict[RcKeyType, Any]] = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial"],
    "font.size": 9,
    "text.color": INK,
    "axes.edgecolor": QUIET,
    "axes.labelcolor": INK,
    "axes.facecolor": "none",
    "figure.facecolor": "none",
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": LINE,
    "grid.linewidth": 0.5,
    "axes.axisbelow": True,
    "axes.prop_cycle": cycler(color=[ACCENT]),
    "figure.constrained_layout.use": True,
}

_GENERATED: Final = re.compile(r"<metadata>.*?</metadata>|<style.*?</style>", re.DOTALL)
_PICTURE: Final = re.compile(r"<svg .*?</svg>", re.DOTALL)
_NAMED_GROUP: Final = re.compile(r'<g id="[^"]*"')


class Picture:
    """A picture that is drawn on ``axes`` within ``with``, and an SVG element behind it. ``name``
    is unlike that of any other in the page, ``says`` what it shows, in words."""

    def __init__(self, name: str, says: str, height: float = HEIGHT) -> None:
        self._name, self._says, self._height = name, says, height
        self.svg = ""

    @contextmanager
    def drawn(self) -> Iterator[Axes]:
        """Draw it on what is given."""
        with rc_context({**STYLE, "svg.hashsalt": self._name}):
            figure = Figure(figsize=(WIDTH, self._height))
            yield figure.add_subplot()
            written = StringIO()
            figure.savefig(written, format="svg", metadata={"Date": None, "Creator": None})
        # Its style sheet would be the whole page's, and its groups' names are in each picture.
        text = _NAMED_GROUP.sub("<g", _GENERATED.sub("", written.getvalue()))
        inner = text[text.index(">", text.index("<svg")) + 1 :]
        box = f"0 0 {WIDTH * 72:g} {self._height * 72:g}"
        self.svg = (
            f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
            f' viewBox="{box}" role="img" aria-label="{escape(self._says)}">{inner.strip()}'
        )


def with_page_colours(page: str) -> str:
    """The page, with its pictures in its own colours, which differ by day, night and on paper."""
    return _PICTURE.sub(_in_page_colours, page)


def _in_page_colours(found: re.Match[str]) -> str:
    svg = found[0]
    for colour, name in COLOURS.items():
        svg = svg.replace(f": {colour}", f": var(--{name})")
    return svg


def spread(
    name: str,
    says: str,
    chances: Sequence[tuple[float, float]],
    band: tuple[float, float],
    mean: float,
    across: str,
) -> str:
    """The distribution of a shift: how likely (0 to 1) each result is, its 95 % ``band`` filled."""
    picture = Picture(name, says)
    places, heights = zip(*chances, strict=True)
    with picture.drawn() as axes:
        axes.plot(places, heights, color=ACCENT, linewidth=1.4)
        inside = [band[0] <= place <= band[1] for place in places]
        axes.fill_between(places, heights, where=inside, color=ACCENT, alpha=0.25, linewidth=0)
        axes.axvline(mean, color=INK, linewidth=1, linestyle="--")
        axes.axvline(0, color=QUIET, linewidth=1)
        top = max(heights)
        axes.set_ylim(0, top * 1.22)
        axes.text(mean, top * 1.2, f" mean {mean:,.1f}", va="top")
        axes.set_yticks([])
        axes.grid(visible=False, axis="y")
        axes.set_xlabel(across)
        axes.set_ylabel("chance")
    return picture.svg


def tornado(
    name: str, says: str, bars: Sequence[tuple[str, float, float]], cut: int, across: str
) -> str:
    """What changes are worth: a bar each from 0, with 1.96 standard errors either way. The first is
    the longest and topmost; the first ``cut`` of them go on beyond what is drawn of them."""
    picture = Picture(name, says, height=0.7 + 0.23 * len(bars))
    labels, values, errors = zip(*bars, strict=True)
    rows = range(len(bars))
    far = max(abs(value) + WITHIN_95 * error for _, value, error in bars[cut:]) or 1.0
    with picture.drawn() as axes:
        drawn = [min(max(value, -far), far) for value in values]
        axes.barh(rows, drawn, height=0.62, color=ACCENT, alpha=0.6)
        reach = [0.0 if row < cut else WITHIN_95 * error for row, error in enumerate(errors)]
        axes.errorbar(
            drawn[cut:],
            rows[cut:],
            xerr=reach[cut:],
            fmt="none",
            ecolor=INK,
            elinewidth=1,
            capsize=2,
        )
        for row, value, end, error in zip(rows, values, drawn, reach, strict=True):
            side = 1 if value >= 0 else -1
            beyond = row < cut
            arrow = (
                ("\N{LEFTWARDS ARROW} " if side < 0 else " \N{RIGHTWARDS ARROW}") if beyond else ""
            )
            axes.annotate(
                f"{arrow}{value:+.3f}" if side < 0 else f"{value:+.3f}{arrow}",
                (end + side * error, row),
                (3 * side, 0),
                textcoords="offset points",
                ha="left" if side > 0 else "right",
                va="center",
                fontsize=7.5,
            )
        axes.axvline(0, color=INK, linewidth=1)
        axes.set_yticks(rows, labels, fontsize=7.5)
        room = 1.65 if cut else 1.45  # for the numbers behind the longest bars
        axes.set_xlim(-room * far, room * far)
        axes.set_ylim(len(bars) - 0.4, -0.6)
        axes.grid(visible=False, axis="y")
        axes.set_xlabel(across)
    return picture.svg


def convergence(name: str, says: str, points: Sequence[tuple[int, float, float]]) -> str:
    """How an edge settles: after so many rounds it was that, with that standard error (percent)."""
    picture = Picture(name, says)
    rounds, edges, errors = zip(*points, strict=True)
    low = [edge - WITHIN_95 * error for edge, error in zip(edges, errors, strict=True)]
    high = [edge + WITHIN_95 * error for edge, error in zip(edges, errors, strict=True)]
    with picture.drawn() as axes:
        axes.fill_between(rounds, low, high, color=ACCENT, alpha=0.25, linewidth=0)
        axes.plot(rounds, edges, color=ACCENT, linewidth=1.4)
        axes.axhline(edges[-1], color=INK, linewidth=1, linestyle="--")
        axes.set_xscale("log")
        axes.set_xlabel("rounds")
        axes.set_ylabel("edge, %")
    return picture.svg


def bars(name: str, says: str, shares: Sequence[tuple[float, float]], across: str) -> str:
    """How often (in percent, above 0) each result is, on a scale on which a rare one is seen."""
    picture = Picture(name, says)
    places, heights = zip(*shares, strict=True)
    apart = min((b - a for a, b in pairwise(places)), default=1.0)
    with picture.drawn() as axes:
        axes.bar(places, heights, width=0.8 * apart, color=ACCENT, alpha=0.7)
        axes.set_yscale("log")
        axes.set_xlabel(across)
        axes.set_ylabel("of rounds, %")
    return picture.svg
