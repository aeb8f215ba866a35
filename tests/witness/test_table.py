"""A table whose checkpoints a stock witness cosigns: daemon, process and witness, all real."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.cli.main import main
from controller.control.client import ControlClient, Silent
from controller.evidence.tree.checkpoint import name_of, note_of, vkey_of
from controller.evidence.tree.cosignature import WitnessKey
from controller.evidence.trust import add_key, keys_beside
from controller.forms.json_values import checked
from controller.journal.keys import ControllerKey
from tests.daemon.process import running
from tests.witness.stock import NEEDS, Litewitness, litewitness, until
from tests.witness.tables import Table, process

pytestmark = pytest.mark.needs(*NEEDS)

BEHIND, DIFFERS = "journal-behind-witness", "journal-differs-from-witness"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with Table(tmp_path / "table").plugged() as made:
        yield made


@pytest.fixture
def witness(tmp_path: Path, table: Table) -> Iterator[Litewitness]:
    """One that knows the table's log and is the table's."""
    with litewitness(tmp_path / "witness") as made:
        made.knows(table.origin, table.vkey)
        made.start()
        table.add("w1", made.url, made.vkey)
        yield made


def copied(table: Table) -> Path:
    """The whole state as it is now, of a table that is stopped."""
    kept = table.folder / "kept"
    shutil.copytree(table.state, kept)
    return kept


def put_back(table: Table, kept: Path) -> None:
    shutil.rmtree(table.state)
    shutil.copytree(kept, table.state)


def test_every_checkpoint_is_cosigned_and_known_again(
    table: Table, witness: Litewitness, capsys: pytest.CaptureFixture[str]
) -> None:
    with process(table):
        with running(table):
            first = table.until_cosigned()
        with running(table):
            second = table.until_cosigned()
            assert second > first
            assert main(["--socket", str(table.socket), "journal", "checkpoint"]) == 0
            text = capsys.readouterr().out
            assert main(["--socket", str(table.socket), "--json", "journal", "witness"]) == 0
            told = json.loads(capsys.readouterr().out)
    assert WitnessKey.of_vkey(witness.vkey).newest_of(text.splitlines(), note_of(text))
    assert told["witnesses"][0]["size"] == second
    assert told["witnesses"][0]["answer"] == "200"
    assert abs(told["witnesses"][0]["time"] - time.time()) < 60
    with running(table):  # without the process: it is known out of the file
        assert table.witness()["size"] == second


def test_a_table_that_was_put_back_whole_is_held(table: Table, witness: Litewitness) -> None:
    """Journal, heads, copy and key, all of an earlier moment; there are no devices that know."""
    with process(table):
        with running(table):
            table.until_cosigned()
        kept = copied(table)
        for _ in range(3):
            with running(table):
                ahead = table.until_cosigned()
        put_back(table, kept)
        with running(table):
            begun = time.monotonic()
            reason = table.until_held(BEHIND)
            seconds = time.monotonic() - begun
    print(f"held {seconds:.2f} s after the start")
    assert seconds < 5
    assert f"w1 has cosigned entry {ahead}" in reason
    assert "signs no such answer" in reason


def test_one_that_was_put_back_and_is_as_long_again_is_held(
    table: Table, witness: Litewitness
) -> None:
    with process(table), running(table):
        table.until_cosigned()
    kept = copied(table)
    with process(table), running(table):
        ahead = table.until_cosigned()
    put_back(table, kept)
    with running(table):
        pass
    with running(table):
        assert table.newest() >= ahead
        with process(table):
            assert "w1 has another history of it" in table.until_held(DIFFERS)


def test_two_boxes_with_one_key_are_two_histories(
    table: Table, witness: Litewitness, tmp_path: Path
) -> None:
    other = Table(tmp_path / "other")
    shutil.copy(table.state / "key", other.state / "key")
    other.add("w1", witness.url, witness.vkey)
    with running(table), process(table):
        table.until_cosigned()
    with other.plugged(), running(other), process(other):
        until(lambda: other.status()["held"] is not None, "the other one is held")
        assert other.status()["held"]["fault"] in (BEHIND, DIFFERS)


def test_a_resume_lets_the_table_play_and_said_again_it_holds_nothing(
    table: Table, witness: Litewitness
) -> None:
    """Behind what the witness knows, and then, as its own history grows on, beside it: one hold for
    each of them."""
    with process(table):
        with running(table):
            table.until_cosigned()
        kept = copied(table)
        for _ in range(2):
            with running(table):
                table.until_cosigned()
        put_back(table, kept)
        for fault in (BEHIND, DIFFERS):
            with running(table):
                table.until_held(fault)
                resume(table)
        with running(table):
            until(lambda: table.witness()["answer"] is not None, "it is asked again")
            assert table.status()["held"] is None
            with ControlClient(table.socket) as client:
                told = client.request("ready")
    checks = {one["name"]: one for one in checked(list[dict[str, object]], told["checks"])}
    assert not checks["witnesses"]["ok"]
    assert "another history" in str(checks["witnesses"]["what"])


def resume(table: Table) -> None:
    with ControlClient(table.socket) as client:
        client.supervisor("resume", "Sue", "the inspector has looked")


def test_under_another_key_nothing_of_a_log_that_was_refused_is_sent(
    table: Table, witness: Litewitness
) -> None:
    """The table is held for the key alone; from that key's first head on everything is well."""
    with running(table), process(table):
        table.until_cosigned()
    kept = copied(table)
    for _ in range(3):
        with running(table), process(table):
            table.until_cosigned()
    put_back(table, kept)
    with process(table):
        with running(table):
            table.until_held(BEHIND)
            resume(table)
        (table.state / "key").unlink()
        other = ControllerKey(table.state / "key").public
        add_key(keys_beside(table.configuration), other)
        witness.stop()
        witness.knows(name_of(other), vkey_of(other))
        witness.start()
        with running(table):
            table.until_held("heads-doubted")
            resume(table)
            with ControlClient(table.socket, 1.0) as client, pytest.raises(Silent):
                client.checkpoint()  # it is waited for
            assert table.witness()["answer"] is None
            assert table.status()["held"] is None
        with running(table):
            table.until_cosigned()
            assert table.status()["held"] is None


def test_a_witness_that_does_not_know_the_log_holds_nothing(table: Table, tmp_path: Path) -> None:
    with litewitness(tmp_path / "witness") as witness:
        witness.start()
        table.add("w1", witness.url, witness.vkey)
        with running(table), process(table):
            until(lambda: str(table.witness()["answer"]).startswith("404"), "it is told")
            assert table.status()["held"] is None
            assert table.witness()["size"] is None


def test_a_witness_that_comes_late_begins_at_nothing(table: Table, witness: Litewitness) -> None:
    witness.stop()
    with running(table), process(table):
        until(lambda: str(table.witness()["answer"]).startswith("none"), "it is told")
        assert table.status()["held"] is None
        witness.start()
        table.until_cosigned()
