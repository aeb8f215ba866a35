"""Blocks of a run handed to the scheduler of a Dask cluster, which has its own workers.

Each, and the scheduler, has the same version of this program and of Numba; nothing else is asked. A
block whose worker ends is played again by another: it comes to the same.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any, Final

from controller.not_done import NOT_WELL, WRONG_USE, NotDone
from figures.edges.jobs import OtherKernel, PlayedBlock, Playing, SeededRun, Task, Workers, play
from figures.games.compiled import source_digest

BY_EXTRA: Final = (
    "the extra 'figures' brings it (in a checkout: .venv/bin/pip install '.[figures]')"
)
"""What is not installed."""
ADDRESS: Final = re.compile(r"[a-z]+://\S+:[0-9]+")
LOGGERS: Final = ("distributed", "tornado")
FOUND_WITHIN_S: Final = 10
AHEAD: Final = 3
"""Blocks for each thread of the cluster that are handed out at a time."""
TRIES: Final = 10


def on_cluster(address: str) -> Workers:
    """What plays on the cluster whose scheduler is there, as ``tcp://10.0.0.1:8786``.

    Raises:
        NotDone: 1, the extra is not installed; from the workers: nobody answers there, there is no
            worker, or they have another version.
    """
    if not ADDRESS.fullmatch(address):
        raise NotDone(WRONG_USE, f"--cluster {address}: expected as tcp://10.0.0.1:8786")
    try:
        import distributed  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise NotDone(NOT_WELL, f"--cluster: Dask is not installed; {BY_EXTRA}") from error
    dask: Any = distributed  # it has no types
    for name in logging.root.manager.loggerDict:
        if name.startswith(LOGGERS):  # what it comes to is told here, in words
            logging.getLogger(name).setLevel(logging.CRITICAL)

    def playing(runs: Sequence[SeededRun], tasks: Iterator[Task]) -> Playing:
        try:
            client = dask.Client(address, timeout=FOUND_WITHIN_S)
        except (OSError, ValueError) as error:
            raise NotDone(
                NOT_WELL,
                f"--cluster {address}: no Dask scheduler answers there ({error});"
                " expected its address, as tcp://10.0.0.1:8786",
            ) from error
        with client:
            try:
                client.wait_for_workers(1, timeout=FOUND_WITHIN_S)
            except TimeoutError as error:
                raise NotDone(
                    NOT_WELL,
                    f"--cluster {address}: it has no worker; start 'dask worker {address}'",
                ) from error
            threads = sum(client.nthreads().values())

            @cache
            def there(key: int) -> object:
                # The rows of a run go there once. Not scattered: what a task has made is made again
                # where a worker that had it is killed.
                return client.submit(replace, runs[key], pure=False, retries=TRIES)

            def handed(task: Task) -> object:
                return client.submit(
                    play, there(task.key), source_digest(), task, pure=False, retries=TRIES
                )

            waiting = dask.as_completed(
                [handed(task) for task in islice(tasks, AHEAD * threads)], with_results=True
            )
            try:
                for _, result in waiting:
                    for task in islice(tasks, 1):
                        waiting.add(handed(task))
                    if isinstance(result, BaseException):  # of a task that was cancelled
                        raise result
                    yield PlayedBlock(*result)
            except OtherKernel as error:
                raise NotDone(
                    NOT_WELL, f"--cluster {address}: {error}; install one version everywhere"
                ) from error
            except (ImportError, RuntimeError) as error:
                raise NotDone(
                    NOT_WELL,
                    f"--cluster {address}: a worker or the scheduler has not what is needed"
                    f" ({error}); install this program with the extra 'figures' on each",
                ) from error
            except (dask.KilledWorker, asyncio.CancelledError, CancelledError, OSError) as error:
                raise NotDone(
                    NOT_WELL,
                    f"--cluster {address}: it plays no more ({type(error).__name__});"
                    " with --resume FILE what is done is kept",
                ) from error

    return playing
