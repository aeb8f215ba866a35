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
from tests.floor.page.shown import Shown, floor_of, keep, settings, shown
from tests.floor.page.standing import Full
from tests.floor.store.logs import execute
from tests.replay.course.played import write
from tests.table.live.driver import DIV, MBS, PLUS, Live
from tests.table.live.driver import settings as rules
from tests.web.served import PATIENCE_S, EventClient
from web.headers import HEADERS, POLICY, SHEET_POLICY

pytestmark = pytest.mark.needs("postgresql")


async def _state(port: int) -> dict[str, Any]:
    """The first state that was looked at."""
    async with asyncio.timeout(PATIENCE_S), EventClient.following(port, "/events") as client:
        while True:
            state = floor_of(await client.state())
            if state["tables"] or not state["lost"]:
                return state


def found_in(journal: Path, number: int) -> FoundRound:
    with JournalReader(journal) as reader:
        found = find_course(reader, number, list, told=True)
    assert isinstance(found, FoundRound)
    return found


def plain(value: object) -> Any:
    return json.loads(json.dumps(value))


async def test_the_floor_from_above(page: Shown) -> None:
    state = await _state(page.port)
    tables = {one["table"]: one for one in state["tables"]}
    assert list(tables) == ["P1", "P2", "P3", "P4", "P9"]
    assert tables["P9"]["heard"] is None
    p2 = tables["P2"]
    assert p2["heard"].endswith("+08:00")
    assert p2["next_entry"] == p2["facts_upto"] == p2["seq"]
    assert p2["shown"]["rules"] == p2["runs"]["document"]
    assert p2["shown"]["links"].keys() == {"shoe", "shuffler", "jackpot", "keypad"}
    assert p2["differs"] == ["version"]
    assert state["approved"] == ["version"]
    [refused] = state["refusals"]
    assert (refused["table_name"], refused["status"]) == ("P3", 409)
    assert refused["words"] == "the checkpoint is not consistent with the one of size 412"
    assert (await page.get("/tables/P9")).status == 200
    assert await page.json("/tables/P9.json") == {
        "days": [],
        **{name: [] for name in ("holds", "acts", "links", "versions", "differences")},
    }
    answer = await page.get("/facts/rounds.csv?table=P9")
    assert answer.body.startswith(b"table_name,origin,number,day,")
    assert answer.body.count(b"\n") == 1


@pytest.mark.parametrize("table", ["P1", "P2"], ids=["behind snapshots", "eventful"])
async def test_a_round_is_as_the_table_itself_has_it(page: Shown, full: Full, table: str) -> None:
    days = (await page.json(f"/tables/{table}.json"))["days"]
    rounds = [one for day in days for one in await page.json(f"/tables/{table}/{day}.json")]
    numbers = sorted({one["number"] for one in rounds})
    assert numbers
    for number in numbers[:: 1 + len(numbers) // 5]:
        found = found_in(full.journals[table], number)
        assert found.facts is not None
        sheet = await page.get(f"/tables/{table}/rounds/{number}")
        assert sheet.body.decode() == dispute_page(found.result, found.steps, found.facts)
        assert sheet.headers["content-security-policy"] == SHEET_POLICY
        course = await page.json(f"/tables/{table}/rounds/{number}.json")
        assert course.pop("course") == plain([asdict(step) for step in found.steps])
        assert course == plain(found.result)


async def test_a_card_that_lies_face_down_is_told_nowhere(database: str, tmp_path: Path) -> None:
    squeezing = next(name for name in (PLUS, DIV, MBS) if rules(name).rules.deal.squeeze.value)
    table = Live(squeezing)
    table.play("open", "wager 1 main 10", "wager 2 main 10", "squeeze 1", "close", "5S 6S 9D 5H")
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


async def test_what_is_not_there_is_said(page: Shown) -> None:
    newest = max(await page.json("/days.json"))
    [day] = (await page.json("/tables/P2.json"))["days"]
    for path, status, words in (
        ("/tables/P2/rounds/777", 404, "table P2 has no round 777"),
        ("/tables/P2/rounds/1?journal=other", 404, "table P2 has no round 1"),
        ("/tables/P2/rounds/x", 404, "is no number"),
        ("/tables/P2/rounds/1%00", 400, "has a NUL"),
        ("/tables/P2/yesterday.json", 404, "YYYY-MM-DD"),
        ("/tables/P2/2020-02-02.json", 404, "nothing is known of table P2 on 2020-02-02"),
        ("/tables/P8", 404, "the floor knows no table 'P8'"),
        ("/tables/P8.json", 404, "the floor knows no table 'P8'"),
        (f"/tables/P8/{day}.json", 404, "the floor knows no table 'P8'"),
        ("/tables/P8/rounds/1", 404, "the floor knows no table 'P8'"),
        ("/tables/P2%00.json", 400, "has a NUL"),
        ("/tables/%00", 400, "has a NUL"),
        ("/tables/%ff%fe.json", 404, "the floor knows no table"),
        ("/tables/%ed%a0%80.json", 404, "the floor knows no table"),
        ("/tables/%1b%5b.json", 404, "the floor knows no table '\\x1b["),
        ("/facts/people.csv", 404, "no such figures"),
        ("/facts/acts.csv?table=P8", 404, "the floor knows no table 'P8'"),
        ("/facts/acts.csv?table=P2%00", 400, "has a NUL"),
        ("/facts/acts.csv?%00=1", 400, "has a NUL"),
        ("/facts/acts.json?day=2020-02-02", 404, "nothing is known of any table on 2020-02-02"),
        ("/report.json?day=2020-02-02", 404, f"the newest day with rounds is {newest}"),
        (f"/report.json?day={day}&until=2020-02-02", 400, "until 2020-02-02 from when?"),
        (f"/report.json?shift=1&until={day}", 400, "names the earlier day"),
        ("/report.csv?shift=99", 404, "told anything of shift 99: the newest day with rounds"),
    ):
        answer = await page.get(path)
        assert (answer.status, words in answer.body.decode()) == (status, True), (path, answer)


async def test_rounds_of_a_journal_that_was_begun_anew_are_told_apart(
    database: str, tmp_path: Path, full: Full
) -> None:
    journals = {"one/P1": full.journals["P2"], "other/P1": full.journals["P3"]}
    for origin, journal in journals.items():
        await keep(database, {"P1": journal}, origin.partition("/")[0])
    async with shown(settings(tmp_path, database)) as page:
        choice = await page.get("/tables/P1/rounds/1.json")
        assert choice.status == 300
        both = {one["journal"]: one["address"] for one in json.loads(choice.body)}
        sheet = await page.get("/tables/P1/rounds/1")
        assert (sheet.status, sheet.headers["content-security-policy"]) == (300, SHEET_POLICY)
        for origin, journal in journals.items():
            course = await page.json(both[origin])
            course.pop("course")
            assert course == plain(found_in(journal, 1).result)
            assert both[origin].replace(".json", "") in sheet.body.decode()
        (day,) = await page.json("/days.json")
        assert {one["journal"] for one in await page.json(f"/tables/P1/{day}.json")} == {*both}


async def test_a_round_that_was_removed_by_age_is_gone(
    database: str, tmp_path: Path, diary: Diary
) -> None:
    await keep(database, {"P1": diary.state})
    with JournalReader(diary.state) as reader:
        last = max(reader.snapshots())
    execute(database, "delete from floor.bundle")
    execute(database, "update floor.log set begins = %s", [last])
    async with shown(settings(tmp_path, database)) as page:
        gone = await page.get("/tables/P1/rounds/1")
        assert (gone.status, b"were removed by age" in gone.body) == (410, True)
        missing = await page.get("/tables/P1/rounds/999")
        assert (missing.status, b"older ones were removed by age" in missing.body) == (404, True)


async def test_figures_come_as_csv_and_json(page: Shown) -> None:
    for view in views.VIEWS:
        rows = await page.json(f"/facts/{view}.json?table=P2")
        answer = await page.get(f"/facts/{view}.csv?table=P2")
        assert answer.headers["content-type"] == "text/csv; charset=utf-8"
        names, *lines = csv.reader(io.StringIO(answer.body.decode(), newline=""))
        assert len(lines) == len(rows)
        assert all([*row] == names for row in rows)
    acts = await page.get("/facts/acts.csv?table=P2")
    assert b",'=cmd()," in acts.body  # no spreadsheet works it out


async def test_what_lies_in_too_many_days_is_not_looked_for(
    page: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "MOST_DAYS", 1)
    many = await page.get("/facts/rounds.csv?table=P1")
    assert (many.status, b"name one" in many.body) == (413, True)
    of_a_day = f"/facts/rounds.json?day={(await page.json('/days.json'))[0]}"
    assert await page.json(of_a_day)
    monkeypatch.setattr(views, "MOST_ROWS", 1)
    too_many = await page.get(of_a_day)
    assert (too_many.status, b"name a table and a day" in too_many.body) == (413, True)


async def test_the_report_is_that_of_the_command(
    page: Shown, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    [day] = (await page.json("/tables/P2.json"))["days"]
    told = await page.json(f"/report.json?day={day}")
    parts = {part: await page.get(f"/report.csv?day={day}&part={part}") for part in PARTS}
    month = await page.json(f"/report.json?day={day[:-2]}01&until={day}")
    for path in ("/report.json", "/report.csv?day=1&part=x"):
        assert (await page.get(path)).status == 404
    assert {"P2", "P3"} <= {one["table"] for one in told["tables"]}

    def printed(*form: str) -> str:
        asked = ["report", "--config", str(tmp_path / "floor.toml"), "--day", day, *form]
        assert main(asked) == 0
        return capsys.readouterr().out

    assert month == {**told, "day": f"{day[:-2]}01", "until": day}
    assert told == json.loads(await asyncio.to_thread(printed, "--json"))
    for part, answer in parts.items():
        assert answer.body.decode() == await asyncio.to_thread(printed, "--csv", part)


async def test_a_name_is_told_as_it_is_and_never_obeyed(
    database: str, tmp_path: Path, full: Full
) -> None:
    name = "<script>alert(1)</script>"
    await keep(database, {name.replace("/", "|"): full.journals["P2"]})
    execute(database, "update floor_facts.act set by = %s", [name])
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


async def test_pages_have_no_script_and_no_style_in_themselves(page: Shown) -> None:
    for path in ("/", "/tables/P2", "/report"):
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
    page: Shown, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", logger="floor.page.application")
    who = json.loads((await page.get("/who.json", X_Remote_User="Ana\x1b[31m")).body)["who"]
    assert who.startswith("Ana")
    assert "\x1b" not in who
    assert await page.json("/who.json") == {"who": ""}
    assert any("/who.json by Ana" in record.getMessage() for record in caplog.records)


async def test_the_page_can_change_nothing(page: Shown) -> None:
    store = page.application.watch.questions.store
    async with store.connection() as connection:
        told = await connection.execute("select current_user")
        assert await told.fetchone() == ("floor_page",)
        with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
            await connection.execute("update floor.log set table_name = 'X'")
    async with store.connection() as connection:
        await connection.execute("set transaction read write")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            await connection.execute("update floor.log set table_name = 'X'")


async def test_a_database_that_is_away_is_told_on_the_page(database: str, tmp_path: Path) -> None:
    async with shown(settings(tmp_path, database)) as page:
        await _state(page.port)
        execute(database, "alter table floor_facts.progress rename to gone")
        execute(database, "drop view floor_facts.tables cascade")
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
