"""What is made of an image by those who look at a journal, each with the true key where it is given
one.

- the *start*: as the daemon does before any device is spoken to: the journal closed where that is
  asked for, opened and played again from its last snapshot, the signatures judged
  (:class:`~controller.daemon.journaling.sealing.Sealing`), the second copy and the devices' numbers
  compared. What counts is a fault that holds the table.
- *verify*: ``tablectl journal verify --archive`` without playing again;
- the *verifier*, which reads the forger's own export;
- the *scrubber*'s first walk.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import cast

from controller.configuration.model import Configuration
from controller.daemon.journaling.sealing import Sealing
from controller.daemon.outside import Outside
from controller.evidence.scrub import Walk
from controller.evidence.trust import GIVEN, Trust
from controller.evidence.verification import sealed_by, verified, verify_line
from controller.faults.catalogue import fault_of
from controller.journal.commits import SignedCommit
from controller.journal.errors import JournalError
from controller.journal.keys import BadKey, PublicKey
from controller.journal.reader import ARCHIVE, JournalReader
from controller.journal.store import Journal
from controller.replay.recovery import recover
from controller.upkeep import night_report
from controller.upkeep.due import close_if_due
from controller.upkeep.second_copy import Relation, standing
from controller.upkeep.signing import signing_of
from proof.torture.forged.fitting import lines
from proof.torture.forged.image import NIGHT, Image, Ledger, write_files
from verifier.verify_journal import VERIFIED, Keys, OtherFormat, Verification

START, VERIFY, VERIFIER, SCRUBBER = "start", "verify", "verifier", "scrubber"


@dataclass(frozen=True, slots=True)
class Judged:
    """What each found, in words, by name; "" for nothing. ``who`` found it at the start."""

    found: dict[str, str]
    who: frozenset[str] = frozenset()


@contextmanager
def nights_of(config: Configuration) -> Iterator[None]:
    """Nights of that table have their report beside its configuration."""
    usual, night_report.USUAL = night_report.USUAL, config.path.parent / NIGHT  # type: ignore[misc]
    try:
        yield
    finally:
        night_report.USUAL = usual  # type: ignore[misc]


def judge(image: Image, config: Configuration, *, walks: bool) -> Judged:
    """Put the image there and have everybody look; the scrubber where it ``walks``."""
    write_files(image, config)
    found = look_again(image, config)
    if walks:
        found[SCRUBBER] = _named(lambda: _scrub(config, image.true_key.public))
    for ledger, heads in image.closed.values():
        found[VERIFIER] = found[VERIFIER] or _verifier(ledger, heads, image.true_key.public)
    who: set[str] = set()
    found[START] = _named(lambda: _start(image, config, who))  # the last one: it may write
    return Judged(found, frozenset(who))


def look_again(image: Image, config: Configuration) -> dict[str, str]:
    """What verification and verifier find in an image whose files are there already."""
    key = image.true_key.public
    return {
        VERIFY: _named(lambda: _verify(config, key)),
        VERIFIER: _verifier(image.journal, image.heads or [], key),
    }


def _named(look: Callable[[], str]) -> str:
    """What is found; a journal that is refused in words is found as well."""
    try:
        return look()
    except (JournalError, BadKey) as error:
        return f"refused: {getattr(error, 'what', error)}"


def _start(image: Image, config: Configuration, who: set[str]) -> str:
    signing, outside = signing_of(config), Outside(boot_id=lambda: "after")
    close_if_due(config, signing, outside)
    with Journal(config.state_directory, signing.key, boot_id="after") as journal:
        recover(journal, journal.iterate)
        loop = cast("asyncio.AbstractEventLoop", None)  # which turns later
        tested = Sealing(config, journal, signing, outside, loop, journal.iterate).self_test.run()
        told = [f"{code}: {what}" for code, what in tested if what and fault_of(code).holds]
        if told:
            who.add("signatures")
        for device, (session, last) in image.devices.items():
            if 0 < journal.stored(device, session) < last:
                who.add("device")
                told.append(f"{device} was acknowledged event {last}")
        if image.copy is not None and (behind := _of_the_copy(config)):
            who.add("copy")
            told.append(behind)
    return "; ".join(told)


def _of_the_copy(config: Configuration) -> str:
    """What the second copy shows."""
    assert config.copy is not None
    with JournalReader(config.state_directory) as reader, JournalReader(config.copy) as copy:
        stands = standing(reader.connection, copy.connection)
    return "" if stands.relation is Relation.BEHIND else stands.what


def _verify(config: Configuration, key: PublicKey) -> str:
    with JournalReader(config.state_directory) as reader:
        archive = config.state_directory / ARCHIVE
        sealed = sealed_by([key], reader, config.heads) if config.heads.exists() else None
        report = verified(reader, sealed, [key])
        if reader.predecessor is not None:
            archive.mkdir(exist_ok=True)
            report = verify_line(Trust([key], GIVEN), reader, archive, None).before(report)
    return "; ".join(map(str, report.findings))


def _verifier(ledger: Ledger, heads: list[bytes], key: PublicKey) -> str:
    covered = list(heads)
    for row in (ledger.signed or ())[:1]:
        covered.append(SignedCommit(*row).line(ledger.identity).encode("ascii"))
    journal = b"".join(line.encode("ascii") + b"\n" for line in lines(ledger))
    file = io.BytesIO(b"".join(line + b"\n" for line in covered))
    found = Verification()
    try:
        found.verify_all(io.BytesIO(journal), file, Keys([key.text]), {})
    except OtherFormat as error:
        return f"refused: {error}"
    if found.status == VERIFIED:
        return ""
    return "; ".join([*(f"{seq}: {what}" for seq, what in found.findings), *found.missing])


def _scrub(config: Configuration, key: PublicKey) -> str:
    with JournalReader(config.state_directory) as reader:
        walk = Walk(reader, lambda: reader.head, [key])
        while not walk.done:
            walk.step()
    return ""
