"""The form of log messages: one line each, whatever stands in the values that they tell."""

from __future__ import annotations

import logging
from pathlib import Path
from types import TracebackType

from drivers.printable import printable

_Error = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class PlainFormatter(logging.Formatter):
    """A formatter that passes nothing on which a terminal would obey; a traceback keeps its
    lines."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's own name
        """The message as one line."""
        return printable(super().formatMessage(record))

    def formatException(self, ei: _Error) -> str:  # noqa: N802 - logging's own name
        """The traceback."""
        return printable(super().formatException(ei), lines=True)


def log_place() -> str:
    """Where the log goes, as the kernel names it: a file's path, or as ``socket:[1234]`` where
    somebody reads it (journald under systemd)."""
    try:
        return str(Path("/proc/self/fd/2").readlink())
    except OSError:
        return ""
