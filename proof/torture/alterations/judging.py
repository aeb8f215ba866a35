"""What is made of an altered table by those who look at a journal, each with the true key where it
is given one, and what has to be said.

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
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import cast

from controller.configuration.model import Configuration
from controller.daemon.journaling.sealing import Sealing
from controller.daemon.outside import Outside
from controller.evidence.scrub import Walk
from controller.evidence.trust import GIVEN, Trust
from controller.evidence.verification import sealed_by, verified, verify_line
from controller.evidence.verify import verify
from controller.faults.catalogue import fault_of
from controller.journal.commits import SignedCommit
from controller.journal.errors import JournalError
from controller.journal.keys import BadKey, PublicKey
from controller.journal.model import Draft
from controller.journal.reader import ARCHIVE, JournalReader
from controller.journal.schema import FILE_NAME
from controller.journal.store import Journal
from controller.replay.recovery import recover
from controller.upkeep.due import close_if_due
from controller.upkeep.second_copy import Relation, standing
from controller.upkeep.signing import signing_of
from proof.torture.alterations.image import Image, write_files
from proof.torture.alterations.ledger import Ledger, read_ledger
from verifier.verify_journal import VERIFIED, Keys, OtherFormat, Verification

START, VERIFY, VERIFIER, SCRUBBER = "start", "verify", "verifier", "scrubber"
BOOT = "after"

Found = dict[str, str]
"""What each found, in words, by name; "" for nothing."""


class Kind(Enum):
    """What an alteration amounts to, in ``words``, and who ``must`` find it. Of altered bytes it is
    None: the start, the scrubber or the verification finds them, or else they are harmless."""

    FITTED = "recomputed to the end", (START, VERIFY, VERIFIER)
    OTHER_KEYS = "recomputed, the file of keys too", (VERIFY, VERIFIER)
    BROKEN = "left broken further back", (VERIFY, VERIFIER, SCRUBBER)
    ARCHIVE = "the closed file altered or taken away", (VERIFY,)
    BOOTS = "a boot that no entry has", (START, VERIFY)
    BACK = "an earlier state put back", (START,)
    BACK_WHOLE = "rolled back whole", ()
    VOUCHED = "signed by a genuine start", (VERIFY, VERIFIER)
    FLIPPED = "bytes: a bit flipped", None
    ZEROED = "bytes: zeroed", None
    OVERWRITTEN = "bytes: overwritten", None
    EXCHANGED = "bytes: exchanged", None
    DOUBLED = "bytes: doubled", None
    ROLLED_BACK = "bytes: rolled back", None
    CUT_OFF = "bytes: cut off", None
    AWAY = "bytes: taken away", None
    OLDER = "bytes: replaced by older ones", None

    def __init__(self, words: str, must: tuple[str, ...] | None) -> None:
        self.words, self.must = words, must


@dataclass(frozen=True, slots=True)
class Attack:
    """The altered ``image``, its ``kind``, and in words which one it is."""

    image: Image
    kind: Kind
    told: str


def judge(attack: Attack, config: Configuration) -> tuple[Found, str]:
    """Put the image there and have everybody look; what they found, and what is wrong with that,
    "" for nothing."""
    image, key, must = attack.image, attack.image.true_key.public, attack.kind.must
    write_files(image, config)
    if must is None:
        return _judge_bytes(image, config)
    found = look_again(image, config)
    if SCRUBBER in must:
        found[SCRUBBER] = _named(lambda: _scrub(config, key))
    for ledger, heads in image.closed.values():
        found[VERIFIER] = found[VERIFIER] or _verifier(ledger, heads, key)
    found[START] = _named(lambda: _start(image, config))  # the last one: it may write
    missing = [who for who in must if not found[who]]
    return found, f"not found by {', '.join(missing)}" if missing else ""


def look_again(image: Image, config: Configuration) -> Found:
    """What verification and verifier find in an image whose files are there already."""
    key = image.true_key.public
    return {
        VERIFY: _named(lambda: _verify(config, key)),
        VERIFIER: _verifier(image.journal, image.heads or [], key),
    }


def _judge_bytes(image: Image, config: Configuration) -> tuple[Found, str]:
    """Who finds it first; the start is the first one, for it recovers the log."""
    key = image.true_key.public
    looks: dict[str, Callable[[], str]] = {
        START: lambda: _start(image, config),
        SCRUBBER: lambda: _scrub(config, key),
        VERIFY: lambda: _verify(config, key),
    }
    for who, look in looks.items():
        if what := _named(look):
            return {who: what}, ""
    return {}, _harm(image, config)


def _named(look: Callable[[], str]) -> str:
    """What is found; a journal that is refused in words is found as well."""
    try:
        return look()
    except (JournalError, BadKey) as error:
        return f"refused: {getattr(error, 'what', error)}"


def _start(image: Image, config: Configuration) -> str:
    signing, outside = signing_of(config), Outside(boot_id=lambda: BOOT)
    close_if_due(config, signing, outside)
    with Journal(config.state_directory, signing.key, boot_id=BOOT) as journal:
        recover(journal, journal.iterate)
        loop = cast("asyncio.AbstractEventLoop", None)  # which turns later
        tested = Sealing(config, journal, signing, outside, loop, journal.iterate).self_test.run()
        told = [f"{code}: {what}" for code, what in tested if what and fault_of(code).holds]
        told += [
            f"{device} was acknowledged event {last}"
            for device, (session, last) in image.devices.items()
            if 0 < journal.stored(device, session) < last
        ]
        if image.copy is not None and (behind := _of_the_copy(config)):
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
    journal = (line.encode("ascii") for line in ledger.lines())
    try:
        found = verification_of(journal, covered, Keys([key.text]))
    except OtherFormat as error:
        return f"refused: {error}"
    if found.status == VERIFIED:
        return ""
    return "; ".join([*(f"{seq}: {what}" for seq, what in found.findings), *found.missing])


def verification_of(journal: Iterable[bytes], heads: Iterable[bytes], keys: Keys) -> Verification:
    """What the inspector's verifier makes of these lines of an export and of its heads."""
    found = Verification()
    exported, signed = (
        io.BytesIO(b"".join(line + b"\n" for line in of)) for of in (journal, heads)
    )
    found.verify_all(exported, signed, keys, {})
    return found


def _scrub(config: Configuration, key: PublicKey) -> str:
    with JournalReader(config.state_directory) as reader:
        walk = Walk(reader, lambda: reader.head, [key])
        while not walk.done:
            walk.step()
    return ""


def _harm(image: Image, config: Configuration) -> str:
    """What is read otherwise than it was written, or harmed by what is written behind it."""
    state, written = config.state_directory, image.journal
    if read_ledger(state / FILE_NAME).story != written.story:
        return "what is read is not what was written"
    with Journal(state, image.true_key, boot_id=BOOT) as journal:
        for number in range(8):
            body = {"text": "x" * 200}
            drafts = [Draft("CARD", body, "other", 9, number + 1, 1), Draft("note", body)]
            journal.append(drafts, 1 << 60, "later")
        journal.checkpoint()
    with JournalReader(state) as reader:
        report = verify(reader)
    there = read_ledger(state / FILE_NAME)
    boots, entries = there.boots[: len(written.boots)], there.entries[: len(written.entries)]
    if report.well and replace(there, boots=boots, entries=entries).story == written.story:
        return ""
    return f"harmed by what came after: {report.findings[:1]}"
