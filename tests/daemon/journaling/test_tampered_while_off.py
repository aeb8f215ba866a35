"""What signatures show at the next start when the journal was cut, rewritten or exchanged."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, nullcontext
from pathlib import Path

import pytest

from controller.cli.main import main
from controller.configuration.reading import load_configuration
from controller.daemon.outside import Outside
from controller.evidence.heads import read_head
from controller.evidence.recorded import found_in
from controller.evidence.tree.checkpoint import parsed, vkey_of
from controller.evidence.trust import add_key, read_keys
from controller.journal import commits, rows
from controller.journal.keys import ControllerKey
from controller.journal.model import Draft
from controller.journal.reader import JournalReader, closed_files
from controller.journal.store import Journal
from controller.table.events.reading import AFTER
from controller.upkeep import next_start
from controller.upkeep.due import close_if_due
from controller.upkeep.signing import signing_of
from tests.daemon.process import Place
from tests.daemon.sealed import heads, journal_at, play, runtime_at
from tests.journal.helpers import OTHER_KEY


@pytest.fixture
def idle(tmp_path: Path) -> Place:
    """A table at which no round is played; stopped."""
    made = Place(tmp_path)
    for _ in range(2):
        play(made)
    return made


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
    play(place)
    shutil.copy(copy, place.state / "journal.sqlite3")


def rewrite(place: Place) -> None:
    """The end is written anew, well chained and of the same length, and signed with another key."""
    with JournalReader(place.state) as reader:
        last = list(reader.iterate())[-1]
    cut(place, 1)
    with Journal(place.state, OTHER_KEY, boot_id="boot-1") as journal:
        journal.append([last.draft], last.mono_ns, "2026-11-20T12:00:00+00:00")


def go_back(place: Place) -> None:
    """An earlier commit of the true key, put back with its row; the last head is behind it."""
    with JournalReader(place.state) as reader:
        before = reader.cover([ControllerKey(place.state / "key").public]).row
    assert before is not None
    play(place)
    with closing(sqlite3.connect(place.state / "journal.sqlite3")) as connection:
        last = connection.execute("SELECT max(seq) FROM entry").fetchone()[0]
    cut(place, last - before.seq)
    with closing(sqlite3.connect(place.state / "journal.sqlite3")) as connection:
        commits.copy(connection, before)
        connection.commit()


def take_the_row(place: Place) -> None:
    """The last head still covers its end."""
    with closing(sqlite3.connect(place.state / "journal.sqlite3")) as connection:
        connection.execute("DROP TABLE signed")
        connection.execute("VACUUM")


def exchange(place: Place) -> None:
    """The journal of another table, or a new one, lies in its place."""
    (place.state / "journal.sqlite3").unlink()


def lose_heads(place: Place) -> None:
    (place.state / "heads.jsonl").unlink()


def spoil_heads(place: Place) -> None:
    (place.state / "heads.jsonl").write_text("{}\n" * 4, encoding="ascii")


def go_on_unsigned(place: Place) -> None:
    """Somebody without the key has gone on behind the last head, and chained it well. The row is
    left as it was."""
    with JournalReader(place.state) as reader:
        began = list(reader.iterate())[-1].mono_ns
        row = reader.cover(()).row
    assert row is not None
    attempt = {"user": "ida", "uid": 7, "pid": 8, "what": "a connection", "why": "", "count": 1}
    result = {"notes": ["refused ida (uid 7, process 8): a connection ()"], "state": "betting"}
    draft = Draft("refused-attempt", {**attempt, AFTER: result})
    with Journal(place.state, OTHER_KEY, boot_id="boot-1") as journal:
        journal.append([draft], began + 1, "2026-11-20T12:00:00+00:00")
    with closing(sqlite3.connect(place.state / "journal.sqlite3")) as connection:
        commits.copy(connection, row)
        connection.commit()


def exchange_key(place: Place) -> None:
    (place.state / "key").unlink()


def exchange_known_key(place: Place) -> None:
    """Root has written the new one's line behind the old one's."""
    exchange_key(place)
    add_key(keys_of(place), ControllerKey(place.state / "key").public)


def sign_with_another(place: Place) -> None:
    """By a key that counts and is not the controller's, which all start records name."""
    add_key(keys_of(place), OTHER_KEY.public)
    with closing(sqlite3.connect(place.state / "journal.sqlite3")) as connection, connection:
        last, identity = rows.head(connection), rows.identity(connection)
        commits.store_signature(connection, OTHER_KEY, identity, last, "2026-11-20T12:00:00+00:00")


def keys_of(place: Place) -> Path:
    return place.configuration.with_name("journal.vkey")


@pytest.mark.parametrize(
    ("tamper", "fault", "said"),
    [
        (cut, "journal-not-signed", "was signed, and the journal ends with entry"),
        (restore, "journal-cut", "are missing"),
        (go_back, "journal-cut", "are missing"),
        (rewrite, "journal-not-signed", "not signed with a key that is known here"),
        (take_the_row, "journal-not-signed", "the table of it is not there"),
        (exchange, "journal-differs-from-head", "this one does not go on"),
        (lose_heads, "heads-doubted", "none of the heads"),
        (spoil_heads, "heads-doubted", "none of the heads"),
        (go_on_unsigned, "journal-not-signed", "covered by no signature"),
        (sign_with_another, "heads-doubted", "which is another key than the controller's"),
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
    assert again["fault"] == fault, "held until a supervisor says who and why"
    assert play(place)["held"] is None


@pytest.mark.parametrize("tamper", [cut, rewrite, take_the_row])
def test_a_hold_is_no_acquittal(
    idle: Place, capsys: pytest.CaptureFixture[str], tamper: Callable[[Place], None]
) -> None:
    """Whoever lets play go on: what was found is told for ever, in what goes on from it, too."""
    tamper(idle)
    play(idle, resume=True)
    assert play(idle)["held"] is None
    verify = ["journal", "verify", "--state", str(idle.state)]
    for _ in range(2):
        assert main(verify) == 1
        told = capsys.readouterr().out
        assert "found journal-not-signed, and vouches for nothing before it" in told
        assert told.splitlines()[0] == f"key: {keys_of(idle)}, a file that the journal names"
        close_and_go_on(idle)
        verify += ["--archive", str(idle.state / "archive")]
    with JournalReader(idle.state) as reader:
        [first] = reader.iterate(reader.begins, reader.begins + 1)
        [found] = found_in(first)
    assert found["fault"] == "journal-not-signed"


def test_another_key_in_good_order_is_a_remark(
    idle: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    """Lost, and made anew; root has written the new one's line behind the old one's."""
    exchange_known_key(idle)
    assert play(idle, resume=True)["held"]["fault"] == "heads-doubted"
    assert play(idle)["held"] is None
    assert main(["journal", "verify", "--state", str(idle.state)]) == 0
    told = capsys.readouterr().out
    assert "from here on another key; what is before it was signed with" in told
    assert "which is known" in told
    close_and_go_on(idle)
    assert main(["journal", "verify", "--state", str(idle.state)]) == 0


@pytest.mark.parametrize("tamper", [cut, restore, exchange_known_key])
def test_checkpoints_say_up_to_where_nobody_vouches(
    idle: Place, tamper: Callable[[Place], None]
) -> None:
    """Those of the journal that goes on from there, too; not where a key that counts signed it."""
    tamper(idle)
    with JournalReader(idle.state) as reader:
        last = 0 if tamper is exchange_known_key else reader.head.seq
    play(idle, resume=True)
    signed = parsed(heads(idle)[-1].checkpoint)
    assert (signed.doubted, signed.size > last) == (last, True)
    close_and_go_on(idle)
    closing_head, *_, now = heads(idle)
    for head in (closing_head, now):
        assert parsed(head.checkpoint).doubted == last
    play(idle)
    assert parsed(heads(idle)[-1].checkpoint).doubted == last


def test_another_key_that_nobody_has_written_down_is_none(place: Place) -> None:
    exchange_key(place)
    held = play(place, resume=True)["held"]
    assert held["fault"] == "heads-doubted"
    assert "put its line into the file of verifier keys before the next start" in held["reason"]
    assert main(["journal", "verify", "--state", str(place.state)]) == 1
    assert play(place)["held"]["fault"] == "journal-not-signed"


@pytest.mark.parametrize("tamper", [exchange_known_key, sign_with_another])
def test_another_key_that_counts_is_named_when_it_counts_no_more(
    idle: Place, capsys: pytest.CaptureFixture[str], tamper: Callable[[Place], None]
) -> None:
    """Whoever has written a line into the file takes it out again."""
    keys = keys_of(idle)
    row_key = ControllerKey(idle.state / "key").public
    tamper(idle)
    play(idle, resume=True)
    assert play(idle)["held"] is None
    verify = ["journal", "verify", "--state", str(idle.state)]
    assert main(verify) == 0
    assert "from here on another key" in capsys.readouterr().out
    counts = OTHER_KEY.public if tamper is sign_with_another else row_key
    left = [key for key in read_keys(keys) if key != counts]
    keys.write_text("".join(f"{vkey_of(key)}\n" for key in left), "ascii")
    assert main(verify) == 1
    told = capsys.readouterr().out
    assert "found heads-doubted, and vouches for nothing before it" in told


@pytest.mark.parametrize(
    ("tamper", "fault"),
    [(restore, "journal-cut"), (go_back, "journal-cut"), (exchange, "journal-differs-from-head")],
)
def test_what_heads_showed_is_named_when_they_are_gone(
    idle: Place, capsys: pytest.CaptureFixture[str], tamper: Callable[[Place], None], fault: str
) -> None:
    """The start had them, and has told of it in its record."""
    path = idle.state / "heads.jsonl"
    tamper(idle)
    with JournalReader(idle.state) if tamper is not exchange else nullcontext() as reader:
        here = (reader.identity.hex(), reader.head.seq) if reader else ("", 0)
    lines = path.read_bytes().splitlines(keepends=True)
    play(idle, resume=True)
    assert play(idle)["held"] is None
    later = path.read_bytes().splitlines(keepends=True)[len(lines) :]
    kept = [
        one for one in lines if read_head(one).journal == here[0] and read_head(one).seq <= here[1]
    ]
    assert len(kept) < len(lines)
    path.write_bytes(b"".join([*kept, *later]))
    assert main(["journal", "verify", "--state", str(idle.state)]) == 1
    told = capsys.readouterr().out
    assert f"found {fault}, and vouches for nothing before it" in told


OPENED = (restore, go_back, cut, rewrite, take_the_row, lose_heads, exchange_known_key)


@pytest.mark.parametrize("tamper", [*OPENED, sign_with_another])
def test_what_a_start_would_hold_is_not_closed_before_it(
    idle: Place, tamper: Callable[[Place], None]
) -> None:
    tamper(idle)
    with JournalReader(idle.state) as reader:
        next_start.request_closing(idle.state, reader.identity)
    config = load_configuration(idle.configuration)
    close_if_due(config, signing_of(config), Outside(boot_id=lambda: "boot-1"))
    assert closed_files(idle.state) == []
    assert play(idle)["held"] is not None


def close(place: Place) -> None:
    """The journal is closed as by a start that was asked for it."""
    archive = place.folder / "archive"
    archive.mkdir(exist_ok=True)
    with JournalReader(place.state) as reader:
        next_start.request_closing(place.state, reader.identity)
    config = load_configuration(place.configuration)
    close_if_due(config, signing_of(config), Outside(boot_id=lambda: "boot-1"))
    next_start.remove_request(place.state)
    assert len(closed_files(place.state)) > 0


def close_and_go_on(place: Place) -> None:
    close(place)
    assert play(place)["held"] is None


@pytest.mark.parametrize("tamper", [lose_heads, spoil_heads, exchange_key])
def test_a_start_that_dies_hides_nothing_from_the_next(
    place: Place, tamper: Callable[[Place], None]
) -> None:
    tamper(place)

    async def die() -> None:
        with journal_at(place) as journal:
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
    close_and_go_on(place)
    if tamper is not None:
        tamper(place)
    held = play(place)["held"]
    assert (held and held["fault"]) == fault
