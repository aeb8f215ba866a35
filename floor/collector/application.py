"""Which request goes where, and how it is answered.

===========================================  =======================================================
``POST /mirror/add-checkpoint``              C2SP tlog-mirror: a checkpoint that is pending
``POST /mirror/add-entries``                 entries up to one, and the mirror's cosignature
``GET /mirror/HASH/checkpoint``              what the mirror cosigned last; HASH is the SHA-256 of
                                             the log's origin, 64 hexadecimal digits
``GET /mirror/HASH/tile/…``                  the log up to there (C2SP tlog-tiles)
``POST /witness/add-checkpoint``             C2SP tlog-witness, where a witness is configured
``GET /witness/HASH/checkpoint``             what it cosigned last
``GET /metrics``                             for Prometheus
===========================================  =======================================================

The rules:

- Where the database does not do what it is asked the answer is 503 with its words, and nobody knows
  whether anything was stored: whoever asks again is told. A collector that is busy answers 503 in
  words of its own: that says nothing of the database.
- What is behind the mirror's checkpoint is not there yet (404), and what was removed by age not any
  more (404).
- A tile never changes, so whoever reads may keep it. Bundles are compressed for those who take
  that.
- What is not as it was is never handed out: 503, which entries, and what to do.
- Everybody who is let through to the mirror's prefix reads: whom that is the house's proxy says.
  The records of play are confidential."""

from __future__ import annotations

import gzip
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Final

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.evidence.tree.merkle import leaf_hash
from floor.collector.bodies import RequestBody
from floor.collector.checkpoints import CheckpointTaker
from floor.collector.entries import EntryTaker
from floor.collector.keys import Cosigner
from floor.collector.known import KnownLogs
from floor.collector.metrics import KIND, CollectorMetrics
from floor.configuration import FloorSettings
from floor.protocol.answers import BUSY, NOT_FOUND, OK, FloorAnswer, Refusal
from floor.protocol.checkpoints import MOST_BYTES
from floor.protocol.tiles import OCTETS, TilePath, bundled, read_path
from floor.store.failing import StoreBusy, StoreFails
from floor.store.locked_log import Role
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


AGAIN_S: Final = "2"
"""When somebody may ask again who is told that it is not done now."""

NOT_KEPT: Final = {"cache-control": "no-cache"}
"""There is a newer one in a minute."""

Work = Callable[[RequestBody], Awaitable[FloorAnswer]]

_log = logging.getLogger(__name__)


class CollectorApplication:
    """The requests of one collector; ``witness`` is None where none is configured."""

    def __init__(
        self,
        store: FloorStore,
        settings: FloorSettings,
        mirror: Cosigner,
        witness: Cosigner | None,
    ) -> None:
        self._store = store
        self._logs = KnownLogs(settings.tables)
        self._metrics = CollectorMetrics()
        self._trouble: type[StoreFails] | None = None
        """What was told of the store last; None: it did what it was asked."""
        routes = self._of_role("mirror", None)
        entries = EntryTaker(store, settings, self._logs, self._metrics, mirror)
        routes.append(self._post("mirror", "add-entries", entries.take_entries))
        self._tiles = TileReader(store, self._logs)
        routes.append(Route("/mirror/{digest}/tile/{tile:path}", self._tile))
        if witness is not None:
            routes += self._of_role("witness", witness)
        routes.append(Route("/metrics", self._told_metrics))
        self.asgi = Starlette(routes=routes)

    def _of_role(self, role: Role, cosigner: Cosigner | None) -> list[Route]:
        taker = CheckpointTaker(self._store, self._logs, role, cosigner)

        async def take_checkpoint(body: RequestBody) -> FloorAnswer:
            return FloorAnswer(await taker.take_checkpoint(await body.content(MOST_BYTES)))

        async def newest(request: Request) -> Response:
            return await self._answered(
                f"{role} checkpoint", self._newest(role, request.path_params["digest"])
            )

        return [
            self._post(role, "add-checkpoint", take_checkpoint),
            Route(f"/{role}/{{digest}}/checkpoint", newest),
        ]

    def _post(self, role: Role, verb: str, work: Work) -> Route:
        async def answer(request: Request) -> Response:
            body = RequestBody(request)
            response = await self._answered(f"{role} {verb}", work(body))
            response.headers["accept-encoding"] = "gzip"
            await body.drain()
            return response

        return Route(f"/{role}/{verb}", answer, methods=["POST"])

    async def _answered(self, request: str, work: Awaitable[FloorAnswer]) -> Response:
        """The response, whatever comes of the work."""
        begun = time.monotonic()
        headers: dict[str, str] = {}
        try:
            answer = await work
            self._store_does()
        except Refusal as refusal:
            answer = FloorAnswer(refusal.body, refusal.status, refusal.kind)
        except StoreFails as error:
            self._store_fails(error)
            answer = FloorAnswer(f"{error}\n", BUSY)
        if answer.status == BUSY:
            headers["retry-after"] = AGAIN_S
        self._metrics.answered(request, answer.status, time.monotonic() - begun)
        headers |= {"content-type": answer.kind, **answer.headers}
        return Response(answer.body, answer.status, headers)

    def _store_does(self) -> None:
        """It has done what it was asked; each change is told once."""
        self._metrics.database(up=True)
        if self._trouble is not None:
            _log.info("the floor's database does what it is asked again")
        self._trouble = None

    def _store_fails(self, error: StoreFails) -> None:
        busy = isinstance(error, StoreBusy)
        if not busy:
            self._metrics.database(up=False)
        if type(error) is not self._trouble:
            _log.log(logging.WARNING if busy else logging.ERROR, "%s", error)
        self._trouble = type(error)

    async def _newest(self, role: Role, digest: str) -> FloorAnswer:
        """What the role has cosigned last of the log whose origin has that hash."""
        origin = self._logs.origin_of(digest)
        if origin is not None and (text := await self._store.cosigned(origin, role)):
            return FloorAnswer(text, headers=NOT_KEPT)
        raise Refusal(NOT_FOUND, f"the {role} has cosigned no log of that name")

    async def _tile(self, request: Request) -> Response:
        return await self._answered("mirror tile", self._tiles.read_tile(request))

    async def _told_metrics(self, _: Request) -> Response:
        try:
            self._metrics.tables(await self._store.tables())
            self._store_does()
        except StoreFails as error:
            self._metrics.tables([])
            self._store_fails(error)
        text = self._metrics.text(len(self._logs.all()))
        return Response(text, OK, {"content-type": KIND})
