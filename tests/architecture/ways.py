"""What an event crosses: ``python -m tests.architecture.ways`` counts it, ``--files`` names them.

The ways are those of docs/maintainer.md. Four are counted within :func:`controller.table.apply`;
the last one from a commit that ends a round to the floor's facts, by a real collector, without
what plays the entries there once more. A move goes from a function of one file to one of another.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import threading
from contextlib import closing, redirect_stdout
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any, Final

from controller.configuration.reading import load_configuration
from controller.control.address import ControlAddress
from controller.control.protocol import Request
from controller.control.serving.server import ControlServer
from controller.table.apply import apply
from controller.witness.exchange import WitnessTalk, exchange
from controller.witness.forwarding import Forwarder
from floor.collector.application import CollectorApplication
from floor.collector.keys import cosigner_of
from floor.configuration import load_floor
from floor.facts.worker import FactsWorker
from floor.store.store import FloorStore, lasting_session
from hil_tests.postgresql import Cluster
from tests.architecture.modules import ROOT
from tests.control.support import NOBODY, Till, answering_of
from tests.daemon.house import DEALER
from tests.daemon.journaling.aged import awake, outside
from tests.floor.collectors import Floor
from tests.table.live.driver import live
from tests.web.served import served
from tests.witness.tables import Table

ROOMS: Final = tuple(f"{ROOT}/{room}/" for room in ("controller", "drivers", "floor", "web"))
PLAY: Final = tuple(f"{ROOT}/controller/{room}/" for room in ("game", "table"))
AIMS: Final = {"card": "of 28", "done": "of 35"}


class Way(list[tuple[str, str]]):
    """The files and names of functions that are called while it is ``counting``, in each thread
    that has begun since; of play alone, those within :func:`apply`, else without those of play."""

    def __init__(self, *, of_play: bool) -> None:
        super().__init__()
        self.counting, self._of_play = False, of_play
        threading.setprofile(self._note_call)
        sys.setprofile(self._note_call)

    def _note_call(self, frame: FrameType, event: str, _: Any) -> None:
        code, path = frame.f_code, frame.f_code.co_filename
        if self._of_play and code is apply.__code__ and event in ("call", "return"):
            self.counting = event == "call"
        is_left_out = not path.startswith(ROOMS) or (path.startswith(PLAY) and not self._of_play)
        if self.counting and event == "call" and not is_left_out:
            self.append((path.removeprefix(f"{ROOT}/"), code.co_qualname))

    def print_row(self, name: str) -> None:
        """What was counted since the last row."""
        files = dict.fromkeys(path for path, _ in self)
        folders = len({path.rpartition("/")[0] for path in files})
        moves = sum(one[0] != other[0] for one, other in pairwise(self))
        counts = f"{len(self):6}{len(set(self)):10}{len(files):6} {AIMS.get(name, ''):5}"
        print(f"{name:8}{counts}{folders:8}{moves:6}")
        if "--files" in sys.argv:
            print("", *files, sep="\n  ")
        self.clear()


def count_play() -> None:
    """The ways through the table."""
    table, button = live("1 main 10, 2 main 10"), live("1 main 10, 1 pandemonium 5, 2 main 10")
    table.examined = button.examined = False
    way = Way(of_play=True)
    for name, step, given in (
        ("", table.deal, "9C 8D 6H 7S"),
        ("card", table.deal, "2H"),
        ("stand", table.say, "stand 1"),
        ("", table.say, "stand 2"),
        ("", table.deal, "KC 9H"),
        ("", table.order, "correct 1 8C"),
        ("done", table.order, "done"),
        ("", button.deal, "AS 8D 6H KS 7C"),
        ("press", lambda _: button.press(), ""),
    ):
        way.clear()
        step(given)
        if name:
            way.print_row(name)


async def count_commit(floor: Floor, table: Table) -> None:
    """The way of a commit, from a supervisor's command to the facts."""
    house, way = load_floor(floor.configuration), Way(of_play=False)
    async with FloorStore.open(house.database, 2) as store:
        collector = CollectorApplication(store, house, cosigner_of(house.mirror), None)
        async with served(collector.asgi) as port:
            table.add_floor(f"http://127.0.0.1:{port}/mirror", floor.mirror.text)
            (mirror,) = load_configuration(table.configuration).cosigners
            async with awake(table, outside(datetime.now(UTC))) as runtime:
                answers = answering_of(Till(), witnesses=runtime.witnesses)
                server = ControlServer(ControlAddress(table.socket), answers, NOBODY)
                await server.start()
                for command in ("open", "wager 1 main 10", "close", "void"):
                    way.counting = command == "void"
                    who = "supervisor" if way.counting else "dealer"
                    await runtime.handler.command(Request(1, who, command, "Sue", "so"), DEALER)
                talk = WitnessTalk(table.socket)
                assert (await asyncio.to_thread(exchange, talk, mirror, Forwarder()))[0]
                async with lasting_session(house.database, 9) as owner:
                    while await FactsWorker(store, house).step(owner):
                        pass
                way.counting = False
                await server.close(grace_s=1.0)
    way.print_row("commit")


def main() -> None:
    """Print all of them."""
    print("way      calls functions files         folders moves")
    count_play()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o711)  # PostgreSQL may run as another user
        with closing(Cluster(folder / "postgresql", syncs=False)) as cluster:
            cluster.start()
            with redirect_stdout(sys.stderr):
                floor, table = Floor(folder / "floor", cluster.dsn()), Table(folder / "table")
            (floor.tables / "P12.vkey").write_text(f"{table.vkey}\n", encoding="ascii")
            asyncio.run(count_commit(floor, table))


if __name__ == "__main__":
    main()
