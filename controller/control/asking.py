"""A question that may block, asked in a thread of its own and answered in the loop.

The process does not wait for the thread when it ends.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from controller.threads import NoThread, start_work

T = TypeVar("T")


def ask_in_thread(
    work: Callable[[], T], name: str, over: Callable[[], None]
) -> tuple[threading.Thread | None, asyncio.Future[T]]:
    """Have a thread of that name do the work; the thread, and its answer or exception. Where no
    thread is to be had there is None, and that is the exception
    (:class:`~controller.threads.NoThread`). ``over`` is called in the loop when the work has ended
    or could not begin, even if nobody waits for the answer any more."""
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
        over()
        answered.set_exception(error)
        return None, answered
