"""How far a command is that takes long: a bar on a terminal, from its second second on.

Nothing is shown where standard error is no terminal, nor where the extra ``cli`` is not installed,
and nothing is left of it at the end.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, Self, TextIO

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

SHOWN_AFTER_S: Final = 2.0
LOOK_EVERY: Final = 256
"""Steps between two looks at the clock: a step may be a few microseconds."""


class Bar:
    """``total`` steps of ``what``; a context manager. ``out``: the terminal."""

    def __init__(self, total: int, what: str, out: TextIO | None = None) -> None:
        self._total = total
        self._what = what
        self._out = sys.stderr if out is None else out
        self._done = 0
        self._told = 0
        self._begun = time.monotonic()
        self._wanted = self._out.isatty()
        self._bar: tuple[Progress, TaskID] | None = None

    def advance(self, steps: int = 1) -> None:
        """So many more are done."""
        self._done += steps
        if self._wanted and self._done - self._told >= min(LOOK_EVERY, self._total / 100):
            self._told = self._done
            self._show_bar()

    def _show_bar(self) -> None:
        if self._bar is None:
            if time.monotonic() < self._begun + SHOWN_AFTER_S:
                return
            self._bar = self._begin_bar()
            if self._bar is None:
                return
        bar, task = self._bar
        bar.update(task, completed=self._done)

    def _begin_bar(self) -> tuple[Progress, TaskID] | None:
        try:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TaskProgressColumn, TimeRemainingColumn
        except ImportError:
            self._wanted = False
            return None
        columns: tuple[Any, ...] = (
            "{task.description}",
            BarColumn(),
            TaskProgressColumn(),
            TimeRemainingColumn(),
        )
        bar = Progress(*columns, console=Console(file=self._out), transient=True)
        bar.start()
        return bar, bar.add_task(self._what, total=self._total)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar[0].stop()


@contextmanager
def entries_watched(total: int) -> Iterator[Callable[[], None]]:
    """A bar over so many entries; to be told of each."""
    with Bar(total, "entries") as bar:
        yield bar.advance
