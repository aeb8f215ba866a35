"""A thread for each witness: one that hangs delays no other.

The rules:

- It is asked whenever there is another checkpoint, and when the controller was started again: that
  may have the same number, and be another one.
- One that did not cosign is asked again, later and later, at most :data:`LATEST_S` apart.
- Each change of what it answers is logged once.
"""

from __future__ import annotations

import logging
import threading
from typing import Final

from controller.configuration.model import WitnessSettings
from controller.control.client import NoController, RefusedByController
from controller.threads import start
from controller.witness.exchange import exchange
from controller.witness.talk import WitnessTalk

_log = logging.getLogger("table-controller-witness")

FIRST_S: Final = 1.0
LATEST_S: Final = 60.0


class Worker:
    """Asks the witness from :meth:`start` on, to the end of the process."""

    def __init__(self, talk: WitnessTalk, witness: WitnessSettings) -> None:
        self._talk = talk
        self._witness = witness
        self._due = threading.Event()
        self._said = ""

    def start(self) -> None:
        """Begin to wait for checkpoints.

        Raises:
            NoThread: none is to be had now.
        """
        name = f"witness {self._witness.name}"
        start(threading.Thread(target=self._run, name=name, daemon=True))

    def ask(self) -> None:
        """There is a checkpoint that the witness may not have cosigned."""
        self._due.set()

    def _run(self) -> None:
        rest_s: float | None = None
        while True:
            self._due.wait(rest_s)
            self._due.clear()
            level = self._exchange()
            rest_s = None if level else min(2 * (rest_s or FIRST_S / 2), LATEST_S)

    def _exchange(self) -> bool:
        """Whether the witness has cosigned the newest checkpoint."""
        try:
            level, answer = exchange(self._talk, self._witness)
        except (NoController, RefusedByController) as error:
            self._say(f"the controller: {error}")
            return False
        except Exception:  # of this witness alone
            _log.exception("the exchange with %s failed", self._witness.name)
            return False
        self._say(f"cosigns: {answer}" if level else f"does not cosign: {answer}")
        return level

    def _say(self, words: str) -> None:
        if words != self._said:
            self._said = words
            _log.info("%s: %s", self._witness.name, words)
