"""Starting a thread, which a machine short of memory or of numbers may refuse.

A refusal is an ``OSError``, as a disk's is: who starts a thread has to say what becomes of its work
then, and nothing that was noted as under way stays so.
"""

from __future__ import annotations

import errno
import threading


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
