"""Real tables at a real floor: daemon, forwarder, collector and PostgreSQL, each a process."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import psycopg
import pytest

from controller.control.client import ControlClient
from controller.evidence.tree.checkpoint import name_of, vkey_of
from controller.evidence.trust import add_key, keys_beside
from controller.journal.keys import ControllerKey
from floor.store.store import FloorStore
from tests.daemon.process import running
from tests.floor.collectors import Floor, collecting
from tests.witness.stock import free_port, until
from tests.witness.tables import Table, process

pytestmark = pytest.mark.needs("postgresql")

BEHIND, DIFFERS = "journal-behind-witness", "journal-differs-from-witness"


class House:
    """A floor whose collectors are at one address, and its database."""

    def __init__(self, folder: Path, database: str) -> None:
        self.database = database
        self.floor = Floor(folder, database)
        self.url = f"http://127.0.0.1:{free_port()}"
        text = self.floor.configuration.read_text("utf-8")
        port = self.url.rpartition(":")[2]
        self.floor.configuration.write_text(text.replace("127.0.0.1:0", f"127.0.0.1:{port}"))

    def has(self, table: Table, name: str = "P1") -> Table:
        """The table sends its journal here, and the floor's witness is one of its own."""
        (self.floor.tables / f"{name}.vkey").write_text(f"{table.vkey}\n", encoding="ascii")
        table.add_floor(f"{self.url}/mirror", self.floor.mirror.text)
        table.add("site", f"{self.url}/witness", self.floor.witness.text)
        return table

    def next_entry(self) -> int:
        """How many entries of the only table are stored."""
        with psycopg.connect(self.database) as connection:
            found = connection.execute("select next_entry from floor.log").fetchone()
        return found[0] if found else 0

    def has_more(self, than: int) -> bool:
        """Whether more than that are stored."""
        return self.next_entry() > than

    def journal_of(self, table: Table) -> list[bytes]:
        """What is stored of its journal."""

        async def read() -> list[bytes]:
            async with FloorStore.open(self.database, most=2) as store:
                return [leaf async for leaf in store.leaves(table.origin, 0, 1 << 40)]

        return asyncio.run(read())


@pytest.fixture
def house(tmp_path: Path, database: str) -> House:
    return House(tmp_path / "floor", database)


@pytest.fixture
def table(tmp_path: Path, house: House) -> Iterator[Table]:
    with Table(tmp_path / "table").plugged() as made:
        yield house.has(made)


def test_a_journal_arrives_wholly_and_byte_for_byte(house: House, table: Table) -> None:
    with collecting(house.floor), process(table):
        with running(table):
            first = table.until_cosigned("floor")
        with running(table):
            second = table.until_cosigned("floor")
            table.until_cosigned("site")
            assert table.status()["held"] is None
    assert second > first
    assert house.journal_of(table) == table.exported()[:second]


def test_what_came_about_without_a_network_is_sent_in_order(house: House, table: Table) -> None:
    table.fill(4000)
    with running(table), process(table):
        until(lambda: table.witness("floor")["answer"] is not None, "nobody answers")
        with collecting(house.floor):
            size = table.until_cosigned("floor")
    assert size > 4000
    assert house.journal_of(table) == table.exported()[:size]


def test_each_entry_once_whoever_is_killed_in_the_middle(house: House, table: Table) -> None:
    for victim in ("collector", "forwarder", "collector"):
        table.fill(8 * 256)
        before, forwarders = house.next_entry(), victim == "forwarder"
        with (
            running(table),
            collecting(house.floor) as collector,
            process(table, killed=forwarders) as forwarder,
        ):
            until(partial(house.has_more, before), "some have come")
            (forwarder if forwarders else collector).kill()
    with running(table), collecting(house.floor), process(table):
        size = table.until_cosigned("floor")
    assert size > 24 * 256
    assert house.journal_of(table) == table.exported()[:size]


def test_a_table_that_was_put_back_is_held_and_nothing_is_lost(house: House, table: Table) -> None:
    kept = table.folder / "kept"
    with collecting(house.floor), process(table):
        with running(table):
            table.until_cosigned("floor")
        shutil.copytree(table.state, kept)
        for _ in range(3):
            with running(table):
                ahead = table.until_cosigned("floor")
        whole = table.exported()[:ahead]
        shutil.rmtree(table.state)
        shutil.copytree(kept, table.state)
        with running(table):
            begun = time.monotonic()
            reason = table.until_held(BEHIND)
            seconds = time.monotonic() - begun
    print(f"held {seconds:.2f} s after the start")
    assert seconds < 5
    assert f"has cosigned entry {ahead} of it" in reason
    assert house.journal_of(table) == whole


def test_of_two_boxes_with_one_identity_the_second_is_held(
    house: House, table: Table, tmp_path: Path
) -> None:
    other = Table(tmp_path / "other")
    shutil.copy(table.state / "key", other.state / "key")
    other.vkey = table.vkey
    house.has(other)
    with collecting(house.floor):
        with running(table), process(table):
            table.until_cosigned("floor")
        with other.plugged(), running(other), process(other):
            until(lambda: other.status()["held"] is not None, "the other one is held")
            assert other.status()["held"]["fault"] in (BEHIND, DIFFERS)


def test_another_key_begins_a_log_of_its_own_with_the_first_entry(
    house: House, table: Table
) -> None:
    with collecting(house.floor), process(table):
        with running(table):
            table.until_cosigned("floor")
        (table.state / "key").unlink()
        other = ControllerKey(table.state / "key").public
        add_key(keys_beside(table.configuration), other)
        with (house.floor.tables / "P1.vkey").open("a", encoding="ascii") as file:
            file.write(f"{vkey_of(other)}\n")
        with running(table), ControlClient(table.socket) as client:
            table.until_held("heads-doubted")
            client.supervisor("resume", "Sue", "the key was lost")
        table.origin = name_of(other)
        with running(table):
            size = table.until_cosigned("floor")
    assert house.journal_of(table) == table.exported()[:size]


def test_one_that_the_house_does_not_know_is_told_and_not_held(house: House, table: Table) -> None:
    (house.floor.tables / "P1.vkey").unlink()
    with collecting(house.floor), running(table), process(table):
        until(lambda: str(table.witness("floor")["answer"]).startswith("404"), "it is told")
        assert table.status()["held"] is None


def test_what_is_altered_in_the_database_comes_again_from_the_box(
    house: House, table: Table, capsys: pytest.CaptureFixture[str]
) -> None:
    """Found and named by night; the table brings it with its next upload."""
    table.fill(1000)
    with collecting(house.floor), process(table):
        with running(table):
            table.until_cosigned("floor")
        assert house.floor.run("nightly") == 0
        with psycopg.connect(house.database) as connection:
            connection.execute("update floor.bundle set lines = 'x' where first = 256")
        assert house.floor.run("nightly") == 1
        told = capsys.readouterr().out
        assert f"altered: P1: {table.origin}: entries 256 to 511 do not unpack" in told
        with running(table):
            size = table.until_cosigned("floor")
        assert house.floor.run("nightly") == 0
    assert house.journal_of(table) == table.exported()[:size]
