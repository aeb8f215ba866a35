"""The signed row: each commit is signed in its own transaction.

A journal has one row in the table ``signed``, replaced by every commit. It names the last entry and
its digest under the signature of the controller's key. An entry that no signature covers cannot
exist; the rules:

- What is signed are five lines, each ended by a newline: :data:`FORMAT`, the journal's identity in
  hexadecimal, the entry's number, its digest in hexadecimal, its wall clock.
- A row is good when it is the only one, one of the keys signed it, and the journal has its entry
  with that digest. No field of the journal says which keys count.
- Row and last number are read in one look. Entries behind the row are covered by no signature.
- A journal that has entries and no good row was forged. One without entries has nothing to sign.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol, TypedDict

from controller.journal import rows, schema
from controller.journal.canonical import SIGNATURE_BYTES, canonical
from controller.journal.model import Head

if TYPE_CHECKING:
    from controller.journal.keys import PublicKey

FORMAT: Final = "table-controller commit 1"
UNCOVERED: Final = "covered by no signature: forged, or a copy on its way"
NO_ROW: Final = "it has no signed row, expected one"
SHOWN: Final = 16  # digits of a fingerprint in a message

_REPLACE: Final = (
    "INSERT OR REPLACE INTO signed (one, seq, digest, wall, key, signature) VALUES (1,?,?,?,?,?)"
)


class Signer(Protocol):
    """A key that signs: :class:`controller.journal.keys.ControllerKey`."""

    public: PublicKey
    fingerprint: str
    """SHA-256 of the public key, in hexadecimal."""

    def sign(self, message: bytes) -> bytes:
        """The signature of a message, 64 bytes."""


class StoredRow(TypedDict):
    """A signed row as a start record keeps it; bytes in hexadecimal."""

    seq: int
    digest: str
    wall: str
    key: str
    signature: str


@dataclass(frozen=True, slots=True)
class SignedCommit:
    """The row: the last entry's number, its ``digest`` (32 bytes) and ``wall`` clock, the
    fingerprint of the ``key`` and the ``signature`` (64 bytes)."""

    seq: int
    digest: bytes
    wall: str
    key: str
    signature: bytes

    def is_of(self, identity: bytes, keys: Collection[PublicKey]) -> PublicKey | None:
        """The one of the keys that signed it for the journal of that name; None where none did."""
        try:
            text = signed_text(identity, self.seq, self.digest, self.wall)
        except UnicodeEncodeError:  # half a surrogate, which no clock has written
            return None
        for key in keys:
            if key.fingerprint == self.key and key.verifies(text, self.signature):
                return key
        return None

    def as_json(self) -> StoredRow:
        """As a start record keeps it."""
        return {
            "seq": self.seq,
            "digest": self.digest.hex(),
            "wall": self.wall,
            "key": self.key,
            "signature": self.signature.hex(),
        }

    @classmethod
    def of_json(cls, told: StoredRow) -> SignedCommit | None:
        """The row that a start record keeps; None where that is none."""
        try:
            digest, signature = bytes.fromhex(told["digest"]), bytes.fromhex(told["signature"])
        except ValueError:
            return None
        return cls(told["seq"], digest, told["wall"], told["key"], signature)

    def line(self, identity: bytes) -> str:
        """As evidence has it, a line behind the heads, without its end."""
        return canonical({"format": FORMAT, "journal": identity.hex(), **self.as_json()})


def signed_text(identity: bytes, seq: int, digest: bytes, wall: str) -> bytes:
    """What is signed."""
    return f"{FORMAT}\n{identity.hex()}\n{seq}\n{digest.hex()}\n{wall}\n".encode()


def store_signature(
    connection: sqlite3.Connection, key: Signer, identity: bytes, last: tuple[int, bytes], wall: str
) -> None:
    """Sign the last entry, number and digest, in the transaction that wrote it."""
    seq, digest = last
    signature = key.sign(signed_text(identity, seq, digest, wall))
    connection.execute(_REPLACE, (seq, digest, wall, key.fingerprint, signature))


def copy(connection: sqlite3.Connection, row: SignedCommit) -> None:
    """Put a row as it was signed elsewhere, in the transaction that reaches its entry."""
    schema.mend_signed(connection)
    values = (row.seq, row.digest, row.wall, row.key, row.signature)
    connection.execute(_REPLACE, values)


@dataclass(frozen=True, slots=True)
class Cover:
    """How far a journal is signed: its ``row``, where there is one of the right form, its ``last``
    entry, and what is ``wrong`` with the row, "" where it covers that. ``key`` is the one that
    signed a good row."""

    row: SignedCommit | None
    last: Head
    wrong: str
    key: PublicKey | None = None

    @property
    def upto(self) -> int:
        """The last entry that a good row covers; 0 where there is none."""
        return self.row.seq if self.row is not None and self.key is not None else 0


def read_cover(connection: sqlite3.Connection, keys: Collection[PublicKey]) -> Cover:
    """How far the journal is signed by one of the keys, in one look. Raises sqlite3.DatabaseError:
    the file cannot be read."""
    with rows.one_look(connection):
        last, identity = rows.head(connection), rows.identity(connection)
        begins = rows.beginning(connection)
        found, wrong = read_row(connection)
        digest = None
        if found is not None and begins < found.seq <= last.seq:
            digest = rows.digest_at(connection, found.seq)
    key = found.is_of(identity, keys) if found is not None else None
    if found is None:
        return Cover(None, last, "" if wrong == NO_ROW and last.seq == begins else wrong)
    if key is None:
        wrong = (
            f"the signed row, for entry {found.seq}, is not signed with a key that is known here"
        )
    elif found.seq > last.seq:
        wrong = f"entry {found.seq} was signed, and the journal ends with entry {last.seq}"
    elif digest != found.digest:
        wrong = f"entry {found.seq} is another one than was signed"
    elif found.seq < last.seq:
        which = (
            f"entry {last.seq} is"
            if found.seq + 1 == last.seq
            else (f"entries {found.seq + 1} to {last.seq} are")
        )
        wrong = f"{which} {UNCOVERED}"
    good = key if digest == found.digest else None
    return Cover(found, last, wrong, good)


def read_row(connection: sqlite3.Connection) -> tuple[SignedCommit | None, str]:
    """The only row, whose signature is not looked at; and what is wrong where there is none of its
    form."""
    if (what := schema.signed_object(connection)) is None:
        return None, "it has no signed row: the table of it is not there"
    if what != schema.SIGNED_OBJECT:
        return None, "it has no signed row: the table of it is not as a controller makes it"
    query = "SELECT seq, digest, wall, key, signature FROM signed LIMIT 2"
    found = connection.execute(query).fetchall()
    if len(found) != 1:
        return None, "it has two signed rows, expected one" if found else NO_ROW
    seq, digest, wall, key, signature = found[0]
    kinds = [(seq, int), (digest, bytes), (wall, str), (key, str), (signature, bytes)]
    if any(type(value) is not kind for value, kind in kinds) or len(signature) != SIGNATURE_BYTES:
        return None, "its signed row is not of the form of one"
    return SignedCommit(seq, digest, wall, key, signature), ""
