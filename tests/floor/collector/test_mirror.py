"""A mirror on real sockets: what is uploaded is stored once, in order, and cosigned then."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import http.client

import pytest

from floor.store.store import FloorStore
from tests.floor.collectors import Collecting, cosigns, entries_of, sent
from tests.floor.uploads import head_of, package_of, packed, upload_of
from tests.witness.logs import Log
from tests.witness.stock import PATIENCE_S

pytestmark = pytest.mark.needs("postgresql")

INFO = "text/x.tlog.mirror-info"


def path_of(log: Log, role: str = "mirror") -> str:
    return f"/{role}/{hashlib.sha256(log.origin.encode()).hexdigest()}/checkpoint"


async def test_round_after_round(collector: Collecting, log: Log, shared_database: str) -> None:
    old = 0
    for size in (1, 21, 42, 255, 256, 257, 700, 1200):
        answer = collector.submit(log, old, size)
        assert (answer.status, answer.body) == (200, b"")
        assert collector.is_mirrored(collector.upload(log, old, size), log, size)
        shown = collector.get(path_of(log))
        assert cosigns(collector.floor.mirror, shown, log, size)
        assert shown.body.decode().startswith(log.checkpoint(size))
        old = size
    assert await entries_of(shared_database, log) == log.entries
    assert 'table_floor_answers_total{request="mirror add-entries",status="200"}' in (
        collector.get("/metrics").body.decode()
    )


async def test_a_prefix_goes_on_where_it_is_told_to(
    collector: Collecting, log: Log, shared_database: str
) -> None:
    assert collector.submit(log, 0, 1200).status == 200
    answer = collector.upload(log, 0, 1200, packages=2)
    assert (answer.status, answer.kind, answer.body) == (202, INFO, b"1200\n512\n\n")
    answer = collector.upload(log, 512, 1200, packages=1)
    assert (answer.status, answer.body) == (202, b"1200\n768\n\n")
    assert collector.get(path_of(log)).status == 404, "nothing is cosigned yet"
    assert collector.is_mirrored(collector.upload(log, 768, 1200), log, 1200)
    assert await entries_of(shared_database, log) == log.entries


def test_what_was_cut_off_counts_up_to_the_last_package(collector: Collecting, log: Log) -> None:
    collector.submit(log, 0, 600)
    body = upload_of(log, 0, 600)
    first = len(head_of(log.origin, 0, 600) + packed(package_of(log, 0, 256, 600)))
    answer = collector.add_entries(body[: first - 1])
    assert (answer.status, answer.kind) == (400, "text/plain")
    assert collector.add_entries(b"").status == 400
    assert collector.add_entries(body[:7]).status == 400
    assert collector.add_entries(body[: first + 100]).body == b"600\n256\n\n"
    packed_whole = gzip.compress(upload_of(log, 256, 600))
    coding = {"Content-Encoding": "gzip"}
    url = f"{collector.url}/mirror/add-entries"
    assert sent(url, packed_whole[:-900], coding).status in (202, 400)
    assert sent(url, b"no gzip", coding).status == 400
    assert sent(url, b"", {"Content-Encoding": "br"}).status == 415
    answer = collector.upload(log, 512, 600)
    if answer.status == 409:
        answer = collector.upload(log, 256, 600)
    assert collector.is_mirrored(answer, log, 600)


def test_where_an_upload_may_not_begin(collector: Collecting, log: Log) -> None:
    stranger = upload_of(log, 0, 10).replace(log.origin.encode(), log.origin.encode()[::-1])
    assert collector.add_entries(stranger).status == 404
    assert collector.upload(log, 0, 10).status == 422, "no checkpoint was ever taken"
    collector.submit(log, 0, 600)
    for start, size in ((0, 500), (256, 600)):
        answer = collector.upload(log, start, size)
        assert (answer.status, answer.kind, answer.body) == (409, INFO, b"600\n0\n\n")


@pytest.mark.parametrize("start", [512, 550], ids=["a whole block", "within one"])
def test_what_comes_again_is_proven_again(collector: Collecting, log: Log, start: int) -> None:
    collector.submit(log, 0, 600)
    assert collector.upload(log, 0, 600).status == 200
    collector.submit(log, 600, 1200)
    body = upload_of(log, start, 1200)
    other = body.replace(log.entries[560], log.entries[560][::-1])
    assert other != body
    assert collector.add_entries(other).status == 422
    assert collector.upload(log, 800, 1200).body == b"1200\n600\n\n", "nothing of it is stored"
    assert collector.is_mirrored(collector.add_entries(body), log, 1200)


def test_an_answer_that_was_lost_is_had_again(collector: Collecting, log: Log) -> None:
    collector.submit(log, 0, 600)
    first = collector.upload(log, 0, 600)
    for start in (0, 300, 600):
        again = collector.add_entries(head_of(log.origin, start, 600))
        assert again.body == first.body, "it is the one that was made then"
    assert collector.is_mirrored(first, log, 600)


def test_earlier_checkpoints_may_be_uploaded_to(collector: Collecting, log: Log) -> None:
    for old, new in ((0, 300), (300, 500), (500, 900)):
        assert collector.submit(log, old, new).status == 200
    assert collector.is_mirrored(collector.upload(log, 0, 300), log, 300)
    assert collector.is_mirrored(collector.upload(log, 300, 900), log, 900)


def test_a_stranger_finds_nothing(collector: Collecting) -> None:
    assert collector.get("/mirror/" + "0" * 64 + "/checkpoint").status == 404
    assert collector.get("/").status == 404
    assert collector.get("/mirror/add-entries").status == 405


def test_little_that_stands_for_much_is_not_unpacked(collector: Collecting, log: Log) -> None:
    """A package ends at 16 MiB, and is refused; what would come behind is never unpacked."""
    collector.submit(log, 0, 600)
    much = gzip.compress(head_of(log.origin, 0, 600) + b"\xff\xff" * (1 << 24), 1)
    answer = sent(f"{collector.url}/mirror/add-entries", much, {"Content-Encoding": "gzip"})
    assert answer.status == 400
    text = collector.get("/metrics").body.decode()
    name = "table_floor_collector_process_resident_memory_bytes "
    line = next(one for one in text.splitlines() if one.startswith(name))
    assert float(line.split()[1]) < 200e6
    assert collector.add_checkpoint(b"old 0\n" + b"x" * (1 << 18)).status == 413


_PUT_BACK = """
    delete from floor.checkpoint where log = %(log)s; delete from floor.block where log = %(log)s;
    delete from floor.bundle where log = %(log)s; delete from floor.span where log = %(log)s;
    update floor.log set next_entry = 0, frontier = '', pending_size = 0,
        pending_root = sha256(''), mirror_size = 0 where id = %(log)s"""


async def test_no_upload_goes_on_in_another_history(
    collector: Collecting, log: Log, shared_database: str
) -> None:
    """The database is put back while one is read, and a fork is there before what comes next."""
    fork = Log(log.key.path, "another history")
    assert collector.submit(log, 0, 600).status == 200
    body = upload_of(log, 0, 600)
    first = len(head_of(log.origin, 0, 600) + packed(package_of(log, 0, 256, 600)))
    connection = http.client.HTTPConnection(*collector.address, timeout=PATIENCE_S)
    connection.putrequest("POST", "/mirror/add-entries")
    connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body[:first])
    async with FloorStore.open(shared_database, most=2) as store:
        await until_stored(store, log, 256)
        async with store.log(log.origin, "P") as row:
            statement = _PUT_BACK.replace("%(log)s", str(row.id))
        async with store.connection() as database:
            await database.execute(statement.encode())
    assert collector.submit(fork, 0, 256).status == 200
    assert collector.is_mirrored(collector.upload(fork, 0, 256), fork, 256)
    connection.send(body[first:])
    response = connection.getresponse()
    assert (response.status, response.read()) == (409, b"256\n256\n\n")
    connection.close()
    assert await entries_of(shared_database, log) == fork.entries[:256]


async def until_stored(store: FloorStore, log: Log, entries: int) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while (mark := await store.watermark(log.origin)) is None or mark.next_entry < entries:
            await asyncio.sleep(0.01)
