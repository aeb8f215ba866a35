"""Whose word the key is: the file of verifier keys, which lies with the configuration and not with
the journal.

A line for each key that has signed the table's journal, the oldest first, each a verifier key
(:func:`controller.evidence.tree.checkpoint.vkey_of`). Whoever installs a key writes its line; a
controller that makes its key itself writes the file where there is none. No line is ever taken
away. What a journal says of its key vouches for nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from controller.evidence.tree.checkpoint import vkey_of
from controller.evidence.tree.signed_note import decoded
from controller.journal.canonical import is_hex
from controller.journal.keys import KEY_BYTES, BadKey, PublicKey
from controller.regular_files import check_own, read_whole, write_over

FILE_NAME: Final = "journal.vkey"
MOST_BYTES: Final = 1 << 16
"""Of the file; more is none of ours."""


def beside(configuration: Path) -> Path:
    """The file that belongs to a configuration."""
    return configuration.with_name(FILE_NAME)


def key_of(text: str) -> PublicKey:
    """The key that a verifier key, or 64 hexadecimal digits, stand for.

    Raises:
        BadKey: it is neither.
    """
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
    show as a line is none: a key that nobody sees is not to count.

    Raises:
        BadKey: a line is no key, or there is none. OSError: it cannot be read, or is too large.
    """
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
    whole.

    Raises:
        BadKey: the file that is there is none of keys. OSError: it cannot be written.
    """
    check_own(path)
    there = read_keys(path) if path.exists() else []
    wanted = list(dict.fromkeys((*there, *known, key)))
    if wanted == there:
        return False
    text = "".join(f"{vkey_of(one)}\n" for one in wanted)
    write_over(path, text.encode("ascii"), exactly=True)
    return True
