"""A table at which the button is offered, driven step by step as the model is.

The table is dealt once; what is played begins with its journal and no process. The generator gives
as many multipliers as there are tickets, so that a second draw gives another one; a multiplier is
compared by which draw it was.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Mapping
from enum import IntEnum
from functools import partialmethod
from pathlib import Path
from typing import Final

from controller.control.protocol import Request
from controller.journal.commits import read_cover
from controller.journal.keys import read_key
from controller.journal.schema import FILE_NAME
from controller.table.state.table import Table
from proof.models.draw.process import SUPERVISOR, Cut, Process, ProcessBench
from proof.models.draw.steps import FAULTS, Round, State, Step
from simulators.jackpot import ARMED, SPINNING

_ROUNDS: Final = {
    "jackpot.armed": Round.ARMED,
    "jackpot.drawing": Round.DRAWING,
    "jackpot.paying": Round.PAYING,
}
_ASKED: Final = {"METER": 1, "ARM": 2, "SHOW": 3, "DISARM": 4, "BLANK": 5}


class DrawBench(ProcessBench):
    """The bench of the draw."""

    known, layout, faults = Step, State, FAULTS

    def __init__(self, folder: Path, bounds: Mapping[str, int]) -> None:
        super().__init__(folder, bounds)
        self.left = bounds["FAULTS"]
        self.process: Process | None = None
        self.drawn: list[int] = []
        self.stored, self.stored_held = (Round.ARMED, 0), 0
        self._live().deal()
        self._end_life()
        self.unit.restart()

    def possible(self) -> list[Step]:
        """What can happen now."""
        life, unit = self.process, self.unit.model
        link = life.link if life is not None else None
        up = link is not None and link.up
        waiting = life is not None and life.committer.waits
        here = {
            Step.PRESS: unit.state == ARMED,
            Step.SPUN: unit.state == SPINNING,
            Step.EVENT_COMES: link is not None and up and link.coming > 0,
            Step.UNIT_ACTS: link is not None and link.asked is not None and link.acted is None,
            Step.ANSWER_COMES: link is not None and link.acted is not None,
            Step.COMMIT: waiting,
            Step.JOIN: life is not None and not up,
            Step.RESUME: life is not None and life.owner.table.hold is not None,
            Step.START: life is None,
            Step.ABANDONED: not up and unit.state == ARMED,
            Step.BREAK: up,
            Step.KILL: life is not None,
            Step.KILL_BEHIND_COMMIT: waiting,
            Step.KILL_BEFORE_ROW: waiting,
            Step.KILL_BEFORE_COMMIT: waiting,
            Step.POWER_CUT: life is not None,
        }
        faults = self.left > 0
        return [step for step in Step if here.get(step, True) and (faults or step not in FAULTS)]

    def carry_out(self, step: IntEnum) -> tuple[int, ...]:
        """Take a possible step."""
        self.left -= step in FAULTS
        fields = super().carry_out(step)
        if self.process is not None:
            self._note_draw(self.process.owner.table)
            self.wrong += [f"the process stops: {why}" for why in self.process.stopped]
        return fields

    # ---- steps --------------------------------------------------------------------------------

    def _step_press(self) -> None:
        self.unit.press()

    def _step_spun(self) -> None:
        self.unit.spun()
        for offer, figures in self.unit.figures.items():
            if len(figures) > 1:
                self.wrong.append(f"the meter has shown {len(figures)} figures for offer {offer}")

    def _step_event_comes(self) -> None:
        life = self._life()
        life.inside(life.link.next_event)

    def _step_unit_acts(self) -> None:
        link = self._life().link
        assert link.asked is not None
        if link.asked[0] == "SHOW" and not self.early:
            figure = self.drawn.index(int(str(link.asked[1]["multiplier"]))) + 1
            if figure != self.stored[1]:
                self.wrong.append(f"draw {figure} is shown and not stored")
        link.acts()
        assert link.acted is not None
        if link.acted.nak is not None:
            self.wrong.append(f"the unit refuses {link.asked and link.asked[0]}")

    def _step_answer_comes(self) -> None:
        life = self._life()
        life.inside(life.link.answers)

    def _step_commit(self) -> None:
        life = self._life()
        self._stores(life)
        life.inside(life.committer.commit)

    def _step_join(self) -> None:
        life = self._life()
        life.inside(life.link.join)

    def _step_resume(self) -> None:
        life = self._life()
        life.start_saying(
            life.handler.command(
                Request(1, "supervisor", "resume", "P. Marsh", "as the floor saw it"), SUPERVISOR
            )
        )

    def _step_start(self) -> None:
        if not self._covered():
            self.wrong.append("the last entry is covered by no signature")
        life = self._live()
        table = life.owner.table
        self._note_draw(table)
        self.stored = self._round(table), self.stored[1]
        self.stored_held = int(table.hold is not None)

    def _step_abandoned(self) -> None:
        self.unit.model.abandoned()

    def _step_break(self) -> None:
        if self.process is not None:
            self.process.inside(self.process.link.breaks)

    def _step_unit_restarts(self) -> None:
        self._step_break()
        self.unit.restart()

    def _step_unit_forgets(self) -> None:
        self._step_break()
        self.unit.forget()

    def _step_kill(self) -> None:
        self._end_life()

    def _step_kill_behind_commit(self) -> None:
        life = self._life()
        self._stores(life)
        life.committer.write()
        self._end_life()

    def _step_power_cut(self) -> None:
        self._end_life()
        self.boot += 1

    # ---- within -------------------------------------------------------------------------------

    def _live(self) -> Process:
        self.process = Process(self)
        self.process.begin_process()
        return self.process

    def _cut(self, where: Step) -> None:
        life = self._life()
        if self.apart:
            self._stores(life)
        life.journal.cut = where
        with contextlib.suppress(Cut):
            life.committer.write()
        self._end_life()

    _step_kill_before_row = partialmethod(_cut, Step.KILL_BEFORE_ROW)
    _step_kill_before_commit = partialmethod(_cut, Step.KILL_BEFORE_COMMIT)

    def _covered(self) -> bool:
        """Whether the signed row covers the last entry on disk."""
        key = read_key(self.folder / "key").public
        with contextlib.closing(sqlite3.connect(self.folder / FILE_NAME)) as connection:
            return not read_cover(connection, [key]).wrong

    def _end_life(self) -> None:
        self._life().kill_process()
        self.process = None

    def _life(self) -> Process:
        assert self.process is not None
        return self.process

    def _stores(self, life: Process) -> None:
        """What is about to be stored: who is paid was shown."""
        self.stored = self._round(life.owner.table), self._figure(life.owner.table)
        self.stored_held = int(life.owner.table.hold is not None)
        if self.stored[0] is Round.DRAWING and not self.stored[1]:
            self.wrong.append("a press is stored without its draw")
        offer = life.owner.table.jackpot.offer
        if self.stored[0] is Round.PAYING and offer is not None:
            shown = self.unit.figures.get(offer.number, set())
            if shown != {offer.multiplier}:
                self.wrong.append(f"{offer.multiplier}x is paid, the meter has shown {shown}")

    def _note_draw(self, table: Table) -> None:
        offer = table.jackpot.offer
        if offer is not None and offer.multiplier and offer.multiplier not in self.drawn:
            self.drawn.append(offer.multiplier)

    def _label(self, multiplier: int) -> int:
        return self.drawn.index(multiplier) + 1 if multiplier in self.drawn else 0

    def _figure(self, table: Table) -> int:
        self._note_draw(table)
        offer = table.jackpot.offer
        return self._label(offer.multiplier) if offer is not None and offer.multiplier else 0

    def _round(self, table: Table) -> Round:
        assert table.rnd is not None
        return _ROUNDS[table.rnd.state]

    def close(self) -> None:
        """It was enough."""
        if self.process is not None:
            self._end_life()

    # ---- what is compared ---------------------------------------------------------------------

    def state(self) -> State:
        """What the model's state is compared with. Without a process the table is that on disk."""
        life, unit = self.process, self.unit.model
        shows = self._label(unit.multiplier) if unit.state in (2, 3) else 0
        rest = (*self.stored, unit.state, int(unit.offer in unit.pressed), shows)
        events = (len(self.unit.held), self.left, int(self._covered()))
        if life is None:
            return State(0, 0, 0, *self.stored, self.stored_held, 0, 0, 0, *rest, *events)
        link, table = life.link, life.owner.table
        return State(
            1,
            int(link.up),
            int(life.fleet.devices["jackpot"].known is not None),
            self._round(table),
            self._figure(table),
            int(table.hold is not None),
            int(life.committer.waits),
            _ASKED[link.asked[0]] if link.asked else 0,
            int(link.acted is not None),
            *rest,
            *events,
        )
