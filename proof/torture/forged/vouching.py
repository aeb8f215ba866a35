"""A genuine start on a forged end (:mod:`~.ends`): it has the true key, and signs what it finds.

The table is held, a supervisor lets play go on, it is played on, and the journal closed. A hold is
no acquittal: verification, night and verifier name that start for ever, also in the journal that
goes on, and so does each checkpoint.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from random import Random

from controller.configuration.model import Configuration
from controller.control.protocol import Request
from controller.daemon.health.memory import ProcessMemory
from controller.daemon.outside import Outside
from controller.daemon.runtime import Runtime
from controller.evidence.heads import read_head
from controller.evidence.tree.checkpoint import parsed
from controller.files.media import FreeRoom
from controller.journal import schema
from controller.journal.model import FOUND
from controller.journal.reader import ARCHIVE
from controller.journal.store import Journal
from controller.table.events.reading import read_event
from controller.upkeep import next_start
from controller.upkeep.due import close_if_due
from controller.upkeep.night.verification import Doubts, verify_own
from controller.upkeep.signing import signing_of
from proof.torture.forged.attacks import Images
from proof.torture.forged.ends import ENDS
from proof.torture.forged.image import BODY, TYPE, Image, Key, Ledger, Row, read_ledger, write_files
from proof.torture.forged.judging import look_again
from proof.torture.virtual.life import DEALER, PLENTY, SUPERVISOR

MOST_HOLDS = 8
NAMED = "vouches for nothing before it"


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
