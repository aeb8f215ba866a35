"""What ``setup`` has udev and systemd do: ports named anew, and the service started.

Where there is none of them (a container, a machine that only prepares a file) the step is left out
and said.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from controller.commissioning.outcome import TestOutcome, outcome
from controller.commissioning.port_names import RULES
from controller.not_done import NOT_WELL, NotDone
from drivers.probe import LINKS

UDEV: Final = Path("/run/udev/control")
"""There where udev runs."""
WITHIN_S: Final = 60.0
STARTS_WITHIN_S: Final = 200.0
"""Longer than the unit's own TimeoutStartSec."""
SERVICE: Final = "table-controller"
NAMES: Final = "names"
APPLY: Final = (
    ("udevadm", "control", "--reload"),
    ("udevadm", "trigger", "--subsystem-match=tty", "--subsystem-match=usb"),
    ("udevadm", "settle", "--timeout=30"),
)


def apply_names(rules: Path, bound: Mapping[str, str], *, changed: bool) -> TestOutcome:
    """Have udev read its rules and name the ports that are there; whether every name of ``bound``
    (names under /dev/table) leads to its port. Without a change nothing is done if all do.
    """
    if rules.parent != RULES.parent:
        return outcome(NAMES, f"{rules} is not where udev reads: nothing was applied")
    if not (UDEV.exists() and shutil.which("udevadm")):
        return outcome(NAMES, "no udev runs here: nothing was applied")
    for command in APPLY if changed or _astray(bound) else ():
        if trouble := run_command(command, WITHIN_S):
            return outcome(NAMES, f"{' '.join(command)}: {trouble}", ok=False)
    wrong = _astray(bound)
    if wrong:
        missing = ", ".join(f"{LINKS}/{name}" for name in wrong)
        what = f"{missing}: expected to lead to its port; unplug the adapter and plug it in again"
        return outcome(NAMES, what, ok=False)
    return outcome(NAMES, ", ".join(f"{LINKS}/{name}" for name in bound))


def _astray(bound: Mapping[str, str]) -> list[str]:
    """The names that do not lead to their port."""
    return [
        name
        for name, port in bound.items()
        if os.path.realpath(LINKS / name) != os.path.realpath(port)
    ]


def start(*, again: bool) -> None:
    """Enable and start the service; ``again``: it runs, with another configuration.

    Raises:
        NotDone: 1, it did not start.
    """
    commands = [("systemctl", "enable", SERVICE)]
    commands.append(("systemctl", "restart" if again else "start", SERVICE))
    for command in commands:
        if trouble := run_command(command, STARTS_WITHIN_S):
            said = f"{' '.join(command)}: {trouble}\nsee 'journalctl -u {SERVICE} -n 20'"
            raise NotDone(NOT_WELL, said)


def run_command(command: tuple[str, ...], within_s: float) -> str:
    """What went wrong, in its last words; "" where it went well."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=within_s
        )
    except FileNotFoundError:
        return "there is no such program here"
    except subprocess.TimeoutExpired:
        return f"it did not end within {within_s:.0f} s"
    said = [line for line in done.stderr.splitlines() if line.strip()]
    return "" if not done.returncode else said[-1] if said else f"it ended with {done.returncode}"
