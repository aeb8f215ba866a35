"""``shift report`` on journals: shifts and days, snapshots, archives, what is not there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from controller.daemon.journaling.played_rounds import PlayedRounds
from controller.not_done import NOT_WELL
from controller.table.events.reading import read_event
from tests.cli.shifts.diary import ZONE, Diary, wall
from tests.cli.support import Tablectl
from tests.control.support import controller
from tests.journal.helpers import forging, opened

KEYS = [
    *("shift", "rounds", "void", "rounds_per_hour", "money", "hold", "draws", "voids"),
    *("corrections", "second_person", "holds", "cards", "shoes"),
]


@pytest.fixture(autouse=True)
def _zone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", ZONE)


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    (tmp_path / "archive").mkdir()
    return tmp_path / "archive"


@pytest.fixture
def diary(tmp_path: Path) -> Diary:
    """Shift 0 with a round on the 24th; shift 1 with two, one of them on the 25th; shift 2 with
    three, the last one in the night of the 25th, which is the 26th's morning."""
    made = Diary(tmp_path, wall(24, 20))
    made.rounds(1)
    made.order("shift", by="Ida")
    made.rounds(1)
    made.at = wall(25, 9)
    made.rounds(1)
    made.order("shift", by="Ann")
    made.at = wall(25, 18)
    made.rounds(2)
    made.at = wall(26, 5, 59)
    made.rounds(1)
    return made


def told(tablectl: Tablectl, state: Path, *more: object) -> Any:
    ran = tablectl("shift", "report", "--state", state, "--json", *more)
    assert ran.code == 0, ran.err
    return ran.json


def numbers(tablectl: Tablectl, state: Path, *more: object) -> dict[str, int]:
    """Rounds by shift and day."""
    asked: tuple[list[str], ...] = (["--shift", "0"], ["--shift", "1"], [], ["--day", "2026-11-24"])
    every = (*asked, ["--day", "2026-11-25"])
    return {" ".join(one): told(tablectl, state, *one, *more)["rounds"] for one in every}


ROUNDS = {"--shift 0": 1, "--shift 1": 2, "": 3, "--day 2026-11-24": 2, "--day 2026-11-25": 4}


def test_shifts_and_days_by_number_and_date(tablectl: Tablectl, diary: Diary) -> None:
    state = diary.store()
    assert numbers(tablectl, state) == ROUNDS
    present = told(tablectl, state)
    assert list(present) == KEYS
    assert present == told(tablectl, state, "--shift", "2")
    assert present["shift"]["number"] == 2
    assert present["shift"]["by"] == "Ann"
    assert present["shift"]["until"] is None
    # In each round a 9 and a 9 come to 18, 100 dollars, against an 8 and a 9: 17.
    assert present["money"]["main"]["wagered"] == "300.00"
    assert present["money"]["main"]["paid"] == "600.00"
    assert (present["hold"], present["cards"], present["shoes"]) == (-100.0, 12, 0)
    first = told(tablectl, state, "--shift", "0")
    assert first["shift"]["since"] == "2026-11-24T10:00:00.000+00:00"
    assert (first["shift"]["by"], first["shoes"]) == ("", 1)
    day = told(tablectl, state, "--day", "2026-11-25")
    assert day["day"] == "2026-11-25"
    assert day["shift"] == {
        "number": None,
        "since": "2026-11-24T20:00:00+00:00",
        "until": None,
        "by": None,
    }
    diary.at = wall(26, 6)
    diary.take(read_event("stop", {}))
    state = diary.store()
    day = told(tablectl, state, "--day", "2026-11-25")
    assert day["shift"]["until"] == "2026-11-25T20:00:00+00:00"
    assert told(tablectl, state, "--day", "2026-11-26")["rounds"] == 0


def test_shifts_add_up_to_the_counters(tablectl: Tablectl, diary: Diary) -> None:
    diary.a_void_round()
    state = diary.store()
    total = tablectl("counters", "--state", state, "--json").json["total"]
    shifts = [told(tablectl, state, "--shift", number) for number in range(3)]
    days = [told(tablectl, state, "--day", f"2026-11-{day}") for day in (24, 25)]
    for parts in (shifts, days):
        for name in ("rounds", "void", "cards"):
            assert sum(part[name] for part in parts) == total[name]
        for name in ("wagered", "paid", "held", "given_back"):
            sums = [float(part["money"]["main"][name]) for part in parts]
            assert sum(sums) == float(total["money"]["main"][name])
        assert sum(part["voids"].get("Sue", 0) for part in parts) == total["voids"]["Sue"] == 1


def test_it_begins_at_the_last_snapshot_before(tablectl: Tablectl, tmp_path: Path) -> None:
    """With snapshots everywhere it tells the same."""
    plain, marked = (
        Diary(tmp_path / "plain", wall(24, 20)),
        Diary(tmp_path / "marked", wall(24, 20)),
    )
    for made in (plain, marked):
        for day in (24, 25):
            made.at = wall(day, 21)
            for _ in range(2):
                made.rounds(1)
                made.store(snapshot=made is marked)
                made.order("shift", by="Ida")
                made.rounds(1)
                made.store(snapshot=made is marked)
    every = [("--shift", str(number), 1 if number in (0, 4) else 2) for number in range(5)]
    every += [("--day", f"2026-11-{day}", 4) for day in (24, 25)]
    for which, name, rounds in every:
        here, there = (told(tablectl, made.state, which, name) for made in (plain, marked))
        assert here["rounds"] == rounds
        for key in KEYS:
            if key not in ("shift", "rounds_per_hour"):
                assert here[key] == there[key], (name, key)


def test_it_is_told_on_a_terminal_and_on_a_page(
    tablectl: Tablectl, diary: Diary, tmp_path: Path
) -> None:
    diary.a_void_round()
    state, page = diary.store(), tmp_path / "shift.html"
    ran = tablectl("shift", "report", "--state", state, "--html", page)
    assert ran.code == 0
    assert ran.out.startswith("Table P12: Shift 2, begun by Ann\n  since 2026-11-25 09:0")
    assert "goes on" in ran.out
    assert "rounds settled" in ran.out
    assert "Rounds void, by: Sue 1" in ran.out
    assert ran.out.endswith(f"the page to be signed: {page}\n")
    html = page.read_text("utf-8")
    assert "<title>Table P12: Shift 2, begun by Ann</title>" in html
    assert "<h1>Table P12: report on a shift</h1>" in html
    assert "<td>main</td>" in html
    assert '<tr class="total"><td>all</td>' in html
    assert "<script" not in html
    assert "Supervisor: name, signature, time" in html
    ran = tablectl("shift", "report", "--state", state, "--html", page)
    assert (ran.code, "is there already" in ran.err) == (2, True)
    text = tablectl("shift", "report", "--state", state, "--day", "2026-11-24").out
    assert text.startswith("Table P12: Gaming day 2026-11-24\n  2026-11-24 06:00 AEST to ")
    text = tablectl("shift", "report", "--state", state, "--shift", "0").out
    assert text.startswith("Table P12: Shift 0, before the first that was begun\n")


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (("--shift", "3"), "there was no shift 3 at this table: the present one is 2"),
        (("--shift", "three"), "expected a number, as 12"),
        (("--shift", "-1"), "expected"),
        (("--shift", "9" * 40), "is no shift"),
        (("--day", "2026-11-23"), "has nothing of the day 2026-11-23"),
        (("--day", "2026-11-27"), "has nothing of the day 2026-11-27"),
        (("--day", "9999-12-31"), "has nothing of the day 9999-12-31"),
        (("--day", "0001-01-01"), "has nothing of the day 0001-01-01"),
        (("--day", "2026-02-30"), "a day as 2026-11-26 is expected"),
        (("--day", "26.11.2026"), "expected a date, as 2026-11-26"),
        (("--day", "2026-W48-4"), "is no shift"),
        (("--shift", "1", "--day", "2026-11-25"), "not allowed with"),
    ],
)
def test_what_is_unknown_is_wrong_use(
    tablectl: Tablectl, diary: Diary, asked: tuple[str, ...], words: str
) -> None:
    ran = tablectl("shift", "report", "--state", diary.store(), *asked)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err


def test_closed_journals_are_lined_up(tablectl: Tablectl, tmp_path: Path, archive: Path) -> None:
    """The journal is archived in the middle of shift 1, of shift 2, and of the 25th."""
    diary = Diary(tmp_path, wall(24, 20))
    diary.rounds(1)
    diary.order("shift", by="Ida")
    diary.rounds(1)
    diary.archive(archive)
    diary.at = wall(25, 9)
    diary.rounds(1)
    diary.order("shift", by="Ann")
    diary.at = wall(25, 18)
    diary.rounds(1)
    diary.archive(archive)
    diary.rounds(1)
    diary.at = wall(26, 5, 59)
    diary.rounds(1)
    state = diary.store()
    assert numbers(tablectl, state, "--archive", archive) == ROUNDS
    for asked in ((), ("--shift", "2"), ("--shift", "0"), ("--day", "2026-11-25")):
        ran = tablectl("shift", "report", "--state", state, *asked)
        assert (ran.code, ran.out) == (3, "")
        assert "is in a closed journal that was taken away" in ran.err
        assert "--archive DIR" in ran.err
    ran = tablectl("shift", "report", "--state", state, "--shift", "3")
    assert (ran.code, "there was no shift 3" in ran.err) == (2, True)
    ran = tablectl("shift", "report", "--state", state, "--day", "2026-11-23")
    assert (ran.code, "has nothing of the day 2026-11-23" in ran.err) == (2, True)
    ran = tablectl("shift", "report", "--state", state, "--day", "2026-11-27")
    assert ran.code == 2
    archive.rename(state / "archive")  # where the controller itself closes them to
    assert numbers(tablectl, state) == ROUNDS
    first, second = sorted((state / "archive").glob("*-0000*.sqlite3"), key=lambda f: f.name[-20:])
    first.unlink()
    assert told(tablectl, state)["rounds"] == 3  # the second one still has its beginning
    for asked in (("--shift", "1"), ("--day", "2026-11-24")):
        assert tablectl("shift", "report", "--state", state, *asked).code == 3
    assert told(tablectl, state, "--day", "2026-11-25")["rounds"] == 4
    second.unlink()
    assert tablectl("shift", "report", "--state", state).code == 3


def test_a_shift_that_began_behind_the_archive_needs_none(
    tablectl: Tablectl, diary: Diary, archive: Path
) -> None:
    diary.archive(archive)
    diary.at = wall(26, 9)
    diary.order("shift", by="Eva")
    diary.rounds(2)
    state = diary.store()
    assert told(tablectl, state)["rounds"] == told(tablectl, state, "--shift", "3")["rounds"] == 2
    assert told(tablectl, state, "--day", "2026-11-26")["rounds"] == 2  # closed at 5:59


def test_a_controller_tells_the_same(tablectl: Tablectl, diary: Diary, archive: Path) -> None:
    diary.archive(archive)
    diary.at = wall(26, 9)
    diary.order("shift", by="Eva")
    state = diary.store()
    archive.rename(state / "archive")
    path = state.with_name("control.sock")
    elsewhere = {"state_directory": str(path.with_name("closed"))}
    with controller(path, elsewhere, rounds=PlayedRounds(state)):
        for asked in ((), ("--shift", "1"), ("--day", "2026-11-25"), ("--shift", "7")):
            from_files = tablectl("shift", "report", "--json", "--state", state, *asked)
            told = tablectl("shift", "report", "--json", "--socket", path, *asked)
            assert told == from_files
        for file in (state / "archive").glob("*.sqlite3"):
            file.unlink()
        ran = tablectl("shift", "report", "--shift", "1", "--socket", path)
        assert (ran.code, "taken away" in ran.err) == (3, True)
    with controller(path, {"state_directory": str(state)}):
        assert tablectl("shift", "report", "--socket", path).code == 0


def test_no_day_is_told_where_nobody_knows_when_it_begins(
    tablectl: Tablectl, diary: Diary, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = diary.store()
    path = state.with_name("control.sock")
    monkeypatch.setenv("TZ", "Mars/Olympus")
    with controller(path, {"state_directory": str(state)}, rounds=PlayedRounds(state)):
        for where in (("--state", state), ("--socket", path)):
            ran = tablectl("shift", "report", *where, "--day", "2026-11-25")
            assert (ran.code, ran.out) == (NOT_WELL, "")
            assert "TZ names 'Mars/Olympus', which is not to be found" in ran.err
            shift = tablectl("shift", "report", *where, "--shift", "0")
            assert (shift.code, "2026-11-24 10:00 UTC to" in shift.out) == (0, True)


def test_a_damaged_journal_is_told_as_such(tablectl: Tablectl, diary: Diary) -> None:
    state = diary.store()
    next(state.glob("*.sqlite*")).write_bytes(b"this is no database" * 100)
    assert tablectl("shift", "report", "--state", state).code == 1
    assert tablectl("shift", "report", "--state", state / "none").code == 2


def test_an_entry_that_was_changed_is_told_as_such(tablectl: Tablectl, diary: Diary) -> None:
    state = diary.store()
    with forging(state) as connection:
        connection.execute("UPDATE entry SET body = '{}' WHERE type = 'supervisor'")
    ran = tablectl("shift", "report", "--state", state)
    assert (ran.code, ran.out) == (1, "")
    assert "cannot be played again" in ran.err


def test_a_table_at_which_nothing_happened_yet(tablectl: Tablectl, tmp_path: Path) -> None:
    with opened(tmp_path, boot_id="b"):
        pass
    for asked in ((), ("--day", "2026-11-25")):
        assert tablectl("shift", "report", "--state", tmp_path, *asked).code == 2
