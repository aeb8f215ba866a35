"""Starting a thread, which a machine short of memory or of numbers may refuse; and asking what may
never answer, in a thread of its own.

A refusal is an ``OSError``, as a disk's is: who starts a thread has to say what becomes of its work
then, and nothing that was noted as under way stays so.
"""

from __future__ import annotations

import errno
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class NoThread(OSError):
    """No thread is to be had now."""


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


def ask(
    work: Callable[[], T], then: Callable[[T | Exception], None], name: str
) -> threading.Thread:
    """Have a thread of that name do the work; the process does not wait for it as it ends. In it
    ``then`` is called with what came of the work, which is no exception, or with the exception by
    which it ended.

    Raises:
        NoThread: none is to be had; nothing was begun.
    """

    def run() -> None:
        came: T | Exception
        try:
            came = work()
        except Exception as error:  # told to whoever asked
            came = error
        then(came)

    thread = threading.Thread(target=run, name=name, daemon=True)
    start(thread)
    return thread
