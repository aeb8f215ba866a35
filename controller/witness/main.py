"""``table-controller-witness --config FILE``: in the foreground, until SIGTERM.

It is a client of the control socket: it takes each signed checkpoint of the journal to every
``[[witness]]`` of the configuration, and with it the entries to the mirror of ``[floor]``; it tells
the daemon what was answered. Nothing at the table waits for it. Logs go to standard error. Each of
them has a thread, so one that hangs delays no other:

- It is asked whenever there is another checkpoint, and when the controller was started again: that
  may have the same number, and be another one.
- One that did not cosign is asked again, later and later, at most :data:`LATEST_S` apart.
- Each change of what it answers is logged once.
"""

from __future__ import annotations

import argparse
import logging
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from controller import __version__
from controller.configuration.model import WitnessSettings
from controller.configuration.reading import load_configuration
from controller.configuration.tables import BadConfiguration
from controller.control.client import ControlClient, NoController, RefusedByController
from controller.threads import NoThread, start
from controller.witness.exchange import Asking, WitnessTalk, add_checkpoint, exchange
from controller.witness.forwarding import Forwarder

MEANING: Final = {
    0: "stopped in good order, or neither witness nor floor is configured",
    1: "anything else: it may be started again",
    2: "a bad configuration or wrong options: starting again helps nothing",
}
"""Of its exit statuses."""

EXAMPLES: Final = (
    ("table-controller-witness --config /etc/table-controller/table.toml", "as its unit starts it"),
)
ENVIRONMENT: Final = (
    ("SSL_CERT_FILE", "authorities that a witness's certificate is verified against, not Debian's"),
)

STOPS: Final = (signal.SIGTERM, signal.SIGINT)
AGAIN_S: Final = 0.5
"""Until a controller that does not answer is asked again: a start is followed at once."""
REFUSED_S: Final = 600.0
"""Until one that refuses this user is: each time is an entry of its journal."""
FIRST_S: Final = 1.0
LATEST_S: Final = 60.0
_log = logging.getLogger("table-controller-witness")


class Worker:
    """Asks the witness from :meth:`start` on, to the end of the process, by ``asking``."""

    def __init__(self, talk: WitnessTalk, witness: WitnessSettings, asking: Asking) -> None:
        self._talk = talk
        self._witness = witness
        self._asking = asking
        self._due = threading.Event()
        self._said = ""

    def start(self) -> None:
        """Begin to wait for checkpoints. Raises NoThread: none is to be had now."""
        name = f"witness {self._witness.name}"
        start(threading.Thread(target=self._work, name=name, daemon=True))

    def wake(self) -> None:
        """There is a checkpoint that the witness may not have cosigned."""
        self._due.set()

    def _work(self) -> None:
        rest_s: float | None = None
        while True:
            self._due.wait(rest_s)
            self._due.clear()
            level = self._exchange()
            rest_s = None if level else min(2 * (rest_s or FIRST_S / 2), LATEST_S)

    def _exchange(self) -> bool:
        try:
            level, answer = exchange(self._talk, self._witness, self._asking)
        except (NoController, RefusedByController) as error:
            self._log_once(f"the controller: {error}")
            return False
        except Exception:  # of this witness alone
            _log.exception("the exchange with %s failed", self._witness.name)
            return False
        self._log_once(f"cosigns: {answer}" if level else f"does not cosign: {answer}")
        return level

    def _log_once(self, words: str) -> None:
        if words != self._said:
            self._said = words
            _log.info("%s: %s", self._witness.name, words)


def build() -> argparse.ArgumentParser:
    """The parser of its options."""
    parser = argparse.ArgumentParser(
        prog="table-controller-witness",
        description="Has witnesses cosign the checkpoints of the table controller's journal, and "
        "sends the journal to the floor",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--config", type=Path, required=True, metavar="FILE", help="the table's configuration"
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run until told to stop; returns the exit status."""
    given = build().parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s", stream=sys.stderr)
    try:
        config = load_configuration(given.config)
    except BadConfiguration as error:
        print(f"table-controller-witness: {error}", file=sys.stderr)
        return 2
    if not config.cosigners:
        _log.info("%s has neither [[witness]] nor [floor]: there is nothing to do", config.path)
        return 0
    signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)  # threads that are started inherit it
    talk = WitnessTalk(config.control.socket)
    workers = [Worker(talk, witness, add_checkpoint) for witness in config.witnesses]
    if config.floor:  # what it asks for takes long: on a connection of its own
        workers.append(Worker(WitnessTalk(config.control.socket), config.floor, Forwarder()))
    try:
        for worker in workers:
            worker.start()
        following = (config.control.socket, workers)
        start(threading.Thread(target=_follow, args=following, name="checkpoints", daemon=True))
    except NoThread as error:
        _log.error("%s", error.strerror)
        return 1
    signal.sigwait(STOPS)
    return 0


def _follow(path: Path, workers: Sequence[Worker]) -> None:
    """Tell every witness's thread of each new checkpoint, for ever; asked for at the socket."""
    own, pause = WitnessTalk(path, repeats=False), threading.Event()
    size, said = 0, ""
    while True:
        try:
            newest = own.answer_to(ControlClient.checkpoint, after=size)
        except (NoController, RefusedByController) as error:
            if str(error) != said:
                _log.warning("%s", said := str(error))
            size = 0  # it may have been started again
            pause.wait(REFUSED_S if isinstance(error, RefusedByController) else AGAIN_S)
            continue
        said = ""
        if newest["size"] != size:
            size = newest["size"]
            for worker in workers:
                worker.wake()


if __name__ == "__main__":
    sys.exit(main())
