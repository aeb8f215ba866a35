"""``python -m hil_tests.virtual.on_bus FOLDER MODULE ARGUMENTS``: FOLDER is a program's USB bus.

MODULE runs as ``python -m MODULE ARGUMENTS`` would, and is told nothing; only pyusb's way to libusb
is another one. It is ``controller.daemon.main`` or ``controller.cli.main``, or what starts the
daemon in a way of the rig's own (``hil_tests.booted``, ``hil_tests.dying``).
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from hil_tests.virtual.pyusb_backend import installed


def run(arguments: list[str]) -> None:
    """Run the module; it ends the process as it likes."""
    folder, module, *rest = arguments
    sys.argv = [module, *rest]
    with installed(Path(folder).absolute()):
        runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    run(sys.argv[1:])
