"""Reading the mirror: the tiled log up to what the mirror has cosigned (C2SP tlog-tiles).

The rules:

- What is behind the mirror's checkpoint is not there yet (404), and what was removed by age not any
  more (404).
- A tile never changes, so whoever reads may keep it. Bundles are compressed for those who take
  that.
- What is not as it was is never handed out: 503, which entries, and what to do.
- Everybody who is let through to this prefix reads: whom that is the house's proxy says. The
  records of play are confidential.
"""

from __future__ import annotations

import gzip
from typing import Final

from starlette.requests import Request

from controller.evidence.tree.merkle import leaf_hash
from floor.collector.answers import BUSY, OK, FloorAnswer
from floor.collector.known import KnownLogs
from floor.protocol.refusals import NOT_FOUND, Refusal
from floor.protocol.tiles import OCTETS, TilePath, bundled, read_path
from floor.store.reading import AlteredBundle
from floor.store.store import FloorStore
from floor.store.tiles import MirroredLog, mirrored_log

FOR_EVER: Final = {"cache-control": "max-age=31536000, immutable"}
_GZIP_LEVEL: Final = 6


class TileReader:
    """Reads tiles and bundles of the known ``logs``."""

    def __init__(self, store: FloorStore, logs: KnownLogs) -> None:
        self._store = store
        self._logs = logs

    async def read_tile(self, request: Request) -> FloorAnswer:
        """What the path names.

        Raises:
            Refusal: 404, it is not there. StoreFails.
        """
        tile = read_path(request.path_params["tile"])
        origin = self._logs.origin_of(request.path_params["digest"])
        if origin is None:
            raise Refusal(NOT_FOUND, "the mirror has no log of that name")
        try:
            async with self._store.connection() as connection:
                log = await mirrored_log(connection, origin)
                if log is None or tile.end_entry > log.mirrored:
                    raise Refusal(NOT_FOUND, "the mirror has cosigned no checkpoint that has it")
                if tile.level is not None:
                    body = b"".join(await _hashes(log, tile.level, tile))
                    return FloorAnswer(body, OK, OCTETS, FOR_EVER)
                body = bundled(await _entries(log, tile))
        except AlteredBundle as error:
            told = (
                f"{error}: it is not handed out; 'table-floor nightly' has its table send it again"
            )
            return FloorAnswer(f"{told}\n", BUSY)
        return _compressed(body, request.headers.get("accept-encoding", ""))


async def _entries(log: MirroredLog, tile: TilePath) -> list[bytes]:
    if tile.end_entry - tile.width < log.begins:
        raise Refusal(NOT_FOUND, f"the entries before {log.begins} were removed by age")
    return await log.entries(tile.index, tile.width)


async def _hashes(log: MirroredLog, level: int, tile: TilePath) -> list[bytes]:
    if level == 0:
        return [leaf_hash(leaf) for leaf in await _entries(log, tile)]
    return await log.hashes(level, tile.index * 256, tile.index * 256 + tile.width)


def _compressed(body: bytes, accepted: str) -> FloorAnswer:
    """The body, compressed where that is accepted; ``gzip;q=0`` says that it is not."""
    taken = {one.replace(" ", "").lower() for one in accepted.split(",")}
    headers = {**FOR_EVER, "vary": "accept-encoding"}
    if not {"gzip", "*"} & {one.partition(";")[0] for one in taken if not one.endswith(";q=0")}:
        return FloorAnswer(body, OK, OCTETS, headers)
    packed = gzip.compress(body, _GZIP_LEVEL, mtime=0)
    return FloorAnswer(packed, OK, OCTETS, {**headers, "content-encoding": "gzip"})
