"""Work that comes in parts, each of which is counted wholly or not at all, until Ctrl-C."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from typing import TypeAlias, TypeVar

T = TypeVar("T")
HeldBack: TypeAlias = Callable[[], AbstractContextManager[None]]


def until_interrupted(parts: Generator[T, None, None], take: Callable[[T], None]) -> bool:
    """Have ``take`` count each part; whether Ctrl-C ended it. Whoever makes them has ended, too."""
    try:
        with closing(parts), _interrupts() as held_back:
            for part in parts:
                with held_back():
                    take(part)
    except KeyboardInterrupt:
        return True
    return False


@contextmanager
def _interrupts() -> Iterator[HeldBack]:
    """Ctrl-C raises at once, but while it is held back. Where somebody drops that exception it is
    raised again behind the part: ``transitions``, the library of the rounds' states, drops whatever
    comes while it finalizes an event, some 4 of 100."""
    held, pending = False, False

    def interrupted(*_: object) -> None:
        nonlocal pending
        pending = True
        if not held:
            raise KeyboardInterrupt

    @contextmanager
    def held_back() -> Iterator[None]:
        nonlocal held
        held = True
        try:
            yield
        finally:
            held = False
        if pending:
            raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield held_back
        return
    before = signal.signal(signal.SIGINT, interrupted)
    try:
        yield held_back
    finally:
        signal.signal(signal.SIGINT, before)
