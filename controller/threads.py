"""Starting a thread, which a machine short of memory or of numbers may refuse; asking what may
block or never answer, in a thread of its own; and hanging up on who does not end.

A refusal is an ``OSError``, as a disk's is: who starts a thread has to say what becomes of its work
then, and nothing that was noted as under way stays so. The process waits for no such thread as it
ends.
"""

from __future__ import annotations

import asyncio
import errno
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

T = TypeVar("T")


def ask_in_thread(
    work: Callable[[], T], name: str, over: Callable[[], None]
) -> tuple[threading.Thread | None, asyncio.Future[T]]:
    """Have a thread of that name do the work: the thread (None where none is to be had), and its
    answer or exception. ``over`` is called in the loop when the work has ended or could not begin,
    even if nobody waits for the answer any more."""
    loop = asyncio.get_running_loop()
    answered: asyncio.Future[T] = loop.create_future()

    def settle(answer: T | Exception) -> None:
        over()
        if answered.done():
            return
        if isinstance(answer, Exception):
            answered.set_exception(answer)
        else:
            answered.set_result(answer)

    def hand_over(answer: T | Exception) -> None:
        with suppress(RuntimeError):  # the loop has been closed meanwhile
            loop.call_soon_threadsafe(settle, answer)

    try:
        return start_work(work, hand_over, name), answered
    except NoThread as error:
        settle(error)
        return None, answered


class NoThread(OSError):
    """No thread is to be had now."""


class NotWhole(TimeoutError):
    """An answer was not whole in time, and who gave it was hung up on."""


def start(thread: threading.Thread) -> None:
    """Start it; NoThread where the machine has none to give: nothing was begun."""
    try:
        thread.start()
    except (RuntimeError, MemoryError) as error:
        why = f"no thread can be started for it ({error or type(error).__name__})"
        raise NoThread(errno.EAGAIN, why) from error


def start_work(
    work: Callable[[], T], then: Callable[[T | Exception], None], name: str
) -> threading.Thread:
    """Have a thread of that name do the work, and then call ``then`` in it with what came of it, or
    with the exception by which it ended. Raises as :func:`start`."""

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
    """Hang up so long after ``begun`` (monotonic) and raise NotWhole, whatever has come by then."""
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
