"""The power of the box: taken away and given back by a person, or by commands of this machine.

``power`` of a bench's ``[box]`` is one of

- ``"person"``: asked for on the console;
- ``{ labgrid = "PLACE" }``: the power driver of a labgrid place, by ``labgrid-client`` (which must
  be on the path, in an environment of its own: labgrid's serial library and ours have one name);
- ``{ hub = "1-1", port = 2 }``: a port of a USB hub that can switch, by ``uhubctl``;
- ``{ off = [...], on = [...] }``: any two commands.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from typing import Any, Final, Protocol

from hil_tests.rig.description import BadBench
from hil_tests.table.console import Console

COMMAND_S: Final = 60.0
WAYS: Final = '"person", { labgrid = PLACE }, { hub = HUB, port = NUMBER }, { off = [], on = [] }'


class Power(Protocol):
    """Somebody's hand at the box's plug."""

    def cycle(self) -> None:
        """Away and back; returns when the box has power again."""


class AskedFor:
    """A person."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def cycle(self) -> None:
        """See :class:`Power`."""
        self._console.please(
            "Take the power of the controller's box away (the plug, not its switch), wait until "
            "its lights are out, and give it back"
        )


class ByCommand:
    """Two commands."""

    def __init__(self, off: list[str], on: list[str]) -> None:
        self._off, self._on = off, on

    def cycle(self) -> None:
        """See :class:`Power`; raises ``CalledProcessError``."""
        for words in (self._off, self._on):
            subprocess.run(words, check=True, timeout=COMMAND_S, stdin=subprocess.DEVNULL)


def power(told: str | Mapping[str, Any], console: Console) -> Power:
    """The power as the bench's file has it; raises :class:`BadBench`."""
    match told:
        case "person":
            return AskedFor(console)
        case {"labgrid": str(place), **none} if not none:
            client = ["labgrid-client", "-p", place, "power"]
            return ByCommand([*client, "off"], [*client, "on"])
        case {"hub": str(hub), "port": int(port), **none} if not none:
            uhubctl = ["uhubctl", "-l", hub, "-p", str(port), "-a"]
            return ByCommand([*uhubctl, "off"], [*uhubctl, "on"])
        case {"off": [*off], "on": [*on], **none} if off and on and not none:
            return ByCommand([str(word) for word in off], [str(word) for word in on])
    raise BadBench(f"box.power: one of {WAYS} is expected, {told!r} found")
