"""The night of a floor."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from controller.evidence.tree.checkpoint import vkey_of
from floor.collector.nightly import parts_of, years_before
from floor.store.store import FloorStore
from tests.floor.collectors import Floor
from tests.floor.store.logs import sent
from tests.journal.helpers import KEY

pytestmark = pytest.mark.needs("postgresql")
TODAY = datetime.now(UTC).date()


@pytest.fixture
def floor(tmp_path: Path, database: str) -> Floor:
    made = Floor(tmp_path / "floor", database)
    text = made.configuration.read_text("utf-8")
    made.configuration.write_text(f"keep_years = 2\n{text}", encoding="utf-8")
    (made.tables / "P7.vkey").write_text(f"{vkey_of(KEY.public)}\n", encoding="ascii")
    return made


def fill(database: str, *days: date, origin: str | None = None) -> None:
    async def send() -> None:
        async with FloorStore.open(database, most=2) as store:
            for number, day in enumerate(days, 1):
                named = {} if origin is None else {"origin": origin}
                await sent(store, 300 * number, day, **named)

    asyncio.run(send())


def test_what_is_too_old_goes(
    floor: Floor, database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    old = TODAY - timedelta(days=800)
    fill(database, old, old + timedelta(1), TODAY - timedelta(400), TODAY)
    capsys.readouterr()
    assert floor.run("nightly") == 0
    assert capsys.readouterr().out == (
        f"checked: 1 logs\nremoved: {old}, older than 2 years\n"
        f"removed: {old + timedelta(1)}, older than 2 years\n"
    )
    assert floor.run("nightly") == 0
    assert capsys.readouterr().out == "checked: 1 logs\n"


def test_a_log_whose_table_was_taken_out_is_named_and_is_not_checked(
    floor: Floor, database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(database, TODAY, origin="table-controller/0000000000000000")
    capsys.readouterr()
    assert floor.run("nightly") == 1  # nothing was
    told = capsys.readouterr()
    assert "not checked: table-7: table-controller/0000000000000000 is in no" in told.out
    assert "no log was checked" in told.err
    fill(database, TODAY)
    assert floor.run("nightly") == 0


def test_a_database_that_is_away_is_told(floor: Floor) -> None:
    text = floor.configuration.read_text("utf-8")
    broken = text.replace("host=", "host=/nowhere")
    floor.configuration.write_text(broken, encoding="utf-8")
    assert floor.run("nightly") == 1


@pytest.mark.parametrize(("entries", "parts"), [(0, 1), (900, 1), (901, 2), (1801, 3)])
def test_what_is_too_much_for_a_night_takes_several(
    monkeypatch: pytest.MonkeyPatch, entries: int, parts: int
) -> None:
    monkeypatch.setattr("floor.collector.nightly.A_NIGHT", 900)
    assert parts_of(entries) == parts


@pytest.mark.parametrize(
    ("day", "years", "before"),
    [
        (date(2026, 11, 26), 5, date(2021, 11, 26)),
        (date(2028, 2, 29), 1, date(2027, 2, 28)),
        (date(2028, 2, 29), 4, date(2024, 2, 29)),
    ],
)
def test_years_before(day: date, years: int, before: date) -> None:
    assert years_before(day, years) == before
