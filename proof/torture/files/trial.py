"""What a start, the scrubber and the verification make of altered files.

As the daemon does: the journal is opened, what it is recovered from is read entry by entry, its end
is compared with the signed row, the second copy, the signed heads and the devices' numbers. What
passes is walked
over by the scrubber and verified. What passes that too must be, value for value, what was written;
and it must be possible to go on with it without harm to what is there.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from controller.evidence.at_start import check_heads
from controller.evidence.scrub import Walk
from controller.evidence.verify import verify
from controller.journal.errors import DamagedJournal, JournalError, NotAJournal, OtherFormat
from controller.journal.keys import ControllerKey
from controller.journal.model import Draft
from controller.journal.reader import JournalReader
from controller.journal.schema import FILE_NAME
from controller.journal.store import Journal
from controller.upkeep.second_copy import Relation, standing
from proof.torture.files.material import LOG_NAME, Content, Files, PlayedJournal, content_of


class Verdict(Enum):
    """How an alteration ended."""

    HARMLESS = "harmless"
    """Nothing that is read was changed, and nothing that is written afterwards is harmed."""
    START = "refused at the start"
    END = "a lost end, or one that is not signed, noticed at the start"
    SCRUB = "found by the scrubber"
    VERIFY = "found by 'journal verify' only"
    ACCEPTED = "ACCEPTED"
    BLUNDER = "NOT NAMED"
    """Something other than a journal's error came of it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The verdict, the words of it, and who noticed what is wrong with the end."""

    verdict: Verdict
    told: str = ""
    noticed: frozenset[str] = frozenset()


def try_out(made: PlayedJournal, files: Files, folder: Path) -> Outcome:
    """Put the files into ``folder`` and see what happens."""
    for path in folder.iterdir():
        path.unlink()
    (folder / FILE_NAME).write_bytes(files.file)
    if files.log:
        (folder / LOG_NAME).write_bytes(files.log)
    try:
        return _try(made, folder)
    except Exception as error:  # a traceback is what nobody can do anything with
        return Outcome(Verdict.BLUNDER, f"{type(error).__name__}: {error}")


def _try(made: PlayedJournal, folder: Path) -> Outcome:
    try:
        with Journal(folder, made.signing, boot_id="after") as journal:
            behind = next(journal.snapshots(), 1) - 1
            for _ in journal.iterate(behind):
                pass
            noticed = _who_notices(made, journal, folder)
    except (DamagedJournal, NotAJournal, OtherFormat) as error:
        return Outcome(Verdict.START, getattr(error, "what", str(error)))
    if noticed:
        return Outcome(Verdict.END, noticed=noticed)
    try:
        with JournalReader(folder) as reader:
            walk = Walk(reader)
            while not walk.done:
                walk.step()
    except JournalError as error:
        return Outcome(Verdict.SCRUB, getattr(error, "what", str(error)))
    with JournalReader(folder) as reader:
        report = verify(reader)
        if not report.well:
            return Outcome(Verdict.VERIFY, str(report.findings[0]))
        if content_of(reader) != made.content:
            return Outcome(Verdict.ACCEPTED, "what is read is not what was written")
    return _go_on(made.content, made.signing, folder)


def _who_notices(made: PlayedJournal, journal: Journal, folder: Path) -> frozenset[str]:
    """Who knows that the journal's end is lost or another one; the daemon asks all of them."""
    noticed = {
        "device"
        for device, (session, last) in made.acknowledged.items()
        if journal.stored(device, session) < last
    }
    if list(check_heads(journal, made.heads, made.key, [made.key])):
        noticed.add("head")
    cover = journal.cover([made.key])
    if cover.row is None or cover.wrong:
        noticed.add("signed row")
    with JournalReader(folder) as reader, JournalReader(made.copy) as copy:
        if standing(reader.connection, copy.connection).relation is not Relation.BEHIND:
            noticed.add("copy")
    return frozenset(noticed)


def _go_on(content: Content, key: ControllerKey, folder: Path) -> Outcome:
    """Play on: what is written now must not be written over what is there."""
    with Journal(folder, key, boot_id="after") as journal:
        for number in range(8):
            body = {"text": "x" * 200}
            drafts = [Draft("CARD", body, "other", 9, number + 1, 1), Draft("note", body)]
            journal.append(drafts, 1 << 60, "later")
        journal.checkpoint()
    with JournalReader(folder) as reader:
        report = verify(reader)
        there = content_of(reader)
    boots = 1 + sum(len(row) < 5 for row in content[1:])
    kept = (
        there[:boots] == content[:boots]
        and there[boots + 1 :][: len(content) - boots] == (content[boots:])
    )
    if report.well and kept:
        return Outcome(Verdict.HARMLESS)
    return Outcome(Verdict.ACCEPTED, f"harmed by what came after: {report.findings[:1]}")
