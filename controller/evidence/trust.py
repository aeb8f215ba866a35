"""Which keys count: whose word it is that a signature is the controller's.

It is that of whoever gives a key, or of the file of verifier keys, which lies with the
configuration and not with the journal. With neither the journal's own word is all there is: then
nothing is verified by it.

The file has a line for each key that has signed the table's journal, the oldest first, each a
verifier key (:func:`controller.evidence.tree.checkpoint.vkey_of`). Whoever installs a key writes
its line; a controller that makes its key itself writes the file where there is none. No line is
ever taken away.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.evidence.recorded import recorded_heads
from controller.evidence.tree.checkpoint import decoded, vkey_of
from controller.journal.canonical import is_hex
from controller.journal.keys import KEY_BYTES, BadKey, PublicKey
from controller.journal.model import SEALING
from controller.journal.reader import JournalReader
from controller.not_done import WRONG_USE, NotDone
from controller.regular_files import check_own, read_whole, write_over

KEYS_FILE: Final = "journal.vkey"
MOST_BYTES: Final = 1 << 16  # of the file; more is none of ours


def keys_beside(configuration: Path) -> Path:
    """The file that belongs to a configuration."""
    return configuration.with_name(KEYS_FILE)


def key_of(text: str) -> PublicKey:
    """The key that a verifier key, or 64 hexadecimal digits, stand for. Raises BadKey: it is
    neither."""
    text = text.strip()
    if is_hex(text, KEY_BYTES):
        return PublicKey.of_text(text)
    told = text.split("+", 2)[2] if text.count("+") >= 2 else ""
    key = PublicKey((decoded(told) or b"")[1:])
    if len(key.raw) != KEY_BYTES or vkey_of(key) != text:
        raise BadKey(
            f"{text[:120]!r} is no verifier key of a table; expected the line that 'tablectl "
            "journal checkpoint --vkey' prints, or its key's 64 hexadecimal digits in lower case"
        )
    return key


def read_keys(path: Path) -> list[PublicKey]:
    """The keys in a file, the oldest first; blank lines do not count. What a terminal would not
    show as a line is none: a key that nobody sees is not to count. Raises BadKey: a line is no key,
    or there is none. OSError: it cannot be read, or is too large."""
    text = read_whole(path, MOST_BYTES).decode("utf-8", "replace").replace("\r\n", "\n")
    try:
        if hidden := sorted({sign for sign in text if not " " <= sign <= "~"} - {"\n"}):
            raise BadKey(f"{hidden[0]!r} is in it; expected verifier keys in ASCII, one a line")
        found = [key_of(line) for line in text.split("\n") if line.strip()]
    except BadKey as error:
        raise BadKey(f"{path}: {error}") from error
    if not found:
        raise BadKey(
            f"{path} has no key; expected a verifier key a line, as 'tablectl journal checkpoint "
            "--vkey' prints it (with --state DIRECTORY where no controller runs)"
        )
    return list(dict.fromkeys(found))


def add_key(path: Path, key: PublicKey, known: Sequence[PublicKey] = ()) -> bool:
    """Write the key's line behind the others, and those of ``known`` keys before it, durably, where
    they are not there. Whether anything was written. A power cut leaves the file as it was, or
    whole. Raises BadKey: the file that is there is none of keys. OSError: it cannot be written."""
    check_own(path)
    there = read_keys(path) if path.exists() else []
    wanted = list(dict.fromkeys((*there, *known, key)))
    if wanted == there:
        return False
    text = "".join(f"{vkey_of(one)}\n" for one in wanted)
    write_over(path, text.encode("ascii"), exactly=True)
    return True


GIVEN, JOURNAL = "given", "journal"
OWN_WORD: Final = "key: the journal's own word"


@dataclass(frozen=True, slots=True)
class Trust:
    """The ``keys`` that count, the oldest first; ``by`` says whose word that is: :data:`GIVEN`, the
    path of a file, or :data:`JOURNAL`."""

    keys: Sequence[PublicKey]
    by: str
    named_by_it: bool = False
    """Whether the journal itself names the file; on another machine it could name any."""

    @property
    def of_the_journal(self) -> bool:
        """Whether only the journal itself says so."""
        return self.by == JOURNAL

    @property
    def whose_word(self) -> str:
        """Whose word it is, in a line."""
        named = ", a file that the journal names" if self.named_by_it else ""
        return OWN_WORD if self.of_the_journal else f"key: {self.by}{named}"


def by_configuration(configuration: Path | None, reader: JournalReader) -> Trust:
    """The keys that count for that journal by the file beside a configuration; the journal's own
    word where there is none, or none that can be read."""
    if configuration is not None:
        with contextlib.suppress(BadKey, OSError):
            return Trust(read_keys(keys_beside(configuration)), str(keys_beside(configuration)))
    return own_word(reader)


def trusted(
    reader: JournalReader,
    given: Sequence[str] = (),
    file: Path | None = None,
    *,
    by_itself: bool = False,
) -> Trust:
    """The keys that count for that journal: those ``given``, each a file, 64 hexadecimal digits, or
    a verifier key; else those of the ``file`` of verifier keys, ``by_itself`` of that which the
    journal names; else the journal's own word. Raises NotDone: 2, a key that is given, or the file,
    cannot be read."""
    if by_itself and not given:
        _, recorded = recorded_heads(reader)  # the last start record tells the file
        path = recorded.get("vkey") if recorded else None
        file = Path(path) if isinstance(path, str) else None
    return counted(given, file, by_itself=by_itself) or own_word(reader)


def counted(given: Sequence[str], file: Path | None, *, by_itself: bool = False) -> Trust | None:
    """The keys that are ``given``, else those of the ``file``; None where neither says any. Raises
    as :func:`trusted`."""
    try:
        if given:
            found: list[PublicKey] = []
            for one in given:
                path = Path(one)
                found += read_keys(path) if path.is_file() else [key_of(one)]
            return Trust(list(dict.fromkeys(found)), GIVEN)
        if file is not None and file.stat().st_size:  # empty: a shell is about to write it
            return Trust(read_keys(file), str(file), by_itself)
    except FileNotFoundError:
        pass
    except (BadKey, OSError, ValueError) as error:
        raise NotDone(WRONG_USE, f"{'--key: ' if given else ''}{error}") from error
    return None


def own_word(reader: JournalReader) -> Trust:
    """The keys that the journal itself names."""
    return Trust(list(dict.fromkeys(key for key, _ in named_keys(reader))), JOURNAL)


def named_keys(reader: JournalReader) -> Iterator[tuple[PublicKey, str | None]]:
    """The keys that start records name, the last one first, and the one that a journal was begun
    with; each with where it was kept, None where that is not told."""
    for entry in reader.starts():
        fields = entry.body.get(SEALING)
        with contextlib.suppress(BadKey, KeyError):
            if isinstance(fields, Mapping):
                kept = fields.get("kept")
                yield PublicKey.of_text(str(fields["key"])), None if kept is None else str(kept)
