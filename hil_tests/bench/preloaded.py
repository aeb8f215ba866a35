"""What the server of :mod:`~.processes` has done before it forks, once for all programs of a bench.

The modules are imported. None of them is a program: Python would run it again. And what follows
from them alone is known: the digests of this program and its libraries, and the types of the
fields of a rule set. A file that a bench writes is read by whoever is forked.
"""

from __future__ import annotations

import gc
from contextlib import suppress
from importlib import import_module
from typing import Final

from controller.cli.commands import MODULES
from controller.files.rules import load_rules, rule_files
from controller.game.rules.loader import RulesError
from controller.program import this_program

PROGRAMS: Final = (
    *MODULES,
    "controller.daemon.app",
    "hil_tests.bench.processes",
    "hil_tests.benches.virtual.pyusb_backend",
    *(f"simulators.{name}" for name in ("jackpot", "keypad", "shoe", "shuffler")),
    *(f"simulators.{name}" for name in ("lines.wire", "recording", "server", "twin", "usb.cables")),
)

for module in PROGRAMS:
    import_module(module)
this_program()
for name in rule_files():
    with suppress(RulesError):  # whoever plays by it says so
        load_rules(name)
gc.freeze()  # a collection in a fork would copy all of it
