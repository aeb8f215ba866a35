"""The page over HTTP, with PostgreSQL and the journals of real tables."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import psycopg
import pytest

from controller.journal.reader import JournalReader
from controller.replay.finding import FoundRound, find_course
from controller.sheets.dispute_page import dispute_page
from floor.facts.report.printed import PARTS
from floor.main import main
from floor.page import views
from tests.cli.shifts.diary import Diary
from tests.floor.facts.test_deriving import diary
from tests.floor.page.shown import floor_of, keep, settings, shown
from tests.replay.course.played import eventful, void, write
from tests.table.live.driver import DIV, MBS, PLUS, Live
from tests.table.live.driver import settings as rules
from tests.web.served import PATIENCE_S, EventClient
from tests.witness.logs import Log
from web.headers import HEADERS, POLICY, SHEET_POLICY

__all__ = ["diary"]
pytestmark = pytest.mark.needs("postgresql")


@pytest.fixture(scope="module")
def journals(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("journals")
    return {"P1": write(eventful(), folder / "P1"), "P2": write(void(), folder / "P2")}


async def _state(port: int) -> dict[str, Any]:
    """The first state that was looked at."""
    async with asyncio.timeout(PATIENCE_S), EventClient.following(port, "/events") as client:
        while True:
            state = floor_of(await client.state())
            if state["tables"] or not state["lost"]:
                return state


async def test_the_floor_from_above(
    database: str, tmp_path: Path, journals: dict[str, Path]
) -> None:
    await keep(database, journals)
    configured = settings(tmp_path, database, '[approved]\nversion = ["0.0.1"]\n')
    (configured.tables / "P9.vkey").write_text(_vkey(tmp_path), encoding="ascii")
    async with shown(configured) as page:
        state = await _state(page.port)
    p1, p2, p9 = state["tables"]
    assert [one["table"] for one in (p1, p2, p9)] == ["P1", "P2", "P9"]
    assert p9["heard"] is None
    assert p1["heard"].endswith("+08:00")
    assert p1["next_entry"] == p1["facts_upto"] == p1["seq"]
    assert p1["shown"]["rules"] == p1["runs"]["document"]
    assert p1["shown"]["links"].keys() == {"shoe", "shuffler", "jackpot", "keypad"}
    assert p1["differs"] == ["version"]
    assert state["approved"] == ["version"]
    assert state["refusals"] == []


async def test_a_journal_that_was_refused_is_an_alarm(
    database: str, tmp_path: Path, journals: dict[str, Path]
) -> None:
    await keep(database, journals)
    with psycopg.connect(database) as connection:
        connection.execute(
            "insert into floor.refusal (log, role, status, digest, words, text) select id,"
            " 'mirror', 409, '\\x00', 'it went back', 'checkpoint' from floor.log"
            " where table_name = 'P1'"
        )
    async with shown(settings(tmp_path, database)) as page:
        [refused] = (await _state(page.port))["refusals"]
    assert (refused["table_name"], refused["words"], refused["status"]) == (
        "P1",
        "it went back",
        409,
    )


async def test_a_round_is_as_the_table_itself_has_it(
    database: str, tmp_path: Path, journals: dict[str, Path]
) -> None:
    await keep(database, journals)
    async with shown(settings(tmp_path, database)) as page:
        told = await page.json("/tables/P1.json")
        rounds = await page.json(f"/tables/P1/{told['days'][0]}.json")
        assert rounds
        for number in {one["number"] for one in rounds}:
            with JournalReader(journals["P1"]) as reader:
                found = find_course(reader, number, list, told=True)
            assert isinstance(found, FoundRound)
            assert found.facts is not None
            sheet = await page.get(f"/tables/P1/rounds/{number}")
            whole = dispute_page(found.result, found.steps, found.facts)
            assert sheet.body.decode() == whole
            assert sheet.headers["content-security-policy"] == SHEET_POLICY
            course = await page.json(f"/tables/P1/rounds/{number}.json")
            assert course.pop("course") == json.loads(
                json.dumps([asdict(step) for step in found.steps])
            )
            assert course == json.loads(json.dumps(found.result))


async def test_rounds_behind_snapshots_are_found(
    database: str, tmp_path: Path, diary: Diary
) -> None:
    await keep(database, {"P1": diary.state})
    with JournalReader(diary.state) as reader:
        assert list(reader.snapshots())
    async with shown(settings(tmp_path, database)) as page:
        days = (await page.json("/tables/P1.json"))["days"]
        numbers = [
            one["number"] for day in days for one in await page.json(f"/tables/P1/{day}.json")
        ]
        assert len(numbers) > 5
        for number in numbers[:: len(numbers) // 5]:
            with JournalReader(diary.state) as reader:
                found = find_course(reader, number, list, told=True)
            assert isinstance(found, FoundRound)
            course = await page.json(f"/tables/P1/rounds/{number}.json")
            assert len(course.pop("course")) == len(found.steps)
            assert course == json.loads(json.dumps(found.result))


async def test_a_card_that_lies_face_down_is_told_nowhere(database: str, tmp_path: Path) -> None:
    squeezing = next(name for name in (PLUS, DIV, MBS) if rules(name).rules.deal.squeeze.value)
    table = Live(squeezing)
    table.say("open", "wager 1 main 10", "wager 2 main 10", "squeeze 1", "close")
    table.deal("5S 6S 9D 5H")
    await keep(database, {"P1": write(table, tmp_path / "P1")})
    async with shown(settings(tmp_path, database)) as page:
        state = await _state(page.port)
        [day] = (await page.json("/tables/P1.json"))["days"]
        [goes_on] = await page.json(f"/tables/P1/{day}.json")
        sheet = (await page.get("/tables/P1/rounds/1")).body.decode()
        told = await page.json("/tables/P1/rounds/1.json")
    assert goes_on["outcome"] is None
    assert "6S" in json.dumps(told)
    assert ">6<" in sheet
    for text in (json.dumps(told), json.dumps(state), sheet):
        assert "5S" not in text
        assert "5H" not in text
        assert ">5<" not in text


async def test_what_is_not_there_is_said(
    database: str, tmp_path: Path, journals: dict[str, Path]
) -> None:
    await keep(database, journals)
    async with shown(settings(tmp_path, database)) as page:
        [day] = await page.json("/days.json")
        for path, status, words in (
            ("/tables/P1/rounds/777", 404, "table P1 has no round 777"),
            ("/tables/P1/rounds/1?journal=other", 404, "table P1 has no round 1"),
            ("/tables/P1/rounds/x", 404, "is no number"),
            ("/tables/P1/rounds/1%00", 400, "has a NUL"),
            ("/tables/P1/yesterday.json", 404, "YYYY-MM-DD"),
            ("/tables/P1/2020-02-02.json", 404, "nothing is known of table P1 on 2020-02-02"),
            ("/tables/P9", 404, "the floor knows no table 'P9'"),
            ("/tables/P9.json", 404, "the floor knows no table 'P9'"),
            (f"/tables/P9/{day}.json", 404, "the floor knows no table 'P9'"),
            ("/tables/P9/rounds/1", 404, "the floor knows no table 'P9'"),
            ("/tables/P1%00.json", 400, "has a NUL"),
            ("/tables/%00", 400, "has a NUL"),
            ("/tables/%ff%fe.json", 404, "the floor knows no table"),
            ("/tables/%ed%a0%80.json", 404, "the floor knows no table"),
            ("/tables/%1b%5b.json", 404, "the floor knows no table '\\x1b["),
            ("/facts/people.csv", 404, "no such figures"),
            ("/facts/acts.csv?table=P9", 404, "the floor knows no table 'P9'"),
            ("/facts/acts.csv?table=P1%00", 400, "has a NUL"),
            ("/facts/acts.csv?%00=1", 400, "has a NUL"),
            ("/facts/acts.json?day=2020-02-02", 404, "nothing is known of any table on 2020-02-02"),
            ("/report.json?day=2020-02-02", 404, f"the newest day with rounds is {day}"),
            (f"/report.json?day={day}&until=2020-02-02", 400, "until 2020-02-02 from when?"),
            (f"/report.json?shift=1&until={day}", 400, "names the earlier day"),
            ("/report.csv?shift=99", 404, "told anything of shift 99: the newest day with rounds"),
        ):
            answer = await page.get(path)
            assert (answer.status, words in answer.body.decode()) == (status, True), (path, answer)


async def test_a_table_that_told_nothing_yet_is_known(database: str, tmp_path: Path) -> None:
    configured = settings(tmp_path, database)
    (configured.tables / "P9.vkey").write_text(_vkey(tmp_path), encoding="ascii")
    async with shown(configured) as page:
        await _state(page.port)
        assert (await page.get("/tables/P9")).status == 200
        assert await page.json("/tables/P9.json") == {
            "days": [],
            **{name: [] for name in ("holds", "acts", "links", "versions", "differences")},
        }
        answer = await page.get("/facts/rounds.csv?table=P9")
        assert answer.body.startswith(b"table_name,origin,number,day,")
        assert answer.body.count(b"\n") == 1


async def test_rounds_of_a_journal_that_was_begun_anew_are_told_apart(
    database: str, tmp_path: Path, journals: dict[str, Path]
) -> None:
    await keep(database, {"P1": journals["P1"]}, "one")
    await keep(database, {"P1": journals["P2"]}, "other")
    async with shown(settings(tmp_path, database)) as page:
        choice = await page.get("/tables/P1/rounds/1.json")
        assert choice.status == 300
        both = {one["journal"]: one["address"] for one in json.loads(choice.body)}
        sheet = await page.get("/tables/P1/rounds/1")
        assert (sheet.status, sheet.headers["content-security-policy"]) == (300, SHEET_POLICY)
        for origin, journal in (("one/P1", "P1"), ("other/P1", "P2")):
            with JournalReader(journals[journal]) as reader:
                found = find_course(reader, 1, list, told=True)
            assert isinstance(found, FoundRound)
            course = await page.json(both[origin])
            course.pop("course")
            assert course == json.loads(json.dumps(found.result))
            assert both[origin].replace(".json", "") in sheet.body.decode()
        (day,) = await page.json("/days.json")
        assert {one["journal"] for one in await page.json(f"/tables/P1/{day}.json")} == {*both}


async def test_a_round_that_was_removed_by_age_is_gone(
    database: str, tmp_path: Path, diary: Diary
) -> None:
    await keep(database, {"P1": diary.state})
    with JournalReader(diary.state) as reader:
        last = max(reader.snapshots())
    with psycopg.connect(database) as connection:
        connection.execute("delete from floor.bundle")
        connection.execute("update floor.log set begins = %s", [last])
    async with shown(settings(tmp_path, database)) as page:
        gone = await page.get("/tables/P1/rounds/1")
        assert (gone.status, b"were removed by age" in gone.body) == (410, True)
        missing = await page.get("/tables/P1/rounds/999")
        assert (missing.status, b"older ones were removed by age" in missing.body) == (404, True)


async def test_what_lies_in_too_many_days_is_not_looked_for(
    database: str, tmp_path: Path, diary: Diary, monkeypatch: pytest.MonkeyPatch
) -> None:
    await keep(database, {"P1": diary.state})
    monkeypatch.setattr(views, "MOST_DAYS", 1)
    async with shown(settings(tmp_path, database)) as page:
        answer = await page.get("/facts/rounds.csv?table=P1")
        assert (answer.status, b"name one" in answer.body) == (413, True)
        assert await page.json(f"/facts/rounds.json?day={(await page.json('/days.json'))[0]}")


async def test_figures_come_as_csv_and_json(
    database: str, tmp_path: Path, journals: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    await keep(database, journals)
    with psycopg.connect(database) as connection:
        connection.execute("update floor_facts.act set by = '=cmd()' where n = 0")
    async with shown(settings(tmp_path, database)) as page:
        for view in views.VIEWS:
            rows = await page.json(f"/facts/{view}.json?table=P1")
            answer = await page.get(f"/facts/{view}.csv?table=P1")
            assert answer.headers["content-type"] == "text/csv; charset=utf-8"
            lines = list(csv.DictReader(io.StringIO(answer.body.decode(), newline="")))
            assert len(lines) == len(rows)
            names = next(csv.reader(io.StringIO(answer.body.decode(), newline="")))
            assert all([*row] == names for row in rows)
        acts = await page.get("/facts/acts.csv?table=P1")
        assert b",'=cmd()," in acts.body  # no spreadsheet works it out
        monkeypatch.setattr(views, "MOST_ROWS", 1)
        too_many = await page.get("/facts/rounds.json")
        assert (too_many.status, b"name a table and a day" in too_many.body) == (413, True)


async def test_the_report_is_that_of_the_command(
    database: str,
    tmp_path: Path,
    journals: dict[str, Path],
    capsys: pytest.CaptureFixture[str],
) -> None:
    await keep(database, journals)
    configured = settings(tmp_path, database)
    async with shown(configured) as page:
        [day] = await page.json("/days.json")
        told = await page.json(f"/report.json?day={day}")
        parts = {part: await page.get(f"/report.csv?day={day}&part={part}") for part in PARTS}
        month = await page.json(f"/report.json?day={day[:-2]}01&until={day}")
        refused = [await page.get(path) for path in ("/report.json", "/report.csv?day=1&part=x")]
    assert [one["table"] for one in told["tables"]] == ["P1", "P2"]
    assert [one.status for one in refused] == [404, 404]

    def printed(*form: str) -> str:
        asked = ["report", "--config", str(configured.path), "--day", day, *form]
        assert main(asked) == 0
        return capsys.readouterr().out

    assert month == {**told, "day": f"{day[:-2]}01", "until": day}
    assert told == json.loads(await asyncio.to_thread(printed, "--json"))
    for part, answer in parts.items():
        assert answer.body.decode() == await asyncio.to_thread(printed, "--csv", part)


async def test_a_name_is_told_as_it_is_and_never_obeyed(
    database: str, tmp_path: Path, journals: dict[str, Path]
) -> None:
    name = "<script>alert(1)</script>"
    await keep(database, {name.replace("/", "|"): journals["P1"]})
    with psycopg.connect(database) as connection:
        connection.execute("update floor_facts.act set by = %s", [name])
    async with shown(settings(tmp_path, database)) as page:
        state = await _state(page.port)
        table = state["tables"][0]["table"]
        assert table == name.replace("/", "|")
        path = table.replace("<", "%3C").replace(">", "%3E").replace("|", "%7C")
        told = await page.json(f"/tables/{path}.json")
        assert told["acts"][0]["by"] == name  # as JSON, which the page's templates escape
        for address in ("/", f"/tables/{path}", "/report", "/static/floor.js"):
            answer = await page.get(address)
            assert answer.status == 200
            assert "alert(1)" not in answer.body.decode()
        missing = await page.get(f"/tables/{path}/rounds/9999")
        assert missing.headers["content-type"].startswith("text/plain")
        assert missing.headers["x-content-type-options"] == "nosniff"


async def test_pages_have_no_script_and_no_style_in_themselves(
    database: str, tmp_path: Path, journals: dict[str, Path]
) -> None:
    await keep(database, journals)
    async with shown(settings(tmp_path, database)) as page:
        for path in ("/", "/tables/P1", "/report"):
            answer = await page.get(path)
            assert answer.headers["content-type"] == "text/html; charset=utf-8"
            assert answer.headers["content-security-policy"] == POLICY
            assert HEADERS.keys() <= answer.headers.keys()
            text = answer.body.decode()
            assert "<style" not in text
            assert " style=" not in text
            assert " on" not in text.replace(" one", "")
            assert text.count("<script") == text.count('<script type="module" src="/static/') == 2
            for part in text.split('"/static/')[1:]:
                assert (await page.get(f"/static/{part.partition(chr(34))[0]}")).status == 200


async def test_the_person_is_shown_and_logged(
    database: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", logger="floor.page.application")
    async with shown(settings(tmp_path, database)) as page:
        answer = await page.get("/who.json", X_Remote_User="Ana\x1b[31m")
        assert json.loads(answer.body)["who"].startswith("Ana")
        assert "\x1b" not in json.loads(answer.body)["who"]
        assert await page.json("/who.json") == {"who": ""}
    assert any("/who.json by Ana" in record.getMessage() for record in caplog.records)


async def test_the_page_can_change_nothing(database: str, tmp_path: Path) -> None:
    async with shown(settings(tmp_path, database)) as page:
        async with page.application.watch.questions.store.connection() as connection:
            told = await connection.execute("select current_user")
            assert await told.fetchone() == ("floor_page",)
            with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
                await connection.execute("update floor.log set table_name = 'X'")
        async with page.application.watch.questions.store.connection() as connection:
            await connection.execute("set transaction read write")
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                await connection.execute("update floor.log set table_name = 'X'")


async def test_a_database_that_is_away_is_told_on_the_page(database: str, tmp_path: Path) -> None:
    async with shown(settings(tmp_path, database)) as page:
        await _state(page.port)
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute("alter table floor_facts.progress rename to gone")
            connection.execute("drop view floor_facts.tables cascade")
        async with (
            asyncio.timeout(PATIENCE_S),
            EventClient.following(page.port, "/events") as client,
        ):
            state: Any = {"lost": ""}
            while not state["lost"]:
                state = await client.state()
            assert "table-floor init" in state["lost"]
        answer = await page.get("/tables/P1/rounds/1")
        assert answer.status in (404, 503)


def _vkey(folder: Path) -> str:
    return Log(folder / "key", leaves=1).vkey + "\n"
