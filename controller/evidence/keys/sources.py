"""Which key is installed: the one that lies here already, the one on the safe's page, or a new one.

All that are found have to be the same key; the command never decides between two. But the key that
a package has made on a spare box, with which nothing was signed, gives way to the page. A page has
to be of the key that the journal names, or where there is none its copy: another table's would hold
the table. A key that either names, or whose heads are there, has signed: it gives way to no page.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.evidence.heads import last_head
from controller.evidence.keys.credential import BadPage, NoCredential, decrypt, read_page
from controller.evidence.trust import named_keys
from controller.journal.errors import JournalError, NoJournal
from controller.journal.keys import PublicKey, SecretKey, read_key
from controller.journal.lock import LOCK_NAME
from controller.journal.reader import JournalReader
from controller.journal.schema import FILE_NAME
from controller.not_done import NOT_PERMITTED, NOT_WELL, WRONG_USE, NotDone
from controller.regular_files import read_whole

SHOWN: Final = 16  # digits of a fingerprint in a message
MOST_BYTES: Final = 1 << 16  # of a page that is read


@dataclass(frozen=True, slots=True)
class KeyRequest:
    """What is to be installed where: of the ``table`` with that ``configuration``, the plain file
    of its ``key``, its ``state`` directory, that of its ``copy`` (None: it has none) and the file
    of its ``heads``, in the file ``credential``, by a drop-in in the folder ``unit``. ``page``: the
    key on that page is taken; ``export``: the page is written there; ``new``: another key than the
    journal names is made; ``with_key``: what it is encrypted with."""

    table: str
    configuration: Path
    key: Path
    state: Path
    copy: Path | None
    heads: Path
    credential: Path
    unit: Path
    page: Path | None
    export: Path | None
    new: bool
    with_key: str


@dataclass(frozen=True, slots=True)
class FoundKeys:
    """The keys that are there; ``names`` are those that the journal in ``journal`` names, the last
    one first, ``why_not`` why the credential that is there cannot be decrypted; ``signed``: that
    what lies apart from the journal shows that the installed one has signed."""

    at: KeyRequest
    names: Sequence[PublicKey]
    journal: Path
    installed: SecretKey | None
    plain: SecretKey | None
    given: SecretKey | None
    why_not: str
    signed: bool

    @property
    def named(self) -> PublicKey | None:
        """The key that the journal names last; None where there is no journal, or no key in it."""
        return self.names[0] if self.names else None

    @property
    def gives_way(self) -> bool:
        """Whether the installed key gives way to the page's: no controller ever ran here, or the
        journal, brought from another box, names the page's and never this one."""
        if self.given is None or self.installed is None or self.plain is not None or self.signed:
            return False
        theirs = self.named == self.given.public and self.installed.public not in self.names
        return theirs or not was_run(self.at.state)

    def choose(self, *, new: bool) -> tuple[SecretKey, str]:
        """The key, and where it is from. ``new``: another one is made, also where the one that the
        journal names is there. Raises NotDone: keys differ, or there is none and none may be
        made."""
        installed = None if self.gives_way else self.installed
        there = ((self.at.page, self.given), (self.at.key, self.plain))
        found = [
            (str(where), key)
            for where, key in (*there, (self.at.credential, installed))
            if key is not None
        ]
        if not found:
            self._check_that_none_is_lost(new=new)
            return SecretKey.generate(), "made now"
        if new and self.given is None:
            nothing = self._has_signed_nothing()
            of = "one that has signed nothing" if nothing else "the one that was here"
            return SecretKey.generate(), f"made now, in place of {of}"
        if len({key.public for _, key in found}) > 1:
            which = "\n".join(f"  {where}: {_short(key.public)}" for where, key in found)
            raise NotDone(
                NOT_PERMITTED,
                f"there are different keys, expected one; the journal names {_short(self.named)}:\n"
                f"{which}\nkeep a copy of each, and take the wrong one away from there",
            )
        where, key = found[0]
        if self.given is not None and self.named not in (None, key.public):
            raise NotDone(
                NOT_PERMITTED,
                f"{where} has the key {_short(key.public)}, and the journal in {self.journal} "
                f"names {_short(self.named)}: is it another table's page?",
            )
        return key, where

    def _has_signed_nothing(self) -> bool:
        """Whether the only key is an installed one, and no journal has been begun: a package makes
        such a key, of which there is no page."""
        other = self.plain is not None or self.given is not None
        return not (other or was_run(self.at.state) or self.signed) and self.installed is not None

    def _check_that_none_is_lost(self, *, new: bool) -> None:
        if new:
            return
        if self.why_not:
            raise NotDone(
                NOT_WELL,
                f"{self.at.credential} cannot be decrypted on this machine ({self.why_not}): it is "
                "another machine's, or the TPM was exchanged or cleared. Install the key from the "
                "page in the safe: --from FILE",
            )
        if self.named is not None:
            raise NotDone(
                NOT_PERMITTED,
                f"no key is found, and the journal in {self.journal} names {_short(self.named)}: "
                "install it from the page in the safe (--from FILE). Where that is lost, too: "
                "--new, and tell the inspector; the table is held then",
            )


def find_keys(asked: KeyRequest) -> FoundKeys:
    """What is there. Raises NotDone: the page that was given cannot be used. BadKey, OSError: the
    plain file cannot. JournalError: the journal cannot be read."""
    installed, why_not = None, ""
    if asked.credential.exists():
        try:
            installed = decrypt(asked.credential)
        except NoCredential as error:
            why_not = str(error)
    plain = read_key(asked.key) if asked.key.exists() else None
    journal, copied, signed = _named(asked.state), list[PublicKey](), False
    with contextlib.suppress(JournalError, sqlite3.Error, OSError):
        # A damaged copy names none, and keeps nobody from a key.
        copied = _named(asked.copy) if asked.copy is not None else []
    if installed is not None:
        signed = installed.public in copied
        with contextlib.suppress(OSError):
            signed = signed or last_head(asked.heads, [installed.public]) is not None
    return FoundKeys(
        asked,
        journal or copied,
        asked.state if journal or asked.copy is None else asked.copy,
        installed,
        plain,
        _read_page(asked.page),
        why_not,
        signed=signed,
    )


def was_run(state: Path) -> bool:
    """Whether a controller was ever started with this state directory."""
    return any((state / name).exists() for name in (LOCK_NAME, FILE_NAME))


def page_at(path: Path) -> SecretKey:
    """The key on the page in that file; raises ``BadPage`` and ``OSError``."""
    return read_page(read_whole(path, MOST_BYTES).decode("utf-8", errors="replace"))


def _read_page(page: Path | None) -> SecretKey | None:
    if page is None:
        return None
    try:
        return page_at(page)
    except (BadPage, OSError) as error:
        raise NotDone(WRONG_USE, f"--from: {page}: {error}") from error


def _named(state: Path) -> list[PublicKey]:
    try:
        with JournalReader(state) as reader:
            return [key for key, _ in named_keys(reader)]
    except NoJournal:
        return []


def _short(key: PublicKey | None) -> str:
    return "none" if key is None else f"{key.fingerprint[:SHOWN]}…"
