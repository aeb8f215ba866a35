"""A line of files verified, from the oldest to the journal itself, as one: what was played in one
goes on in the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from controller.evidence.checks.verify import Finding, OnEntry, VerificationReport
from controller.evidence.seals.heads import beside
from controller.evidence.trust import Trust, named_keys
from controller.evidence.verification import Sealed, Watch, sealed_if_any, unwatched, verified
from controller.journal.line import line_of
from controller.journal.model import Boot
from controller.journal.reader import JournalReader
from controller.not_done import WRONG_USE, NotDone


@dataclass(frozen=True, slots=True)
class ArchivedFiles:
    """Archived files verified: how many entries and heads they hold, and what is wrong."""

    entries: int = 0
    heads: int = 0
    findings: tuple[Finding, ...] = ()
    remarks: tuple[str, ...] = ()

    def before(self, report: VerificationReport) -> VerificationReport:
        """The report of the journal that goes on from them, together with theirs."""
        findings = (*self.findings, *report.findings)
        remarks = (*self.remarks, *report.remarks)
        entries = self.entries + report.entries
        return replace(report, entries=entries, findings=findings, remarks=remarks)


def verify_line(
    by: Trust,
    reader: JournalReader,
    archive: Path,
    on_entry: OnEntry | None,
    watch: Watch = unwatched,
) -> ArchivedFiles:
    """Verify the archived files that a journal goes on from, the oldest first, each with the heads
    that went along.

    Raises:
        NotDone: 2, there is no such directory.
    """
    if not archive.is_dir():  # a wrong path is nothing that is wrong with a journal
        raise NotDone(WRONG_USE, f"--archive: {archive} is no directory: is its medium there?")
    line, broken = line_of(reader, archive)
    findings = [Finding(None, broken)] if broken else []
    remarks: list[str] = []
    entries = heads = 0
    boots: Sequence[Boot] = ()
    for path in line:
        with JournalReader(archive, path.name) as older:
            findings += _other_boots(boots, older, f"{path.name}: ")
            boots = older.boots
            keys, there = by.keys, beside(path)
            if by.of_the_journal:
                keys = list(dict.fromkeys([*keys, *(key for key, _ in named_keys(older))]))
            sealed = sealed_if_any(keys, older, there) or Sealed()
            report = verified(older, sealed, keys, on_entry, watch=watch)
        entries += report.entries
        heads += len(sealed.good)
        findings += [Finding(None, f"{path.name}: {finding}") for finding in report.findings]
        remarks += [f"{path.name}: {remark}" for remark in report.remarks]
    findings += _other_boots(boots, reader, "")
    return ArchivedFiles(entries, heads, tuple(findings), tuple(remarks))


def _other_boots(before: Sequence[Boot], reader: JournalReader, where: str) -> Iterator[Finding]:
    """Whether a journal has the boots of the one that it goes on from: no digest covers those."""
    if list(reader.boots[: len(before)]) != list(before):
        what = "its boots are others than those of the journal that it goes on from"
        yield Finding(None, f"{where}{what}")
