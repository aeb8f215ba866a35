"""The controller's key installed, with its page for the safe.

The rules of ``setup --page FILE``, which has the key installed as ``journal key`` does:

- A key with which nothing was signed yet, and of which there is no page (the package's), makes room
  for one with a page. Any other key stays, and no second page is made of it.
- Given again with the page still there, nothing is done.
- The verifier key of an installed key stands beside the configuration, with page or without.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path

from controller.commissioning.this_machine import ThisMachine
from controller.configuration.model import Configuration
from controller.configuration.reading import load_configuration
from controller.evidence.keys.credential import PAGED, BadPage, NoCredential, decrypt
from controller.evidence.keys.installation import install
from controller.evidence.keys.sources import KeyRequest, page_at, was_run
from controller.evidence.trust import add_key, keys_beside
from controller.journal.keys import BadKey
from controller.regular_files import read_whole


@dataclass(frozen=True, slots=True)
class KeyKeeping:
    """How the key is kept: in the file ``credential``, by a drop-in in the folder ``unit``;
    ``with_key``: what it is encrypted with."""

    credential: Path
    unit: Path
    with_key: str

    def install(
        self, configuration: Path, *, page: Path | None = None, export: Path | None, new: bool
    ) -> dict[str, str | None]:
        """Install the key of the table with the configuration at that path: the one on the ``page``
        (None: none is given), or another one than the journal names (``new``); its page is written
        to ``export``. What was done; raises ``NotDone`` where it cannot be done now, or not so."""
        config = load_configuration(configuration)
        return install(
            KeyRequest(
                table=config.table.id,
                configuration=config.path,
                key=config.key,
                state=config.state_directory,
                copy=config.copy,
                heads=config.heads,
                credential=self.credential,
                unit=self.unit,
                page=page,
                export=export,
                new=new,
                with_key=self.with_key,
            )
        )

    def write_page(self, page: Path, config: Configuration) -> tuple[bool, str]:
        """Whether the page was written now, and what to say of it; raises ``NotDone``."""
        unit, ran = self.unit / "key.conf", was_run(config.state_directory)
        there = self.credential.exists()
        if there and unit.exists():
            if page.exists() and _is_of(page, self.credential):
                return False, f"{page} is the page of the installed key"
            if ran:
                return False, "the key is installed and in use: its page was made before, or never"
            if PAGED in read_whole(unit).decode("utf-8"):
                return False, "the key is installed, and its page was written before"
        done = self.install(config.path, export=page, new=there and not ran)
        return True, f"{page}, of the key {done['fingerprint']}, bound to {done['bound_to']}"


def add_installed_key(
    machine: ThisMachine, config: Path, credential: Path
) -> tuple[Path | None, str]:
    """The file of verifier keys, where the installed key is new in it, and what to say of it, ""
    for none."""
    keys = keys_beside(config)
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
