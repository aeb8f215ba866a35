"""How the demo is ended from outside: by the first signal, which raises KeyboardInterrupt.

- Further signals change nothing: not even one that comes before whoever catches the first has done
  anything about it.
- Within :func:`undisturbed` it is raised at the end: a process that is started is known by then,
  and can be ended.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class _Signals:
    waits = False
    came = False


def listen() -> None:
    """From here on. Also to Ctrl-C: a shell starts what it puts into the background deaf to it."""
    for number in SIGNALS:
        signal.signal(number, _end_demo)


def be_deaf() -> None:
    """It is ending by itself: signals change nothing."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)


@contextmanager
def undisturbed() -> Iterator[None]:
    """While a process is started, or some are."""
    _Signals.waits = True
    try:
        yield
    finally:
        _Signals.waits = False
    if _Signals.came:
        raise KeyboardInterrupt


def _end_demo(number: int, _: FrameType | None) -> None:
    be_deaf()
    if _Signals.waits:
        _Signals.came = True
    else:
        raise KeyboardInterrupt
