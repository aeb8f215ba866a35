"""``table-floor report`` and ``rebuild``: what they print, and what they find."""

from __future__ import annotations

import asyncio
import csv
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest

from controller.cli.main import main as tablectl
from controller.counters.figures import Money
from controller.draw.weights import written_weights
from controller.not_done import NotDone
from controller.table.state.table import Table
from floor.configuration import load_floor
from floor.facts.columns import AsLeft
from floor.facts.kinds import Batch, DrawFact, JournalPlace, RoundFact, SettlementFact, Terms
from floor.facts.report.accounts import AskedSpan, TableAccount
from floor.facts.report.expected import Expectations
from floor.facts.report.floor_report import report_of
from floor.facts.rows import BY_DAY, FactWriter, progress_of_facts
from floor.store.store import FloorStore
from tests.cli.shifts.diary import Diary, wall
from tests.floor.collectors import Floor
from tests.floor.facts.kept import follow, leaves_of, rows_of, upload
from tests.floor.facts.test_deriving import told

pytestmark = pytest.mark.needs("postgresql")

DAY = date(2026, 11, 24)
NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)
WEIGHTS = {100: 4, 50: 8, 25: 16, 10: 72}
TERMS = Terms(
    "mbs-pontoon-pandemonium-v5", "", " ".join(f"{m}={w}" for m, w in WEIGHTS.items()), ""
)
WEIGHTS_ID = written_weights(TERMS.weights.replace(" ", ",")).identity


def simulated(error: float = 0.6, main: Mapping[str, object] = {}, **other: object) -> str:
    """What ``simulate --json`` prints of 40,000 main wagers of 10.00, with an edge of 1.5 %."""
    wager = {
        "count": 40_000,
        "staked": "400000.00",
        "net": "-6000.00",
        "return_percent": 98.5,
        "house_edge_percent": 1.5,
        "standard_error_percent": error,
        **main,
    }
    whole = {
        "rules": TERMS.document,
        "decks": 8,
        "boxes": 7,
        "main": "10.00",
        "strategy": "basic",
        "insured": False,
        "penetration_percent": 75,
        "weights_id": WEIGHTS_ID,
        "rounds": 10_000,
        "wagers": {"main": wager},
    }
    return json.dumps({**whole, **other})


@pytest.fixture
def floor(tmp_path: Path, database: str) -> Floor:
    made = Floor(tmp_path / "floor", database)
    text = made.configuration.read_text(encoding="utf-8")
    made.configuration.write_text(
        text.replace("Asia/Singapore", "Australia/Brisbane"), encoding="utf-8"
    )
    return made


Reports = Callable[..., str]


@pytest.fixture
def report(floor: Floor, capsys: pytest.CaptureFixture[str]) -> Reports:
    """What ``table-floor report`` prints with these options."""

    def printed(*given: str) -> str:
        capsys.readouterr()
        assert floor.run("report", *given) == 0, capsys.readouterr().err
        return capsys.readouterr().out

    return printed


def tables_of(text: str) -> list[Any]:
    told: list[Any] = json.loads(text)["tables"]
    return told


def rows_in(text: str) -> list[dict[str, str]]:
    return [*csv.DictReader(StringIO(text))]


async def of_diary(database: str, diary: Diary, key: str = "origin") -> None:
    leaves = leaves_of(diary.state)
    async with FloorStore.open(database, most=1) as store:
        await follow(store, await upload(store, "P12", leaves, key), len(leaves))


@pytest.fixture
def derived(database: str, diary: Diary) -> Diary:
    """The diary, of which all facts are there."""
    asyncio.run(of_diary(database, diary))
    return diary


TODAY = ("--day", str(DAY))
PEOPLE = ["table,journal,what,by,count", "P12,,voids,Sue,1"]


def test_a_days_figures(report: Reports, derived: Diary) -> None:
    (table,) = tables_of(report(*TODAY, "--json"))
    own = told(derived.state, DAY)
    assert [table[name] for name in ("rounds", "hold", "cards")] == [
        own[name] for name in ("rounds", "hold", "cards")
    ]
    (document,) = table["documents"]
    assert document["money"] == own["money"]
    assert document["expected"] is None
    text = report(*TODAY)
    assert text.startswith(
        "day 2026-11-24: 1 tables\nwhat to expect is not known here of 1 of 1\n\n"
        "P12  4 rounds, 0 void,"
    )
    assert "what to expect is not known: no file for rules -" in text
    (money,) = rows_in(report(*TODAY, "--csv"))
    assert (money["table"], money["kind"], money["wagered"]) == ("P12", "main", "400.00")
    (month,) = rows_in(report("--days", "2026-11-01", "2026-11-30", "--csv", "tables"))
    assert (month["table"], month["rounds"], month["void"]) == ("P12", "9", "1")
    assert report(*TODAY, "--csv", "people").splitlines() == PEOPLE[:1]  # nobody, by its names
    draws = report(*TODAY, "--csv", "draws")
    assert draws.startswith("table,journal,weights,multiplier,draws,drawn,")


def test_a_shift_is_looked_for_on_its_days_alone(
    report: Reports, database: str, derived: Diary
) -> None:
    with psycopg.connect(database) as other:
        for table in BY_DAY:
            name = f"floor_facts.{table}_2020_02_02"
            other.execute(f"create table {name} (like floor_facts.{table} including all)".encode())
            attach = f"attach partition {name} for values from ('2020-02-02') to ('2020-02-03')"
            other.execute(f"alter table floor_facts.{table} {attach}".encode())
        other.commit()
        for table in BY_DAY:  # whoever looks at that day would wait
            other.execute(f"lock floor_facts.{table}_2020_02_02".encode())
        assert report("--shift", "2", "--csv", "people").splitlines() == PEOPLE


def test_shifts_of_one_number_are_told_apart_by_their_journals(
    report: Reports, database: str, diary: Diary, tmp_path: Path
) -> None:
    """The table signs with another key, which begins no journal; then its journal is lost."""
    asked = ("--shift", "2", "--json")
    diary.order("shift", by="Eva")
    diary.store()
    asyncio.run(of_diary(database, diary))
    (alone,) = tables_of(report(*asked))
    assert (alone["journal"], alone["first_day"]) == (None, None)
    diary.order("shift", by="Mia")
    diary.store()
    asyncio.run(of_diary(database, diary, "second"))
    assert tables_of(report(*asked)) == [alone]
    anew = Diary(tmp_path / "anew", wall(27, 20))
    for name in ("Ida", "Ann"):
        anew.order("shift", by=name)
        anew.rounds(1)
    anew.store()
    asyncio.run(of_diary(database, anew, "third"))
    one, other = tables_of(report(*asked))
    assert one == {**alone, "journal": "origin/P12", "first_day": "2026-11-25"}
    third = ("third/P12", "2026-11-27", 1)
    assert (other["journal"], other["first_day"], other["rounds"]) == third
    text = report("--shift", "2")
    assert "P12 (journal third/P12, from 2026-11-27)  1 rounds" in text
    journals = [row["journal"] for row in rows_in(report("--shift", "2", "--csv"))]
    assert journals == ["origin/P12", "third/P12"]
    days = tables_of(report("--days", *["2026-11-27"] * 2, "--json"))
    assert [table["journal"] for table in days] == [None]


def test_what_is_not_known_is_said(
    floor: Floor, database: str, diary: Diary, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(words: str, *given: str) -> None:
        assert floor.run(*given) == 2
        assert words in capsys.readouterr().err

    days = ("2026-11-30", "2026-11-01")
    refused("--days 2026-11-30 2026-11-01: expected the earlier", "report", "--days", *days)
    none = ("--expected", "none")
    refused("--expected none: there is no such folder", "report", *TODAY, *none)
    refused("no table has told anything of day 2026-11-24: no rounds are", "report", *TODAY)
    refused("there is no table 'P9'", "rebuild", "--table", "P9")
    asyncio.run(of_diary(database, diary))
    newest = "of day 2026-12-24: the newest day with rounds is 2026-11-25\n"
    refused(newest, "report", "--day", "2026-12-24")
    of_p9 = "anything of day 2026-11-24 at P9: no rounds are known at P9\n"
    refused(of_p9, "report", *TODAY, "--table", "P9")


def test_rebuilt_it_is_the_same(
    floor: Floor, database: str, derived: Diary, capsys: pytest.CaptureFixture[str]
) -> None:
    first = rows_of(database)
    capsys.readouterr()
    assert floor.run("rebuild", "--all") == 0
    entries = len(leaves_of(derived.state))
    assert capsys.readouterr().out == f"P12: {entries} entries of origin/P12\n"
    assert rows_of(database) == first


def test_what_is_to_be_expected(tmp_path: Path) -> None:
    """40,000 wagers of 1 with a standard error of 0.6 %: each has a variance of 1.44."""
    (tmp_path / "ab.json").write_text(simulated(), encoding="utf-8")
    model = Expectations(tmp_path).model_of("ab")
    assert model is not None
    assert model.variance == pytest.approx(1.44)
    expected = model.expected_win(1_000_000, 1_000_000 * 1000)  # a thousand of 10.00
    assert expected.win == 15_000
    assert expected.high - expected.win == pytest.approx(1.96 * 1.2 * 31_622.8, abs=1)
    assert Expectations(tmp_path).model_of("cd") is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (simulated(main={"net": "-6100.00"}), "-6100.00 of 400000.00 is no edge of 1.5 %"),
        (simulated(main={"return_percent": 99.0}), "do not come to 100 %"),
        (simulated(main={"staked": "40000.00"}), "40000 main wagers of 10.00 come to 40000.00"),
        (simulated(rounds=5000), "40000 main wagers in 5000 rounds at 7 boxes"),
        (simulated(main={"standard_error_percent": None}), "no standard error"),
        (simulated(main={"count": 0}), "0 main wagers in 10000 rounds"),
        (simulated(decks=None), "decks"),
        ("{}", "expected what 'tablectl simulate --json' has printed"),
    ],
)
def test_a_file_that_contradicts_itself_is_refused(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "ab.json").write_text(text, encoding="utf-8")
    with pytest.raises(NotDone) as refused:
        Expectations(tmp_path).model_of("ab")
    assert refused.value.code == 2
    assert words in str(refused.value)


def test_what_simulate_prints_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["simulate", "--rules", TERMS.document, "--rounds", "300", "--seed", "7", "--json"]
    assert tablectl(asked) == 0
    (tmp_path / "ab.json").write_text(capsys.readouterr().out, encoding="utf-8")
    model = Expectations(tmp_path).model_of("ab")
    assert model is not None
    model.hold(TERMS.document, [TERMS.weights])
    assert model.assumed.endswith("% of the cards, no weights")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (simulated(rules="other-v1"), "simulated was other-v1"),
        (simulated(weights_id="00" * 32), f"simulated were other weights than {TERMS.weights}"),
    ],
)
def test_a_model_of_another_game_is_not_compared(
    report: Reports, database: str, tmp_path: Path, text: str, words: str
) -> None:
    asyncio.run(plant(database))
    (tmp_path / f"{RULES}.json").write_text(text, "utf-8")
    given = (*TODAY, "--table", "P3", "--expected", str(tmp_path))
    ((document,),) = (table["documents"] for table in tables_of(report(*given, "--json")))
    assert (document["expected"], document["not_compared"]) == (None, words)
    assert f"what to expect is not compared: {words}\n" in report(*given)


# ---- a floor with two tables that pay too often --------------------------------------------------


RULES = "ab" * 32
PLAYED = replace(TERMS, rules=RULES)


def drawn(table: int) -> Batch:
    """A thousand rounds of a table, each with a wager of 10.00 that the house wins with 50.75 of a
    hundred, and a draw. Of P7 one in twenty that should be 10x is 100x; of P3 players win oftener.
    """
    chance = Random(table)
    batch = Batch(upto=1000, rounds_from=1, days_from=DAY)
    for seq in range(1, 1001):
        (multiplier,) = chance.choices(list(WEIGHTS), list(WEIGHTS.values()))
        if table == 7 and multiplier == 10 and chance.random() < 0.05:
            multiplier = 100
        at = JournalPlace(seq, NOON, DAY, 1)
        batch.facts.append(DrawFact(at, seq, 1, seq, multiplier, PLAYED))
        net = 1000 if chance.random() < (0.56 if table == 3 else 0.4925) else -1000
        outcome = "win" if net > 0 else "lose"
        won = SettlementFact(0, 1, "a", 1, "main", 1000, net, outcome, None, "")
        batch.rounds[seq] = RoundFact(
            *(seq, DAY, 1, seq, NOON, seq, NOON, "settled", 1000, 1_000_000),
            *(PLAYED, (won,)),
        )
    return batch


async def plant(database: str) -> None:
    async with FloorStore.open(database, most=1) as store:
        for number in range(12):
            log = await upload(store, f"P{number}", [b"{}"])
            writer, left = FactWriter(), AsLeft(JournalPlace(0, None, DAY, 0), Table())
            async with store.connection() as connection:
                found = await progress_of_facts(connection, log.number)
                await writer.write(connection, found, drawn(number), left)


def test_tables_that_pay_too_often_are_found(
    report: Reports, database: str, tmp_path: Path
) -> None:
    asyncio.run(plant(database))
    (tmp_path / f"{RULES}.json").write_text(simulated(0.5), "utf-8")
    given = (*TODAY, "--expected", str(tmp_path))
    said: Any = json.loads(report(*given, "--json"))
    marked = [
        (table["table"], one["multiplier"])
        for table in said["tables"]
        for one in table["draws"]
        if one["found"]
    ]
    assert marked == [("P7", 100), ("P7", 10)]  # and the other one comes too rarely
    expected = {table["table"]: table["documents"][0]["expected"] for table in said["tables"]}
    assert expected["P0"] == {
        "staked": "10000.00",
        "won": "20.00",
        "win": "150.00",
        "low": "-469.81",
        "high": "769.81",
        "outside": False,
        "assumed": "8 decks, 7 boxes of 10.00, basic play, not insured, 75 % of the cards",
    }
    assert [table for table, one in expected.items() if one["outside"]] == ["P3"]
    assert [(one["table"], one["what"], one["found"]) for one in said["notable"]] == [
        ("P7", "100x", True),
        ("P7", "10x", True),
        ("", "100x", True),  # of all tables together
        ("P3", "mbs-pontoon-pandemonium-v5", False),
    ]
    text = report(*given)
    of_p7 = next(table for table in said["tables"] if table["table"] == "P7")["draws"][0]
    assert text.startswith(
        "day 2026-11-24: 12 tables\n"
        "multipliers too far off for chance: 3 of 52\n"
        f"  P7  100x: {of_p7['drawn']}, expected 40.0, 95 % from 28 to 53\n"
    )
    assert "main wagers outside their band of 95 %: 1 of 12, by chance 0.6\n  P3  mbs" in text
    assert "TOO FAR OFF FOR CHANCE" in text
    assert ", expected 150.00, 95 % from -469.81 to 769.81: OUTSIDE" in text
    notable = report(*given, "--csv", "notable").splitlines()
    assert notable[0] == "table,journal,what,was,expected,low,high,found"
    assert len(notable) == 5
    bands = rows_in(report(*given, "--csv", "expected"))
    assert [row["table"] for row in bands if row["outside"] == "True"] == ["P3"]


def test_what_is_won_of_main_wagers_has_all_that_came_with_them(
    floor: Floor, tmp_path: Path
) -> None:
    """The simulation counts what splits, doubles and bought cards add with the main wager."""
    (tmp_path / "ab.json").write_text(simulated(), encoding="utf-8")
    account = TableAccount("P1")
    played = account.document_money("mbs-pontoon-pandemonium-v5", "ab")
    played.staked, played.squares = 10_000, 10_000_000
    played.money = {
        "main": Money(10, 0, 10_000, 9_000),
        "double": Money(2, 0, 2_000, 4_000),
        "split": Money(1, 0, 1_000, 0),
        "super_bonus": Money(0, 0, 0, 500),
        "pair": Money(9, 0, 900, 0),
    }
    settings = load_floor(floor.configuration)
    made = report_of(AskedSpan(DAY), [account], settings, Expectations(tmp_path))
    ((document,),) = (table["documents"] for table in made["tables"])
    assert document["expected"] is not None
    assert document["expected"]["won"] == "-5.00"
