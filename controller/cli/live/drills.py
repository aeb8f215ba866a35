"""The pages that a key opens from the table, each over the whole screen, until Esc.

What keeps the table from playing stays above each of them, and each is laid out elsewhere
(:mod:`~controller.cli.live.pages`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import ClassVar, Protocol, cast

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from controller.cli.live import pages
from controller.cli.live.known_table import SeenTable, ToldRound
from controller.cli.live.layout import alarms
from controller.cli.live.spans import EMPTY, Line, line, padded, rule, span
from controller.cli.live.traffic import Source, TrafficWindow
from controller.table.showing.status_fields import Status


class _Watching(Protocol):
    """What a page asks of the app."""

    seen: SeenTable
    source: Source

    def text(self, lines: Iterable[Line]) -> Text: ...


class ScrolledPage(Screen[None]):
    """Lines that scroll below what is to be seen first of all."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,backspace", "app.pop_screen", "back"),
        Binding("down,j", "scroll(1)", show=False),
        Binding("up,k", "scroll(-1)", show=False),
        Binding("pagedown,space", "scroll(12)", show=False),
        Binding("pageup", "scroll(-12)", show=False),
    ]
    TITLE = "page"
    keys = "Esc back  up/down scroll  q quit"

    @property
    def watched(self) -> _Watching:
        """The app."""
        return cast("_Watching", self.app)

    def compose(self) -> ComposeResult:
        """What stays, what scrolls, the keys."""
        yield Static(id="top")
        with VerticalScroll(id="rest", can_focus=False):
            yield Static(id="all")
        yield Static(id="keys")

    def on_mount(self) -> None:
        """Show it."""
        self.paint()

    def on_resize(self, _: events.Resize) -> None:
        """Lay it out anew."""
        self.paint()

    def paint(self) -> None:
        """Show what is seen now, once there is what to show it on."""
        if not self.query("#all"):
            return
        width = self.size.width
        seen = self.watched.seen
        table = seen.state
        where = f"table {table.get('table')}, round {table.get('round')}, {table.get('state')}"
        top = [*alarms(seen, width, low=True), rule(self.heading(), width, where)]
        self.query_one("#top", Static).update(self.watched.text(top))
        room = self.size.height - len(top) - 1
        self.query_one("#all", Static).update(self.watched.text(self.lines(seen, width - 2, room)))
        keys = padded(line(span(f" {self.keys}", "faint")), width)
        self.query_one("#keys", Static).update(self.watched.text([keys]))

    def action_scroll(self, by: int) -> None:
        """Scroll by lines."""
        self.query_one("#rest", VerticalScroll).scroll_relative(y=by, animate=False)

    def heading(self) -> str:
        """What the page is."""
        return self.title or ""

    def lines(self, seen: SeenTable, width: int, height: int) -> Iterable[Line]:
        """What scrolls, where it is more than ``height``."""
        return ()


class TextPage(ScrolledPage):
    """A page of which all is text: ``lines_of`` makes it of what is seen, for a width."""

    def __init__(self, title: str, lines_of: Callable[[SeenTable, int], Iterable[Line]]) -> None:
        super().__init__()
        self.title = title
        self._lines_of = lines_of

    def lines(self, seen: SeenTable, width: int, height: int) -> Iterable[Line]:
        """The text."""
        return self._lines_of(seen, width)


class ChoicePage(ScrolledPage):
    """Which device."""

    TITLE = "devices"
    keys = "1 to 9 open the device  Esc back  q quit"

    def lines(self, seen: SeenTable, width: int, height: int) -> Iterable[Line]:
        """The devices."""
        return pages.choice_page(seen, width)

    def on_key(self, event: events.Key) -> None:
        """A digit opens a device."""
        names = pages.device_names(self.watched.seen)
        if event.character and event.character in "123456789"[: len(names)]:
            event.stop()
            self.app.switch_screen(DevicePage(names[int(event.character) - 1]))


class DevicePage(ScrolledPage):
    """A device: who it is, its link, its counters, and what goes over its line."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("p", "calm", "PINGs")]
    keys = "p with or without PINGs  Esc back  q quit"

    def __init__(self, device: str) -> None:
        super().__init__()
        self._device = device
        self._traffic = TrafficWindow()

    def on_mount(self) -> None:
        """Have its traffic told."""
        super().on_mount()
        self.run_worker(
            self.watched.source.traffic(self._device, self._traffic, self.paint), name="traffic"
        )

    def heading(self) -> str:
        """The device's name."""
        return f"device {self._device}"

    def lines(self, seen: SeenTable, width: int, height: int) -> Iterator[Line]:
        """Facts and counters above, traffic in what is left below them."""
        facts = list(pages.device_page(seen, self._device, width))
        most = max(6, height // 2)
        if len(facts) > most:
            facts = [
                *facts[: most - 1],
                line(f"  … {len(facts) - most + 1} more: devices list --stats"),
            ]
        yield from facts
        without = " without PINGs" if self._traffic.calm else ""
        yield rule(f"traffic{without}", width)
        shown = self._traffic.last_lines(max(3, height - len(facts) - 1))
        yield from shown or [line("  waiting for the first message")]

    def action_calm(self) -> None:
        """Leave PINGs out, or show them again."""
        self._traffic.calm = not self._traffic.calm
        self.paint()


class RoundPage(ScrolledPage):
    """A round as it was played and settled. The last one is followed while it is played, until
    another is wanted."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "other(-1)", "round before"),
        Binding("right", "other(1)", "next round"),
    ]
    keys = "left/right other rounds  up/down scroll  Esc back  q quit"

    def __init__(self) -> None:
        super().__init__()
        self._told = ToldRound(["asking the controller, which may take some seconds"])
        self._of: Status | None = None
        """The state at which the last round was asked for; None: another is shown."""
        self._asks = 0
        """Of the question that is open; 0 for none."""

    def on_mount(self) -> None:
        """Ask for the round that is played, or was last."""
        super().on_mount()
        self._follow()

    def paint(self) -> None:
        """As it is now; the round that is played may have gone on. An answer may take longer than a
        card: it is waited for."""
        if self._of is not None and self._of is not self.watched.seen.state and not self._asks:
            self._follow()
        super().paint()

    def heading(self) -> str:
        """Which round."""
        return f"round {self._told.number}" if self._told.number else "round"

    def lines(self, seen: SeenTable, width: int, height: int) -> Iterable[Line]:
        """As ``round show`` tells it."""
        return [line(text) for text in self._told.lines] or [EMPTY]

    def action_other(self, by: int) -> None:
        """Another one; right of the last one is the last one."""
        wanted = self._told.number + by
        if not self._told.number or wanted < 1:
            return
        if wanted >= self.watched.seen.state.get("round", 0):
            self._follow()
        else:
            self._of = None
            self._request_round(str(wanted))

    def _follow(self) -> None:
        self._of = self.watched.seen.state
        self._request_round("last")

    def _request_round(self, number: str) -> None:
        self._asks = mine = self._asks + 1

        async def work() -> None:
            try:
                told = await self.watched.source.round(number)
            finally:
                if self._asks == mine:  # else it was cancelled for another
                    self._asks = 0
            asked = int(number) if number.isdecimal() else self._told.number
            self._told = ToldRound(told.lines, told.number or asked)
            self.paint()

        self.run_worker(work(), name="round", exclusive=True)
