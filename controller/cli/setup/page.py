"""The page for the safe: ``setup --page FILE`` has the key installed as ``journal key`` does.

The rules:

- A key with which nothing was signed yet, and of which there is no page (the package's), makes room
  for one with a page. Any other key stays, and no second page is made of it.
- Given again with the page still there, nothing is done.
- The verifier key of an installed key stands beside the configuration, with page or without.
"""

from __future__ import annotations

import argparse
import contextlib
from pathlib import Path

from controller.cli.journal.key import installed
from controller.commissioning.this_machine import ThisMachine
from controller.configuration.model import Configuration
from controller.evidence.keys.credential import PAGED, NoCredential, decrypt
from controller.evidence.keys.safe_page import BadPage
from controller.evidence.keys.sources import page_at, was_run
from controller.evidence.seals.known_keys import add_key, beside
from controller.journal.keys import BadKey
from controller.regular_files import read_whole


def written(options: argparse.Namespace, config: Configuration) -> tuple[bool, str]:
    """Whether the page was written now, and what to say of it.

    Raises:
        CommandFailed: the key cannot be installed.
    """
    page: Path = options.page
    unit = options.unit / "key.conf"
    there = options.credential.exists()
    if there and unit.exists():
        if page.exists() and _is_of(page, options.credential):
            return False, f"{page} is the page of the installed key"
        if was_run(config.state_directory):
            return False, "the key is installed and in use: its page was made before, or never"
        if PAGED in read_whole(unit).decode("utf-8"):
            return False, "the key is installed, and its page was written before"
    given = argparse.Namespace(
        config=options.config,
        credential=options.credential,
        unit=options.unit,
        with_key=options.with_key,
        state=None,
        page=None,
        export=page,
        new=there and not was_run(config.state_directory),
    )
    done = installed(given)
    return True, f"{page}, of the key {done['fingerprint']}, bound to {done['bound_to']}"


def listed(machine: ThisMachine, config: Path, credential: Path) -> tuple[Path | None, str]:
    """The file of verifier keys, where the installed key was not in it yet and is now; and what to
    say of it, "" for nothing."""
    keys = beside(config)
    try:
        key = machine.installed_key(credential)
        if key is not None and add_key(keys, key):
            return keys, f"{keys} says which key counts"
    except (NoCredential, BadKey, OSError) as error:
        return None, f"{keys} is not written: {error}"
    return None, ""


def _is_of(page: Path, credential: Path) -> bool:
    with contextlib.suppress(BadPage, NoCredential, OSError):
        return page_at(page) == decrypt(credential)
    return False
