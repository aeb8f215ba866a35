"""The process's conversation with the controller, for several threads.

The rules:

- A connection is kept. One that has broken is made anew, and the question asked once more: the
  controller was started again, or has hung up on somebody who was silent.
- Every answer is waited for, and no longer than :data:`ANSWER_S`; a newer checkpoint is waited for
  on a connection of its own, so that nobody else does.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from controller.control.client import ControlClient, NoController, NotNow, Silent
from controller.control.witnessing import NewestCheckpoint

T = TypeVar("T")

ANSWER_S: Final = 30.0
"""A checkpoint is waited for some 20 s."""


class WitnessTalk:
    """With the controller at ``path``; one that never ``repeats`` a question hears of each start.
    Its methods raise NoController where none answers, and RefusedByController where it says no."""

    def __init__(self, path: Path, *, repeats: bool = True) -> None:
        self._path = path
        self._repeats = repeats
        self._one_at_a_time = threading.Lock()
        self._client: ControlClient | None = None

    def checkpoint(self, after: int = 0, old: int = 0) -> NewestCheckpoint:
        """The newest checkpoint (:meth:`controller.control.client.ControlClient.checkpoint`)."""
        return self._answer_to(lambda client: client.checkpoint(after, old))

    def entries(self, after: int, most: int) -> list[str]:
        """The lines of entries (:meth:`controller.control.client.ControlClient.entries`)."""
        return self._answer_to(lambda client: client.entries(after, most))

    def subtree(self, start: int, end: int, size: int) -> list[str]:
        """The proof of a subtree (likewise)."""
        return self._answer_to(lambda client: client.subtree(start, end, size))

    def witnessed(
        self, name: str, size: int, time: int, cosignatures: tuple[str, ...], answer: str
    ) -> dict[str, object]:
        """Tell what a witness has answered (likewise)."""
        return self._answer_to(
            lambda client: client.witnessed(name, size, time, cosignatures, answer)
        )

    def _answer_to(self, question: Callable[[ControlClient], T]) -> T:
        with self._one_at_a_time:
            kept = self._client is not None
            try:
                return self._once(question)
            except NoController as error:
                if not (kept and self._repeats) or isinstance(error, NotNow | Silent):
                    raise
                return self._once(question)  # it was started again; both questions may be repeated

    def _once(self, question: Callable[[ControlClient], T]) -> T:
        if self._client is None:
            self._client = ControlClient(self._path, ANSWER_S)
        try:
            return question(self._client)
        except NotNow:  # it is there, and the connection is good
            raise
        except NoController:
            self._client.close()
            self._client = None
            raise
