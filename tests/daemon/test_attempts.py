"""A refused attempt has its place among the table's events, and changes nothing."""

from __future__ import annotations

from pathlib import Path

from controller.control.handler import Attempt
from controller.table.showing.status import status
from tests.daemon.house import open_house


async def test_it_is_in_the_journal_with_who_what_and_why(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        await house.all_up()
        await house.dealer("open", "wager 1 main 50")
        before = status(house.owner.table)
        why = "not in the group table-supervisors"
        house.handler.refused_attempt(Attempt("eve", 1001, 4711, "supervisor: void", why))
        house.handler.refused_attempt(Attempt("others", None, None, "dealer: open", why, 90))
        await house.quiet()
        assert status(house.owner.table) == before
        first, rest = house.entries("refused-attempt")
        assert {"user": "eve", "uid": 1001, "pid": 4711, "count": 1}.items() <= first.items()
        assert (first["what"], first["why"]) == ("supervisor: void", why)
        assert first["after"]["notes"] == [
            f"refused eve (uid 1001, process 4711): supervisor: void ({why})"
        ]
        assert rest["after"]["notes"] == [f"refused others, 90 times: dealer: open ({why})"]
        assert house.verified()
    async with open_house(tmp_path, known=house.links) as again:
        assert again.differences == []
