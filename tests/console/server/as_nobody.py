"""``python -m tests.console.server.as_nobody MODULE …``: that program as a user who may deal and no
more, as the console's own user may."""

from __future__ import annotations

import os
import runpy
import sys
from typing import Final

NOBODY: Final = 65534

if __name__ == "__main__":
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)
    sys.argv = sys.argv[1:]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
