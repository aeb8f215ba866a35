"""The kernel compiled by Numba, which is an extra: the same functions, each with the compiled ones
that it calls, and constants as numbers of 64 bits.

What is compiled is kept on the disk under a digest of the kernel's own source: Numba alone would
not notice that a function in another file has changed. What is kept and cannot be read is compiled
anew in its place (:class:`~.with_numba.MendedCache`).
"""

from __future__ import annotations

import hashlib
import os
import types
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from figures import kernel
from figures.kernel.marks import SOURCES, Bits

BITS: Final = 64


@cache
def compiled() -> dict[str, Callable[..., Any]]:
    """The kernel's functions by name, compiled when they are first called.

    Raises:
        ImportError: Numba is not installed.
    """
    import numba  # noqa: PLC0415 - an extra
    import numpy as np  # noqa: PLC0415

    from figures.games.with_numba import MendedCache  # noqa: PLC0415
    from figures.kernel import forced  # noqa: F401, PLC0415 - it imports all others

    kept = _folder()
    numba.config.CACHE_DIR = str(kept)  # type: ignore[attr-defined]
    # Loops over boxes are of one to nine turns: made for many, they take longer.
    numba.config.LOOP_VECTORIZE = False  # type: ignore[attr-defined]
    made: dict[Callable[..., Any], Any] = {
        source: numba.njit(error_model="numpy", forceinline=True)(_copy(source))
        for source in SOURCES
    }
    for function in made.values():
        if kept:
            function._cache = MendedCache(function.py_func)  # type: ignore[no-untyped-call]
        names = function.py_func.__globals__
        for name, value in names.items():
            if isinstance(value, types.FunctionType) and value in made:
                names[name] = made[value]
            elif isinstance(value, Bits):
                names[name] = np.int64(value - (1 << BITS) if value >> (BITS - 1) else value)
    return {source.__name__: function for source, function in made.items()}


@cache
def jit_disabled() -> bool:
    """Whether Numba has been told not to compile (``NUMBA_DISABLE_JIT``).

    Raises:
        ImportError: Numba is not installed.
    """
    import numba  # noqa: PLC0415 - an extra

    return bool(numba.config.DISABLE_JIT)  # type: ignore[attr-defined]


def _copy(source: Callable[..., Any]) -> Callable[..., Any]:
    """The function with names of its own, which are other functions' when it is compiled."""
    assert isinstance(source, types.FunctionType)
    copy = types.FunctionType(source.__code__, dict(source.__globals__), source.__name__)
    copy.__qualname__, copy.__module__ = source.__qualname__, source.__module__
    return copy


def cells(numbers: Sequence[int]) -> Any:
    """A row for compiled functions."""
    from figures.games.with_numba import row_of  # noqa: PLC0415 - an extra

    return row_of(numbers)


def small_cells(numbers: Sequence[int]) -> Any:
    """The same of numbers of 16 bits."""
    from figures.games.with_numba import row_of  # noqa: PLC0415

    return row_of(numbers, "int16")


@cache
def source_digest() -> str:
    """SHA-256 of the source of kernel and games, in hexadecimal: another one may come to other
    figures."""
    digest = hashlib.sha256()
    for folder in (Path(kernel.__file__).parent, Path(__file__).parent):
        for path in sorted(folder.glob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _folder() -> Path | None:
    """Where what is compiled is kept; None where nothing can be written, and nothing is kept."""
    try:
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        folder = home / "table-figures" / source_digest()[:16]
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # there is no home
        return None
    return folder if os.access(folder, os.W_OK) else None
