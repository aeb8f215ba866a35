"""``journal heads``, and what signatures add to ``verify`` and ``export``.

The rules:

- Where the heads are is said by ``--heads``, else by the running controller; else they are looked
  for beside the journal that ``--state`` names. Which keys count: :mod:`~.trust`.
- A journal whose commits are signed is good as far as its signed row goes. One from before is
  signed to its last head, and nothing behind that excuses; whether it is one from before is not its
  own word alone.
- ``export --evidence`` writes what an inspector needs, up to the row, in one look, and puts the row
  behind the heads.
"""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.causes.finding import cause_of
from controller.causes.who_may import READ
from controller.cli.connection import connect, status_of
from controller.cli.exits import DONE, NOT_WELL, WRONG_USE, CommandFailed
from controller.cli.journal.opened import opened
from controller.cli.journal.trust import Trust, add_keys, trust
from controller.cli.output import complain, say, say_json, stream
from controller.cli.printed.progress import Bar
from controller.journal.checks.against_heads import AgainstHeads
from controller.journal.checks.verify import Finding, OnEntry, Report, verify
from controller.journal.checks.vouching import doubts_of
from controller.journal.copies.archive import older
from controller.journal.copies.closing import ARCHIVE
from controller.journal.export import lines
from controller.journal.model import Entry, Head
from controller.journal.reader import JournalReader
from controller.journal.sealing.recorded import SEALING
from controller.journal.sealing.sealed import judged, knows_of_signing
from controller.regular_files import new_regular, read_regular

if TYPE_CHECKING:
    from controller.cli.group import Group
    from controller.journal.sealing.commits import Cover
    from controller.journal.sealing.heads import SignedHead
    from controller.journal.sealing.keys import PublicKey

HEADS: Final = "heads.jsonl"
JOURNAL: Final = "journal.jsonl"
KEY: Final = "public-key.txt"
_SOME: Final = 1 << 20


def register(group: Group) -> None:
    """Add the command."""
    heads = group.command("heads", _heads, "The signed heads; --json: all of them, a line each")
    add_options(heads)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Where heads and key are."""
    parser.add_argument("--heads", metavar="FILE", type=Path, help="the signed heads")
    add_keys(parser)


@dataclass(slots=True)
class Sealed:
    """The heads of a journal: ``good`` ones by the number of their entry; what is wrong with
    others; how many are of other journals. ``newest`` is the last good one, also of the journal
    that it goes on from, and ``roots`` are those of checkpoints by the number of the entry."""

    good: dict[int, SignedHead] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    others: int = 0
    last: SignedHead | None = None
    newest: SignedHead | None = None
    roots: dict[int, bytes] = field(default_factory=dict)

    @property
    def anchors(self) -> Mapping[int, bytes]:
        """Digests by entry, for the verification; a head for no entry yet has none to compare."""
        return {seq: bytes.fromhex(head.digest) for seq, head in self.good.items() if seq}


def read_sealed(options: argparse.Namespace, reader: JournalReader, by: Trust) -> Sealed | None:
    """The heads of that journal; None where there are none and none were asked for."""
    path = heads_path(options)
    if options.heads is None and not path.exists():
        return None
    if not by.keys:
        if options.heads is None:
            return None
        raise CommandFailed(
            WRONG_USE, "the journal names no key: give the controller's one with --key"
        )
    return sealed_by(by.keys, reader, path)


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
            if signed and (head.journal == identity or of_earlier):
                found.newest = head
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
        raise CommandFailed(
            WRONG_USE, f"{path} cannot be read: {cause_of(error, path, wants=READ)}"
        ) from error
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
    keys: Sequence[PublicKey],
    on_entry: OnEntry | None = None,
    *,
    since: Head | None = None,
    pages: bool = True,
    known: str = "",
    closed: bool = False,
) -> Report:
    """The journal against itself and its signatures, and what is wrong with those: the whole of it,
    or what came after ``since``, which shows no root of the tree. ``known`` says in words what else
    knows that its commits are signed; ``closed``: the one that goes on from it, which names its
    last entry, is verified, too."""
    cover = reader.cover(keys)
    against = AgainstHeads(reader, sealed.roots if sealed and since is None else {})
    first = since.seq if since else reader.begins
    anchors = sealed.anchors if sealed else {}
    with Bar(cover.last.seq - first, "entries") as bar:

        def take(entry: Entry) -> Iterator[str]:
            bar.advance()
            yield from against.take(entry)
            if on_entry is not None:
                yield from on_entry(entry)

        behind = {seq: digest for seq, digest in anchors.items() if seq > first or since is None}
        report = verify(reader, behind, take, since=since, upto=cover.last.seq, pages=pages)
    told = doubts_of(reader, keys)
    return replace(
        report,
        findings=(
            *report.findings,
            *_uncovered(reader, cover, sealed, known, closed=closed),
            *told.findings,
            *(sealed.findings if sealed else ()),
        ),
        remarks=(*report.remarks, *told.remarks),
    )


def _uncovered(
    reader: JournalReader, cover: Cover, sealed: Sealed | None, known: str, *, closed: bool
) -> Iterator[Finding]:
    """What no signature covers."""
    if cover.row is not None and not cover.wrong:
        return
    newest = sealed.newest if sealed else None
    if not known:
        with older(reader, reader.directory / ARCHIVE) as (line, _):
            known = knows_of_signing(reader, newest, line)
    own = newest is not None and newest.journal == reader.identity.hex()
    signed_to = newest.seq if newest and own else min(newest.seq if newest else 0, reader.begins)
    _, wrong = judged(cover, cover.last.seq if closed else signed_to, known)
    if wrong:
        yield Finding(None, wrong)


def export(options: argparse.Namespace, reader: JournalReader) -> int:
    """Write journal, heads and key into the directory that ``--evidence`` names."""
    # Heads first: the row is read behind them, and covers the entry of each.
    by, written = trust(options, reader), _written_now(options)
    sealed, cover = read_sealed(options, reader, by), reader.cover(by.keys)
    last = cover.upto or (max(sealed.good, default=0) if sealed else 0)
    if not last:
        raise CommandFailed(
            NOT_WELL,
            f"no entry of this journal is signed with a key that counts, and no good head of it is "
            f"at {heads_path(options)}: an export alone does not show that its end is missing; "
            "'tablectl journal export > FILE' makes one",
        )
    to: Path = options.evidence
    _make_free(to)
    with new_regular(to / JOURNAL) as file:
        file.writelines(f"{line}\n".encode("ascii") for line in lines(reader, upto=last))
    with new_regular(to / HEADS) as file:
        if written:
            with read_regular(heads_path(options)) as there:
                while written and (some := there.read(min(written, _SOME))):
                    written -= file.write(some)
        if cover.row is not None and cover.upto:
            file.write(cover.row.line(reader.identity).encode("ascii") + b"\n")
    with new_regular(to / KEY) as file:
        file.writelines(f"{key.text}\n".encode("ascii") for key in by.keys)
    left_out = cover.last.seq - last
    fields = {
        "directory": str(to),
        "entries": last,
        "left_out": left_out,
        "last": sealed.last.short if sealed and sealed.last else None,
        "key": by.by,
    }
    if options.json:
        say_json({**fields, "fingerprint": by.keys[-1].fingerprint})
        return NOT_WELL if left_out else DONE
    by.tell()
    say(f"{to}: {JOURNAL} up to entry {last}, {HEADS}, {KEY}")
    if left_out:
        say(f"the last {left_out} entries are not signed and were left out")
    for key in by.keys:
        say(f"the key's fingerprint: {key.fingerprint}")
    return NOT_WELL if left_out else DONE


def _written_now(options: argparse.Namespace) -> int:
    """How many bytes of heads there are; none where there is no file. It only grows."""
    try:
        with read_regular(heads_path(options)) as file:
            return os.fstat(file.fileno()).st_size
    except FileNotFoundError:
        return 0


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
        sealed = read_sealed(options, reader, trust(options, reader))
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


def told(reader: JournalReader) -> Iterator[tuple[PublicKey, str | None]]:
    """The keys that start records name, the last one first, and the one that a journal was begun
    with; each with where it was kept, None where that is not told."""
    from controller.journal.sealing.keys import BadKey, PublicKey

    for entry in reader.starts():
        fields = entry.body.get(SEALING)
        with contextlib.suppress(BadKey, KeyError):
            if isinstance(fields, Mapping):
                kept = fields.get("kept")
                yield PublicKey.of_text(str(fields["key"])), None if kept is None else str(kept)
