"""The key installed as a credential: its line in the file of verifier keys, the page for the safe,
credential, drop-in, and the plain file removed.

Each step is durable before the next begins, and the plain file goes last, once the credential was
decrypted to the same key under its final name. Cut off anywhere and given again, :func:`install`
finds what is done: a page of the same key is left as it is, a credential without its drop-in is
made anew.

:func:`prepare` is what the package does as it is installed, so that the key never lies on the disk
in the clear. There is no page of that key: an installation with a page makes another one for as
long as there is no journal.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from controller.evidence.keys.credential import (
    TPM,
    BadPage,
    Encrypted,
    NoCredential,
    decrypt,
    page,
    put_in_place,
    write_new,
)
from controller.evidence.keys.sources import KeyRequest, find_keys, page_at
from controller.evidence.trust import add_key, keys_beside
from controller.journal.errors import JournalError, StateInUse
from controller.journal.keys import BadKey, SecretKey
from controller.journal.lock import LOCK_NAME, StateLock
from controller.journal.schema import FILE_NAME
from controller.not_done import NOT_PERMITTED, NOT_WELL, WRONG_USE, NotDone
from controller.regular_files import check_own, open_regular, sync_directory, unnamed

WORDS: Final = {
    TPM: "this machine's TPM2, and the host key on its disk",
    "tpm2": "this machine's TPM2",
    "host": "the host key on this disk alone: whoever has the disk has the key",
}
DROP_IN: Final = "key.conf"  # the name of the unit's drop-in
_ODD: Final = re.compile(r"[\s:%]")


def install(asked: KeyRequest) -> dict[str, str | None]:
    """Install the key; what was done, by its name. Raises NotDone: it cannot be done now, or not
    so."""
    try:
        with _stopped(asked.state):
            return _Installing(asked).install()
    except StateInUse as error:
        what = f"{error}\nthe key is installed while the controller is stopped"
        raise NotDone(NOT_PERMITTED, what) from error
    except PermissionError as error:
        raise NotDone(WRONG_USE, f"{error}\na key is installed by root") from error
    except (JournalError, NoCredential, OSError) as error:
        what = f"{error}\nno key is lost; mend it and give the command again"
        raise NotDone(NOT_WELL, what) from error


def prepare(
    configuration: Path, state: Path, plain: Path, credential: Path, unit: Path, with_key: str
) -> dict[str, str]:
    """Make a key for a box that has none, before anything is signed with it; what was done. Where
    there is a credential, a ``plain`` key or a journal none is made: the key behind those counts.
    Raises NotDone: there is one, or none can be made."""
    keys = keys_beside(configuration)
    for there in (credential, plain, state / FILE_NAME):
        if there.exists():
            what = f"{there} is there: the key behind it counts, and none is made"
            raise NotDone(NOT_PERMITTED, what)
    secret = SecretKey.generate()
    try:
        credential.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        encrypted = Encrypted(secret, credential, with_key)
        keys.parent.mkdir(parents=True, exist_ok=True)
        add_key(keys, secret.public)
        put_in_place(encrypted, unit / DROP_IN)
    except (NoCredential, BadKey, OSError) as error:
        raise NotDone(NOT_WELL, f"no key was made: {error}") from error
    return {
        "fingerprint": secret.public.fingerprint,
        "bound_to": WORDS[encrypted.bound],
        "verifier keys": str(keys),
    }


@contextmanager
def _stopped(state: Path) -> Iterator[None]:
    """No controller runs meanwhile. Where none ever did there is no lock, and none is made: it
    would be root's."""
    if not (state / LOCK_NAME).exists():
        yield
        return
    lock = StateLock(state)
    try:
        yield
    finally:
        lock.release()


class _Installing:
    def __init__(self, asked: KeyRequest) -> None:
        # The unit names it, and a service is not where this command was given.
        credential = Path(os.path.abspath(asked.credential))  # noqa: PTH100
        self._asked = replace(asked, credential=credential)
        self._drop_in = asked.unit / DROP_IN
        if _ODD.search(str(credential)):
            raise NotDone(
                WRONG_USE,
                f"{credential} has a blank, ':' or '%', which mean something else in a unit: "
                "name another file with --credential",
            )

    def install(self) -> dict[str, str | None]:
        """Take every step; what is told of them."""
        asked = self._asked
        there = find_keys(asked)
        secret, source = there.choose(new=asked.new)
        keys = keys_beside(asked.configuration)
        before = (there.plain, None if there.gives_way else there.installed)
        of_before = [key.public for key in before if key is not None]
        add_key(keys, secret.public, of_before)  # first: no key is in use that is not named
        bound = because = ""
        if secret != there.installed or not self._drop_in.exists():
            self._write_page(secret, needed=there.given is None and there.installed is None)
            bound, because = self._encrypted(secret)
        elif self._asked.export is not None and not self._asked.export.exists():
            raise NotDone(
                NOT_PERMITTED,
                f"{self._asked.credential} holds the key already, and its page was written before "
                "that: a second one is not made. Give the command without --export",
            )
        removed = self._remove_plain(secret)
        return {
            "fingerprint": secret.public.fingerprint,
            "key": secret.public.text,
            "from": source,
            "page": None if self._asked.export is None else str(self._asked.export),
            "credential": str(self._asked.credential),
            "bound_to": WORDS.get(bound),
            "because": because or None,
            "verifier keys": str(keys),
            "removed": str(asked.key) if removed else None,
        }

    def _write_page(self, secret: SecretKey, *, needed: bool) -> None:
        if self._asked.export is None:
            if needed:
                what = "name the file of the page for the safe, on a stick: --export FILE"
                raise NotDone(WRONG_USE, what)
            return
        with contextlib.suppress(FileExistsError):
            write_new(self._asked.export, page(secret, self._asked.table))
        with contextlib.suppress(BadPage):
            if page_at(self._asked.export) == secret:
                return
        raise NotDone(
            WRONG_USE,
            f"{self._asked.export} is there already, and is no page of this key; nothing is "
            "written over. Name another file; where an installation was cut off behind it: --from "
            "FILE",
        )

    def _encrypted(self, secret: SecretKey) -> tuple[str, str]:
        """Credential and drop-in; what the credential is bound to, and why not to more. Where that
        fails it is said that the page is there already."""
        asked = self._asked
        asked.credential.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        paged = asked.export is not None or asked.page is not None
        try:
            encrypted = Encrypted(secret, asked.credential, asked.with_key)
            put_in_place(encrypted, self._drop_in, paged=paged)
        except NoCredential as error:
            if asked.export is None:
                raise
            raise NoCredential(
                f"{error}\nThe page {asked.export} is written already and has the key: keep it as "
                "secret as that, and give the command again"
            ) from error
        return encrypted.bound, encrypted.refused

    def _remove_plain(self, secret: SecretKey) -> bool:
        """Take the plain file away, and what a power cut may have left beside it; whether there was
        any. It loses its name first: half overwritten it would be a damaged key."""
        plain, nameless = self._asked.key, unnamed(self._asked.key)
        check_own(plain)
        check_own(nameless)
        if not (plain.exists() or nameless.exists()):
            return False
        if decrypt(self._asked.credential) != secret:
            raise NoCredential(f"{self._asked.credential} is another key now")
        if plain.exists():
            plain.replace(nameless)
            sync_directory(plain.parent)
        fd = open_regular(nameless, os.O_WRONLY)
        try:
            os.write(fd, bytes(nameless.stat().st_size))
            os.fsync(fd)
        finally:
            os.close(fd)
        nameless.unlink()
        sync_directory(nameless.parent)
        return True
