"""``python -m tests.daemon.journaling.hurried``: the daemon, to which five minutes are a third of a
second."""

from __future__ import annotations

import sys

from controller.daemon import quiet_moments
from controller.daemon.main import main

if __name__ == "__main__":
    vars(quiet_moments).update(QUIET_S=0.3, LOOK_S=0.1)
    sys.exit(main())
