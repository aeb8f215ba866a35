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
    """Have ``take`` count each part; whether Ctrl-C ended it. Its workers have ended by then: no
    second Ctrl-C breaks off their ending."""
    try:
        with _interrupts() as held_back, closing(parts):
            for part in parts:
                with held_back():
                    take(part)
    except KeyboardInterrupt:
        return True
    return False


@contextmanager
def _interrupts() -> Iterator[HeldBack]:
    """The first Ctrl-C raises at once, except while it is held back; a further one does nothing.
    Where somebody drops that exception it is raised again behind the part: ``transitions``, the
    library of the rounds' states, drops whatever comes while it finalizes an event, some 4 of
    100. Where the program was begun with Ctrl-C ignored, as a shell begins one in the background,
    it stays so."""
    held, pending = False, False

    def interrupted(*_: object) -> None:
        nonlocal pending
        first, pending = not pending, True
        if first and not held:
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

    here = threading.current_thread() is threading.main_thread()
    if not here or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        yield held_back
        return
    before = signal.signal(signal.SIGINT, interrupted)
    try:
        yield held_back
    finally:
        signal.signal(signal.SIGINT, before)
