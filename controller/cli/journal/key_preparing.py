"""``journal key --prepare``: a key on a box that has none, before anything is signed with it.

What the package does as it is installed, so that the key never lies on the disk in the clear. There
is no page of it: ``setup --page`` (or ``--install --new --export``) makes another key with its page
for as long as there is no journal. Where there is a credential, a plain key or a journal none is
made: the key behind those counts. Where nothing says yet which keys count, its line is written: a
box of a version that had no such file.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from controller.cli.exits import DONE, NOT_PERMITTED, NOT_WELL, CommandFailed
from controller.cli.journal.key_installing import WORDS
from controller.cli.output import columns, say, say_json
from controller.commissioning.credential import Encrypted, NoCredential, decrypt, put_in_place
from controller.configuration.reading import KEY, STATE_DIRECTORY
from controller.journal.schema import FILE_NAME
from controller.journal.sealing.keys import BadKey, SecretKey, read_key
from controller.journal.sealing.known_keys import add_key, beside


def write_down(configuration: Path, credential: Path, plain: Path) -> bool:
    """Begin the file of verifier keys with the key that is there; whether that was done. Whoever
    may not read the key, or write there, leaves it as it is."""
    if beside(configuration).exists():
        return False
    try:
        secret = decrypt(credential) if credential.exists() else read_key(plain)
        return add_key(beside(configuration), secret.public)
    except (NoCredential, BadKey, OSError):
        return False


def prepare(options: argparse.Namespace) -> int:
    """Carry out the command; its exit code."""
    credential: Path = options.credential
    state = Path(options.state or STATE_DIRECTORY)
    for there in (credential, state / KEY, state / FILE_NAME):
        if there.exists():
            written = write_down(options.config, credential, state / KEY)
            more = f". Its line is in {beside(options.config)} now" if written else ""
            raise CommandFailed(
                NOT_PERMITTED, f"{there} is there: the key behind it counts, and none is made{more}"
            )
    secret = SecretKey.made()
    unit: Path = options.unit
    try:
        credential.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        encrypted = Encrypted(secret, credential, options.with_key)
        keys = beside(options.config)
        keys.parent.mkdir(parents=True, exist_ok=True)
        add_key(keys, secret.public)
        put_in_place(encrypted, unit / "key.conf")
    except (NoCredential, BadKey, OSError) as error:
        raise CommandFailed(NOT_WELL, f"no key was made: {error}") from error
    done = {
        "fingerprint": secret.public.fingerprint,
        "bound_to": WORDS[encrypted.bound],
        "verifier keys": str(keys),
    }
    if options.json:
        say_json(done)
    else:
        say(columns(done.items(), indent=""))
    return DONE
