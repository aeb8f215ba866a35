"""The power of the machine: taken away and given back by a person, or by commands here.

``power`` of a bench's ``[machine]`` is one of

- ``"person"``: asked for on the console;
- ``{ labgrid = "PLACE" }``: the power driver of a labgrid place, by ``labgrid-client`` (which must
  be on the path, in an environment of its own: labgrid's serial library and ours have one name);
- ``{ hub = "1-1", port = 2 }``: a port of a USB hub that can switch, by ``uhubctl``;
- ``{ off = [...], on = [...] }``: any two commands.

Each of the last three may say ``off_s``, the seconds for which the power stays away.
"""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from hil_tests.bench.description import BadBench
from hil_tests.benches.table.console import Console

COMMAND_S: Final = 60.0
OFF_S: Final = 5.0
"""A supply's capacitors feed a small machine for a second or two more."""

WAYS: Final = (
    '"person", { labgrid = PLACE }, { hub = HUB, port = NUMBER }, { off = [], on = [] }, '
    "the last three with off_s = SECONDS or without"
)
Wait = Callable[[float], object]


def power(told: object, console: Console, wait: Wait | None = None) -> Callable[[], None]:
    """What takes the machine's power away and gives it back, as the bench's file has it; the
    seconds between the two are passed by ``wait``. Raises :class:`BadBench`."""
    if told == "person":
        return lambda: console.please(
            "Take the power of the machine away (the plug, not its switch), wait until "
            "its lights are out, and give it back"
        )
    if isinstance(told, Mapping):
        off_s = told.get("off_s", OFF_S)
        commands = _commands({key: value for key, value in told.items() if key != "off_s"})
        if commands and type(off_s) in (int, float) and off_s >= 0:
            return partial(_by_command, *commands, off_s, wait or threading.Event().wait)
    raise BadBench(f"machine.power: one of {WAYS} is expected, {told!r} found")


def _by_command(off: list[str], on: list[str], off_s: float, wait: Wait) -> None:
    """Raises ``CalledProcessError``."""
    subprocess.run(off, check=True, timeout=COMMAND_S, stdin=subprocess.DEVNULL)
    wait(off_s)  # nothing tells when the machine's supply is empty
    subprocess.run(on, check=True, timeout=COMMAND_S, stdin=subprocess.DEVNULL)


def _commands(told: Mapping[str, Any]) -> tuple[list[str], list[str]] | None:
    """Which switch it off and on; None for what is no way to."""
    match told:
        case {"labgrid": str(place), **none} if not none:
            client = ["labgrid-client", "-p", place, "power"]
            return [*client, "off"], [*client, "on"]
        case {"hub": str(hub), "port": int(port), **none} if not none:
            uhubctl = ["uhubctl", "-l", hub, "-p", str(port), "-a"]
            return [*uhubctl, "off"], [*uhubctl, "on"]
        case {"off": [*off], "on": [*on], **none} if off and on and not none:
            return [str(word) for word in off], [str(word) for word in on]
    return None
