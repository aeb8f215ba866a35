"""Tables of the configuration as they stand in the file; the program makes others of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from controller.configuration.model import (
    KEY,
    STATE_DIRECTORY,
    Approved,
    ArchiveSettings,
    ControlSettings,
    MirrorSettings,
    WitnessSettings,
)
from controller.configuration.tables import time_of_day
from controller.forms.expected import Expected, File, Parsed, Range, Text, Usual, one_of
from controller.game.commands.values import Dollars
from controller.table.settings import DAY_BEGINS
from drivers.registry import is_known, known_drivers
from drivers.vocabulary import PLAIN_KINDS

HEADS: Final = "heads.jsonl"
PEOPLE: Final = "people.json"
SPIN_MS: Final = 4000
SLOWEST: Final = 50
FASTEST: Final = 4_000_000
"""Speeds of a serial line, in bits per second."""


def _in_state(name: str) -> str:
    """What a key that is left out counts as, in words: the file alone does not say it."""
    return f"`{name}` in `state.directory`"


_SIDES: Final = "may be where the rules have no side wager"


def _driver(name: str) -> str:
    if is_known(name):
        return name
    raise ValueError(
        f"no such driver is installed; installed: {', '.join(sorted(known_drivers()))}"
    )


@dataclass(frozen=True, slots=True)
class TableKeys:
    """``[table]``. How many decks and boxes there may be the rules say."""

    id: Annotated[str, Text("the table's name on the floor", longest=64)]
    rules: Annotated[str, Text("a rule set of 'tablectl rules list', or a path")]
    decks: Annotated[object, Expected("decks in the shoe, as the rules permit")]
    boxes: Annotated[object, Expected("playing areas, as the rules permit")]
    min: Annotated[int, Dollars("the lowest main wager")]
    max: Annotated[int, Dollars("the highest main wager")]
    increment: Annotated[int, Dollars("the smallest step of any wager"), Usual(1)]
    day_begins: Annotated[
        str, time_of_day("when the gaming day begins", DAY_BEGINS), Usual(DAY_BEGINS)
    ]
    side_min: Annotated[int | None, Dollars("the lowest side wager"), _SIDES] = None
    side_max: Annotated[int | None, Dollars("the highest side wager"), _SIDES] = None
    box_max: Annotated[int | None, Dollars("the most of all main wagers on one box")] = None
    player_max: Annotated[
        int | None, Dollars("the most of one bettor's main wagers on one box")
    ] = None


@dataclass(frozen=True, slots=True)
class DeviceKeys:
    """``[devices.NAME]``."""

    kind: Annotated[str | None, one_of(*PLAIN_KINDS)] = None
    driver: Annotated[str, Parsed("a driver's name", parse=_driver)] = "table-link"
    port: Annotated[Path | None, File("a serial device's path")] = None
    usb: Annotated[str | None, Text("VENDOR:PRODUCT[:SERIAL]")] = None
    baud: Annotated[int, Range("bits per second", SLOWEST, FASTEST)] = 115200


@dataclass(frozen=True, slots=True)
class MultiplierKeys:
    """``[multiplier]``."""

    weights: Annotated[
        Mapping[str, object], Expected("multiplier = weight for every games multiplier")
    ]
    spin_ms: Annotated[int, Range("milliseconds that the meter spins", 0, 60_000)] = SPIN_MS


@dataclass(frozen=True, slots=True)
class StateKeys:
    """``[state]``: the directories of the journal and its copy, and the files of key and heads."""

    directory: Annotated[Path, File("the directory of the journal"), Usual(STATE_DIRECTORY)]
    copy: Annotated[Path | None, File("a directory on another medium")] = None
    key: Annotated[
        Path | None,
        File("the file of the controller's key"),
        _in_state(KEY),
    ] = None
    heads: Annotated[Path | None, File("the file of signed heads"), _in_state(HEADS)] = None


@dataclass(frozen=True, slots=True)
class PeopleKeys:
    """``[people]``."""

    file: Annotated[
        Path | None,
        File("the file of people known by PIN"),
        _in_state(PEOPLE),
    ] = None


SECTIONS: Final[Mapping[str, type]] = {
    "table": TableKeys,
    "devices": DeviceKeys,
    "multiplier": MultiplierKeys,
    "state": StateKeys,
    "people": PeopleKeys,
    "control": ControlSettings,
    "approved": Approved,
    "archive": ArchiveSettings,
    "floor": MirrorSettings,
    "witness": WitnessSettings,
}
"""The tables of a file; of devices each, of witnesses every one."""
