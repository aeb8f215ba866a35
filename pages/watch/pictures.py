"""Writes the screens of ``watch``: pictures for the documentation, texts for the tests.

``python -m pages.watch.pictures`` writes, ``--check`` exits 1 where what it would write is not what
is there. A picture is the terminal as Textual draws it, without the font that it would fetch from
elsewhere. A text is the same screen without looks, one file for each moment and size.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.cli.live.app import WatchApp
from controller.cli.live.seen import SeenTable, ToldRound
from controller.cli.live.traffic import TrafficWindow
from pages.generated import write_files
from pages.watch.moments import MOMENTS, ROUND, SIZES, TRAFFIC

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from textual.pilot import Pilot

ROOT: Final = Path(__file__).resolve().parents[2]
PICTURES: Final = ROOT / "docs" / "pictures"
TEXTS: Final = ROOT / "tests" / "cli" / "live" / "screens"

SMALL, MIDDLE, LARGE = SIZES
DRAWN: Final = (
    *(("playing", "", size) for size in SIZES),
    *(("full", "", size) for size in SIZES),
    ("closing", "", SMALL),
    ("held", "", SMALL),
    ("link-lost", "", SMALL),
    ("link-lost", "", MIDDLE),
    ("degraded", "", SMALL),
    ("frozen", "", SMALL),
    ("gone", "", SMALL),
    ("degraded", "device", MIDDLE),
    ("held", "fault", SMALL),
)
"""Moment, page, size: what there is a picture of."""
KEYS: Final = {
    "": (),
    "device": ("d", "1"),
    "choice": ("d",),
    "round": ("r",),
    "fault": ("f",),
    "conditions": ("c",),
    "help": ("question_mark",),
}
"""How a page is come to from the table."""

_FONT_FACE: Final = re.compile(r"@font-face\s*\{.*?\}\s*", re.DOTALL)
_MAKER: Final = re.compile(r"<!--.*?-->\s*", re.DOTALL)
_FONTS: Final = "DejaVu Sans Mono, Menlo, Consolas, monospace"


class Still:
    """A table on which nothing moves."""

    def __init__(self, seen: SeenTable) -> None:
        self.seen = seen

    async def run(self) -> None:
        """Nothing comes."""

    def look(self) -> SeenTable:
        """Always the same."""
        return self.seen

    async def round(self, number: str) -> ToldRound:
        """A round; the last one is that which is played."""
        latest = self.seen.state.get("round", 0)
        return ToldRound(ROUND, latest if number == "last" else int(number))

    async def traffic(self, device: str, into: TrafficWindow, changed: Callable[[], None]) -> None:
        """Some messages."""
        into.take(TRAFFIC)
        changed()


@asynccontextmanager
async def page_on_screen(
    seen: SeenTable,
    page: str,
    size: tuple[int, int],
    *,
    colour: bool = True,
    ascii_only: bool = False,
) -> AsyncIterator[Pilot[None]]:
    """The page of that moment on a terminal of that size, without a terminal."""
    app = WatchApp(Still(seen), ascii_only=ascii_only, colour=colour)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        for key in KEYS[page]:
            await pilot.press(key)
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
        yield pilot


def text_on(pilot: Pilot[None]) -> str:
    """What stands on the screen, a line each, without looks."""
    strips = pilot.app.screen._compositor.render_strips()
    return "".join(f"{strip.text.rstrip()}\n" for strip in strips)


def picture_of(pilot: Pilot[None]) -> str:
    """The screen as SVG, with nothing in it from elsewhere."""
    drawn = _FONT_FACE.sub("", pilot.app.export_screenshot(title="tablectl watch"))
    drawn = (
        _MAKER.sub("", drawn).replace("Fira Code, monospace", _FONTS).replace("Fira Code", _FONTS)
    )
    return "".join(f"{line.rstrip()}\n" for line in drawn.splitlines())


async def _pictures() -> list[tuple[Path, str]]:
    found = []
    for moment, page, size in DRAWN:
        async with page_on_screen(MOMENTS[moment](), page, size) as pilot:
            name = "-".join(filter(None, ("watch", moment, page, "x".join(map(str, size)))))
            found.append((PICTURES / f"{name}.svg", picture_of(pilot)))
    return found


async def _texts() -> list[tuple[Path, str]]:
    found = []
    for moment, page, size in texts():
        async with page_on_screen(MOMENTS[moment](), page, size) as pilot:
            found.append((text_file(moment, page, size), text_on(pilot)))
    return found


def texts() -> Iterator[tuple[str, str, tuple[int, int]]]:
    """Moment, page, size: what there is a text of."""
    yield from ((moment, "", size) for moment in MOMENTS for size in SIZES)
    yield from (("degraded", page, size) for page in KEYS if page for size in SIZES)
    yield from (("held", "fault", size) for size in SIZES)


def text_file(moment: str, page: str, size: tuple[int, int]) -> Path:
    """Where such a text lies."""
    name = "-".join(filter(None, (moment, page, "x".join(map(str, size)))))
    return TEXTS / f"{name}.txt"


def main() -> int:
    """Write, or check; the exit code."""
    check = "--check" in sys.argv[1:]
    wanted = [*asyncio.run(_pictures()), *([] if check else asyncio.run(_texts()))]
    differ = write_files(wanted, check=check)
    for path in differ:
        print(f"{path.relative_to(ROOT)} differs")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
