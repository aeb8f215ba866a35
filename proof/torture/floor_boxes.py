"""Boxes with made journals, and what a floor must refuse of them, or what must not matter to it.

The rounds of a year at a table are played once, and written through the journal's own store and
signed; then the daemon runs on each, without devices, and the process that sends. Each box has a
key, and so a log, of its own. Each trial has a floor of its own; what is wrong with what came of it
is given in words.
"""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from controller.control.client import ControlClient
from controller.journal.model import Draft
from controller.witness.exchange import body_of, post_request
from hil_tests.bench.controller_process import ControllerProcess
from hil_tests.bench.interface import Json
from hil_tests.bench.logged_program import until
from hil_tests.floor.house import House, SentJournal, cosigned
from proof.torture.long_journal import BATCH, Bench

SENT_S: Final = 300.0
HELD_S: Final = 5.0
"""A table that is refused is held within this time."""
SEEN_S: Final = 2.2
"""A collector sees that the folder of keys is another one."""
MANY: Final = 3_000
SOME: Final = 600
BEHIND: Final = "journal-behind-witness"
DIFFERS: Final = "journal-differs-from-witness"

_EVIDENCE: Final = "select status, words from floor.refusals where origin = %s"
_STANDS: Final = """
    select origin, next_entry, frontier, pending_size, mirror_size, witness_size from floor.log"""
_NAMED: Final = "select table_name from floor.log where origin = %s"

Wrongs = Iterator[str]


class Box(Bench):
    """A box in ``folder``, which sends to ``url`` and is known to the house as ``table``; ``state``
    is the state of another one, to begin with."""

    def __init__(
        self, folder: Path, house: House, table: str, url: str, state: Path | None = None
    ) -> None:
        super().__init__(folder)
        if state is not None:
            shutil.copytree(state, self.state)
        self.sent = SentJournal(self.config, self.state, house, table, url)
        self.daemon = ControllerProcess(self.config, folder)

    def start_sending(self) -> None:
        """Start daemon and process."""
        self.daemon.start()
        self.sent.process.start()

    def close(self) -> None:
        """Kill them where they are."""
        self.sent.process.kill()
        self.daemon.kill()

    def client(self) -> ControlClient:
        """Somebody who asks the daemon."""
        return ControlClient(self.folder / "control.sock")

    def status(self) -> Json:
        """What the daemon says."""
        with self.client() as client:
            return client.status()

    def until_sent(self) -> int:
        """Wait until the floor has cosigned the newest checkpoint; of how many entries it is."""

        def level() -> bool:
            with self.client() as client:
                return cosigned(client.status()) == client.checkpoint()["size"]

        until(level, f"{self.sent.table} is sent", SENT_S)
        return cosigned(self.status())

    # ---- its journal, while it does not run ---------------------------------------------------

    def played(self, seed: int, entries: int) -> tuple[list[Draft], int]:
        """So many entries of play from where the journal stands, or some more, and their rounds."""
        with self.writing() as writer:
            year = writer.year(seed)
        drafts: list[Draft] = []
        for of_round in year.drafts():
            drafts += of_round
            if len(drafts) >= entries:
                break
        return drafts, year.rounds

    def write(self, drafts: Sequence[Draft], hours_off: int = 0) -> None:
        """Put these at the journal's end, signed, by a clock that is so many hours off."""
        with self.writing() as writer:
            for at in range(0, len(drafts), BATCH):
                now = datetime.now(UTC) + timedelta(hours=hours_off)
                writer.write([drafts[at : at + BATCH]], now)

    def put_back(self, earlier: Path) -> None:
        """Have its state be that copy."""
        shutil.rmtree(self.state)
        shutil.copytree(earlier, self.state)


# ---- what goes wrong ----------------------------------------------------------------------------


def two_boxes_with_one_identity(house: House, folder: Path, seed: int) -> Wrongs:
    """Both start on the same journal: they go on differently from its end."""
    one = _sent(house, folder, seed)
    other = Box(folder / "other", house, "P1", house.url, state=one.state)
    with closing(one), closing(other):
        one.start_sending()
        one.until_sent()
        other.daemon.start()
        yield from _is_held(house, other, (BEHIND, DIFFERS))
        yield from _unchanged(house, one)


def a_journal_that_went_back(house: House, folder: Path, seed: int) -> Wrongs:
    """A box whose state was restored from a copy."""
    box = _sent(house, folder, seed)
    earlier = shutil.copytree(box.state, folder / "earlier")
    _send_more(box, seed + 1000)
    box.put_back(earlier)
    with closing(box):
        box.daemon.start()
        yield from _is_held(house, box, (BEHIND,))


def a_journal_that_forked(house: House, folder: Path, seed: int) -> Wrongs:
    """A restored box that has played on, further than before: whoever has the key can forge so."""
    box = _sent(house, folder, seed)
    earlier = shutil.copytree(box.state, folder / "earlier")
    _send_more(box, seed + 1000)
    box.put_back(earlier)
    box.write(box.played(seed + 2000, MANY)[0])
    with closing(box):
        box.daemon.start()
        yield from _is_held(house, box, (DIFFERS,))
        if not house.rows_of(_EVIDENCE, box.sent.origin):
            yield "nothing is kept as evidence"


def a_checkpoint_of_another_key(house: House, folder: Path, seed: int) -> Wrongs:
    """Forged without the key, and by a box that the house does not know."""
    box = _sent(house, folder, seed)
    other = Box(folder / "other", house, "P2", house.url)
    before = house.rows_of(_STANDS)
    for named, wanted in ((box, 403), (other, 404)):
        (house.tables / "P2.vkey").unlink(missing_ok=True)
        time.sleep(SEEN_S)
        other.daemon.start()
        try:
            with other.client() as client:
                text = client.checkpoint()["checkpoint"]
        finally:
            other.daemon.stop()
        forged = text.replace(other.sent.origin, named.sent.origin)
        status = post_request(f"{house.url}/add-checkpoint", body_of(forged, 0, [])).status
        if status != wanted:
            yield f"answered by {status} instead of {wanted}"
    if house.rows_of(_STANDS) != before:
        yield "it has changed what is stored"


def a_table_renamed(house: House, folder: Path, seed: int) -> Wrongs:
    """Its journal goes on, under the new name."""
    box = _sent(house, folder, seed)
    (house.tables / "P1.vkey").rename(house.tables / "BJ 12.vkey")
    time.sleep(SEEN_S)
    _send_more(box, seed + 1000)
    yield from _unchanged(house, box)
    if house.rows_of(_NAMED, box.sent.origin) != [("BJ 12",)]:
        yield f"it is called {house.rows_of(_NAMED, box.sent.origin)}"


def a_database_restored_from_an_older_copy(house: House, folder: Path, seed: int) -> Wrongs:
    """The boxes send again, from where it stands."""
    box = _sent(house, folder, seed)
    cluster, copy = house.cluster, house.cluster.folder / "copy"
    cluster.stop()
    subprocess.run(["cp", "-a", cluster.data, copy], check=True)
    cluster.start()
    _send_more(box, seed + 1000)
    cluster.kill()
    subprocess.run(["rm", "-r", cluster.data], check=True)
    copy.rename(cluster.data)
    cluster.start()
    _send_more(box, seed + 2000)
    yield from _unchanged(house, box)


WRONGS: Final[tuple[Callable[[House, Path, int], Wrongs], ...]] = (
    two_boxes_with_one_identity,
    a_journal_that_went_back,
    a_journal_that_forked,
    a_checkpoint_of_another_key,
    a_table_renamed,
    a_database_restored_from_an_older_copy,
)


def _sent(house: House, folder: Path, seed: int) -> Box:
    """A box, stopped, whose journal is at the floor as P1's."""
    box = Box(folder / "box", house, "P1", house.url)
    box.write(box.played(seed, MANY)[0])
    _send(box)
    return box


def _send_more(box: Box, seed: int) -> None:
    box.write(box.played(seed, SOME)[0])
    _send(box)


def _send(box: Box) -> None:
    with closing(box):
        box.start_sending()
        box.until_sent()
        box.sent.process.stop()
        box.daemon.stop()


def _is_held(house: House, box: Box, faults: tuple[str, ...]) -> Wrongs:
    """Whether the table is held soon after the process that sends was started."""
    box.sent.process.start()
    began = time.monotonic()

    def held_for() -> str:
        return str((box.status()["held"] or {}).get("fault", ""))

    try:
        until(lambda: held_for() in faults, "held", 2 * HELD_S)
    except TimeoutError:
        yield f"it is not held: {held_for() or 'plays'}; {box.sent.process.log_end}"
        return
    if (took := time.monotonic() - began) > HELD_S:
        yield f"it is held after {took:.1f} s"


def _unchanged(house: House, box: Box) -> Wrongs:
    """Whether the floor has the box's journal."""
    stored = {mark.origin: mark.next_entry for mark in house.watermarks()}[box.sent.origin]
    if wrong := house.differs(box.sent.origin, box.sent.export(), stored):
        yield wrong
