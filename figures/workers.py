"""What every run does, whoever plays its rounds: tasks are spread over processes of this machine,
and what is done is kept when Ctrl-C ends it.

The rules:

- Work comes in parts, each of which is counted wholly or not at all.
- Each process begins anew and shares no lock with this one. When this one ends, however it does,
  Linux kills each of them, also amid a task. To Linux that is the end of the thread that started
  it.
- One that is killed, at whatever moment, is told at once. A pool of the library's waits for ever
  where that was while it sent.
- Ctrl-C is nothing to them: this process ends them.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import threading
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from itertools import chain, islice
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.reduction import ForkingPickler
from types import MappingProxyType
from typing import Any, Final, TypeAlias, TypeVar

from controller.not_done import NOT_WELL, NotDone

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


ENDED: Final = "a process that played ended; was it killed?"
PR_SET_PDEATHSIG: Final = 1
"""Of ``linux/prctl.h``."""
AHEAD: Final = 2
"""Tasks that a process has before it, including the present one."""

Task = TypeVar("Task")
Done = TypeVar("Done")


def _unchanging(values: dict[object, object]) -> MappingProxyType[object, object]:
    return MappingProxyType(values)


# Rules have mappings that nobody changes; Python knows no way to pickle them.
ForkingPickler.register(MappingProxyType, lambda proxy: (_unchanging, (dict(proxy),)))


def spread(
    jobs: int, do: Callable[[Task], Done], tasks: Iterable[Task]
) -> Generator[Done, None, None]:
    """What each task came to as it ends, done in so many processes, but no more than there are
    tasks; what one alone would do is done here. ``do``, tasks and what they come to can be pickled,
    and so can what ``do`` raises.

    Raises:
        NotDone: 1, a process was killed; and what ``do`` raises.
    """
    left = iter(tasks)
    first = list(islice(left, jobs))
    if len(first) <= 1:
        yield from map(do, chain(first, left))
        return
    left = chain(first, left)
    with ExitStack() as stack:
        with _interrupted_later():
            links = [stack.enter_context(_process(do)) for _ in first]
        waiting = Counter[Connection]()
        for link, task in zip(links * AHEAD, left, strict=False):
            _send(link, task)
            waiting[link] += 1
        while some := [link for link, many in waiting.items() if many]:
            ready = wait(some)
            for link in (link for link in some if link in ready):
                done = _received(link)
                waiting[link] -= 1
                for task in islice(left, 1):
                    _send(link, task)
                    waiting[link] += 1
                yield done


@contextmanager
def _interrupted_later() -> Iterator[None]:
    """Ctrl-C comes behind it, and never to a process that is started in it: it inherits that."""
    resource_tracker.ensure_running()  # the library's own; its start would let Ctrl-C through
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _process(do: Callable[[Any], object]) -> Iterator[Connection]:
    """A process that does tasks, by the pipe to it."""
    spawn = multiprocessing.get_context("spawn")
    here, there = spawn.Pipe()
    process = spawn.Process(target=_work, args=(os.getpid(), there, do), daemon=True)
    process.start()
    there.close()
    try:
        yield here
    finally:
        process.kill()
        process.join()
        here.close()


def _work(parent: int, link: Connection, do: Callable[[Any], object]) -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it has ended before that
        return
    with suppress(EOFError, OSError):
        while True:
            task = link.recv()
            try:
                done = do(task)
            except Exception as error:  # raised where the task came from
                link.send(error)
            else:
                link.send(done)


def _send(link: Connection, task: object) -> None:
    try:
        link.send(task)
    except OSError as error:
        raise NotDone(NOT_WELL, ENDED) from error


def _received(link: Connection) -> Any:
    try:
        done = link.recv()
    except (EOFError, OSError) as error:  # with a part of a message it is the second
        raise NotDone(NOT_WELL, ENDED) from error
    if isinstance(done, Exception):
        raise done
    return done
