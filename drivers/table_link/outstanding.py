"""The one command that is outstanding on a link (section 3, the controller's side).

The same bytes up to four times, each time waiting 150 ms (5 s for the long commands). RESET
is sent once. An answer is taken for the outstanding id only, with its type or as a NAK that
names its type. A device which is busy (NAK 4) is asked again after 100 ms under a new id, for
5 s at most; meanwhile nothing is outstanding, but the command keeps its turn.
"""

from __future__ import annotations

from dataclasses import dataclass

from drivers.table_link import timing
from drivers.table_link.messages import ANSWER_BIT, COMMANDS, NAK, seal


@dataclass(slots=True)
class OutstandingCommand:
    """A command from its first transmission to its end. ``token`` 0: the session's own."""

    token: int
    name: str
    body: bytes
    transmissions: int = timing.TRANSMISSIONS
    within_s: float = timing.ANSWER_WITHIN_S
    due: float = 0.0
    resting: bool = False
    _id: int = 0
    _payload: bytes = b""
    _sent: int = 0
    _busy_since: float | None = None

    @property
    def type(self) -> int:
        """The command's type number."""
        return COMMANDS[self.name].type

    @property
    def repeated(self) -> bool:
        """Whether it was transmitted more than once under its id."""
        return self._sent > 1

    def transmit_first(self, command_id: int, now: float) -> bytes:
        """The first transmission under an id of its own."""
        self._id = command_id
        self._payload = seal(self.type, command_id, self.body)
        self._sent = 0
        self.resting = False
        return self._transmit(now)

    def transmit_again(self, now: float) -> bytes | None:
        """The next transmission, the same bytes; None when there were enough."""
        return self._transmit(now) if self._sent < self.transmissions else None

    def _transmit(self, now: float) -> bytes:
        self._sent += 1
        self.due = now + self.within_s
        return self._payload

    def age_us(self, now: float) -> int:
        """Whole microseconds since the last transmission."""
        return round((now - self.due + self.within_s) * 1e6)

    def matches(self, number: int, command_id: int, refused: int | None) -> bool:
        """Whether an answer (a NAK: of type ``refused``) belongs to this command."""
        if self.resting or command_id != self._id:
            return False
        return refused == self.type if number == NAK else number == self.type | ANSWER_BIT

    def rest(self, now: float) -> bool:
        """The device is busy: wait, then begin again. False when it was so for too long."""
        if self._busy_since is None:
            self._busy_since = now
        self.due = now + timing.BUSY_AGAIN_AFTER_S
        self.resting = True
        return self.due <= self._busy_since + timing.BUSY_AT_MOST_S


def request(token: int, name: str, body: bytes) -> OutstandingCommand:
    """A request with the transmissions and the patience that its command has."""
    return OutstandingCommand(
        token,
        name,
        body,
        transmissions=1 if name == "RESET" else timing.TRANSMISSIONS,
        within_s=timing.answer_within_s(name),
    )


class CommandIds:
    """Ids count up from a random start; 65535 is followed by 1."""

    __slots__ = ("_next",)

    def __init__(self, first: int) -> None:
        if not 1 <= first <= 0xFFFF:
            raise ValueError(f"first command id {first} is not within 1 to 65535")
        self._next = first

    def next_id(self) -> int:
        """The next id."""
        command_id = self._next
        self._next = command_id % 0xFFFF + 1
        return command_id
