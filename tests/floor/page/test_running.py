"""``table-floor page`` as a program: it answers, ends in good order, says why it cannot begin."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from floor.main import main
from floor.store.schema import make_schema
from hil_tests.bench.logged_program import until
from tests.floor.page.shown import settings
from tests.web.served import PATIENCE_S, EventClient, get
from web.listening import listening

pytestmark = pytest.mark.needs("postgresql")


def start_page(configuration: Path) -> tuple[subprocess.Popen[bytes], int]:
    """The program, and the port at which it answers."""
    log = configuration.parent / "page.log"
    with log.open("wb") as file:
        program = subprocess.Popen(
            [sys.executable, "-m", "floor.main", "page", "--config", configuration],
            stdin=subprocess.DEVNULL,
            stderr=file,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
    until(lambda: program.poll() is not None or b"answers at" in log.read_bytes(), "it listens")
    assert program.poll() is None, log.read_text("utf-8")
    return program, int(log.read_text("utf-8").split("answers at http://127.0.0.1:")[1].split()[0])


async def test_it_ends_at_once_whoever_follows_it(database: str, tmp_path: Path) -> None:
    configured = settings(tmp_path, database, '[page]\nlisten = "127.0.0.1:0"\n')
    program, port = await asyncio.to_thread(start_page, configured.path)
    try:
        assert (await get(port, "/")).status == 200
        async with EventClient.following(port, "/events") as client:
            assert await client.state()
            program.send_signal(signal.SIGTERM)
            with pytest.raises(EOFError):
                await _last_of(client)
        assert await asyncio.to_thread(program.wait, PATIENCE_S) == 0
        assert "Traceback" not in (tmp_path / "page.log").read_text("utf-8")
    finally:
        program.kill()
        program.wait()


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
        path = settings(tmp_path, own, '[page]\nlisten = "127.0.0.1:0"\n').path
        assert await asyncio.to_thread(main, ["page", "--config", str(path)]) == 1
        assert "do 'grant floor_page to \"floor-house\"'" in capsys.readouterr().err
        with psycopg.connect(empty_database, autocommit=True) as connection:
            connection.execute('grant floor_page to "floor-house"')
        program, port = await asyncio.to_thread(start_page, path)
        try:
            assert (await get(port, "/days.json")).status == 200
        finally:
            program.terminate()
            await asyncio.to_thread(program.wait, PATIENCE_S)
    finally:
        with psycopg.connect(empty_database, autocommit=True) as connection:
            connection.execute('reassign owned by "floor-house" to current_user')
            connection.execute('drop owned by "floor-house"')
            connection.execute('drop role "floor-house"')
