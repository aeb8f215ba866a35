"""Which commands a device has answered and which it still runs (section 3, the device's side).

The last eight answers are kept, so that a repeated command is answered without being done again;
a command which is still running is known by its id until it is answered.
"""

from __future__ import annotations

from collections import OrderedDict

from drivers.table_link import timing


class AnswerMemory:
    """Commands since the last HELLO, by their ids."""

    __slots__ = ("_answers", "_running")

    def __init__(self) -> None:
        self._answers: OrderedDict[int, bytes] = OrderedDict()
        self._running: dict[int, int] = {}

    def forget(self) -> None:
        """HELLO: no answer is given twice, none is owed."""
        self._answers.clear()
        self._running.clear()

    def knows(self, command_id: int) -> bool:
        """Whether a command with this id was taken before."""
        return command_id in self._answers or command_id in self._running

    def answer_given(self, command_id: int) -> bytes | None:
        """The answer to repeat; None while the command runs."""
        return self._answers.get(command_id)

    def note_running(self, command_id: int, number: int) -> None:
        """A command of type ``number`` is being acted on."""
        self._running[command_id] = number

    def running(self, command_id: int) -> int | None:
        """The type of the running command; None when nothing is owed under this id."""
        return self._running.get(command_id)

    def remember(self, command_id: int, answer: bytes) -> None:
        """The command is answered; the oldest answer above eight is forgotten."""
        self._running.pop(command_id, None)
        self._answers[command_id] = answer
        if len(self._answers) > timing.ANSWERS_REMEMBERED:
            self._answers.popitem(last=False)
