"""``journal key --prepare``: a key on a box that has none, before anything is signed with it.

What the package does as it is installed, so that the key never lies on the disk in the clear. There
is no page of it: ``setup --page`` (or ``--install --new --export``) makes another key with its page
for as long as there is no journal. Where there is a credential, a plain key or a journal nothing is
done: the key behind those counts.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from controller.cli.exits import DONE, NOT_PERMITTED, NOT_WELL, CommandFailed
from controller.cli.journal.credential import Encrypted, NoCredential, put_in_place
from controller.cli.journal.key_installing import WORDS
from controller.cli.output import columns, say, say_json
from controller.configuration.reading import KEY, STATE_DIRECTORY
from controller.journal.schema import FILE_NAME
from controller.journal.sealing.keys import BadKey, SecretKey
from controller.journal.sealing.known_keys import add_key, beside


def prepare(options: argparse.Namespace) -> int:
    """Carry out the command; its exit code."""
    credential: Path = options.credential
    state = Path(options.state or STATE_DIRECTORY)
    for there in (credential, state / KEY, state / FILE_NAME):
        if there.exists():
            raise CommandFailed(
                NOT_PERMITTED, f"{there} is there: the key behind it counts, and none is made"
            )
    secret = SecretKey.made()
    unit: Path = options.unit
    try:
        credential.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        encrypted = Encrypted(secret, credential, options.with_key)
        put_in_place(encrypted, unit / "key.conf")
        keys = beside(options.config)
        keys.parent.mkdir(parents=True, exist_ok=True)
        add_key(keys, secret.public)
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
