"""What a result says: paragraphs, tables, pictures and how to get it again, before they are HTML or
text; tables and pictures as HTML; numbers as they are written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from controller.sheets.sheet import mono, table, text
from figures.edges.results import Edge, Origin, Setting

PLACES: Final = 3
"""Of an edge in percent: five of a fraction."""
NONE: Final = "-"


class Grid(NamedTuple):
    """A table of texts under a caption; its first column names its rows, ``words`` are columns of
    words, the others are numbers."""

    caption: str
    head: Sequence[str]
    rows: Iterable[Sequence[str]]
    words: Iterable[int] = ()

    @property
    def numbers(self) -> set[int]:
        """The columns of numbers."""
        return set(range(1, len(self.head))) - set(self.words)


class PictureToDraw(NamedTuple):
    """A picture that the function ``drawn`` of :mod:`~.pictures` makes of ``values``."""

    drawn: str
    caption: str
    values: tuple[Any, ...]


class PlayedBy(NamedTuple):
    """All of what was played and by what."""

    rows: Sequence[tuple[str, str]]


Content: TypeAlias = str | Grid | PictureToDraw | PlayedBy
"""A part of what is said; a text is a paragraph."""


def percent(fraction: float, places: int = PLACES) -> str:
    """A fraction in percent."""
    return f"{100 * fraction:.{places}f}\N{NO-BREAK SPACE}%"


def error(edge: Edge) -> str:
    """Its standard error in percent, one place finer; where there is one."""
    found = edge["standard_error"]
    return NONE if found is None else percent(found, PLACES + 1)


def amount(cents: float) -> str:
    """Cents as dollars, with a minus where the house loses."""
    return f"{cents / 100:,.2f}"


def sigmas(off: float | None) -> str:
    """How far something is from what is exact, in standard errors."""
    return NONE if off is None else f"{off:+.1f} sigma"


def grid(
    caption: str, head: Sequence[str], rows: Iterable[Sequence[str]], words: Iterable[int] = ()
) -> str:
    """A :class:`Grid`."""
    columns = Grid(caption, head, (), words).numbers
    kinds = [' class="num"' if place in columns else "" for place in range(1, len(head))]
    made = (
        f'<tr><th scope="row">{text(first)}</th>'
        + "".join(f"<td{kind}>{text(cell)}</td>" for kind, cell in zip(kinds, rest, strict=True))
        + "</tr>"
        for first, *rest in rows
    )
    written = table(head, made, right=columns, caption=caption)
    # A group, not a region: a landmark for each of many tables would help nobody.
    named = f'role="group" aria-label="{text(caption)}" tabindex="0"'
    return f'<div class="scroll" {named}>{written}</div>'


def figure(svg: str, caption: str, origin: Origin) -> str:
    """A picture with its caption and what gives it again."""
    return f"<figure>{svg}\n<figcaption>{text(caption)}</figcaption>{origin_note(origin)}</figure>"


def cut(whole: bool, missing: Sequence[str] = ()) -> str:
    """A sentence where a run was ended before it was done, and what of it is not whole."""
    of = f": not whole are {'; '.join(missing)}" if missing else ""
    return "" if whole else f" The run was ended before it was done{of}."


def origin_note(origin: Origin) -> str:
    """What it takes to get a figure again, to stand under it."""
    return (
        f'<p class="again">Version {text(origin["version"])}, seed {origin["seed"]}, rules '
        f"{mono(origin['rules_digest'][:16])}, again by {mono(origin['command'])}</p>"
    )


def lines_of(origin: Origin) -> list[str]:
    """The same as lines, for a picture that stands alone."""
    digests = f"rules {origin['rules_digest'][:16]}, kernel {origin['kernel'][:16]}"
    made_by = f"Seed {origin['seed']}, version {origin['version']}, {digests}. Again by:"
    return [made_by, origin["command"]]


def whole_origin(origin: Origin, setting: Setting | None, *more: tuple[str, str]) -> PlayedBy:
    """All of what was played and by what."""
    rows = (
        ("Rules", origin["rules"]),
        ("Rule file, SHA-256", origin["rules_digest"]),
        *(_setting_rows(setting) if setting else ()),
        *more,
        ("Seed", str(origin["seed"])),
        ("Version", origin["version"]),
        ("Kernel, SHA-256", origin["kernel"]),
        ("Command", origin["command"]),
    )
    return PlayedBy(rows)


def _setting_rows(setting: Setting) -> Iterator[tuple[str, str]]:
    boxes = "box" if setting["boxes"] == 1 else "boxes"
    cut = setting["penetration_percent"]
    shoe = f"{cut} % to the cut" if cut else "a new shoe for every round"
    yield "Cards", f"{setting['decks']} decks, {shoe}"
    yield "Players", f"{setting['boxes']} {boxes}, policy {setting['policy']}"
    yield "Side wagers", "with each main wager" if setting["sides"] else "none"
    yield "Insurance", "wherever offered" if setting["insured"] else "never"
    yield "Weights", setting["weights"] or "none"
    if setting["weights_id"]:
        yield "Weights, SHA-256", setting["weights_id"]
