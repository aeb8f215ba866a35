"""Numba's files of what is compiled, when one of them is cut or empty, as after a loss of power."""

from __future__ import annotations

from typing import Any

from numba.core.caching import FunctionCache


class MendedCache(FunctionCache):
    """Keeps compiled functions. What cannot be read is as if it were not there: what is compiled
    in its place replaces it, or where that cannot be written, nothing is kept."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What is kept for this signature; None: nothing, or nothing that can be read."""
        try:
            return super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        except Exception:  # whatever a cut file is taken for
            try:
                self.flush()  # type: ignore[no-untyped-call]
            except OSError:
                self.disable()  # type: ignore[no-untyped-call]
            return None
