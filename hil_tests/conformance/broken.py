"""``python -m hil_tests.conformance.broken DEFECT KIND ...``: a twin with a planted defect.

Each is a mistake that firmware is made with. What examines devices has to find every one of them
by the check that is about it (``test_planted.py``): one that lets it pass is worth nothing.
"""

from __future__ import annotations

import sys

from hil_tests.conformance import defects_of_devices, defects_of_events
from hil_tests.conformance.defects import DEFECTS
from simulators.__main__ import main

__all__ = ["DEFECTS", "defects_of_devices", "defects_of_events"]

if __name__ == "__main__":
    DEFECTS[sys.argv[1]]()
    sys.exit(main(sys.argv[2:]))
