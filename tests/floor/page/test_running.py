"""``table-floor page`` as a program: it answers, ends in good order, says why it cannot begin."""

from __future__ import annotations

import asyncio
from pathlib import Path

import psycopg
import pytest

from floor.main import main
from floor.store.schema import make_schema
from tests.floor.page.shown import settings
from tests.floor.page.standing import StandingPage
from tests.floor.store.logs import execute
from tests.web.served import EventClient, get
from web.listening import listening

pytestmark = pytest.mark.needs("postgresql")


async def test_it_ends_at_once_whoever_follows_it(database: str, tmp_path: Path) -> None:
    with StandingPage(tmp_path, database).running() as page:
        program = page.program
        assert (await get(page.port, "/")).status == 200
        async with EventClient.following(page.port, "/events") as client:
            assert await client.state()
            ended = asyncio.create_task(asyncio.to_thread(program.stop))
            with pytest.raises(EOFError):
                await _last_of(client)
            assert await ended == 0
        assert "Traceback" not in program.log_end


async def _last_of(client: EventClient) -> None:
    while True:
        await client.event()


def test_an_address_that_is_taken_and_a_database_that_is_away_are_told(
    database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with listening("127.0.0.1", 0, "[test]") as taken:
        port = taken.getsockname()[1]
        configured = settings(tmp_path, database, f'[page]\nlisten = "127.0.0.1:{port}"\n')
        assert main(["page", "--config", str(configured.path)]) == 1
    told = capsys.readouterr().err
    assert f"cannot listen at 127.0.0.1 port {port}: Address already in use" in told
    assert told.endswith("; see [page] listen\n")
    configured = settings(tmp_path, "host=127.0.0.1 port=1")
    assert main(["page", "--config", str(configured.path)]) == 1
    assert "the floor's database: it does not answer" in capsys.readouterr().err


async def test_an_owner_who_is_no_superuser_may_be_let_read(
    empty_database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with psycopg.connect(empty_database, autocommit=True) as connection:
        name = connection.info.dbname
        connection.execute('create role "floor-house" login')
        connection.execute(f'alter database {name} owner to "floor-house"'.encode())
    own = f"{empty_database} user=floor-house"
    try:
        await make_schema(own)
        page = StandingPage(tmp_path, own)
        command = ["page", "--config", str(page.settings.path)]
        assert await asyncio.to_thread(main, command) == 1
        assert "do 'grant floor_page to \"floor-house\"'" in capsys.readouterr().err
        execute(empty_database, 'grant floor_page to "floor-house"')
        with page.running():
            assert (await get(page.port, "/days.json")).status == 200
    finally:
        execute(empty_database, 'reassign owned by "floor-house" to current_user')
        execute(empty_database, 'drop owned by "floor-house"')
        execute(empty_database, 'drop role "floor-house"')
