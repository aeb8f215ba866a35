"""A table that sends its journal to a floor: a virtual bench, and the process between."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from controller.evidence.tree.checkpoint import name_of, vkey_of
from controller.journal.export import lines
from controller.journal.keys import ControllerKey
from controller.journal.reader import JournalReader
from hil_tests.bench.interface import Json
from hil_tests.bench.logged_program import LoggedProgram
from hil_tests.floor.house import House

MIRROR: Final = "floor"
"""What the status calls the floor's mirror."""

FLOOR: Final = """
[floor]
url = "{url}"
vkey = "{vkey}"
"""


class SentJournal:
    """The journal of the table whose configuration is ``configuration`` and lies in ``state``, sent
    to the house at ``url`` once :attr:`process` runs. The house knows it as ``table``.

    The journal's key is made here, where there is none.
    """

    def __init__(
        self, configuration: Path, state: Path, house: House, table: str, url: str = ""
    ) -> None:
        state.mkdir(exist_ok=True)
        key = ControllerKey(state / "key").public
        self.state = state
        self.table = table
        self.origin, self.vkey = name_of(key), vkey_of(key)
        with configuration.open("a", encoding="utf-8") as file:
            file.write(FLOOR.format(url=url or house.url, vkey=house.vkey))
        house.knows(table, self.vkey)
        command = ("controller.witness.main", "--config", str(configuration))
        self.process = LoggedProgram(command, configuration.with_name("witness.log"))

    def export(self) -> Iterator[bytes]:
        """The journal as it is exported, entry by entry."""
        with JournalReader(self.state) as reader:
            for line in lines(reader):
                yield line.encode("ascii")


def cosigned(status: Json) -> int:
    """How many entries the floor has cosigned, by the table's status."""
    told = {one["name"]: one for one in status["journal"]["witnesses"]}
    return int(told[MIRROR]["size"] or 0)
