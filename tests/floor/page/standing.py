"""A floor for the browser: journals of every kind in a database, and the page's own process."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from hil_tests.bench.logged_program import LISTENS, LoggedProgram, free_port
from tests.floor.facts.kept import made_diary
from tests.floor.facts.test_report import simulated
from tests.floor.page.shown import keep, settings
from tests.floor.store.logs import execute
from tests.replay.course.played import eventful, void, write
from tests.table.live.driver import DIV, Live
from tests.witness.logs import Log

RULES: Final = "ab" * 32
TOLD: Final = (
    f"update floor_facts.terms set rules = '{RULES}' where document like 'mbs-%'",
    "update floor.log set mirror_size = next_entry, witness_size = greatest(0, next_entry - 20)",
    """insert into floor.refusal (log, role, status, digest, words, text) select id, 'mirror', 409,
        '\\x00', 'the checkpoint is not consistent with the one of size 412', 'checkpoint'
    from floor.log where table_name = 'P3'""",
    "update floor_facts.act set by = '=cmd()' where n = 0",
)
"""What these journals do not say of themselves."""


class StandingPage:
    """``table-floor page`` over that database; it is killed, hangs, and is started again."""

    def __init__(self, folder: Path, database: str, more: str = "") -> None:
        self.port = free_port()
        listen = f'[page]\nlisten = "127.0.0.1:{self.port}"\n'
        self.settings = settings(folder, database, listen + more)
        command = ("floor.main", "page", "--config", str(self.settings.path))
        self.program = LoggedProgram(command, folder / "page.log")

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Returns when it answers."""
        self.program.log.unlink(missing_ok=True)
        self.program.start()
        self.program.until_said(LISTENS)

    @contextmanager
    def running(self) -> Iterator[StandingPage]:
        try:
            self.start()
            yield self
        finally:
            self.program.kill()

    @contextmanager
    def hanging(self) -> Iterator[Callable[[], None]]:
        """Its process stands still from the call of what this gives, to the end."""
        try:
            yield lambda: self.program.send(signal.SIGSTOP)
        finally:
            self.program.send(signal.SIGCONT)


def squeezed() -> Live:
    """A round that goes on and is held: the shoe's cable was pulled."""
    table = Live(DIV).play("open", "wager 1 main 10", "wager 2 main 250", "close", "5S 6S 9D")
    table.down("shoe", "the cable was pulled")
    return table


class Full(NamedTuple):
    """A database with journals of every kind, which nobody changes."""

    database: str
    journals: dict[str, Path]


async def fill(folder: Path, database: str) -> Full:
    """Four tables: several days, an eventful round, a void one whose journal was refused, and a
    held one."""
    for name in ("P1", "P2", "P3", "P4"):
        (folder / name).mkdir()
    journals = {
        "P1": made_diary(folder / "P1").state,
        "P2": write(eventful(), folder / "P2" / "state"),
        "P3": write(void(), folder / "P3" / "state"),
        "P4": write(squeezed(), folder / "P4" / "state"),
    }
    await keep(database, journals)
    for statement in TOLD:
        execute(database, statement)
    return Full(database, journals)


def know_silent(tables: Path, folder: Path) -> None:
    (tables / "P9.vkey").write_text(Log(folder / "key", leaves=1).vkey + "\n", encoding="ascii")


def equip(page: StandingPage, folder: Path) -> None:
    """A table that the house knows and nobody has heard of; what is expected of the rules."""
    know_silent(page.settings.tables, folder)
    expected = page.settings.path.with_name("expected")
    expected.mkdir()
    (expected / f"{RULES}.json").write_text(simulated(), encoding="ascii")
