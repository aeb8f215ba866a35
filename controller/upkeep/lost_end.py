"""A journal that has lost its end, or all of it, while the second copy has what is missing.

Where there is a copy and no journal, none is created: an empty one would later be taken for the
table's.
"""

from __future__ import annotations

from pathlib import Path

from controller.configuration.model import Configuration
from controller.files.media import MediumQuestion, MediumSilent
from controller.journal.errors import DamagedJournal, JournalError
from controller.journal.schema import FILE_NAME
from controller.upkeep.copier import COMPARED_S


class JournalBehindCopy(JournalError):
    """The journal lost its end, or all of it; the second copy has what is missing."""


def advice(config: Configuration, error: BaseException | None) -> str:
    """What more is to be said of a damaged journal: whether there is a copy, and the command that
    puts it in place. Empty for any other error."""
    if not isinstance(error, DamagedJournal):
        return ""
    if config.copy is None:
        return ". There is no second copy: [state] copy names none"
    return f". {recovers(config)}"


def recovers(config: Configuration) -> str:
    """The command that puts the second copy in place, in words."""
    command = f"tablectl journal recover --state {config.state_directory} --from {config.copy}"
    return f"'{command}' puts the second copy in its place"


def must_not_be_gone(config: Configuration) -> None:
    """Before the journal is opened, which makes one where there is none. Raises
    :class:`JournalBehindCopy` when the copy shows that there was one, or hangs."""
    if config.copy is None:
        return
    path, copied = config.state_directory / FILE_NAME, config.copy / FILE_NAME
    if _size(path) != 0:
        return
    try:
        size = MediumQuestion(lambda: _size(copied)).answer(COMPARED_S)
    except MediumSilent as error:
        raise JournalBehindCopy(
            f"there is no journal {path}, or it is empty, and the medium of its second copy "
            f"{copied} does not answer, so nobody knows whether there was one. No new one was "
            "made. Look to that medium; [state] copy names it"
        ) from error
    if size:
        raise JournalBehindCopy(
            f"there is no journal {path}, or it is empty, but its second copy {copied} is there. "
            f"No new one was made; {recovers(config)}. To begin anew without what it has, move "
            f"{config.copy} away and keep it"
        )


def _size(path: Path) -> int | None:
    """In bytes, 0 where there is no such file; None where the disk does not say."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
    except OSError:
        return None
