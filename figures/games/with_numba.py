"""What needs Numba, an extra: rows for compiled functions, and files of what was compiled.

- Numba's files are mended when one of them is cut or empty, as after a loss of power.
- The kernel's rows are given as the address of their first number. An array of NumPy's would bring
  its length, a count of who holds it, and the meaning of negative places into every access; the
  kernel needs none of them, and is a half slower with them. The rows are made as long as what is
  written about them says, and stay with who calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import from_dtype, types
from numba.core.caching import FunctionCache
from numba.extending import NativeValue, models, register_model, typeof_impl, unbox


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


class KernelRow(np.ndarray[Any, Any]):
    """A row of numbers."""


class RowType(types.CPointer):
    """How Numba sees it."""


register_model(RowType)(models.PointerModel)


@typeof_impl.register(KernelRow)
def _type_of_row(row: KernelRow, _: object) -> RowType:
    return RowType(from_dtype(row.dtype))  # type: ignore[no-untyped-call]


@unbox(RowType)  # type: ignore[untyped-decorator, no-untyped-call]
def _address_of_row(kind: RowType, row: Any, context: Any) -> NativeValue:
    array = types.Array(kind.dtype, 1, "C")
    found = context.unbox(array, row)
    made = context.context.make_array(array)(context.context, context.builder, found.value)
    address = made.data
    context.context.nrt.decref(context.builder, array, found.value)
    return NativeValue(address, is_error=found.is_error)  # type: ignore[no-untyped-call]


def row_of(numbers: Sequence[int], kind: npt.DTypeLike = np.int64) -> Any:
    """A row of these numbers."""
    return np.array(numbers, dtype=kind).view(KernelRow)
