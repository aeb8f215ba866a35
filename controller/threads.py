"""Starting a thread, which a machine short of memory or of numbers may refuse; asking what may
never answer, in a thread of its own; and hanging up on who does not end.

A refusal is an ``OSError``, as a disk's is: who starts a thread has to say what becomes of its work
then, and nothing that was noted as under way stays so.
"""

from __future__ import annotations

import errno
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

T = TypeVar("T")


class NoThread(OSError):
    """No thread is to be had now."""


class NotWhole(TimeoutError):
    """An answer was not whole in time, and who gave it was hung up on."""


def start(thread: threading.Thread) -> None:
    """Start it.

    Raises:
        NoThread: the machine has none to give, or no memory for one; nothing was begun.
    """
    try:
        thread.start()
    except (RuntimeError, MemoryError) as error:
        why = f"no thread can be started for it ({error or type(error).__name__})"
        raise NoThread(errno.EAGAIN, why) from error


def start_work(
    work: Callable[[], T], then: Callable[[T | Exception], None], name: str
) -> threading.Thread:
    """Have a thread of that name do the work; the process does not wait for it as it ends. In it
    ``then`` is called with what came of the work, which is no exception, or with the exception by
    which it ended.

    Raises:
        NoThread: none is to be had; nothing was begun.
    """

    def do_work() -> None:
        came: T | Exception
        try:
            came = work()
        except Exception as error:  # told to whoever asked
            came = error
        then(came)

    thread = threading.Thread(target=do_work, name=name, daemon=True)
    start(thread)
    return thread


@contextmanager
def hung_up_on(connection: socket.socket, within_s: float, begun: float) -> Iterator[None]:
    """Hang up so long after it was ``begun`` (monotonic), whatever comes meanwhile; what was read
    until then is no answer.

    Raises:
        NotWhole: it was. NoThread: nothing was begun.
    """
    over = threading.Event()

    def hang_up() -> None:
        over.set()
        with suppress(OSError):
            socket.socket.shutdown(connection, socket.SHUT_RDWR)  # below TLS, which another is in

    clock = threading.Timer(max(0.0, within_s - (time.monotonic() - begun)), hang_up)
    clock.daemon = True
    start(clock)
    try:
        yield
    finally:
        clock.cancel()
        clock.join()
        if over.is_set():
            raise NotWhole(f"it was not whole within {within_s:g} s")
