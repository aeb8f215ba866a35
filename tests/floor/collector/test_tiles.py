"""The mirror read as a tiled log (C2SP tlog-tiles), on real sockets."""

from __future__ import annotations

import gzip
import hashlib
import http.client

import pytest

from controller.evidence.tree.merkle import leaf_hash
from floor.protocol.answers import Refusal
from floor.protocol.tiles import TilePath, bundled, read_path, spelled
from tests.floor.collectors import Collecting
from tests.floor.store.logs import execute
from tests.witness.logs import Log

SIZE = 1100


def prefix_of(log: Log) -> str:
    return f"/mirror/{hashlib.sha256(log.origin.encode()).hexdigest()}"


def mirror(collector: Collecting, log: Log, size: int, old: int = 0) -> None:
    assert collector.submit(log, old, size).status == 200
    assert collector.is_mirrored(collector.upload(log, old, size), log, size)


def got(collector: Collecting, path: str, accepted: str = "") -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection(*collector.address, timeout=30)
    try:
        connection.request("GET", path, headers={"Accept-Encoding": accepted} if accepted else {})
        response = connection.getresponse()
        heads = {name.lower(): value for name, value in response.getheaders()}
        return response.status, heads, response.read()
    finally:
        connection.close()


@pytest.mark.needs("postgresql")
def test_all_of_a_log_is_read_back_and_no_more(collector: Collecting, log: Log) -> None:
    mirror(collector, log, 800)
    assert collector.submit(log, 800, 1200).status == 200
    assert collector.upload(log, 800, 1200, packages=1).status == 202, "stored, not cosigned"
    at = prefix_of(log)
    for number in range(3):
        status, heads, body = got(collector, f"{at}/tile/entries/{number:03d}")
        assert (status, body) == (200, bundled(log.entries[number * 256 : number * 256 + 256]))
        assert heads["content-type"] == "application/octet-stream"
        assert "immutable" in heads["cache-control"]
        assert "content-encoding" not in heads
        status, _, body = got(collector, f"{at}/tile/0/{number:03d}")
        leaves = log.entries[number * 256 : number * 256 + 256]
        assert (status, body) == (200, b"".join(map(leaf_hash, leaves)))
    assert got(collector, f"{at}/tile/entries/003.p/32")[2] == bundled(log.entries[768:800])
    assert got(collector, f"{at}/tile/entries/001.p/3")[2] == bundled(log.entries[256:259])
    assert got(collector, f"{at}/tile/1/000.p/3")[2] == b"".join(log.node(8, n) for n in range(3))
    for none in ("entries/003", "entries/003.p/33", "1/000.p/4", "2/000.p/1", "entries/004.p/1"):
        assert got(collector, f"{at}/tile/{none}")[0] == 404, none
    status, heads, packed = got(collector, f"{at}/tile/entries/000", "br, gzip")
    assert (status, heads["content-encoding"]) == (200, "gzip")
    assert gzip.decompress(packed) == bundled(log.entries[:256])
    assert "content-encoding" not in got(collector, f"{at}/tile/entries/000", "gzip;q=0")[1]
    assert got(collector, f"{at}/checkpoint")[1]["cache-control"] == "no-cache"
    assert got(collector, f"/mirror/{'0' * 64}/tile/entries/000")[0] == 404


@pytest.mark.needs("postgresql")
@pytest.mark.parametrize("part", [{"block": 1, "width": 256}, {"block": 4, "width": 76}])
def test_what_was_altered_is_not_handed_out(
    collector: Collecting, log: Log, shared_database: str, part: dict[str, int]
) -> None:
    mirror(collector, log, SIZE)
    lines = [*log.entries[part["block"] * 256 :][: part["width"]]]
    lines[3] += b"!"
    packed = gzip.compress(b"".join(line + b"\n" for line in lines))
    execute(
        shared_database,
        "update floor.bundle set lines = %s from floor.log"
        " where log.id = log and origin = %s and first = %s",
        [packed, log.origin, part["block"] * 256],
    )
    at, number = prefix_of(log), f"{part['block']:03d}"
    name = number if part["width"] == 256 else f"{number}.p/{part['width']}"
    for kind in ("entries", "0"):
        status, heads, body = got(collector, f"{at}/tile/{kind}/{name}")
        assert (status, heads["retry-after"]) == (503, "2")
        assert "is altered" in body.decode()
        assert "cache-control" not in heads
        assert lines[3] not in body
    assert got(collector, f"{at}/tile/entries/000")[0] == 200


@pytest.mark.needs("postgresql")
def test_what_was_removed_is_not_there(
    collector: Collecting, log: Log, shared_database: str
) -> None:
    mirror(collector, log, SIZE)
    execute(shared_database, "update floor.log set begins = 300 where origin = %s", [log.origin])
    execute(
        shared_database,
        "delete from floor.block using floor.log where log.id = log and origin = %s and number = 3",
        [log.origin],
    )
    at = prefix_of(log)
    assert b"removed by age" in got(collector, f"{at}/tile/entries/001")[2]
    assert got(collector, f"{at}/tile/entries/002")[0] == 200
    assert got(collector, f"{at}/tile/1/000.p/3")[0] == 200, "the tree goes on"
    assert got(collector, f"{at}/tile/1/000.p/4")[0] == 503


def test_a_path_has_one_spelling() -> None:
    assert spelled(1234067) == "x001/x234/067"
    assert read_path("entries/x001/x234/067") == TilePath(None, 1234067, 256)
    assert read_path("2/005.p/17") == TilePath(2, 5, 17)
    assert read_path("2/005.p/17").end_entry == (5 * 256 + 17) << 16
    for bad in (
        "entries/1",
        "entries/x000/001",
        "entries/x001",
        "0/001.p/0",
        "0/001.p/256",
        "0/001.p/01",
        "64/001",
        "00/001",
        "0/001/",
        "data/001",
        "0/٠٠١",
    ):
        with pytest.raises(Refusal):
            read_path(bad)
