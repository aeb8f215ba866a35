"""``journal heads``, and what signed heads add to ``verify`` and ``export``.

The rules:

- Where the heads are is said by ``--heads``, else by the running controller; else they are looked
  for beside the journal that ``--state`` names. The key is that of ``--key``, else those that the
  journal's start records name: good enough to find a shortened journal; an inspector who does not
  trust the controller gives the key that was written down when it was installed.
- ``export --evidence`` writes what an inspector needs, up to the last entry that is signed.
"""

from __future__ import annotations

import argparse
import contextlib
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.cli.connection import connect, status_of
from controller.cli.exits import DONE, NOT_WELL, WRONG_USE, CommandFailed
from controller.cli.journal.opened import opened
from controller.cli.output import complain, say, say_json, stream
from controller.cli.progress import Bar
from controller.journal import rows
from controller.journal.checks.against_heads import AgainstHeads
from controller.journal.checks.verify import Finding, OnEntry, Report, verify
from controller.journal.export import lines
from controller.journal.model import Entry, Head
from controller.journal.reader import JournalReader
from controller.journal.sealing.recorded import SEALING
from controller.journal.sealing.unsigned import NamedHead, named_in
from controller.regular_files import new_regular, read_regular, read_whole

if TYPE_CHECKING:
    from controller.cli.group import Group
    from controller.journal.sealing.heads import SignedHead
    from controller.journal.sealing.keys import PublicKey

HEADS: Final = "heads.jsonl"
JOURNAL: Final = "journal.jsonl"
LOOKED_AT: Final = 2000
KEY: Final = "public-key.txt"


def register(group: Group) -> None:
    """Add the command."""
    heads = group.command("heads", _heads, "The signed heads; --json: all of them, a line each")
    add_options(heads)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Where heads and key are."""
    parser.add_argument("--heads", metavar="FILE", type=Path, help="the signed heads")
    parser.add_argument("--key", metavar="FILE|HEX", help="the controller's public key")


@dataclass(slots=True)
class Sealed:
    """The heads of a journal: ``good`` ones by the number of their entry; what is wrong with
    others; how many are of other journals. ``named`` are all that one of the keys has signed, of
    whichever journal, and ``roots`` those of their checkpoints by the number of the entry."""

    good: dict[int, SignedHead] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    others: int = 0
    last: SignedHead | None = None
    named: set[NamedHead] = field(default_factory=set)
    roots: dict[int, bytes] = field(default_factory=dict)

    @property
    def anchors(self) -> Mapping[int, bytes]:
        """Digests by entry, for the verification; a head for no entry yet has none to compare."""
        return {seq: bytes.fromhex(head.digest) for seq, head in self.good.items() if seq}


def read_sealed(options: argparse.Namespace, reader: JournalReader) -> Sealed | None:
    """The heads of that journal; None where there are none and none were asked for."""
    path = heads_path(options)
    if options.heads is None and not path.exists():
        return None
    keys = public_keys(options, reader)
    if not keys:
        if options.heads is None:
            return None
        raise CommandFailed(
            WRONG_USE, "the journal names no key: give the controller's one with --key"
        )
    return sealed_by(keys, reader, path)


def sealed_by(keys: Sequence[PublicKey], reader: JournalReader, path: Path) -> Sealed:
    """The heads in the file at ``path`` that are of the journal; the last good one of the journal
    that it goes on from must be of an entry that it goes on from. Whatever names one of the two
    and was not signed with one of ``keys`` is a finding, and hides no other line."""
    from controller.journal.sealing.heads import SignedHead, heads_in

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
            if signed:
                found.named.add(NamedHead(head.seq, head.signature))
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
                found.findings += _take_checkpoint(found, head, list(keys), where)
    except OSError as error:
        raise CommandFailed(WRONG_USE, f"{path} cannot be read: {error.strerror}") from error
    if before is not None and earlier is not None:
        where, head = earlier
        same = head.seq < before.seq or head.digest == before.digest.hex()
        if head.seq > before.seq or not same:
            text = f"was signed ({where}), and the journal goes on from another entry {before.seq}"
            found.findings.append(Finding(head.seq, text))
    return found


def _take_checkpoint(
    found: Sealed, head: SignedHead, keys: list[PublicKey], where: str
) -> Iterator[Finding]:
    """Take over the root of a head's checkpoint, or say what is wrong with that."""
    from controller.journal.tree.note import BadCheckpoint, read_checkpoint

    if not head.checkpoint:
        return
    try:
        checkpoint = read_checkpoint(head.checkpoint, keys)
    except BadCheckpoint as bad:
        yield Finding(head.seq, f"was signed with a checkpoint that {bad} ({where})")
        return
    if checkpoint.size != head.seq:
        text = f"was signed with a checkpoint for entry {checkpoint.size} ({where})"
        yield Finding(head.seq, text)
    found.roots[head.seq] = checkpoint.root


def verified(
    reader: JournalReader,
    sealed: Sealed | None,
    on_entry: OnEntry | None = None,
    *,
    since: Head | None = None,
    pages: bool = True,
) -> Report:
    """The journal against itself and against its heads, and what is wrong with those: the whole of
    it, or what came after ``since``, which shows no root of the tree. Of the entries before that
    the last ones are looked at for when a head was due."""
    roots = sealed.roots if sealed and since is None else {}
    against = AgainstHeads(reader, roots, sealed.named if sealed else None)
    first = since.seq if since else reader.begins
    anchors = sealed.anchors if sealed else {}
    for entry in reader.iterate(max(reader.begins, first - LOOKED_AT), first):
        list(against.take(entry))
    against.explained.clear()

    with Bar(reader.head.seq - first, "entries") as bar:

        def take(entry: Entry) -> Iterator[str]:
            bar.advance()
            yield from against.take(entry)
            if on_entry is not None:
                yield from on_entry(entry)

        behind = {seq: digest for seq, digest in anchors.items() if seq > first or since is None}
        report = verify(reader, behind, take, since=since, pages=pages)
    return replace(
        report,
        findings=(*report.findings, *(sealed.findings if sealed else ())),
        remarks=tuple(against.explained),
    )


def export(options: argparse.Namespace, reader: JournalReader) -> int:
    """Write journal, heads and key into the directory that ``--evidence`` names."""
    sealed = read_sealed(options, reader)
    if sealed is None or sealed.last is None:
        raise CommandFailed(
            NOT_WELL,
            f"no good head of this journal is at {heads_path(options)}: an export alone does not "
            "show that its end is missing; 'tablectl journal export > FILE' makes one",
        )
    key = next(key for key in public_keys(options, reader) if sealed.last.is_of(key))
    to: Path = options.evidence
    _make_free(to)
    last = max(sealed.good)
    with new_regular(to / JOURNAL) as file:
        file.writelines(f"{line}\n".encode("ascii") for line in lines(reader, upto=last))
    with new_regular(to / HEADS) as file, read_regular(heads_path(options)) as heads:
        shutil.copyfileobj(heads, file)
    with new_regular(to / KEY) as file:
        file.write(f"{key.text}\n".encode("ascii"))
    left_out = reader.head.seq - last
    whole = _none_missing(reader, last)
    fields = {
        "directory": str(to),
        "entries": last,
        "left_out": left_out,
        "last": sealed.last.short,
    }
    if options.json:
        say_json({**fields, "fingerprint": key.fingerprint})
        return DONE if whole else NOT_WELL
    say(f"{to}: {JOURNAL} up to entry {last}, {HEADS}, {KEY}")
    if left_out:
        say(f"the last {left_out} entries are not signed yet and were left out")
    say(f"the key's fingerprint: {key.fingerprint}")
    return DONE if whole else NOT_WELL


def _none_missing(reader: JournalReader, last: int) -> bool:
    """Whether no entry behind the last head names a later one; said where one does."""
    for entry in reader.iterate(last):
        named = named_in(entry)
        if named is not None and named.seq > last:
            complain(
                f"the last head is for entry {last}, and entry {entry.seq} names one for entry "
                f"{named.seq} that is not there: heads were taken away, or are kept elsewhere "
                "(--heads FILE). What was written ends before that"
            )
            return False
    return True


def _make_free(to: Path) -> None:
    """Make the directory; evidence that is in it already is not written over."""
    there = next((path for name in (JOURNAL, HEADS, KEY) if (path := to / name).exists()), None)
    if there is None and (to.is_dir() or not to.exists()):
        to.mkdir(parents=True, exist_ok=True)
        return
    raise CommandFailed(
        WRONG_USE, f"{there or to} is there already: name another directory with --evidence"
    )


def _heads(options: argparse.Namespace) -> int:
    with opened(options) as reader:
        sealed = read_sealed(options, reader)
        if sealed is None:
            raise CommandFailed(NOT_WELL, f"there are no heads at {heads_path(options)}, or no key")
    for finding in sealed.findings:
        complain(str(finding))
    if options.json:
        for head in sealed.good.values():
            stream(head.line)
    elif sealed.last is not None:
        say(f"{len(sealed.good)} heads, the last one to be written down:")
        last = sealed.last
        say(f"  {last.short}  (signed {last.wall}, key {last.key[:16]})")
    else:
        say("no head of this journal")
    return DONE if sealed.last and not sealed.findings else NOT_WELL


def heads_path(options: argparse.Namespace) -> Path:
    """The file of the signed heads."""
    if getattr(options, "heads", None) is not None:
        return Path(options.heads)
    if options.state is not None:
        return Path(options.state) / HEADS
    with connect(options) as client:
        fields = status_of(client.status()).get("journal", {})
    return Path(str(fields.get("heads", HEADS)))


def public_keys(options: argparse.Namespace, reader: JournalReader) -> list[PublicKey]:
    """The key that is given, else those that the journal names, the last one first."""
    from controller.journal.sealing.keys import BadKey, PublicKey

    if options.key is None:
        return list(dict.fromkeys(key for key, _ in told(reader)))
    try:
        path = Path(options.key)
        return [
            PublicKey.of_text(read_whole(path).decode("ascii") if path.is_file() else options.key)
        ]
    except (BadKey, OSError, ValueError) as error:
        raise CommandFailed(WRONG_USE, f"--key: {error}") from error


def told(reader: JournalReader) -> Iterator[tuple[PublicKey, str | None]]:
    """The keys that start records name, the last one first, and the one that a journal was begun
    with; each with where it was kept, None where that is not told."""
    from controller.journal.sealing.keys import BadKey, PublicKey

    for entry in _telling(reader):
        fields = entry.body.get(SEALING)
        with contextlib.suppress(BadKey, KeyError):
            if isinstance(fields, Mapping):
                kept = fields.get("kept")
                yield PublicKey.of_text(str(fields["key"])), None if kept is None else str(kept)


def _telling(reader: JournalReader) -> Iterator[Entry]:
    """The entries that tell of heads, the last one first."""
    for seq in rows.seqs_of_type(reader.connection, "start"):
        yield from reader.iterate(seq - 1, seq)
    if (before := reader.predecessor) is not None:
        yield from reader.iterate(before.seq, before.seq + 1)
