"""A thread that does its work in steps, and rests between them for as long as each step says.

A step that fails as nobody has foreseen is logged, what is open is let go of, and the work is begun
again after ``AGAIN_S``: a check that has ended without a word would be taken for one that is well.
"""

from __future__ import annotations

import logging
import threading
import time
from abc import ABC, abstractmethod

from controller.threads import start

_log = logging.getLogger(__name__)

AGAIN_S = 600.0


class Stepping(ABC):
    """What is minded beside play; ``name`` is the thread's."""

    def __init__(self, name: str) -> None:
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run_thread, name=name, daemon=True)

    @abstractmethod
    def step(self) -> float:
        """Do what is next; after how many seconds the following step is due."""

    @abstractmethod
    def _rest(self) -> float:
        """Let go of what is open; after how many seconds the following step is due."""

    def start(self) -> None:
        """Start the thread; from now on it alone takes steps.

        Raises:
            NoThread: none is to be had.
        """
        start(self._thread)

    def _run_thread(self) -> None:
        while not self._stop.wait(self._stepped()):
            pass

    def _stepped(self) -> float:
        try:
            return self.step()
        except Exception:
            _log.exception("%s failed; it is begun again in %.0f s", self._thread.name, AGAIN_S)
            self._rest()
            return AGAIN_S

    def stop(self) -> None:
        """Have the thread end; it may be in the middle of a step."""
        self._stop.set()

    def join(self, until: float) -> None:
        """Wait for its end until then, in seconds of the monotonic clock; one that hangs in a dead
        disk is left to the end of the process."""
        if self._thread.ident is not None:
            self._thread.join(max(0.0, until - time.monotonic()))
        if not self._thread.is_alive():
            self._rest()
