"""Boxes with made journals: rounds of a year at a table, written through the journal's own store
and signed; then the daemon runs on each, without devices, and the process that sends.

The rounds are played once; each box has a key, and so a log, of its own.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from controller.configuration.reading import load_configuration
from controller.control.client import ControlClient
from controller.daemon.runtime import settings_of
from controller.journal.model import Draft
from controller.replay.recovery import recover
from hil_tests.bench.controller_process import ControllerProcess
from hil_tests.bench.interface import Json
from hil_tests.bench.logged_program import until
from hil_tests.floor.house import House
from hil_tests.floor.sending import SentJournal, cosigned
from proof.torture.signing import Signing
from proof.torture.soak import BATCH, Bench
from proof.torture.year import Year

SENT_S = 300.0


class Box:
    """A box in ``folder``, which sends to ``url`` and is known to the house as ``table``; ``state``
    is the state of another one, to begin with."""

    def __init__(
        self, folder: Path, house: House, table: str, url: str, state: Path | None = None
    ) -> None:
        self._made = Bench(folder)
        self.folder = folder
        if state is not None:
            shutil.copytree(state, self.state)
        self.sent = SentJournal(self._made.config, self.state, house, table, url)
        self.daemon = ControllerProcess(self._made.config, folder)

    @property
    def state(self) -> Path:
        """The journal's directory."""
        return self._made.state

    # ---- its processes ------------------------------------------------------------------------

    def start(self) -> None:
        """Start daemon and process."""
        self.daemon.start()
        self.sent.process.start()

    def stop(self) -> None:
        """Stop them in good order."""
        self.sent.process.stop()
        self.daemon.stop()

    def kill(self) -> None:
        """Kill them where they are."""
        self.sent.process.kill()
        self.daemon.kill()

    def kill_daemon(self) -> None:
        """Kill the daemon, and start it again."""
        self.daemon.kill()
        self.daemon.start()

    def kill_process(self) -> None:
        """Kill the process that sends, and start it again."""
        self.sent.process.kill()
        self.sent.process.start()

    # ---- what it says -------------------------------------------------------------------------

    def _client(self) -> ControlClient:
        return ControlClient(self.folder / "control.sock")

    def status(self) -> Json:
        """What the daemon says."""
        with self._client() as client:
            return client.status()

    def until_sent(self) -> int:
        """Wait until the floor has cosigned the newest checkpoint; of how many entries it is."""

        def level() -> bool:
            with self._client() as client:
                return cosigned(client.status()) == client.checkpoint()["size"]

        until(level, f"{self.sent.table} is sent", SENT_S)
        return cosigned(self.status())

    def held_for(self) -> str:
        """The fault that holds the table, "" for none."""
        return str((self.status()["held"] or {}).get("fault", ""))

    # ---- its journal, while it does not run ---------------------------------------------------

    def played(self, seed: int, entries: int) -> tuple[list[Draft], int]:
        """So many entries of play from where the journal stands, or some more, and their rounds."""
        settings = settings_of(load_configuration(self._made.config))
        with self._made.journal() as journal:
            year = Year(settings, seed, recover(journal, journal.iterate).counted)
        drafts: list[Draft] = []
        for of_round in year.drafts():
            drafts += of_round
            if len(drafts) >= entries:
                break
        return drafts, year.rounds

    def write(self, drafts: Sequence[Draft], hours_off: int = 0) -> None:
        """Put these at the journal's end, signed, by a clock that is so many hours off."""
        with self._made.journal() as journal:
            journal.connection.execute("PRAGMA synchronous = OFF")
            signing = Signing(self.state, "SOAK")
            for at in range(0, len(drafts), BATCH):
                now = datetime.now(UTC) + timedelta(hours=hours_off)
                wall = now.isoformat(timespec="milliseconds")
                journal.append(drafts[at : at + BATCH], time.monotonic_ns(), wall)
                journal.checkpoint()
                signing.sign(journal, wall)

    def copied(self, to: Path) -> Path:
        """Its state, copied."""
        return shutil.copytree(self.state, to)

    def put_back(self, earlier: Path) -> None:
        """Have its state be that copy."""
        shutil.rmtree(self.state)
        shutil.copytree(earlier, self.state)
