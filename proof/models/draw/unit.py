"""The jackpot unit and its link, as the model of the draw has them: above the frames.

That every event arrives once and in order, whatever the line does, is what the model of the link is
about. Here a link is there or not, and a command is carried out, and answered, or not.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from drivers.api import Answer, DeviceListener, Identity, Value
from proof.held_link import HeldLink
from simulators.jackpot import Jackpot
from simulators.model import Fields, NakError

UNIT = Identity("jackpot", "J1", (1, 0, 0), "00" * 8, 0)


class Unit:
    """The unit's twin with its events: ``held`` are those not acknowledged, by number. A second is
    as long as the one who turns the clock says."""

    def __init__(self) -> None:
        self.now = 0.0
        self.session = 0
        self.last_event = 0
        self.served = True
        self.held: deque[tuple[int, str, Fields]] = deque()
        self.figures: dict[int, set[int]] = {}
        self.presses = 0
        self.forget()

    def emit(self, name: str, fields: Fields) -> None:
        """An event is made."""
        self.last_event += 1
        self.held.append((self.last_event, name, dict(fields)))

    def tell_faults(self, faults: int) -> None:
        """There are none here."""
        raise AssertionError(f"faults {faults}")

    def restart(self) -> None:
        """Its power failed; events are kept, all else is not."""
        self.model = Jackpot(self)

    def forget(self) -> None:
        """Its power failed, and its events are lost: a new session, which begins with COVER."""
        self.session += 1
        self.last_event = 0
        self.held.clear()
        self.restart()
        for name, fields in self.model.present():
            self.emit(name, fields)

    def press(self) -> None:
        """The player presses the button."""
        self.model.do_press()

    def spun(self) -> None:
        """The spin ends: the figure is there to be seen."""
        self.now += 60.0
        self.model.tick()
        self.figures.setdefault(self.model.offer, set()).add(self.model.multiplier)

    def obey(self, name: str, fields: Mapping[str, Value]) -> Answer:
        """Carry out a command; its answer."""
        try:
            return Answer(name, fields=self.model.command(name, fields))
        except NakError as refused:
            return Answer(name, nak=refused.code)

    def stored(self, number: int) -> None:
        """Everything up to that event is on stable storage."""
        while self.held and self.held[0][0] <= number:
            self.held.popleft()


class UnitLink(HeldLink):
    """One process's link to the unit; ``acted`` is the answer, once the unit has acted."""

    def __init__(self, unit: Unit, listener: DeviceListener, resume: tuple[int, int]) -> None:
        super().__init__("jackpot", listener, resume)
        self.unit = unit
        self.stored = resume
        self.acted: Answer | None = None

    def acknowledge(self, session: int, event_no: int) -> None:
        """Everything up to there is stored."""
        self.stored = session, event_no
        if self.up:
            self._tell_stored()

    def _tell_stored(self) -> None:
        if self.stored[0] == self.unit.session:
            self.unit.stored(self.stored[1])

    def acts(self) -> None:
        """The unit gets the command."""
        assert self.asked is not None
        self.acted = self.unit.obey(self.asked[0], self.asked[1])

    def answers(self) -> None:
        """The answer arrives."""
        assert self.acted is not None
        acted, self.acted = self.acted, None
        self.answer(acted.fields, acted.nak)

    def next_event(self) -> None:
        """The next event arrives."""
        number, name, fields = next(held for held in self.unit.held if held[0] > self.last_event)
        self.last_event = number - 1
        self.event(name, fields, number)

    @property
    def coming(self) -> int:
        """How many events are still to come."""
        known = self.last_event if self.session == self.unit.session else 0
        return sum(number > known for number, *_ in self.unit.held)

    def join(self) -> None:
        """HELLO was answered."""
        self._tell_stored()
        dropped = self.unit.held[0][0] - 1 if self.unit.held else self.unit.last_event
        new = self.session != self.unit.session or self.last_event < dropped
        if new:
            self.last_event = dropped
        first, self.session = self.session == 0, self.unit.session
        self.come_up(UNIT, self.unit.last_event, new_session=new and not first)

    def breaks(self) -> None:
        """It does not answer any more."""
        self.acted = None
        self.go_down("it does not answer")
