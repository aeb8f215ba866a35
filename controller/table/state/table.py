"""The live table: its parts, and properties that combine several of them. The table is a function
of its events: only :func:`controller.table.apply.apply` changes it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Final

from controller.game.round import looks
from controller.game.round.refusal import Refused
from controller.game.round.remedies import Correction
from controller.game.round.state import Round
from controller.game.round.states import State
from controller.game.rules.schema import RuleSet
from controller.table.outcome import CommandResult, Outcome
from controller.table.settings import Settings
from controller.table.state.cards import Dealing, Shoe
from controller.table.state.device import Device
from controller.table.state.entering import Entering, Pending
from controller.table.state.holds import Hold, Holds, as_told
from controller.table.state.parts import (
    Betting,
    Course,
    Jackpot,
    Part,
    Phase,
    Readiness,
    Service,
    Setup,
)

CARD_IS_CHOSEN: Final = frozenset({State.PLAY_DECIDE, State.OFFERS_OPEN, State.PLAY_WITHDRAW})
"""States of a round in which a card is a player's choice; in the others it is due without one."""


@dataclass(slots=True)
class Table:
    """``devices`` are keyed by kind, of which there is one each, displays by name; ``outcome`` is
    the effect of the last event: a new one for each."""

    setup: Setup = field(default_factory=Setup)
    course: Course = field(default_factory=Course)
    devices: dict[str, Device] = field(default_factory=dict)
    holds: Holds = field(default_factory=Holds)
    shoe: Shoe = field(default_factory=Shoe)
    jackpot: Jackpot = field(default_factory=Jackpot)
    betting: Betting = field(default_factory=Betting)
    dealing: Dealing = field(default_factory=Dealing)
    entering: Entering = field(default_factory=Entering)
    service: Service = field(default_factory=Service)
    readiness: Readiness = field(default_factory=Readiness)
    outcome: Outcome = field(default_factory=Outcome)

    def parts(self) -> dict[str, Part]:
        """Every part by its name."""
        return {name: getattr(self, name) for name in PARTS}

    def note(self, words: str) -> None:
        """Add a note to the outcome: what the event did, in words."""
        self.outcome.notes.append(words)

    def hold_for(self, new: Hold) -> None:
        """Hold play: the hold is latched and reported."""
        self.note(new.reason)
        self.holds.add(new)
        self.entering.keypad.hush()

    def answer(self, pending: Pending, refused: Refused | None) -> None:
        """Report the result of a command that waited."""
        told = (refused.reason, refused.clause, refused.code) if refused else ()
        self.outcome.answered.append(CommandResult(pending.number, *told))
        if refused is not None:
            self.entering.keypad.forget()
        if pending.from_keypad:
            self.entering.keypad.tell_result(refused)
            if refused is None:
                self.entering.keypad.leave_menu()

    def changed_elsewhere(self, answer: str) -> None:
        """Drop the answer to a key that the keypad shows since before somebody else's command."""
        if self.entering.keypad.says == answer:
            self.entering.keypad.says = ""

    def refuse_pending(self, refused: Refused) -> None:
        """Refuse the command that waits, without regard to the gate."""
        pending, self.entering.pending = self.entering.pending, None
        if pending is not None:
            self.answer(pending, refused)

    # ---- settings -----------------------------------------------------------------------------

    @property
    def started(self) -> bool:
        """Whether a start record has been taken."""
        return self.setup.adopted is not None

    @property
    def settings(self) -> Settings:
        """The settings that the present round is played under; ValueError where the table has not
        been started."""
        if self.setup.adopted is None:
            raise ValueError("the table has not been started")
        return self.setup.adopted

    @property
    def rules(self) -> RuleSet:
        """The rules that the present round is played under."""
        return self.settings.rules

    # ---- where it stands ----------------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        """The phase of the table's sequence."""
        return self.course.phase

    @property
    def round_number(self) -> int:
        """The number of the round: it counts up when bets are opened."""
        return self.course.round_number

    @property
    def rnd(self) -> Round | None:
        """The round, from the closing of bets until it is cleared away."""
        return self.dealing.rnd

    @property
    def mid_round(self) -> bool:
        """Whether bets are closed and the round is not over."""
        return self.course.phase is Phase.PLAYING

    @property
    def in_service(self) -> bool:
        """Whether a technician tries the devices and nothing is played."""
        return self.course.phase is Phase.SERVICE

    @property
    def hold(self) -> Hold | None:
        """The hold that is to be dealt with first."""
        return self.holds.standing[0] if self.holds.standing else None

    @property
    def reason(self) -> str:
        """Why the table is held: every reason, the most serious first."""
        return "; ".join(hold.reason for hold in as_told(self.holds.standing))

    @property
    def state(self) -> str:
        """Dotted path of the state; of a held table, with the prefix that says so."""
        played = self.rnd and self.phase in (Phase.PLAYING, Phase.ENDED)
        state = str(self.rnd.state if self.rnd and played else self.phase)
        return f"held.{state}" if self.hold else state

    @property
    def clause(self) -> str:
        """The clause that governs the present state."""
        if self.rnd is not None and self.mid_round:
            return self.rnd.clause
        return self.rules.states.get(self.phase, "")

    @property
    def corrections(self) -> tuple[Correction, ...]:
        """Those of the round that are not judged yet."""
        return self.rnd.irregular.edits if self.rnd else ()

    @property
    def irregularity_open(self) -> bool:
        """Whether the round has an irregularity that waits for its remedy, until it is cleared
        (A-74)."""
        if self.rnd is None or self.rnd.irregular.irregularity is None:
            return False
        return self.rnd.state != State.VOID and (self.mid_round or self.phase is Phase.ENDED)

    # ---- the shoe's gate ----------------------------------------------------------------------

    @property
    def card_expected(self) -> bool:
        """Whether a card may leave the shoe now: for the round, or to be burned."""
        if not self.mid_round or self.rnd is None:
            return self.shoe.burning
        waits = self.dealing.kept is not None or bool(self.rnd.irregular.edits)
        return looks.card_expected(self.rnd) and not waits

    @property
    def gate_cards(self) -> int:
        """How many cards may leave the shoe now, one after the other, if it can give them."""
        waits = self.hold or self.entering.pending or self.entering.leftover
        if waits or not self.card_expected:
            return 0
        if self.shoe.burning:
            return 1
        assert self.rnd
        if looks.options_wait(self.rnd) and self.rnd.state not in CARD_IS_CHOSEN:
            return 0
        return looks.cards_in_sequence(self.rnd)

    @property
    def gate_open_for(self) -> int:
        """How many cards the gate should let pass now."""
        shoe = self.devices.get("shoe")
        return self.gate_cards if shoe and shoe.can_give else 0

    # ---- devices ------------------------------------------------------------------------------

    def has(self, kind: str) -> bool:
        """Whether a device of that kind is configured."""
        return kind in self.devices

    def is_up(self, kind: str) -> bool:
        """Whether a device of that kind is configured and its link is up."""
        return kind in self.devices and self.devices[kind].up

    def named(self, name: str | None) -> Device | None:
        """The device of that name in the configuration."""
        return next((device for device in self.devices.values() if device.name == name), None)


_NEW: Final = Table()
PARTS: Final = tuple(o.name for o in fields(_NEW) if isinstance(getattr(_NEW, o.name), Part))
"""The names of its parts."""
