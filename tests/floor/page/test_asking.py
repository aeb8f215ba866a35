"""What the page asks looks at no more than it tells, however much there is."""

from __future__ import annotations

import re

import psycopg
import pytest

from floor.page import asking

pytestmark = pytest.mark.needs("postgresql")

MANY = (
    """insert into floor.log (origin, table_name)
        select 'key/' || n, 'P' || n from generate_series(1, 20) as n""",
    """insert into floor_facts.act select id, n, 0, now(), date '2024-01-01' + n / 20, n / 10, n,
        'order', 'Sue', '', '' from floor.log, generate_series(1, 1000) as n""",
    """insert into floor_facts.hold select log, seq, 0, wall, day, shift, 'shoe-count', '', '', 0,
        wall, '', '' from floor_facts.act""",
    """insert into floor_facts.link select log, seq, wall, day, shift, 'shoe', 'shoe', true, '', '',
        '' from floor_facts.act""",
    """insert into floor_facts.start select log, seq, wall, day, shift, '', '', '', '', '', '', '',
        '', '' from floor_facts.act""",
    "insert into floor_facts.shift select log, seq, wall, day, seq, by from floor_facts.act",
    """insert into floor_facts.stretch select log, seq, day, shift, 1, 1, 1 from floor_facts.act""",
    "analyze",
)
WHOLE = re.compile(r"Seq Scan on (act|hold|link|start|shift|stretch)\b")
BY_DAY = "select * from floor_facts.{} where day = '2024-02-02'"
BY_SHIFT = "select * from floor_facts.{} where shift = 12"


def _questions() -> dict[str, str]:
    newest = {
        view: asking._NEWEST.format(view=view, stored=stored)
        for view, stored in asking._STORED.items()
        if view != "differences"
    }
    return {
        "versions, now": asking._VERSIONS,
        "confirmed, now": asking._CONFIRMED,
        "all days": asking._ALL_DAYS,
        **newest,
        **{f"{view} of a day": BY_DAY.format(view) for view in (*newest, "spans")},
        "spans of a shift": BY_SHIFT.format("spans"),
        "shifts of a table": "select * from floor_facts.shifts where table_name = 'P7'",
    }


def test_no_question_of_the_page_reads_a_whole_table(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        for statement in MANY:
            connection.execute(statement)
        read: dict[str, list[str]] = {}
        for name, question in _questions().items():
            asked = f"explain {question}".encode()
            told = connection.execute(asked, {"table": "P7", "most": 50}, prepare=False)
            plan = [line.strip() for (line,) in told.fetchall()]
            read[name] = [line for line in plan if WHOLE.search(line)]
    assert {name: lines for name, lines in read.items() if lines} == {}
