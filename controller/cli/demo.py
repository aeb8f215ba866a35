"""``demo``: starts the rig's demo as a process of its own and answers with its exit status.

The controller imports neither the rig nor the simulated devices. They are found beside it in a
checkout, and where the package table-controller-demo puts them on a box. Signals are handed on,
once, and waited out: the demo puts its processes and files away before this command ends.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Final

from controller.cli.command_line import known
from controller.cli.exits import DONE, INTERRUPTED, WRONG_USE, CommandFailed

if TYPE_CHECKING:
    from controller.cli.group import Group

MODULE: Final = "hil_tests.demo"
PACKAGED: Final = "table-controller-demo"
"""The package, and its folder beside that of the program (docs/decisions/0027)."""
HANDED_ON: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
ENDS: Final = signal.SIGTERM
"""What is handed on for any of them. It ends the demo silently also where that does not listen yet,
and where a shell has started this command deaf to Ctrl-C."""


def register(top: Group) -> None:
    """Add the command."""
    demo = top.command("demo", _demo)
    known.of("rule set", demo.add_argument("--rules", metavar="ID", help="the rule set to play"))
    demo.add_argument("--seed", metavar="N", type=int, help="for the same cards again")
    demo.add_argument("--rounds", metavar="N", type=int, help="how many rounds")
    demo.add_argument(
        "--stay", action="store_true", help="a standing table to be worked by hand, until Ctrl-C"
    )


def _demo(options: argparse.Namespace) -> int:
    """Run the demo; its exit status."""
    environment = dict(os.environ)
    if importlib.util.find_spec(MODULE.partition(".")[0]) is None:
        packaged = Path(sys.prefix).parent.with_name(PACKAGED)
        if not packaged.is_dir():
            raise CommandFailed(
                WRONG_USE, f"there are no simulated devices here: 'apt install ./{PACKAGED}_*.deb'"
            )
        environment["PYTHONPATH"] = str(packaged)
    command = [sys.executable, "-m", MODULE]
    for name in ("rules", "seed", "rounds"):
        value = getattr(options, name, None)
        if value is not None:
            command.append(f"--{name}={value}")
    command += [f"--{name}" for name in ("json", "stay") if getattr(options, name)]
    child: subprocess.Popen[bytes] | None = None
    told: list[int] = []

    def hand_on(number: int, _: FrameType | None) -> None:
        told.append(number)
        if child is not None:
            child.send_signal(ENDS)

    before = {number: signal.signal(number, hand_on) for number in HANDED_ON}
    try:
        # A group of its own: what is typed at the terminal reaches it through here only, once.
        child = subprocess.Popen(command, process_group=0, env=environment)
        if told:  # before there was a child to hand it on to
            child.send_signal(ENDS)
        status = child.wait()
        if status == -ENDS:  # before it could listen: nothing was put up yet
            return DONE if options.stay else INTERRUPTED
        return status
    finally:
        for number, handler in before.items():  # told once, it is ending: more change nothing
            signal.signal(number, signal.SIG_IGN if told else handler)
