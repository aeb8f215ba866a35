"""The daemon's memory is nobody else's: it holds the key with which the journal is signed.

- The process is not *dumpable*: however it dies, the kernel writes no core file and starts no
  collector of cores either. A limit of 0 alone does not stop a collector (core(5): the limit is not
  enforced for a core that is piped to a program).
- A process that is not dumpable is closed to its own user, too: nobody but root traces it or reads
  its memory, environment or descriptors under ``/proc``.
- faulthandler still writes the stack of whatever died to the log (:mod:`controller.daemon.main`).
"""

from __future__ import annotations

import ctypes
import os
import resource
from typing import Final

PR_SET_DUMPABLE: Final = 4
"""Of ``linux/prctl.h``."""


def keep_memory_private() -> None:
    """Have no core made of this process, and nobody but root look into it; before the key is read.

    Raises:
        OSError: the kernel refuses.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), "PR_SET_DUMPABLE")
