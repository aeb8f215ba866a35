"""A genuine start on a forged end: it has the true key, and signs what it finds.

The table is held, a supervisor lets play go on, it is played on, and the journal closed. A hold is
no acquittal: verification, night and verifier name that start for ever, also in the journal that
goes on, and so does each checkpoint. The forger tidies up once the start has signed over his work;
by then he has to live with what the start found.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from random import Random
from typing import Final

from controller.configuration.model import Configuration
from controller.control.protocol import Request
from controller.daemon.health.memory import ProcessMemory
from controller.daemon.outside import Outside
from controller.daemon.runtime import Runtime
from controller.evidence.heads import read_head
from controller.evidence.recorded import CUT, DOUBTED, HEADS, NOT_SIGNED
from controller.evidence.tree.checkpoint import parsed, vkey_of
from controller.evidence.trust import KEYS_FILE as VKEY
from controller.files.media import FreeRoom
from controller.journal import schema
from controller.journal.model import FOUND, SEALING
from controller.journal.reader import ARCHIVE
from controller.journal.schema import FILE_NAME
from controller.journal.store import Journal
from controller.table.events.reading import read_event
from controller.upkeep import next_start
from controller.upkeep.due import close_if_due
from controller.upkeep.night.verification import Doubts, verify_own
from controller.upkeep.signing import signing_of
from proof.torture.alterations.image import Image, Images, write_files
from proof.torture.alterations.judging import look_again
from proof.torture.alterations.ledger import BODY, SEQ, TYPE, Key, Ledger, Row, body_of, read_ledger
from proof.torture.virtual.life import DEALER, PLENTY, SUPERVISOR

MOST_HOLDS: Final = 8
NAMED: Final = "vouches for nothing before it"
Tidy = Callable[[Image, Configuration], None]


@dataclass(frozen=True, slots=True)
class JournalEnd:
    """How it is ``forged``, the ``fault`` that a start finds, and what is done behind that."""

    forged: Callable[[Image, Key, Random], None]
    fault: str
    tidy: Tidy = lambda image, config: None

    def image(self, images: Images, own: Key, source: Random) -> Image:
        """All that lies there at the start."""
        image = images[source.choice(("signed", "stopped"))].copied()
        image.copy = image.night = None
        self.forged(image, own, source)
        image.tree = bytes(image.journal.tree().nodes)
        return image


def _rewritten(image: Image, source: Random) -> None:
    """Who gave a command is another one; the rest comes out as it was played."""
    rows = [row for row in image.journal.entries if row[TYPE] == "dealer"]
    for row in source.sample(rows, source.randint(1, 5)):
        with body_of(row) as body:
            body["user"] = "ida"


def _altered(image: Image, own: Key, source: Random) -> None:
    _rewritten(image, source)
    image.journal.chain()
    if source.random() < 0.5:
        image.heads = (image.heads or [])[:1]


def _under_a_key_of_his_own(image: Image, own: Key, source: Random) -> None:
    """Whose line is in the file of keys for this start alone; start records name the true one."""
    _rewritten(image, source)
    image.journal.chain()
    image.journal.signed = [image.journal.signed_row(own)]
    image.heads = image.journal.heads_anew(image.heads, own)
    image.vkeys = [image.true_key, own]


def _without_his_key(image: Image, config: Configuration) -> None:
    line = vkey_of(image.true_key.public)
    (config.path.parent / VKEY).write_text(f"{line}\n", encoding="ascii")
    heads = config.heads.read_bytes().splitlines(keepends=True)
    true = image.true_key.fingerprint
    config.heads.write_bytes(b"".join(one for one in heads if read_head(one).key == true))


def _never_signed(image: Image, own: Key, source: Random) -> None:
    """As if nothing at all had ever been signed."""
    _rewritten(image, source)
    for row in image.journal.entries:
        if row[TYPE] == "start":
            with body_of(row) as body:
                body[SEALING][HEADS] = False
    image.journal.chain()
    image.journal.signed = source.choice(([], None))
    image.heads = None


def _put_back(image: Image, own: Key, source: Random) -> None:
    """As an earlier stop left it, with the heads of what came later."""
    stops = [at for at, row in enumerate(image.journal.entries) if row[TYPE] == "stop"]
    image.journal = image.journal.cut(stops[0], image.true_key)


def _without_later_heads(image: Image, config: Configuration) -> None:
    there = len(image.heads or ())
    heads = config.heads.read_bytes().splitlines(keepends=True)
    kept = [one for one in heads[:there] if read_head(one).seq <= image.journal.last]
    config.heads.write_bytes(b"".join([*kept, *heads[there:]]))


def _hide_in_the_index(image: Image, config: Configuration) -> None:
    """Take the start that found it out of the index over starts, which no digest covers."""
    path = config.state_directory / FILE_NAME
    seqs = [row[SEQ] for row in read_ledger(path).entries if FOUND in json.loads(row[BODY])]
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        [(sql,)] = connection.execute("SELECT sql FROM sqlite_schema WHERE name = 'entry_mark'")
        hidden = sql.replace("WHERE ", f"WHERE seq NOT IN ({', '.join(map(str, seqs))}) AND (")
        _define(connection, f"{hidden})")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("REINDEX entry_mark")
        _define(connection, sql)


def _define(connection: sqlite3.Connection, sql: str) -> None:
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute("UPDATE sqlite_schema SET sql = ? WHERE name = 'entry_mark'", (sql,))
    [(version,)] = connection.execute("PRAGMA schema_version")
    connection.execute(f"PRAGMA schema_version = {version + 1}")


ENDS: Final = {
    "altered": JournalEnd(_altered, NOT_SIGNED),
    "altered, and the start hidden": JournalEnd(_altered, NOT_SIGNED, _hide_in_the_index),
    "under a key for one start": JournalEnd(_under_a_key_of_his_own, DOUBTED, _without_his_key),
    "as never signed": JournalEnd(_never_signed, NOT_SIGNED),
    "put back, later heads removed": JournalEnd(_put_back, CUT, _without_later_heads),
}
"""By name."""


# ---- a genuine start on one --------------------------------------------------------------------


def goes_on(
    images: Images, own: Key, source: Random, config: Configuration, end: str = ""
) -> list[str]:
    """What is wrong with what is said of a start on a forged ``end`` (by chance, where none is
    named), of the journal before it is closed and behind that."""
    way = ENDS[end or source.choice([*ENDS])]
    image = way.image(images, own, source)
    write_files(image, config)
    config = replace(config, copy=None)
    held = asyncio.run(_live(config, resume=False))
    way.tidy(image, config)
    state = config.state_directory
    journal = read_ledger(state / schema.FILE_NAME)
    wrong = [] if way.fault in held else [f"the start holds for {', '.join(held) or 'nothing'}"]
    if not any(_tells(row, way.fault) for row in journal.entries):
        wrong.append("its record does not tell what it found")
    asyncio.run(_live(config, resume=True))
    wrong += _unnamed("before it is closed", image, config)
    next_start.request_closing(state, journal.identity)
    outside = replace(Outside(), boot_id=lambda: "boot-after")
    close_if_due(config, signing_of(config), outside)
    if not (state / ARCHIVE).is_dir():
        return [*wrong, "it is not closed"]
    wrong += _unnamed("behind the closing", image, config)
    asyncio.run(_live(config, resume=True))
    wrong += _unnamed("played on behind the closing", image, config)
    return wrong


def _tells(row: Row, fault: str) -> bool:
    found = json.loads(row[BODY]).get(FOUND)
    return row[TYPE] == "start" and isinstance(found, dict) and found["fault"] == fault


def _unnamed(when: str, image: Image, config: Configuration) -> Iterator[str]:
    """Who does not name that start."""
    journal: Ledger = read_ledger(config.state_directory / schema.FILE_NAME)
    heads = config.heads.read_bytes().splitlines()
    told, doubts = look_again(replace(image, journal=journal, heads=heads), config), Doubts([])
    verify_own(config, None, ((), None), doubts, datetime.now(UTC))
    told["night"] = "; ".join(one["what"] for one in doubts.stands)
    yield from (
        f"{when} not named by the {who}, which says: {what or 'well'}"
        for who, what in told.items()
        if NAMED.casefold() not in what.casefold() and "was not given" not in what
    )
    newest = next((head for one in reversed(heads) if (head := read_head(one)).checkpoint), None)
    if newest is None or not parsed(newest.checkpoint).doubted:
        yield f"{when} not in the checkpoint of the last head"


async def _live(config: Configuration, *, resume: bool) -> list[str]:
    """Start the controller, have a supervisor let play go on and a bet laid, stop; the faults for
    which it was held."""
    ended: list[str] = []
    outside = Outside(
        boot_id=lambda: "boot-after",
        aside=lambda _, work, then, __: then(work()),
        room=lambda _: FreeRoom(PLENTY),
        memory=lambda: ProcessMemory(own=0, left=PLENTY),
    )
    signing = signing_of(config)
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: ended.append(repr(context.get("exception"))))
    with Journal(config.state_directory, signing.key, boot_id="boot-after") as journal:
        runtime = Runtime(config, journal, signing, outside, loop, ended.append, journal.iterate)
        runtime.committer.start()
        await runtime.submit_start()
        holds = runtime.owner.table.holds
        held = [*holds.postponed, *(one.fault for one in holds.standing)]
        for _ in range(MOST_HOLDS if resume else 0):
            if (await runtime.handler.status())["held"] is None:
                break
            said = Request(1, "supervisor", "resume", "P. Marsh", "the inspector was told")
            await runtime.handler.command(said, SUPERVISOR)
        if resume:
            for command in ("open", "wager 2 main 10", "undo", "undo"):
                await runtime.handler.command(Request(1, "dealer", command), DEALER)
        await runtime.close()
        runtime.owner.submit(read_event("stop", {}))
        await runtime.owner.settled()
        runtime.committer.close()
        if (last := runtime.sealing.last()) is not None:
            last.join(5.0)
    assert not ended, f"the controller ended: {ended}"
    return held
