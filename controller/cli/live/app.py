"""The full screen: Textual shows the lines of :mod:`~controller.cli.live.layout` and takes keys.

Nothing is laid out here. What is fed (:mod:`~controller.cli.live.feed`) is looked at four times a
second, so that ages count on also where nothing arrives.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from signal import SIGHUP, SIGTERM
from typing import ClassVar, Final

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Static
from textual.worker import WorkerCancelled, WorkerFailed

from controller.cli.live import pages
from controller.cli.live.drills import ChoicePage, RoundPage, ScrolledPage, TextPage
from controller.cli.live.layout import page_shown, screen
from controller.cli.live.spans import Line, Look, in_ascii
from controller.cli.live.traffic import Source

STYLES: Final[Mapping[Look, str]] = {
    "": "",
    "strong": "bold",
    "faint": "#a0a0a0",
    "alarm": "bold #ffffff on #b00020",
    "warning": "bold #ffd75f",
    "good": "#7ee787",
    "title": "bold #79c0ff",
    "meter": "bold #101418 on #ffd75f",
    "pay": "bold #ffffff on #1a6b2f",
}
WITHOUT_COLOUR: Final[Mapping[Look, str]] = {
    "": "",
    "strong": "bold",
    "faint": "",
    "alarm": "bold reverse",
    "warning": "bold",
    "good": "",
    "title": "bold",
    "meter": "bold reverse",
    "pay": "bold reverse",
}
LOOK_EVERY_S: Final = 0.25
ENDED_BY: Final = (SIGTERM, SIGHUP)


class TableScreen(Screen[None]):
    """The table itself."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("d", "app.device", "device"),
        Binding("r", "app.round", "round"),
        Binding("f", "app.fault", "fault"),
        Binding("c", "app.conditions", "conditions"),
        Binding("n,pagedown,right", "page(1)", "next page"),
        Binding("p,pageup,left", "page(-1)", "page before"),
        Binding("0,home", "follow", "page with the box in turn"),
    ]

    page: int | None = None

    def compose(self) -> ComposeResult:
        """One text, which fills the screen."""
        yield Static(id="all")

    def action_page(self, by: int) -> None:
        """Turn the page; from then on it stays."""
        app = watching(self)
        seen, (width, height) = app.seen, self.size
        shown = page_shown(seen, width, height, self.page)
        self.page = page_shown(seen, width, height, max(0, shown + by))
        self.paint()

    def action_follow(self) -> None:
        """Show the page with the box in turn again."""
        self.page = None
        self.paint()

    def paint(self) -> None:
        """Show what is seen now."""
        app = watching(self)
        width, height = self.size
        for shown in self.query("#all").results(Static):  # none before it is made
            shown.update(app.text(screen(app.seen, width, height, self.page)))

    def on_resize(self, _: events.Resize) -> None:
        """Lay it out anew."""
        self.paint()

    def on_screen_resume(self) -> None:
        """Come back from another page."""
        self.paint()


class WatchApp(App[None]):
    """``tablectl watch`` on a terminal. ``ascii_only``: the terminal shows no other signs;
    ``colour``: it may be used."""

    CSS = """
    Screen { layout: vertical; background: #101418; color: #e6e6e6; }
    Screen:ansi { background: ansi_default; color: ansi_default; }
    #all, #top { width: 100%; height: auto; }
    #rest { width: 100%; height: 1fr; scrollbar-size-vertical: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,h", "help", "help"),
        Binding("q,ctrl+c", "quit", "quit", priority=True),
    ]
    ENABLE_COMMAND_PALETTE = False
    TITLE = "tablectl watch"

    def __init__(
        self, source: Source, *, ascii_only: bool | None = None, colour: bool | None = None
    ) -> None:
        self._colour = "NO_COLOR" not in os.environ if colour is None else colour
        super().__init__(ansi_color=not self._colour)
        self.source = source
        self._ascii = not _shows_signs() if ascii_only is None else ascii_only
        self.seen = source.observe()

    def get_default_screen(self) -> Screen[None]:
        """The table, below all pages."""
        return TableScreen()

    def on_mount(self) -> None:
        """Begin. A signal that ends it leaves the terminal as it was."""
        loop = asyncio.get_running_loop()
        for signal in ENDED_BY:
            loop.add_signal_handler(signal, self.exit)
        self.run_worker(self.source.feed_view(), name="feed", exit_on_error=True)
        self.set_interval(LOOK_EVERY_S, self.refresh_view)

    async def on_unmount(self) -> None:
        """End what was begun, connections closed, before the loop is."""
        loop = asyncio.get_running_loop()
        for signal in ENDED_BY:
            loop.remove_signal_handler(signal)
        for worker in list(self.workers):
            worker.cancel()
            with suppress(WorkerFailed, WorkerCancelled):
                await worker.wait()

    def refresh_view(self) -> None:
        """Look again, and show it."""
        self.seen = self.source.observe()
        if not self.screen_stack:  # it ends: a last turn of the clock
            return
        shown = self.screen
        assert isinstance(shown, TableScreen | ScrolledPage)
        shown.paint()

    def text(self, lines: Iterable[Line]) -> Text:
        """Lines as this terminal can show them."""
        shown = in_ascii(lines) if self._ascii else lines
        return painted(shown, STYLES if self._colour else WITHOUT_COLOUR)

    def action_help(self) -> None:
        """Keys and words."""
        self._open(TextPage("help", lambda _, width: pages.help_page(width)))

    def action_device(self) -> None:
        """Choose a device."""
        self._open(ChoicePage())

    def action_round(self) -> None:
        """The last round."""
        self._open(RoundPage())

    def action_fault(self) -> None:
        """What the fault means."""
        self._open(
            TextPage(
                "faults", lambda seen, width: pages.fault_page(pages.faults_shown(seen), width)
            )
        )

    def action_conditions(self) -> None:
        """What stands beside play."""
        self._open(TextPage("conditions", pages.conditions_page))

    def _open(self, page: ScrolledPage) -> None:
        shown = self.screen
        if type(page) is not type(shown) or page.title != shown.title:
            self.push_screen(page)


def watching(screen: Screen[None]) -> WatchApp:
    """The app that shows a screen."""
    app = screen.app
    assert isinstance(app, WatchApp)
    return app


def _shows_signs() -> bool:
    encoding = getattr(sys.__stdout__, "encoding", None) or "ascii"
    return encoding.lower().replace("-", "") == "utf8"


def painted(lines: Iterable[Line], styles: Mapping[Look, str] = STYLES) -> Text:
    """The lines, one below the other, never wrapped."""
    text = Text(no_wrap=True, overflow="crop", end="")
    for number, one in enumerate(lines):
        if number:
            text.append("\n")
        for piece in one:
            text.append(piece.text, styles[piece.look])
    return text
