"""The journal as JSON lines, one entry a line, in order: written, and read by who has lines and no
file of the journal. The rules:

- Every line has ``seq``, ``boot``, ``boot_id``, ``mono_ns``, ``wall``, ``type`` and ``digest``
  (hexadecimal): all that its digest covers, so that an export can be verified by itself. The first
  line names the journal as well: ``journal``, and ``predecessor`` if it goes on from an archived
  one.
- What a device reported has ``device``, ``session``, ``event_no``, ``t_ms`` and its body's fields
  by their names in Table Link; a draw has ``offer`` and its body's fields, among them ``box`` and
  ``multiplier``. ``renumbered`` counts the renumberings of an event's session where there were
  any.
- Every other entry has its body under ``body``, and ``device`` and ``session`` if it is about
  one: a dealer's entry may have a field named ``type``, and a line has only one.
- Should a vendor's device use one of a line's own names (:data:`OWN`) for a field, the line's
  meaning stays and the whole body stands under ``body`` as well.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final, NotRequired, TypedDict

from controller.forms.json_values import JsonObject, WrongForm, checked
from controller.journal.canonical import DIGEST_BYTES, is_hex
from controller.journal.model import Draft, Entry
from controller.journal.reader import JournalReader

_FIRST: Final = ("seq", "boot", "mono_ns", "wall", "type")
_MORE: Final = ("device", "session", "event_no", "t_ms", "offer")  # where the entry has them
OWN: Final = frozenset(
    (*_FIRST, *_MORE, "boot_id", "renumbered", "digest", "body", "journal", "predecessor")
)

_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


def record(entry: Entry) -> dict[str, object]:
    """Return the fields of an entry's line."""
    columns = ((name, getattr(entry, name)) for name in (*_FIRST, *_MORE))
    line: dict[str, object] = {name: value for name, value in columns if value is not None}
    if entry.numbering:
        line["renumbered"] = entry.numbering
    line["digest"] = entry.digest.hex()
    if entry.event_no is None and entry.offer is None:
        return line | {"body": dict(entry.body)}
    if OWN & entry.body.keys():
        line["body"] = dict(entry.body)
    return line | {name: value for name, value in entry.body.items() if name not in OWN}


class Lines:
    """Writes entries of one journal as lines, each ASCII and without its newline."""

    def __init__(self, reader: JournalReader) -> None:
        self._reader = reader
        self._before = reader.begins
        self._boots: dict[int, str] = {}

    def line_of(self, entry: Entry) -> str:
        """The entry's line; the journal's first one names the journal as well."""
        if entry.boot not in self._boots:
            self._boots = {known.boot: known.boot_id for known in self._reader.boots}
        line = record(entry) | {"boot_id": self._boots.get(entry.boot, "")}
        if entry.seq == self._before + 1:
            line["journal"] = self._reader.identity.hex()
            if (before := self._reader.predecessor) is not None:
                name, digest = before.identity.hex(), before.digest.hex()
                line["predecessor"] = {"journal": name, "seq": before.seq, "digest": digest}
        return _encode(line)


def lines(reader: JournalReader, after: int = 0, upto: int | None = None) -> Iterator[str]:
    """Yield the lines of the entries with ``after`` < seq <= ``upto`` (None: all there are). What
    begins later than the journal names none, and cannot be verified by itself."""
    yield from map(Lines(reader).line_of, reader.iterate(after, upto))


class _Line(TypedDict):
    """What every line has, and what an entry about a device, or a draw, has besides."""

    seq: int
    boot: int
    mono_ns: int
    wall: str
    type: str
    digest: str
    device: NotRequired[str]
    session: NotRequired[int]
    event_no: NotRequired[int]
    t_ms: NotRequired[int]
    offer: NotRequired[int]
    renumbered: NotRequired[int]


def read_line(line: bytes | str) -> Entry:
    """The entry that the line tells; nothing is proven here. Raises WrongForm: it is none; the
    message says why. BadDraft: its fields contradict each other."""
    try:
        parsed = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise WrongForm(f"no line of an export: {error}") from error
    told = checked(_Line, parsed, "line")
    if not is_hex(told["digest"], DIGEST_BYTES):
        raise WrongForm(f"line.digest: {told['digest']!r} is no digest")
    event_no = told.get("event_no")
    numbering = told.get("renumbered", None if event_no is None else 0)
    body: JsonObject = {name: value for name, value in parsed.items() if name not in OWN}
    if "body" in parsed:
        body = checked(dict[str, object], parsed["body"], "line.body")
    rest = told.get("device"), told.get("session"), event_no, told.get("t_ms"), told.get("offer")
    renumbered = event_no is None and numbering is not None
    draft = Draft(told["type"], body, *rest, renumbered=renumbered)
    at = told["seq"], told["boot"], told["mono_ns"], told["wall"]
    return Entry(*at, draft, numbering, bytes.fromhex(told["digest"]))
