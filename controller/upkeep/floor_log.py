"""A table's log read back from the floor's mirror, over HTTP (C2SP tlog-mirror, tlog-tiles), and
the journal's file made again out of its lines. The rules:

- Nothing that comes is believed: whoever asks holds it against the checkpoint's signature.
- Each request has a clock, for each step and for all of it, and an answer a longest length. A
  request that failed is repeated once, on another connection: it only reads.
- TLS is verified against the system's authorities. A redirect is an answer and is not followed.
- Lines come in order. One that names a journal begins that one: of a log that went on over closings
  the last journal is made. What comes before the first such line is passed over.
- Which boots there were the lines tell, those of earlier journals, too. A number that no line has
  keeps its place, without a name: it had no entry, or that was removed by age.
- The tree over the lines grows along: its root is that of the log, and whoever makes the journal
  holds it against a checkpoint. Here nothing is proven.
- The file is for whoever goes on to copy it: it is not on stable storage, and has no signed row.
"""

from __future__ import annotations

import http.client
import json
import sqlite3
import time
import zlib
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from controller.evidence.tree.entries import told_frontier
from controller.evidence.tree.merkle import joined, leaf_hash, push
from controller.forms.json_values import JsonObject, WrongForm, checked
from controller.journal import rows
from controller.journal.canonical import DIGEST_BYTES, IDENTITY_BYTES, canonical, is_hex
from controller.journal.errors import JournalError
from controller.journal.export import read_line
from controller.journal.lock import SUFFIXES
from controller.journal.model import Boot, Entry, Predecessor
from controller.journal.opening import open_for_writing
from controller.threads import hung_up_on

STEP_S: Final = 15.0  # the longest that the floor may be silent
WITHIN_S: Final = 120.0  # for a whole answer: a slow line takes 140 kB/s of the longest bundle
BUNDLE: Final = 256
OK, NOT_FOUND = 200, 404
_MOST_BYTES: Final = BUNDLE * (2 + 0xFFFF)
_PIECE: Final = 1 << 16
_MOST_SHOWN: Final = 200


class FloorFails(JournalError):
    """What was asked for is not to be had from the floor now; the message says why."""


class FloorLog:
    """The log of that ``origin`` at the mirror's prefix ``url``; a connection is kept."""

    def __init__(self, url: str, origin: str) -> None:
        self.url = url.rstrip("/")
        parts = urlsplit(self.url)
        secure = parts.scheme == "https"
        kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        self._connection = kind(parts.hostname or "", parts.port, timeout=STEP_S)
        self._path = f"{parts.path}/{sha256(origin.encode()).hexdigest()}"

    def checkpoint(self) -> str | None:
        """What the mirror cosigned last; None where it has no such log. Raises FloorFails."""
        body = self._get("checkpoint")
        return None if body is None else body.decode("utf-8", "replace")

    def entries(self, size: int) -> Iterator[tuple[int, list[bytes]]]:
        """All entries that are there of the first ``size`` ones, bundle by bundle, each with the
        number of its first: what was removed by age is passed over at the beginning. Raises
        FloorFails: some are missing behind these."""
        number, count = self._first(-(-size // BUNDLE)), -(-size // BUNDLE)
        for at in range(number, count):
            width = min(BUNDLE, size - at * BUNDLE)
            if (body := self._get(path_of(at, width))) is None:
                which = f"entries {at * BUNDLE + 1} to {at * BUNDLE + width}"
                raise FloorFails(f"{self.url} has not {which}, which its checkpoint has")
            yield at * BUNDLE, self._opened(body, at * BUNDLE, width)

    def close(self) -> None:
        """Hang up."""
        self._connection.close()

    def _first(self, count: int) -> int:
        """The first of so many bundles that is there: what is removed is the beginning."""
        low, high = 0, count - 1  # the last one is there, or told as missing
        while low < high:
            middle = (low + high) // 2 if low else 0  # most have lost nothing
            if self._get(path_of(middle, BUNDLE)) is None:
                low = middle + 1
            else:
                high = middle
        return low

    def _opened(self, body: bytes, first: int, width: int) -> list[bytes]:
        found, at = [], 0
        while at < len(body):
            end = at + 2 + int.from_bytes(body[at : at + 2], "big")
            found.append(body[at + 2 : end])
            at = end
        if at != len(body) or len(found) != width:
            raise FloorFails(
                f"{self.url}: what it gave as entries {first + 1} to {first + width} is no bundle "
                f"of {width}"
            )
        return found

    # ---- HTTP ---------------------------------------------------------------------------------

    def _get(self, what: str) -> bytes | None:
        for last_try in (False, True):
            try:
                status, body = self._fetch(what)
            except (OSError, http.client.HTTPException, zlib.error) as error:
                self._connection.close()
                if last_try:
                    why = str(error) or type(error).__name__
                    raise FloorFails(f"{self.url}/…/{what}: no answer of use ({why})") from error
                continue
            if status in (OK, NOT_FOUND):
                return body if status == OK else None
            self._connection.close()
            said = " ".join(body.decode("utf-8", "replace").split())[:_MOST_SHOWN]
            shown = "".join(letter if letter.isprintable() else "?" for letter in said)
            if last_try or status not in (500, 502, 503, 504):
                raise FloorFails(f"{self.url}/…/{what}: it answers {status}: {shown}")
        raise AssertionError

    def _fetch(self, what: str) -> tuple[int, bytes]:
        self._connection.request("GET", f"{self._path}/{what}", headers={"Accept-Encoding": "gzip"})
        clock = hung_up_on(self._connection.sock, WITHIN_S, time.monotonic())
        with clock, self._connection.getresponse() as response:
            return response.status, _read_body(response)


def _read_body(response: http.client.HTTPResponse) -> bytes:
    """The body, unpacked. Raises OSError, HTTPException, zlib.error: it is not whole, or too
    much."""
    packed = response.getheader("Content-Encoding", "identity").lower() == "gzip"
    opener = zlib.decompressobj(wbits=31)
    body = bytearray()
    while piece := response.read1(_PIECE):
        body += opener.decompress(piece, _MOST_BYTES + 1) if packed else piece
        if len(body) > _MOST_BYTES:
            raise http.client.HTTPException(f"it has more than {_MOST_BYTES} bytes")
        if opener.unused_data:
            raise http.client.HTTPException("something stands behind its end")
    if response.length or (packed and not opener.eof):
        raise http.client.HTTPException("it was cut off")
    return bytes(body)


def path_of(number: int, width: int) -> str:
    """The path of a bundle behind the log's prefix: groups of three digits, each but the last
    behind an ``x``; its width, where it is not full."""
    groups = [f"{number % 1000:03d}"]
    while number := number // 1000:
        groups.insert(0, f"x{number % 1000:03d}")
    partial = "" if width == BUNDLE else f".p/{width}"
    return f"tile/entries/{'/'.join(groups)}{partial}"


class RemadeJournal:
    """The journal in the file at ``path``, which is not there yet, whole once :meth:`finish` was
    called."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self._boots: list[Boot] = []
        self._due: list[rows.Row] = []
        self._tree: list[tuple[int, bytes]] = []

    @property
    def is_begun(self) -> bool:
        """Whether a line has named a journal."""
        return self._connection is not None

    @property
    def root(self) -> bytes:
        """The root of the tree over the log as far as it was taken."""
        return joined(value for _, value in self._tree)

    def take_line(self, line: bytes) -> None:
        """Take the log's next line, without its end. Raises ValueError: it is none. JournalError,
        sqlite3.Error: the file cannot be made."""
        told = checked(dict[str, object], json.loads(line), "line")
        entry = read_line(line)
        if "journal" in told:
            self._begin_journal(told, entry)
        elif self._connection is None:
            return
        push(self._tree, leaf_hash(line))
        self._note_boot(entry, checked(str, told.get("boot_id"), "line.boot_id"))
        self._due.append(_row(entry))

    def write(self) -> None:
        """Write what was taken since; raises sqlite3.Error."""
        if self._connection is not None:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(rows.INSERT, self._due)
            self._connection.execute("COMMIT")
            self._due.clear()

    def finish(self) -> None:
        """Write the rest; raises sqlite3.Error."""
        self.write()
        if self._connection is not None:
            self._connection.execute("BEGIN IMMEDIATE")
            rows.add_boots(self._connection, self._boots)
            self._connection.execute("COMMIT")

    def close(self) -> None:
        """Close the file as it is."""
        if self._connection is not None:
            self._connection.close()

    def _begin_journal(self, told: JsonObject, first: Entry) -> None:
        """Begin the journal that a line names, in the place of the one before."""
        before = _predecessor(told)
        if self._connection is None and before is not None:
            self._tree = told_frontier(before.seq, first.body)
        self.close()
        self._due.clear()
        for suffix in SUFFIXES:
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
        identity = _raw(told["journal"], IDENTITY_BYTES)
        self._connection = open_for_writing(self._path, identity)
        self._connection.execute("PRAGMA synchronous = OFF")  # a power cut has it made again
        self._connection.execute("PRAGMA wal_autocheckpoint = 1000").fetchone()
        if before is not None:
            self._connection.execute("INSERT INTO predecessor VALUES (1, ?, ?, ?)", before)

    def _note_boot(self, entry: Entry, name: str) -> None:
        after = entry.seq - 1
        for number in range(len(self._boots) + 1, entry.boot):
            self._boots.append(Boot(number, "", "", after))
        if entry.boot > len(self._boots):
            self._boots.append(Boot(entry.boot, name, entry.wall, after))


def _row(entry: Entry) -> rows.Row:
    one = entry.draft
    rest = one.type, one.device, one.session, entry.numbering, one.event_no, one.t_ms, one.offer
    body = canonical(one.body)
    return (entry.seq, entry.boot, entry.mono_ns, entry.wall, *rest, body, entry.digest)


def _predecessor(told: JsonObject) -> Predecessor | None:
    if "predecessor" not in told:
        return None
    link = checked(dict[str, object], told["predecessor"], "line.predecessor")
    seq = checked(int, link.get("seq"), "line.predecessor.seq")
    name, digest = link.get("journal"), link.get("digest")
    return Predecessor(_raw(name, IDENTITY_BYTES), seq, _raw(digest, DIGEST_BYTES))


def _raw(told: object, count: int) -> bytes:
    text = checked(str, told, "line")
    if not is_hex(text, count):
        raise WrongForm(f"line: {text[:80]!r} is not {count} bytes in hexadecimal")
    return bytes.fromhex(text)
