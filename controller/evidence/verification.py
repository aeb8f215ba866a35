"""A journal verified: against itself, its signed row, its heads, and what starts have found; a line
of files as one, from the oldest to the journal itself. It is good as far as its signed row goes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from controller.causes.finding import cause_of
from controller.causes.who_may import READ
from controller.evidence.heads import SignedHead, beside, heads_in
from controller.evidence.recorded import doubts_of
from controller.evidence.tree.checkpoint import BadCheckpoint
from controller.evidence.tree.entries import NoNode, frontier_before
from controller.evidence.tree.merkle import joined, leaf_hash, push
from controller.evidence.trust import Trust, named_keys
from controller.evidence.verify import Finding, OnEntry, VerificationReport, verify
from controller.journal.export import Lines
from controller.journal.keys import PublicKey
from controller.journal.model import Boot, Entry, Head
from controller.journal.reader import JournalReader, older
from controller.not_done import WRONG_USE, NotDone

Watch = Callable[[int], AbstractContextManager[Callable[[], None]]]
"""Shows how far it is: takes how many entries there are, and is told of each."""


@contextmanager
def unwatched(_: int) -> Iterator[Callable[[], None]]:
    """Nobody looks how far it is."""
    yield lambda: None


@dataclass(slots=True)
class Sealed:
    """The heads of a journal: ``good`` ones by the number of their entry; what is wrong with
    others; how many are of other journals. ``roots`` are those of checkpoints by the number of the
    entry."""

    good: dict[int, SignedHead] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    others: int = 0
    last: SignedHead | None = None
    roots: dict[int, bytes] = field(default_factory=dict)

    @property
    def anchors(self) -> Mapping[int, bytes]:
        """Digests by entry, for the verification; a head for no entry yet has none to compare."""
        return {seq: bytes.fromhex(head.digest) for seq, head in self.good.items() if seq}


def sealed_by(keys: Sequence[PublicKey], reader: JournalReader, path: Path) -> Sealed:
    """The heads in the file at ``path`` that are of the journal; the last good one of the journal
    that it goes on from must be of an entry that it goes on from. Whatever names one of the two and
    was not signed with one of ``keys`` is a finding, and hides no other line. Raises NotDone: 2, it
    cannot be read."""
    found, identity, before = Sealed(), reader.identity.hex(), reader.predecessor
    earlier: tuple[str, SignedHead] | None = None
    try:
        for number, head in heads_in(path):
            where = f"line {number} of {path}"
            if not isinstance(head, SignedHead):
                found.findings.append(Finding(None, f"{where} {head}"))
                continue
            of_earlier = before is not None and head.journal == before.identity.hex()
            signed = any(head.is_of(key) for key in keys)
            found.others += head.journal != identity
            if head.journal != identity and not of_earlier:
                continue
            if not signed:
                text = (
                    f"{where} is for entry {head.seq} and was not signed with the controller's key"
                )
                found.findings.append(Finding(None, text))
            elif of_earlier:
                earlier = where, head
            elif found.good.setdefault(head.seq, head).digest != head.digest:
                text = f"was signed twice, as two different ones ({where})"
                found.findings.append(Finding(head.seq, text))
            else:
                found.last = head
                found.findings += _take_checkpoint(found, head, keys, where)
    except OSError as error:
        what = f"{path} cannot be read: {cause_of(error, path, wants=READ)}"
        raise NotDone(WRONG_USE, what) from error
    if before is not None and earlier is not None:
        where, head = earlier
        same = head.seq < before.seq or head.digest == before.digest.hex()
        if head.seq > before.seq or not same:
            text = f"was signed ({where}), and the journal goes on from another entry {before.seq}"
            found.findings.append(Finding(head.seq, text))
    return found


def sealed_if_any(keys: Sequence[PublicKey], reader: JournalReader, path: Path) -> Sealed | None:
    """The same; None where there are no heads, or no key by which they could count."""
    return sealed_by(keys, reader, path) if keys and path.exists() else None


def _take_checkpoint(
    found: Sealed, head: SignedHead, keys: Sequence[PublicKey], where: str
) -> Iterator[Finding]:
    try:
        checkpoint = head.signed_checkpoint(keys)
    except BadCheckpoint as bad:
        yield Finding(head.seq, f"was signed with a checkpoint that {bad} ({where})")
        return
    if checkpoint is None:
        return
    if checkpoint.size != head.seq:
        text = f"was signed with a checkpoint for entry {checkpoint.size} ({where})"
        yield Finding(head.seq, text)
    found.roots[head.seq] = checkpoint.root


def verified(
    reader: JournalReader,
    sealed: Sealed | None,
    keys: Sequence[PublicKey],
    on_entry: OnEntry | None = None,
    *,
    since: Head | None = None,
    pages: bool = True,
    watch: Watch = unwatched,
) -> VerificationReport:
    """The journal against itself and its signatures, and what is wrong with those: the whole of it,
    or what came after ``since``, which shows no root of the tree."""
    cover, told = reader.cover(keys), doubts_of(reader, keys)
    roots = {**told.roots, **(sealed.roots if sealed else {})}
    against = _AgainstRoots(reader, {} if since else roots)
    first = since.seq if since else reader.begins
    anchors = sealed.anchors if sealed else {}
    behind = {seq: digest for seq, digest in anchors.items() if seq > first or since is None}

    with watch(cover.last.seq - first) as advance:

        def check_entry(entry: Entry) -> Iterator[str]:
            advance()
            yield from against.check_entry(entry)
            if on_entry is not None:
                yield from on_entry(entry)

        report = verify(reader, behind, check_entry, since=since, upto=cover.last.seq, pages=pages)
    return replace(
        report,
        findings=(
            *report.findings,
            *(Finding(None, wrong) for wrong in (against.wrong, cover.wrong) if wrong),
            *told.findings,
            *(sealed.findings if sealed else ()),
        ),
        remarks=(*report.remarks, *told.remarks),
        doubts=tuple(told.findings),
        heads=len(sealed.good) if sealed else 0,
    )


class _AgainstRoots:
    """A journal against the checkpoints of its heads, entry by entry: the tree over the lines has
    the root that each was signed for. ``roots`` are those of the checkpoints, by the number of
    their entry; ``wrong`` says why there is no tree to hold against them."""

    def __init__(self, reader: JournalReader, roots: Mapping[int, bytes]) -> None:
        self._lines = Lines(reader)
        self._roots = roots
        self._last = max(roots, default=0)
        self._next = reader.begins + 1
        self.wrong = ""
        try:
            self._stack = frontier_before(reader)
        except (NoNode, ValueError) as error:
            self._last = 0  # without a beginning there is no tree to compare
            self.wrong = str(error)

    def check_entry(self, entry: Entry) -> Iterator[str]:
        """What is wrong with an entry, in plain words."""
        if entry.seq > self._last:
            return
        if entry.seq != self._next:  # told as missing; behind it there is no tree to compare
            self._last = 0
            return
        self._next += 1
        push(self._stack, leaf_hash(self._lines.line_of(entry).encode("ascii")))
        signed = self._roots.get(entry.seq)
        if signed is not None and signed != joined(value for _, value in self._stack):
            yield "does not end the tree that was signed for it (another root)"


def verify_line(
    by: Trust,
    reader: JournalReader,
    archive: Path,
    on_entry: OnEntry | None,
    watch: Watch = unwatched,
) -> VerificationReport:
    """Verify the archived files that a journal goes on from, the oldest first, each with the heads
    that went along; the report is for that of the journal to follow on it
    (:meth:`~controller.evidence.verify.VerificationReport.before`). Raises NotDone: 2, there is no
    such directory."""
    if not archive.is_dir():  # a wrong path is nothing that is wrong with a journal
        raise NotDone(WRONG_USE, f"--archive: {archive} is no directory: is its medium there?")
    findings: list[Finding] = []
    remarks: list[str] = []
    entries = heads = 0
    boots: Sequence[Boot] = ()
    with older(reader, archive) as (line, broken):
        findings += [Finding(None, broken)] if broken else []
        for one in line:
            name, keys = one.path.name, by.keys
            findings += _other_boots(boots, one, f"{name}: ")
            boots = one.boots
            if by.of_the_journal:
                keys = list(dict.fromkeys([*keys, *(key for key, _ in named_keys(one))]))
            sealed = sealed_if_any(keys, one, beside(one.path))
            report = verified(one, sealed, keys, on_entry, watch=watch)
            entries, heads = entries + report.entries, heads + report.heads
            findings += [Finding(None, f"{name}: {finding}") for finding in report.findings]
            remarks += [f"{name}: {remark}" for remark in report.remarks]
    findings += _other_boots(boots, reader, "")
    return VerificationReport(entries, 0, "", tuple(findings), tuple(remarks), heads=heads)


def _other_boots(before: Sequence[Boot], reader: JournalReader, where: str) -> Iterator[Finding]:
    """Whether a journal has the boots of the one that it goes on from: no digest covers those."""
    if list(reader.boots[: len(before)]) != list(before):
        what = "its boots are others than those of the journal that it goes on from"
        yield Finding(None, f"{where}{what}")
