"""What people are shown of the table, since which entry (the status's ``at``), and the answers to
keyed commands, so that a command that is given again is not carried out again. The rules:

- ``at`` is the number of the last entry that changed one of :data:`COMPARED`. A person who decides
  by what he has seen gives it with his command: on a table that has changed it is refused.
- What is compared is found once for each entry, when somebody needs it and before the next entry
  at the latest; the rest of the status when somebody asks for it.
- A draw right behind its press is of one moment with it: it is committed with it, nobody sees the
  table between the two, and ``at`` is the press's.
- A restart in the same boot keeps ``at`` where it brings nothing to another value: as soon as the
  devices are back and all is as it was, ``at`` is as it was, too. So it is behind a command that
  had to wait for the shoe's gate and is refused: meanwhile nothing was permitted.
- A replay makes few statuses, since one takes several times as long as playing an entry. So it may
  find that it does not know ``at``: then it is not :attr:`ShownState.certain`.
- A client that lost the answer to a command cannot know whether it was carried out. With a ``key``
  of its own choosing it may give it again: the last :data:`MOST` keyed commands that were carried
  out are remembered, with their answers, and found again in the entries behind a snapshot.
- Neither is part of the play: both are stored beside the table with each snapshot.
"""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from controller.forms.json_values import JsonObject, checked
from controller.journal.canonical import canonical, decode
from controller.journal.model import Entry
from controller.table.events.event import Event
from controller.table.events.of_controller import ControllerStarted
from controller.table.events.of_people import PersonCommanded, SupervisorCommanded
from controller.table.jackpot import PRESSES
from controller.table.outcome import CommandResult, Outcome
from controller.table.showing.prompt import Prompt
from controller.table.showing.status import StatusLook, answer
from controller.table.showing.status_fields import Status
from controller.table.state.table import Table

KEY: Final = "key"  # in the body of a command
MOST: Final = 256  # so many answers are remembered
COMMANDS: Final = frozenset({"dealer", "supervisor"})
"""Types of events that may have a key. (A device's KEY has a field of that name.)"""


def has_key(entry: Entry) -> bool:
    """Whether the entry is a command that has a key."""
    return entry.type in COMMANDS and entry.body.get(KEY) is not None


@dataclass(frozen=True, slots=True)
class Keyed:
    """A keyed command: what identifies it, and its answer, compressed; one that still waits has
    the number of its ``entry`` at the table and no answer."""

    said: tuple[str, ...]
    answer: bytes = b""
    entry: int | None = None


class Answers:
    """The answers by their keys, the latest last; commands that still wait are beside them."""

    def __init__(self) -> None:
        self._kept: dict[str, Keyed] = {}
        self._waiting: dict[int, tuple[str, Keyed]] = {}

    def known(self, key: str) -> Keyed | None:
        """What is known under that key."""
        waits = (keyed for other, keyed in self._waiting.values() if other == key)
        return self._kept.get(key) or next(waits, None)

    def waits(self, key: str, said: tuple[str, ...], entry: int) -> None:
        """The command of that number has to wait for its result."""
        self._waiting[entry] = key, Keyed(said, entry=entry)

    def pop_waiting(self, result: CommandResult) -> tuple[str, tuple[str, ...]] | None:
        """A command that waited has its result: its key and what identifies it, where it has a key
        and was carried out."""
        found = self._waiting.pop(result.entry, None)
        return None if found is None or result.refused else (found[0], found[1].said)

    def remember(self, key: str, said: tuple[str, ...], answer: JsonObject) -> None:
        """Remember the answer; the oldest one is forgotten."""
        packed = zlib.compress(canonical(answer).encode("ascii"))
        self._kept.pop(key, None)
        self._kept[key] = Keyed(said, packed)
        while len(self._kept) > MOST:
            del self._kept[next(iter(self._kept))]

    def dump(self) -> list[object]:
        """Key, identity and answer of each, the oldest first, as a snapshot stores them."""
        return [
            [key, list(keyed.said), b64encode(keyed.answer).decode("ascii")]
            for key, keyed in self._kept.items()
        ]

    def load(self, plain: object) -> None:
        """Take what :meth:`dump` gave. Raises ValueError, TypeError: it is not that."""
        for key, said, packed in checked(list[list[object]], plain, "answers"):
            identified = tuple(checked(list[str], said, "said"))
            self._kept[str(key)] = Keyed(identified, b64decode(checked(str, packed, "answer")))


def identity(event: PersonCommanded) -> tuple[str, ...]:
    """What makes a command the same as another one."""
    why = event.why if isinstance(event, SupervisorCommanded) else None
    return event.type, event.command, event.by or "", why or "", *event.giver.key


def unpacked(answer: bytes) -> Mapping[str, object]:
    """A remembered answer."""
    return decode(zlib.decompress(answer).decode("ascii"))


SHOWN: Final = "shown"  # key of a snapshot's body with what is stored here

COMPARED: Final = (
    *("state", "round", "permitted", "turn", "boxes"),
    *("dealer", "meter", "offer", "owed", "held"),
)
"""Fields of the status; ``remedies`` are in ``held``."""

LEFT_OUT: Final = "shuffle "  # commands that come and go with the shuffler's progress begin so
SHOWS_NOTHING: Final = frozenset({"refused-attempt"})
"""Entries that change nothing of :data:`COMPARED`."""

OF_A_RESTART: Final = SHOWS_NOTHING | {
    *("start", "stop", "link", "condition", "gate", "shown", "refused", "readiness"),
    *("SHOE_STATE", "SHUFFLER_STATE"),
}
"""Entries by which a controller that was started again finds everything as it was, and a command
that waits for the gate has its result."""

_Compared = tuple[object, ...]


class ShownState:
    """What is shown of ``table``, which is as entry ``seq`` has left it. ``at`` is that of the last
    :meth:`find_status`."""

    def __init__(self, table: Table, seq: int = 0) -> None:
        self._table = table
        self.seq = seq
        self.at = seq
        self._sure = True
        self._guessed = False
        self.answers = Answers()
        self._entries = 0
        self._last = seq
        self._passed = False
        self._waits = self._ended = False
        self._boot = table.setup.boot_id
        self._before: tuple[_Compared, int, bool] | None = None
        self._pressed = False
        self._look = StatusLook(table)
        self._found = True
        self._compared = _compared(self._look.play) if table.started else ()

    # ---- what is shown ------------------------------------------------------------------------

    @property
    def prompt(self) -> Prompt:
        """What is awaited now. Raises ValueError: the table has not been started."""
        return self._look.awaited

    def find_status(self) -> Status:
        """The fields of the status that follow from the table's state now; ``at`` is that of now.
        Raises ValueError: the table has not been started."""
        self.compare()
        return self._look.status

    def compare(self) -> None:
        """Find ``at`` of now; raises as :meth:`find_status`."""
        if not self._found:
            self._found = True
            self._compare(_compared(self._look.play))

    def _compare(self, compared: _Compared) -> None:
        if compared != self._compared:
            before = self._before
            if before is not None and compared == before[0]:  # all is as it was
                _, self.at, self._sure = before
            else:
                self.at, self._sure = self._last, self._entries <= 1 and not self._passed
        elif self._entries > 1:  # it may have changed, and back again
            self._sure = False
        self._compared, self._entries = compared, 0
        if self._ended:
            self._before, self._ended = None, False

    @property
    def restarting(self) -> bool:
        """Whether a restart may still turn out to have changed nothing; a snapshot does not store
        what was shown before it."""
        return self._before is not None and self._before[0] != self._compared

    @property
    def certain(self) -> bool:
        """Whether ``at``, and that of every remembered answer, is known."""
        return self._sure and not self._guessed

    # ---- what happens -------------------------------------------------------------------------

    def before(self, kind: str) -> None:
        """An event of that type is about to be applied."""
        if self._table.started and not self._is_of_press(kind):
            self.compare()

    def _is_of_press(self, kind: str) -> bool:
        return self._pressed and kind == "draw"

    def stored(self) -> None:
        """An entry that is no event of the table, or was not taken by it, has its number."""
        self.seq += 1

    def happened(self, event: Event, outcome: Outcome, *, kept: bool = True) -> None:
        """The event was applied, as the next entry. ``kept`` False: the answer to it is known to be
        among those that are forgotten already."""
        self.seq += 1
        starts = isinstance(event, ControllerStarted)
        goes_on = isinstance(event, ControllerStarted) and event.boot_id == self._boot
        if self._ended:
            self._before, self._ended = None, False
        if event.type not in OF_A_RESTART or (starts and not goes_on):
            self._before, self._passed = None, False
        if goes_on and self._before is None and self._entries:
            self._passed = True  # what was shown before this start is not known
        waits = outcome.entry is not None
        if (goes_on or waits) and self._before is None and not self._entries:
            self._before, self._waits = (self._compared, self.at, self._sure), waits
        self._ended = self._waits and bool(outcome.answered)
        if event.type not in SHOWS_NOTHING:
            self._look, self._found = StatusLook(self._table), False
            if not self._is_of_press(event.type):
                self._last = self.seq
                self._entries += 1
        self._pressed = isinstance(event, PRESSES)
        self._boot = self._table.setup.boot_id
        if isinstance(event, PersonCommanded) and event.key is not None and kept:
            if outcome.entry is not None:
                self.answers.waits(event.key, identity(event), outcome.entry)
            else:
                self._remember(event.key, identity(event), outcome)
        for result in outcome.answered:
            if ended := self.answers.pop_waiting(result):
                self._remember(*ended, outcome)

    def _remember(self, key: str, said: tuple[str, ...], outcome: Outcome) -> None:
        self.answers.remember(key, said, self.answer(outcome))
        self._guessed = self._guessed or not self._sure

    def answer(self, outcome: Outcome) -> JsonObject:
        """The answer to the command that had this outcome, the last one."""
        return answer(self.find_status(), self.at, outcome.notes)

    # ---- stored -------------------------------------------------------------------------------

    def dump(self) -> JsonObject:
        """As a snapshot stores it."""
        self.compare()
        return {"at": self.at, "answers": self.answers.dump()}

    def load(self, plain: object) -> None:
        """Take what :meth:`dump` gave, of the table as it is now. Raises ValueError, TypeError,
        LookupError: it is not that."""
        stored = checked(dict[str, object], plain, SHOWN)
        self.at = checked(int, stored["at"], "at")
        self.answers.load(stored["answers"])


def _compared(play: Status) -> _Compared:
    permitted = [command for command in play["permitted"] if not command.startswith(LEFT_OUT)]
    return tuple(map({**play, "permitted": permitted}.get, COMPARED))
