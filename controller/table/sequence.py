"""The sequence of a table as a state machine: which trigger is permitted in which phase, and the
next phase.

:data:`ARROWS` are its transitions, taken by the library's own dispatch: by :func:`pull`, or by
:func:`check` those of a trigger that never leads to another phase, which have no effect and say
only that it is permitted. Whether one could be taken is asked with :func:`may`, which takes none.
:data:`REFUSALS` has the reason why a trigger without an arrow is refused in a phase. Every pair of
phase and trigger is in one of the two, unless only the program asks for it (:data:`PULLED`).

A hold is not a phase: it may be added to any phase, and the table continues from there afterwards.
It forbids the arrows that are ``not held``; a round in progress may end, be voided or be corrected
while the table is held.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from transitions import Machine, MachineError

from controller.game.round.refusal import Refused
from controller.game.round.states import State
from controller.table.state.parts import Phase
from controller.table.state.table import Table

CLOSED, IDLE, BETTING = Phase.CLOSED, Phase.IDLE, Phase.BETTING
PLAYING, ENDED, SERVICE = Phase.PLAYING, Phase.ENDED, Phase.SERVICE


CONDITIONS: Final[Mapping[str, Callable[[Table], bool]]] = {
    "not held": lambda table: table.hold is None,
    "not burning": lambda table: not table.shoe.burning,
    "both checked": lambda table: len(table.course.checked) == 2,
    "no card drawn": lambda table: not table.dealing.drawn,
    "over": lambda table: bool(table.rnd and table.rnd.is_over and not table.rnd.irregular.edits),
    "settled for now": lambda table: table.rnd is not None and table.rnd.state != State.VOID,
    "goes on": lambda table: table.rnd is not None and not CONDITIONS["over"](table),
    "just cleared": lambda table: table.dealing.cleared is not None,
    "was closed": lambda table: table.service.came_from is CLOSED,
}
"""What must be so for an arrow: a card to be burned is awaited or not; dealer and supervisor have
both checked the cards; no card of the round has left the shoe; the round is settled or void, and no
correction waits; what was settled can still be corrected; a correction has opened the round again,
or is not judged yet; the last round was cleared away and can still be corrected; service began at a
closed table."""


class PhaseArrow(NamedTuple):
    """One transition. ``dest`` None: the phase stays."""

    trigger: str
    source: Phase
    dest: Phase | None
    conditions: tuple[str, ...] = ()


ARROWS: Final = (
    PhaseArrow("inspect", CLOSED, IDLE, ("both checked",)),
    PhaseArrow("inspect", CLOSED, None),
    PhaseArrow("close_table", IDLE, CLOSED, ("not held", "not burning")),
    PhaseArrow("close_table", ENDED, CLOSED, ("not held", "not burning")),
    PhaseArrow("shift", CLOSED, None),
    PhaseArrow("shift", IDLE, None),
    PhaseArrow("adopt", CLOSED, None),
    PhaseArrow("adopt", IDLE, None),
    PhaseArrow("adopt", SERVICE, None),
    PhaseArrow("service_on", CLOSED, SERVICE),
    PhaseArrow("service_on", IDLE, SERVICE, ("not burning",)),
    PhaseArrow("service_off", SERVICE, CLOSED, ("was closed",)),
    PhaseArrow("service_off", SERVICE, IDLE),
    PhaseArrow("open", IDLE, BETTING, ("not held",)),
    PhaseArrow("open", ENDED, BETTING, ("not held",)),
    PhaseArrow("wager", BETTING, None, ("not held",)),
    PhaseArrow("burn", IDLE, None, ("not burning",)),
    PhaseArrow("burn", BETTING, None, ("not burning",)),
    PhaseArrow("squeeze", BETTING, None),
    PhaseArrow("squeeze", PLAYING, None, ("no card drawn",)),
    PhaseArrow("close", BETTING, PLAYING, ("not held",)),
    PhaseArrow("step", PLAYING, None, ("not held",)),
    PhaseArrow("put_right", PLAYING, None),
    PhaseArrow("put_right", ENDED, None, ("settled for now",)),
    PhaseArrow("void", PLAYING, None),
    PhaseArrow("void", ENDED, None, ("settled for now",)),
    PhaseArrow("call_back", PLAYING, BETTING, ("no card drawn",)),
    PhaseArrow("end", PLAYING, ENDED, ("over",)),
    PhaseArrow("reopen", ENDED, PLAYING, ("goes on",)),
    PhaseArrow("bring_back", IDLE, ENDED, ("just cleared",)),
    PhaseArrow("next", ENDED, IDLE, ("not held",)),
)


class RefusalText(NamedTuple):
    """Why a trigger without an arrow is refused: ``text`` is formatted with the state and ``what``
    was entered; ``short`` is for a keypad's row, by phase where it differs; ``clause`` is a
    function of the table, where there is a clause."""

    text: str
    short: str | Mapping[Phase, str]
    clause: Callable[[Table], str] = lambda table: ""


def _of_state(table: Table) -> str:
    return table.clause


REFUSALS: Final[Mapping[str, RefusalText]] = {
    "inspect": RefusalText("the table is not closed ({state})", "TABLE IS OPEN"),
    "close_table": RefusalText(
        "the table can be closed only between rounds ({state})", "ROUND NOT OVER"
    ),
    "shift": RefusalText(
        "a shift begins between rounds ({state}): clear the round first (next)", "ROUND NOT OVER"
    ),
    "service_on": RefusalText(
        "service begins between rounds ({state}): clear the round first (next)",
        {IDLE: "BURN FIRST", SERVICE: "IN SERVICE"}
        | dict.fromkeys((BETTING, PLAYING, ENDED), "ROUND NOT OVER"),
    ),
    "service_off": RefusalText("the table is not in service ({state})", "NOT IN SERVICE"),
    "open": RefusalText(
        "bets cannot be opened now ({state})",
        {
            BETTING: "BETS ARE OPEN",
            CLOSED: "TABLE IS CLOSED",
            PLAYING: "ROUND NOT OVER",
            SERVICE: "IN SERVICE",
        },
        _of_state,
    ),
    "wager": RefusalText(
        "no wager may be placed, changed or taken out now ({state})",
        "BETS NOT OPEN",
        lambda table: table.rules.betting.closed.clause,
    ),
    "burn": RefusalText(
        "only the first card of a new shoe is burned, before bets are closed",
        "NOTHING TO BURN",
        lambda table: table.rules.shoe.burn.clause,
    ),
    "squeeze": RefusalText(
        "squeezing is granted before the cards of the round ({state})",
        "BEFORE CARDS",
        lambda table: table.rules.deal.squeeze.clause,
    ),
    "close": RefusalText("bets are not open ({state})", "BETS NOT OPEN", _of_state),
    "step": RefusalText(
        "{what} is not permitted now ({state})",
        {
            CLOSED: "TABLE IS CLOSED",
            IDLE: "OPEN BETS: O",
            BETTING: "CLOSE BETS: N",
            ENDED: "ROUND IS OVER",
            SERVICE: "IN SERVICE",
        },
        _of_state,
    ),
    "put_right": RefusalText("{what} is not permitted now ({state})", "NO ROUND", _of_state),
    "void": RefusalText(
        "there is no round that could be void: bets are not closed, or it is void, or cleared",
        "NO ROUND TO VOID",
    ),
    "next": RefusalText("the round is not over ({state})", "ROUND NOT OVER", _of_state),
}
"""The refusals of triggers that people fire and that have no arrow from the present phase."""

PULLED: Final = frozenset({"adopt", "call_back", "end", "reopen", "bring_back"})
"""Triggers that only the program asks for (:func:`may`), never a person."""


def build_machine() -> Machine:
    """The machine of a table; it has no model of its own: a table's course carries its phase."""
    machine = Machine(
        model=None,
        states=list(Phase),
        initial=None,
        auto_transitions=False,
        model_attribute="phase",
    )
    for arrow in ARROWS:
        machine.add_transition(
            *arrow[:3], conditions=[CONDITIONS[name] for name in arrow.conditions]
        )
    return machine


MACHINE: Final = build_machine()
"""The one machine of all tables."""


_ARROWS_FROM: Final = {
    (phase, trigger): [a for a in ARROWS if a.source is phase and a.trigger == trigger]
    for phase, trigger in {(arrow.source, arrow.trigger) for arrow in ARROWS}
}
"""The arrows of each pair of phase and trigger that has one."""

_MOVING: Final = frozenset(arrow.trigger for arrow in ARROWS if arrow.dest)
"""Triggers that lead to another phase from some phase."""


def may(table: Table, trigger: str) -> bool:
    """Whether the trigger has an arrow from the present phase whose conditions hold."""
    arrows = _ARROWS_FROM.get((table.phase, trigger), ())
    return any(all(CONDITIONS[name](table) for name in arrow.conditions) for arrow in arrows)


def check(table: Table, trigger: str, what: object = "") -> None:
    """Check that a person may fire the trigger now, by entering ``what``; other guards may follow.
    One that never leads to another phase has been fired with that.

    Raises:
        Refused: with the words of :data:`REFUSALS`.
    """
    if not (may(table, trigger) if trigger in _MOVING else _fire(table, trigger)):
        raise refusal(table, trigger, what)


def check_not_in_service(table: Table) -> None:
    """Check that the table is not in service; raises :class:`Refused`."""
    if table.in_service:
        raise Refused(
            "the table is in service: nothing is played until a supervisor ends it (service off)",
            short="IN SERVICE",
        )


def refusal(table: Table, trigger: str, what: object = "") -> Refused:
    """The refusal of the trigger, with the words of :data:`REFUSALS`."""
    text, short, clause = REFUSALS[trigger]
    if not isinstance(short, str):
        short = short.get(table.phase, "HELD: SUPERVISOR")  # it has an arrow, but for a hold
    return Refused(text.format(state=table.state, what=what), clause(table), short)


def pull(table: Table, trigger: str) -> None:
    """Fire the trigger: the table takes the next phase.

    Raises:
        ValueError: the trigger has no such arrow; the caller has not asked :func:`may`.
    """
    if not _fire(table, trigger):
        raise ValueError(f"{trigger} is not possible now ({table.state})")


def _fire(table: Table, trigger: str) -> bool:
    """Take the first arrow from the present phase whose conditions hold; whether there was one."""
    try:
        return MACHINE.events[trigger].trigger(table.course, table)
    except MachineError:  # there is no arrow at all
        return False
