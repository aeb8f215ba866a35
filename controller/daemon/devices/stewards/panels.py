"""The stewards of what only shows or shuffles: the dealer keypad and the shuffler."""

from __future__ import annotations

from controller.daemon.devices.stewards.base import Command, Steward
from controller.table.showing.wants import Wants
from drivers.api import Answer, LinkUp


class KeypadSteward(Steward):
    """Keeps the keypad's two rows and its lamps as wanted."""

    def __init__(self) -> None:
        self._up = False
        self._rows: list[str | None] = [None, None]
        self._lamps: int | None = None

    def link_up(self, up: LinkUp) -> None:
        """The keypad may show anything."""
        self._up, self._rows, self._lamps = True, [None, None], None

    def link_down(self) -> None:
        """The keypad says NO CONTROLLER by itself."""
        self._up = False

    def next_command(self, wants: Wants) -> Command | None:
        """The first thing that differs."""
        if not self._up:
            return None
        for row in (0, 1):
            if self._rows[row] != wants.rows[row]:
                return Command("TEXT", {"row": row, "text": wants.rows[row]})
        if self._lamps != wants.lamps:
            return Command("LAMPS", {"lit": wants.lamps})
        return None

    def answered(self, command: Command, answer: Answer) -> None:
        """Note what it shows; what it refuses is not sent again until it is to change."""
        if command.name == "TEXT":
            self._rows[int(str(command.fields["row"]))] = str(command.fields["text"])
        else:
            self._lamps = int(str(command.fields["lit"]))


class ShufflerSteward(Steward):
    """Starts a shuffle that the dealer asked for, once."""

    def __init__(self) -> None:
        self._up = False
        self._last_event = 0
        self._started: int | None = None

    def link_up(self, up: LinkUp) -> None:
        """Whether a shuffle was begun, or is over, its events say."""
        self._up, self._last_event, self._started = True, up.last_event, None

    def link_down(self) -> None:
        """A shuffle goes on without the controller."""
        self._up = False

    def next_command(self, wants: Wants) -> Command | None:
        """Start the set that is wanted."""
        if wants.shuffle is None:
            self._started = None
        if not self._up or wants.shuffler_taken < self._last_event:
            return None
        if wants.shuffle in (None, self._started):
            return None
        assert wants.shuffle is not None
        return Command("START", {"set": wants.shuffle})

    def answered(self, command: Command, answer: Answer) -> None:
        """Started, or refused: the shuffler's own state says the rest."""
        self._started = int(str(command.fields["set"]))
