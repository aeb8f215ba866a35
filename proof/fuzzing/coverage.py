"""Which lines of ours a run reaches, and from which: what guides the search.

Tracing costs several times the run itself, so the search looks at a part of the runs only. There
is nothing to install; libFuzzer (:mod:`proof.fuzzing.guided`) looks closer.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
_OURS: Final = tuple(f"{ROOT / folder}/" for folder in ("controller", "drivers", "verifier"))

Step = tuple[int, int]


class Coverage:
    """Steps from line to line met so far, in the packages of the product."""

    def __init__(self) -> None:
        self.met: set[Step] = set()
        self._codes: dict[CodeType, int | None] = {}

    def run_traced(self, what: Callable[[bytes], int], data: bytes) -> tuple[int, bool]:
        """What it returns, and whether it met a step that no run before it had."""
        before = len(self.met)
        outer = sys.gettrace()
        sys.settrace(self._call)
        try:
            judged = what(data)
        finally:
            sys.settrace(outer)
        return judged, len(self.met) > before

    def _call(self, frame: FrameType, event: str, _: Any) -> Any:
        code = frame.f_code
        if code not in self._codes:
            ours = code.co_filename.startswith(_OURS)
            self._codes[code] = len(self._codes) << 32 if ours else None
        number = self._codes[code]
        if number is None:
            return None
        met, last = self.met, 0

        def line(frame: FrameType, event: str, _: Any) -> Any:
            nonlocal last
            now = frame.f_lineno & 0xFFFF
            met.add((number, last << 16 | now))
            last = now
            return line

        return line
