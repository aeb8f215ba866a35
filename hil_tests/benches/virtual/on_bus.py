"""A program whose USB bus is FOLDER: ``python -m ...virtual.on_bus FOLDER MODULE ARGUMENTS``.

MODULE runs as ``python -m MODULE ARGUMENTS`` would, and is told nothing; only pyusb's way to libusb
is another one. It is ``controller.daemon.main`` or ``controller.cli.main``, or what starts the
daemon after a reboot (:mod:`hil_tests.bench.rebooted_daemon`) or has it killed
(:mod:`hil_tests.kills.killed_daemon`).
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from hil_tests.benches.virtual.pyusb_backend import installed


def run_on_bus(arguments: list[str]) -> None:
    """Run the module; it ends the process as it likes."""
    folder, module, *rest = arguments
    sys.argv = [module, *rest]
    with installed(Path(folder).absolute()):
        runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    run_on_bus(sys.argv[1:])
