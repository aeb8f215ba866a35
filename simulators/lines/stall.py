"""A line that stalls: what comes in, or goes out, is held back until it is let go, or lost.

With it a moment can be made to last: an event that the controller has stored while its
acknowledgement has not arrived, a command that was carried out while its answer has not. Payloads
are held whole and in order; :meth:`Stall.names` says which, without the ``PING`` of an idle link.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from drivers.table_link.messages import ANSWER_BIT, SPECS

SMALL_TALK = "PING"


@dataclass(slots=True)
class Stall:
    """One direction of a line: ``held`` is None while it flows."""

    held: list[bytes] | None = None
    _let_go: list[bytes] = field(default_factory=list)

    def hold_back(self) -> None:
        """Hold back from now on."""
        if self.held is None:
            self.held = []

    def let_go(self, *, drop: bool) -> None:
        """Let flow again; what was held goes first, or is lost."""
        if self.held is not None and not drop:
            self._let_go += self.held
        self.held = None

    def clear(self) -> None:
        """The line is another one: nothing is held, nothing comes."""
        self.held = None
        self._let_go.clear()

    def through(self, payloads: list[bytes]) -> list[bytes]:
        """What passes now, of what was held before and what comes."""
        passing, self._let_go = self._let_go, []
        if self.held is None:
            return [*passing, *payloads]
        self.held += payloads
        return passing

    def names(self) -> list[str]:
        """The messages held: ``GATE``, ``CARD``; an answer as ``answer GATE``."""
        named = [_name(payload[1]) for payload in self.held or () if len(payload) > 1]
        return [name for name in named if not name.endswith(SMALL_TALK)]


def _name(number: int) -> str:
    spec = SPECS.get(number & ~ANSWER_BIT)
    name = spec.name if spec else f"0x{number:02X}"
    return f"answer {name}" if number & ANSWER_BIT else name
