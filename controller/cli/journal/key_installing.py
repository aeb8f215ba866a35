"""The steps of ``journal key --install``: the key's line in the file of verifier keys, page,
credential, drop-in, and the plain file removed.

Each step is durable before the next begins, and the plain file goes last, once the credential was
decrypted to the same key under its final name. Cut off anywhere and given again, the command finds
what is done: a page of the same key is left as it is, a credential without its drop-in is made
anew.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from controller.cli.exits import DONE, NOT_PERMITTED, NOT_WELL, WRONG_USE, CommandFailed
from controller.cli.journal.key_sources import Sources, page_at
from controller.cli.journal.safe_page import BadPage, page
from controller.cli.output import columns, say, say_json
from controller.commissioning.credential import (
    TPM,
    Encrypted,
    NoCredential,
    decrypt,
    put_in_place,
    write_new,
)
from controller.configuration.model import Configuration
from controller.configuration.reading import load_configuration
from controller.journal.disk import sync_directory
from controller.journal.errors import JournalError, StateInUse
from controller.journal.lock import LOCK_NAME, StateLock
from controller.journal.sealing.keys import SecretKey, partial_of
from controller.journal.sealing.known_keys import add_key, beside
from controller.regular_files import check_own, open_regular

WORDS: Final = {
    TPM: "this machine's TPM2, and the host key on its disk",
    "tpm2": "this machine's TPM2",
    "host": "the host key on this disk alone: whoever has the disk has the key",
}
LEFT: Final = (
    "the plain file was overwritten and removed; flash, file systems that write elsewhere and "
    "earlier backups may still have what it held: destroy those backups, and this disk when it is "
    "discarded"
)


def install(options: argparse.Namespace) -> int:
    """Carry out the command; its exit code."""
    done = installed(options)
    if options.json:
        say_json(done)
        return DONE
    say(columns(((name, value) for name, value in done.items() if value), indent=""))
    if done["removed"]:
        say(LEFT)
    say("bring the page to the safe. After the start 'tablectl journal key' names this key")
    return DONE


def installed(options: argparse.Namespace) -> dict[str, str | None]:
    """Install the key by the options of ``journal key``; what was done.

    Raises:
        CommandFailed: it cannot be done now, or not so.
    """
    if options.state is not None:
        raise CommandFailed(
            WRONG_USE, "--install finds the state directory in the configuration: use --config"
        )
    config = load_configuration(options.config)
    try:
        with _stopped(config.state_directory):
            return _Installing(options, config).run()
    except StateInUse as error:
        raise CommandFailed(
            NOT_PERMITTED, f"{error}\nthe key is installed while the controller is stopped"
        ) from error
    except PermissionError as error:
        raise CommandFailed(WRONG_USE, f"{error}\na key is installed by root") from error
    except (JournalError, NoCredential, OSError) as error:
        raise CommandFailed(
            NOT_WELL, f"{error}\nno key is lost; mend it and give the command again"
        ) from error


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


_ODD = re.compile(r"[\s:%]")


class _Installing:
    def __init__(self, options: argparse.Namespace, config: Configuration) -> None:
        self._options = options
        self._config = config
        self._drop_in: Path = options.unit / "key.conf"
        # The unit names it, and a service is not where this command was given.
        self._credential: Path = Path(os.path.abspath(options.credential))  # noqa: PTH100
        if _ODD.search(str(self._credential)):
            raise CommandFailed(
                WRONG_USE,
                f"{self._credential} has a blank, ':' or '%', which mean something else in a unit: "
                "name another file with --credential",
            )
        self._page: Path | None = options.export

    def run(self) -> dict[str, str | None]:
        """Take every step; what is told of them."""
        options, config = self._options, self._config
        there = Sources(self._credential, config.key, options.page, config.state_directory).look()
        secret, source = there.choose(new=options.new)
        keys = beside(config.path)
        before = (there.plain, None if there.gives_way else there.installed)
        of_before = [key.public for key in before if key is not None]
        add_key(keys, secret.public, of_before)  # first: no key is in use that is not named
        bound = because = ""
        if secret != there.installed or not self._drop_in.exists():
            self._write_page(secret, needed=there.given is None and there.installed is None)
            bound, because = self._encrypted(secret)
        elif self._page is not None and not self._page.exists():
            raise CommandFailed(
                NOT_PERMITTED,
                f"{self._credential} holds the key already, and its page was written before that: "
                "a second one is not made. Give the command without --export",
            )
        removed = self._remove_plain(secret)
        return {
            "fingerprint": secret.public.fingerprint,
            "key": secret.public.text,
            "from": source,
            "page": None if self._page is None else str(self._page),
            "credential": str(self._credential),
            "bound_to": WORDS.get(bound),
            "because": because or None,
            "verifier keys": str(keys),
            "removed": str(config.key) if removed else None,
        }

    def _write_page(self, secret: SecretKey, *, needed: bool) -> None:
        if self._page is None:
            if needed:
                raise CommandFailed(
                    WRONG_USE, "name the file of the page for the safe, on a stick: --export FILE"
                )
            return
        with contextlib.suppress(FileExistsError):
            write_new(self._page, page(secret, self._config.table.id))
        with contextlib.suppress(BadPage):
            if page_at(self._page) == secret:
                return
        raise CommandFailed(
            WRONG_USE,
            f"{self._page} is there already, and is no page of this key; nothing is written over. "
            "Name another file; where an installation was cut off behind it: --from FILE",
        )

    def _encrypted(self, secret: SecretKey) -> tuple[str, str]:
        """As :meth:`_encrypt`; where that fails it is said that the page is there already."""
        try:
            return self._encrypt(secret)
        except NoCredential as error:
            if self._page is None:
                raise
            raise NoCredential(
                f"{error}\nThe page {self._page} is written already and has the key: keep it as "
                "secret as that, and give the command again"
            ) from error

    def _encrypt(self, secret: SecretKey) -> tuple[str, str]:
        """Credential and drop-in; what the credential is bound to, and why not to more."""
        self._credential.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        encrypted = Encrypted(secret, self._credential, self._options.with_key)
        paged = self._page is not None or self._options.page is not None
        put_in_place(encrypted, self._drop_in, paged=paged)
        return encrypted.bound, encrypted.refused

    def _remove_plain(self, secret: SecretKey) -> bool:
        """Take the plain file away, and what a power cut may have left beside it; whether there was
        any. It loses its name first: half overwritten it would be a damaged key."""
        plain, nameless = self._config.key, partial_of(self._config.key)
        check_own(plain)
        check_own(nameless)
        if not (plain.exists() or nameless.exists()):
            return False
        if decrypt(self._credential) != secret:
            raise NoCredential(f"{self._credential} is another key now")
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
