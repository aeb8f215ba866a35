"""The daemon after a reboot: ``python -m hil_tests.bench.rebooted_daemon FILE NUMBER ...``.

A power cut is a new boot, and the kernel's name for the boot (``FILE`` here) is how the daemon
knows. Nothing else of it is changed.
"""

from __future__ import annotations

import sys
from pathlib import Path

from controller.daemon import main, outside


def run_rebooted(arguments: list[str]) -> int:
    """Write the boot id that this NUMBER has into FILE, and run the daemon with it."""
    path, number, *rest = arguments
    name = Path(path)
    name.write_text(f"00000000-0000-4000-8000-{int(number):012d}\n", encoding="ascii")
    outside.BOOT_ID = name
    return main.main(rest)


if __name__ == "__main__":
    sys.exit(run_rebooted(sys.argv[1:]))
