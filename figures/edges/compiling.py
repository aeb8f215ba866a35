"""Compiling for the first time takes a while, which is said; what other versions have left on the
disk goes then.

The rules:

- Each version of the kernel's source has a folder of its own. It is marked whenever it is used, and
  another one goes when it was not for 30 days.
- Who has compiled functions loaded needs no folder, and Numba compiles anew what it does not find.
  So two processes at once do no harm to each other.
"""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from figures.games.compiled import compiled, jit_disabled, source_digest

OURS: Final = "table-figures"
NAME: Final = re.compile("[0-9a-f]{16}")
UNUSED_S: Final = 30 * 86400
NOT_KEPT: Final = (
    "compiling the kernel, ten seconds or more at each start and in each process: it cannot be"
    " kept, since this user may not write 'table-figures' in $XDG_CACHE_HOME (not set: in ~/.cache)"
)
NOT_COMPILED: Final = (
    "NUMBA_DISABLE_JIT is set: the kernel runs uncompiled, some hundred times slower"
)
_told: Final = set[str]()
"""What was said in this process, and functions that it compiles and does not keep."""


def tell_compiling(function: str, say: Callable[[str], None]) -> None:
    """Say that this function of the kernel is compiled now, where it is; once, also where nothing
    can be kept, or Numba has been told not to compile.

    Raises:
        ImportError: Numba is not installed.
    """
    if jit_disabled():
        if NOT_COMPILED not in _told:
            _told.add(NOT_COMPILED)
            say(NOT_COMPILED)
        return
    compiled()  # it tells Numba where
    import numba  # noqa: PLC0415 - an extra

    folder = Path(numba.config.CACHE_DIR)  # type: ignore[attr-defined]
    kept = folder.parent.name == OURS and source_digest().startswith(folder.name)
    if kept:
        with suppress(OSError):
            os.utime(folder)
        if _are_whole(folder.glob(f"*/*.{function}-*.nb[ic]")):
            return
        say("compiling the kernel, once: about ten seconds")
        _remove_unused(folder)
    elif function not in _told:
        _told.add(function)
        say(NOT_KEPT)


def _are_whole(files: Iterable[Path]) -> bool:
    """Whether there is such a file, and none is cut: all are pickled, which ends with a dot."""
    ends = [path.read_bytes()[-1:] for path in files]
    return bool(ends) and set(ends) == {b"."}


def _remove_unused(present: Path) -> None:
    for folder in present.parent.iterdir():
        if NAME.fullmatch(folder.name) and folder != present:
            with suppress(OSError):  # another process removes it, too
                if time.time() - folder.lstat().st_mtime > UNUSED_S:
                    shutil.rmtree(folder)
