"""Journals made for tests, and the raw access to their files that a forger would have."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.evidence.heads import SignedHead, append_head, last_head
from controller.evidence.verify import VerificationReport, verify
from controller.journal import rows, schema
from controller.journal.canonical import canonical
from controller.journal.chain import digest_of
from controller.journal.commits import Cover
from controller.journal.keys import PublicKey
from controller.journal.model import FORMAT, VERSIONS, Draft, Entry
from controller.journal.reader import JournalReader
from controller.journal.schema import FILE_NAME
from controller.journal.store import Journal

WALL = "2026-11-20T18:16:58+00:00"
SESSION = 0xCAFE_F00D


class SigningKey:
    """A key of a test, which needs no file."""

    def __init__(self, raw: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(raw)
        self.public = PublicKey(self._key.public_key().public_bytes_raw())
        self.fingerprint = self.public.fingerprint

    def sign(self, message: bytes) -> bytes:
        return self._key.sign(message)


KEY, OTHER_KEY = SigningKey(b"k" * 32), SigningKey(b"o" * 32)


def moved_whole(journal: Journal) -> bool:
    """Have the log moved into the file; whether all of it was."""
    log, moved = journal.checkpoint()
    return log == moved


class AnyJournal(Journal):
    """A journal that may begin with any entry: the first one says the form, as a start does."""

    def append(self, drafts: Sequence[Draft], mono_ns: int, wall: str) -> Sequence[Entry]:
        if drafts and self.head.seq == 0:
            drafts = [of_format(drafts[0]), *drafts[1:]]
        return super().append(drafts, mono_ns, wall)


def of_format(draft: Draft, form: object = schema.FORMAT) -> Draft:
    """The draft as that of a first entry, which says the form."""
    there = draft.body.get(VERSIONS)
    versions = {**(there if isinstance(there, dict) else {}), FORMAT: form}
    return replace(draft, body={**draft.body, VERSIONS: versions})


def opened(directory: Path, *, boot_id: str | None = None) -> Journal:
    """The journal there, for writing."""
    return AnyJournal(directory, KEY, boot_id=boot_id)


def card(event_no: int, session: int = SESSION, device: str = "shoe") -> Draft:
    body = {"rank": event_no % 13 + 1, "suit": 2, "flags": 0, "card_uid": 0, "remaining": 384}
    return Draft("CARD", body, device, session, event_no, event_no * 700)


def drawn(offer: int, multiplier: int = 25) -> Draft:
    return Draft("draw", {"box": 3, "multiplier": multiplier, "rejected": [101]}, offer=offer)


def entry(text: str) -> Draft:
    return Draft("entry", {"type": "dealer", "command": text})


def write(directory: Path, *drafts: Draft, boot_id: str = "boot-one") -> Sequence[Entry]:
    """Append each draft in a batch of its own; the clock goes on by one a batch."""
    with opened(directory, boot_id=boot_id) as journal:
        start = journal.head.seq
        return [
            journal.append([draft], start + number, WALL)[0]
            for number, draft in enumerate(drafts, start=1)
        ]


def sample(directory: Path) -> Sequence[Entry]:
    """Ten entries: cards 1 to 4, an entry, a draw; in another boot cards 5, 6, an entry, a draw."""
    first = write(directory, *map(card, (1, 2, 3, 4)), entry("close"), drawn(7))
    second = write(directory, card(5), card(6), entry("next"), drawn(8, 2), boot_id="boot-two")
    return [*first, *second]


def heads_of(directory: Path) -> Path:
    """The file of signed heads of the journal in ``directory``, beside that, with a head of its
    last entry."""
    path = directory.with_name(f"{directory.name}-heads.jsonl")
    with JournalReader(directory) as reader:
        last, name = reader.head, reader.identity.hex()
    there = last_head(path, [KEY.public]) if path.exists() else None
    if there is None or (there.journal, there.seq) != (name, last.seq):
        head = SignedHead(name, "P12", last.seq, last.digest.hex(), 1, WALL)
        append_head(path, head.signed(KEY))
    return path


def reformed(directory: Path, form: object) -> None:
    """Have the first entry say that form, None: none, with a chain that is as it should be."""
    with forging(directory) as connection:
        known, before = rows.boots_by_number(connection), rows.origin(connection)
        for row in [row for page in rows.pages(connection) for row in page]:
            entry, body = rows.entry_of(row), row[11]
            if entry.seq == 1:
                told = of_format(entry.draft, form).body
                told = {**told, VERSIONS: {}} if form is None else told
                body = canonical(told)
            before = digest_of((*row[:11], body, row[12]), known[entry.boot].boot_id, before)
            values = body, before, entry.seq
            connection.execute("UPDATE entry SET body = ?, digest = ? WHERE seq = ?", values)


def check(directory: Path) -> VerificationReport:
    with JournalReader(directory) as reader:
        return verify(reader)


def cover(directory: Path) -> Cover:
    """How far it is signed."""
    with JournalReader(directory) as reader:
        return reader.cover([KEY.public])


def faults(directory: Path) -> list[tuple[int | None, str]]:
    return [(finding.seq, finding.what) for finding in check(directory).findings]


@contextmanager
def raw(directory: Path) -> Iterator[sqlite3.Connection]:
    """The file as anybody with a SQLite shell has it."""
    with closing(sqlite3.connect(directory / FILE_NAME, isolation_level=None)) as connection:
        yield connection


@contextmanager
def forging(directory: Path, *, tidy: bool = True) -> Iterator[sqlite3.Connection]:
    """The same with the triggers taken away, and put back afterwards if ``tidy``."""
    with raw(directory) as connection:
        triggers = connection.execute(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
        ).fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        yield connection
        for _, sql in triggers if tidy else ():
            connection.execute(sql)
