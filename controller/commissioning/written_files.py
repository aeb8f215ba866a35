"""The files that ``setup`` writes: each whole and durable, and a clear account of which.

The rules:

- Whether all of them may be written is looked at before the first one is.
- The names of the ports come first: a configuration that names them is useless without.
- A file that somebody changed while setup asked is left alone. The configuration of before is kept
  beside the new one, as ``table.toml.before``.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from controller.causes.finding import cause_of
from controller.not_done import NOT_PERMITTED, NOT_WELL, NotDone
from controller.regular_files import NotUtf8, read_whole, text_of, write_over

BEFORE = ".before"


@dataclass(frozen=True, slots=True)
class NewText:
    """A file that is to get ``text``; ``before`` is what it had when it was read, None for none."""

    path: Path
    before: str | None
    text: str
    keeps: bool = False
    """The old one is kept beside it."""

    @property
    def differs(self) -> bool:
        """Whether there is anything to write."""
        return self.text != self.before


def read_text(path: Path) -> str | None:
    """What a file has now; None without one."""
    try:
        return text_of(read_whole(path))
    except FileNotFoundError:
        return None
    except (OSError, NotUtf8) as error:
        raise NotDone(NOT_WELL, f"{path} cannot be read: {error}") from error


def check_permitted(paths: Sequence[Path]) -> None:
    """Raise ``NotDone`` (3) where this user may not write one of them."""
    for path in paths:
        there = next(folder for folder in path.resolve().parents if folder.exists())
        if not os.access(there, os.W_OK):
            raise NotDone(
                NOT_PERMITTED,
                f"{path} may not be written by this user: root does that ('sudo tablectl setup'); "
                "--dry-run shows what would be written",
            )


def write(files: Sequence[NewText]) -> list[str]:
    """Write those that differ; what was written. Raises ``NotDone``: 3, not permitted, or changed
    meanwhile; 1, it cannot be written, and the message says what was written before that."""
    todo = [file for file in files if file.differs]
    check_permitted([file.path for file in todo])
    for file in todo:
        if read_text(file.path) != file.before:
            raise NotDone(
                NOT_PERMITTED,
                f"{file.path} was changed by somebody meanwhile; nothing was written. Give the "
                "command again",
            )
    done: list[str] = []
    for file in todo:
        path = file.path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
            if file.keeps and file.before is not None:
                kept = path.with_name(path.name + BEFORE)
                write_over(kept, file.before.encode(), mode)
                done.append(str(kept))
            write_over(path, file.text.encode(), mode)
        except OSError as error:
            account = f"written before that: {', '.join(done) or 'nothing'}"
            raise NotDone(
                NOT_WELL, f"{file.path} cannot be written: {cause_of(error, path)}; {account}"
            ) from error
        done.append(str(file.path))
    return done
