"""What signed heads show at the next start when the journal was cut or exchanged meanwhile."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from controller.cli.main import main
from controller.daemon.outside import Outside
from controller.journal.model import Draft
from controller.journal.reader import JournalReader
from controller.journal.store import Journal
from controller.replay.records import AFTER
from tests.daemon.process import Place
from tests.daemon.sealed import play, runtime_at


def cut(place: Place, count: int = 3) -> None:
    """The last entries are gone, with all that SQLite would show of it."""
    path = place.state / "journal.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER entry_no_delete")
        connection.execute(
            "DELETE FROM entry WHERE seq > (SELECT max(seq) FROM entry) - ?", (count,)
        )
        connection.execute(
            """CREATE TRIGGER entry_no_delete BEFORE DELETE ON entry
            BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END"""
        )
        connection.execute("VACUUM")


def restore(place: Place) -> None:
    """The journal of an earlier day is put back; the table is played on with it elsewhere."""
    copy = place.folder / "copy.sqlite3"
    shutil.copy(place.state / "journal.sqlite3", copy)
    play(place, "wager 2 main 10")
    shutil.copy(copy, place.state / "journal.sqlite3")


def rewrite(place: Place) -> None:
    """The end is written anew, well chained and of the same length."""
    with JournalReader(place.state) as reader:
        last = list(reader.iterate())[-1]
    cut(place, 1)
    with Journal(place.state, boot_id="boot-1") as journal:
        journal.append([last.draft], last.mono_ns, "2026-11-20T12:00:00+00:00")


def exchange(place: Place) -> None:
    """The journal of another table, or a new one, lies in its place."""
    (place.state / "journal.sqlite3").unlink()


def lose_heads(place: Place) -> None:
    (place.state / "heads.jsonl").unlink()


def spoil_heads(place: Place) -> None:
    (place.state / "heads.jsonl").write_text("{}\n" * 4, encoding="ascii")


def go_on_unsigned(place: Place) -> None:
    """Somebody without the key has gone on behind the last head, and chained it well."""
    with JournalReader(place.state) as reader:
        began = list(reader.iterate())[-1].mono_ns
    attempt = {"user": "ida", "uid": 7, "pid": 8, "what": "a connection", "why": "", "count": 1}
    result = {"notes": ["refused ida (uid 7, process 8): a connection ()"], "state": "betting"}
    draft = Draft("refused-attempt", {**attempt, AFTER: result})
    with Journal(place.state, boot_id="boot-1") as journal:
        for after_s in (1, 60, 120):
            at = began + after_s * 10**9
            journal.append([draft], at, "2026-11-20T12:00:00+00:00")


def exchange_key(place: Place) -> None:
    (place.state / "key").unlink()


def open_key(place: Place) -> None:
    (place.state / "key").chmod(0o644)


@pytest.mark.parametrize(
    ("tamper", "fault", "said"),
    [
        (cut, "journal-cut", "are missing"),
        (restore, "journal-cut", "are missing"),
        (rewrite, "journal-differs-from-head", "is another one in the journal now"),
        (exchange, "journal-differs-from-head", "this one does not go on"),
        (lose_heads, "heads-doubted", "none of the heads"),
        (spoil_heads, "heads-doubted", "none of the heads"),
        (go_on_unsigned, "heads-doubted", "no head was signed behind entry"),
        (exchange_key, "heads-doubted", "the key is"),
        (open_key, "heads-doubted", "mode 0644"),
    ],
)
def test_what_was_done_to_it_meanwhile_holds_the_table(
    place: Place, tamper: Callable[[Place], None], fault: str, said: str
) -> None:
    tamper(place)
    held = play(place)["held"]
    assert (held["fault"], held["remedies"]) == (fault, ["resume"])
    assert said in held["reason"]
    again = play(place, resume=True)["held"]
    # Nothing was signed meanwhile: with another key there is no head of it yet.
    said = "none of the heads" if tamper is exchange_key else said
    assert said in again["reason"], "held until a supervisor says who and why"
    assert play(place)["held"] is None


def test_a_start_without_its_key_does_not_make_room_for_another(place: Place) -> None:
    open_key(place)
    assert play(place, resume=True)["held"]["fault"] == "heads-doubted"
    (place.state / "key").unlink()
    (place.state / "heads.jsonl").unlink()
    held = play(place)["held"]
    assert held["fault"] == "heads-doubted"
    assert "the key is" in held["reason"]


@pytest.mark.parametrize("tamper", [lose_heads, spoil_heads, exchange_key])
def test_a_start_that_dies_hides_nothing_from_the_next(
    place: Place, tamper: Callable[[Place], None]
) -> None:
    tamper(place)

    async def die() -> None:
        with Journal(place.state, boot_id="boot-1") as journal:
            runtime = runtime_at(place, journal, Outside())
            await runtime.close()

    asyncio.run(die())
    assert play(place)["held"]["fault"] == "heads-doubted"


@pytest.mark.parametrize(
    ("tamper", "fault"),
    [
        (None, None),
        (lose_heads, "heads-doubted"),
        (exchange_key, "heads-doubted"),
        (exchange, "journal-differs-from-head"),
    ],
)
def test_what_was_done_to_it_behind_an_archive_holds_the_table(
    tmp_path: Path, tamper: Callable[[Place], None] | None, fault: str | None
) -> None:
    place = Place(tmp_path)
    play(place)
    (tmp_path / "archive").mkdir()
    command = ["journal", "archive", "--state", str(place.state), "--to", str(tmp_path / "archive")]
    assert main(command) == 0
    if tamper is not None:
        tamper(place)
    held = play(place)["held"]
    assert (held and held["fault"]) == fault
