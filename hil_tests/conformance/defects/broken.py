"""``python -m hil_tests.conformance.defects.broken DEFECT KIND ...``: a twin with a planted defect.

Each is a mistake that firmware is made with. What examines devices has to find every one of them
by the check that is about it (``test_planted.py``): one that lets it pass is worth nothing.
"""

from __future__ import annotations

import sys

from hil_tests.conformance.defects import of_devices, of_events
from hil_tests.conformance.defects.of_messages import DEFECTS
from simulators.__main__ import main

__all__ = ["DEFECTS", "of_devices", "of_events"]

if __name__ == "__main__":
    DEFECTS[sys.argv[1]].put_in()
    sys.exit(main(sys.argv[2:]))
