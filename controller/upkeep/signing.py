"""The key with which every commit is signed, and those that count, before the journal is opened.
The rules:

- Without its key nothing is committed: a start that cannot read it writes nothing. Where there is
  none one is made; the journal then says that it had another one.
- The key is the credential that systemd hands over where one is installed, else a file
  (:mod:`controller.journal.keys`). Where it was found is logged.
- Which keys count is said by the file beside the configuration
  (:mod:`controller.evidence.trust`), and without one by the controller's own key alone.
  A controller that makes its key writes that file, and never over one.
- A medium is waited for ``ANSWERED_S`` and no longer.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.causes.finding import cause_of
from controller.causes.who_may import READ
from controller.configuration.model import Configuration
from controller.evidence.trust import add_key, keys_beside, read_keys
from controller.files.media import MediumQuestion, MediumSilent
from controller.journal.errors import DiskFailed
from controller.journal.keys import BadKey, ControllerKey, PublicKey
from controller.journal.schema import FILE_NAME
from controller.threads import NoThread

_log = logging.getLogger(__name__)
CREDENTIALS: Final = "CREDENTIALS_DIRECTORY"
"""The variable by which systemd says where a service's credentials are."""

ANSWERED_S: Final = 2.0
"""How long a start waits at most for one answer of a medium, in seconds: one that was asleep may
need one of them."""


@dataclass(frozen=True, slots=True)
class Signing:
    """The controller's ``key``, the ``trusted`` keys, the oldest first, and the ``file`` that says
    so."""

    key: ControllerKey
    trusted: Sequence[PublicKey]
    file: Path


def signing_of(config: Configuration) -> Signing:
    """The key and those that count. Raises BadKey: one of the files cannot be read, or is not as it
    must be. DiskFailed: a medium does not answer, or fails. NoThread: nobody could ask it."""
    given = os.environ.get(CREDENTIALS)
    credentials = Path(given) if given else None
    try:
        key = MediumQuestion(lambda: ControllerKey(config.key, credentials)).answer(ANSWERED_S)
    except MediumSilent as error:
        raise _unanswered(f"the key {config.key}", error) from error
    except BadKey as error:
        met = error.__cause__
        if isinstance(met, OSError) and (cause := cause_of(met, config.key)).heals:
            raise DiskFailed(f"{config.key}: {cause.of_the_daemon()}") from error
        raise
    _tell_place(key, config.key)
    file = keys_beside(config.path)
    begun = (config.state_directory / FILE_NAME).exists()
    if key.made or not (begun or key.installed):  # the first start may have been cut off in between
        _write(file, key)
    return Signing(key, _trusted(file) or [key.public], file)


def _write(file: Path, key: ControllerKey) -> None:
    if os.path.lexists(file):
        return
    try:
        add_key(file, key.public)
    except OSError as error:
        _log.warning(
            "%s cannot be written (%s): whoever verifies the journal has to be given the key with "
            "--key. As root: tablectl journal checkpoint --vkey > %s",
            file,
            cause_of(error, file),
            file,
        )


def _trusted(file: Path) -> Sequence[PublicKey]:
    try:
        return MediumQuestion(lambda: read_keys(file)).answer(ANSWERED_S)
    except FileNotFoundError:
        return ()
    except MediumSilent as error:
        raise _unanswered(str(file), error) from error
    except OSError as error:
        cause = cause_of(error, file, wants=READ)
        if cause.heals:
            raise DiskFailed(f"{file}: {cause.of_the_daemon()}") from error
        raise BadKey(
            f"{file} cannot be read, which says which keys count: {cause}. It must be a regular "
            "file that the controller's user may read"
        ) from error


def _unanswered(what: str, error: MediumSilent) -> DiskFailed | NoThread:
    """Why there was no answer: the medium is late, or nobody could ask it."""
    if error.errno == errno.ETIMEDOUT:
        return DiskFailed(f"{what} cannot be read: its medium does not answer")
    return NoThread(error.errno, error.strerror)


def _tell_place(key: ControllerKey, file: Path) -> None:
    """Log where the key was found, and a file of it that an installed one should not have left."""
    kept = "the credential" if key.installed else "the file"
    made = ", made just now" if key.made else ""
    _log.info("the key %s is from %s %s%s", key.fingerprint, kept, key.path, made)
    if not key.installed:
        return
    with contextlib.suppress(OSError):  # its medium may not answer; then it says nothing
        if MediumQuestion(file.exists).answer():
            _log.warning("a key still lies in %s, which is not used: take that file away", file)
