"""A table's journal at a mirror: real daemon and process, a mirror that keeps all in memory."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.journal.export import lines
from controller.journal.reader import ARCHIVE, JournalReader
from controller.witness.forwarding import LONGEST
from tests.daemon.journaling.aged import LONG_AGO, NOW, closes, play_at, with_archive
from tests.daemon.process import running
from tests.witness.mirror import Mirror, Said, mirror
from tests.witness.stock import until
from tests.witness.tables import Table, process

BEHIND, DIFFERS = "journal-behind-witness", "journal-differs-from-witness"
INFO = "text/x.tlog.mirror-info"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with Table(tmp_path / "table").plugged() as made:
        yield made


@pytest.fixture
def floor(tmp_path: Path, table: Table) -> Iterator[Mirror]:
    """The table's."""
    with mirror(tmp_path) as made:
        table.add_floor(made.url, made.signer.vkey)
        yield made


def mirrored(table: Table, floor: Mirror) -> int:
    """Wait until all that is signed is at the mirror, byte for byte; how much that is."""
    size = table.until_cosigned("floor")
    assert floor.mirrored == size
    assert floor.leaves == table.exported()[:size]
    return size


def test_a_journal_arrives_whole_and_then_what_is_new(table: Table, floor: Mirror) -> None:
    table.fill(600)
    with process(table):
        with running(table):
            first = mirrored(table, floor)
        (asked, upload, *_) = floor.uploads
        assert asked[0] == asked[1], "where it stands is asked for with nothing"
        assert (upload[0], upload[2]) == (0, 3)
        assert floor.tickets[:2] == [b"", b"ticket 0"]
        with running(table):
            second = mirrored(table, floor)
            told = table.witness("floor")
    assert second > first > 600
    assert (told["answer"], told["size"]) == ("200", second)
    sent = [one for one in floor.uploads if one[0] >= first and one[2]]  # a head may come by itself
    assert [low for low, *_ in sent] + [second] == [first] + [high for _, high, _ in sent]
    assert {packages for *_, packages in sent} == {1}


def test_more_than_a_request_takes_is_sent_in_several(table: Table, floor: Mirror) -> None:
    table.fill(33 * 256)
    with running(table), process(table):
        size = mirrored(table, floor)
    assert floor.uploads[:3] == [(size, size, 0), (0, size, 32), (32 * 256, size, 2)]


def test_what_is_too_much_for_a_proxy_is_sent_in_halves(table: Table, floor: Mirror) -> None:
    table.fill(18 * 256)
    floor.scripted = [(413, "text/html", "<html>nginx</html>")]
    with running(table), process(table):
        size = mirrored(table, floor)
    assert floor.uploads[:3] == [(size, size, 0), (0, size, 16), (16 * 256, size, 3)]


def test_long_entries_make_requests_of_fewer(table: Table, floor: Mirror) -> None:
    table.fill(600, "x" * 17_000)
    with running(table), process(table):
        size = mirrored(table, floor)
    assert [upload for upload in floor.uploads if upload[2]] == [
        (0, size, 1),
        (256, size, 1),
        (512, size, 1),
    ]


def test_an_entry_that_no_mirror_takes_is_told_and_holds_nothing(
    table: Table, floor: Mirror
) -> None:
    table.fill(1, "x" * LONGEST)
    with running(table), process(table):
        until(lambda: "a mirror takes" in str(table.witness("floor")["answer"]), "it is told")
        assert str(table.witness("floor")["answer"]).startswith("none: entry ")
        assert table.status()["held"] is None


def test_a_closed_journal_is_sent_before_the_one_that_goes_on(
    table: Table, floor: Mirror, mocker: MockerFixture
) -> None:
    with_archive(table, after_days=30)
    for _ in range(2):
        play_at(LONG_AGO, mocker, table)
    (closed,) = closes(table, NOW)
    with running(table), process(table):
        size = table.until_cosigned("floor")
    with JournalReader(closed.parent, closed.name) as reader:
        before = [text.encode("ascii") for text in lines(reader)]
    assert floor.leaves == [*before, *table.exported()][:size]


def test_what_a_mirror_has_lost_is_sent_again(table: Table, floor: Mirror) -> None:
    table.fill(700)
    with process(table):
        with running(table):
            mirrored(table, floor)
        for kept in (300, 0):
            floor.loses(kept)
            with running(table):
                size = mirrored(table, floor)
            assert (kept, size) in [bounds[:2] for bounds in floor.uploads]


def test_one_that_is_killed_between_requests_goes_on_where_it_was(
    table: Table, floor: Mirror
) -> None:
    table.fill(34 * 256)
    with running(table):
        with process(table, killed=True) as forwarder:
            until(lambda: len(floor.leaves) > 0, "the first have come")
            forwarder.kill()
        assert floor.mirrored == 0
        with process(table):
            size = mirrored(table, floor)
    assert floor.uploads[-2:] == [(size, size, 0), (32 * 256, size, 3)]


def test_a_table_that_was_put_back_is_held(table: Table, floor: Mirror) -> None:
    kept = table.folder / "kept"
    with process(table):
        with running(table):
            mirrored(table, floor)
        shutil.copytree(table.state, kept)
        for _ in range(3):
            with running(table):
                ahead = mirrored(table, floor)
        shutil.rmtree(table.state)
        shutil.copytree(kept, table.state)
        with running(table):
            begun = time.monotonic()
            reason = table.until_held(BEHIND)
            seconds = time.monotonic() - begun
    print(f"held {seconds:.2f} s after the start")
    assert seconds < 5
    assert f"floor has cosigned entry {ahead}" in reason


REFUSED: Said = (422, "text/plain", "entries are not those of the tree\n")


def test_entries_that_are_refused_once_mean_nothing_and_twice_another_history(
    table: Table, floor: Mirror
) -> None:
    floor.scripted = [REFUSED]
    with process(table):
        with running(table):
            mirrored(table, floor)
            assert table.status()["held"] is None
        floor.scripted = [REFUSED, REFUSED]
        with running(table):
            assert "floor has another history of it" in table.until_held(DIFFERS)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ((202, INFO, "1\n"), "none: 202 that says nothing, 1"),
        ((409, "text/plain", "5\n5\n\n"), "none: 409 that says nothing, 5 5"),
        ((404, "text/plain", "no such log\n"), "404 no such log"),
        ((500, "text/plain", "\x1b[2J"), "500 ?[2J"),
        ((200, "text/plain", "no cosignature\n"), "200 no cosignature"),
        ((409, INFO, "999999\n0\n\n"), "none: 409, each time of another checkpoint"),
    ],
)
def test_what_else_is_said_is_told_and_holds_nothing(
    table: Table, floor: Mirror, said: Said, told: str
) -> None:
    floor.scripted = [said] * 4
    with running(table), process(table):
        until(lambda: table.witness("floor")["answer"] is not None, "it is told")
        assert table.witness("floor")["answer"] == told
        assert table.status()["held"] is None


def test_a_journal_that_was_taken_away_is_told_and_holds_nothing(
    table: Table, floor: Mirror, mocker: MockerFixture
) -> None:
    with_archive(table, after_days=30)
    play_at(LONG_AGO, mocker, table)
    assert closes(table, NOW)
    with running(table):
        (closed,) = (table.state / ARCHIVE).glob("*.sqlite3")
        closed.rename(table.folder / closed.name)
        with process(table):
            gone = "none: entries 1 to 2 are in a closed journal that is not here any more"
            until(lambda: table.witness("floor")["answer"] == gone, "it is told")
        assert table.status()["held"] is None
