"""Events: the only input of the live table, as the journal stores them.

=============  ==================================================================================
type           what happened; fields of ``body``
=============  ==================================================================================
``start``      the controller started: ``boot_id``, ``settings``, ``versions``, ``differences``
               found when it replayed its journal, ``first_offer`` from which a new journal
               numbers its offers, ``digests`` of program, libraries, configuration, rules and
               weights, ``configuration``: its values by key, ``program`` in full,
               ``sealing``: the key that signs the journal, and ``found``: what is wrong with
               its signature
``stop``       it stopped in good order
``link``       a device's link: ``up``, and either ``serial``, ``new_session``, ``last_event``
               (and who it is), or ``reason``; ``unheard`` for a device that is not heard
               before it is accepted, which earlier versions do not say
``gate``       the shoe has locked its gate: for which ``entry`` (below 0: after which void
               round), ``last_event``
``dealer``     a command of the dealer: ``command``, ``user``, ``uid`` (the user's number);
               ``person`` where he has signed in by PIN, ``by`` then being the same
``supervisor`` a command of the supervisor: ``command``, ``by``, ``why``, ``user``, ``uid``,
               ``person`` as above
``person``     who is known by PIN has changed: ``change`` (``add``, ``pin``, ``remove``), of
               whom (``of``) with which ``role``; ``user``, ``uid``
``draw``       a drawn multiplier: ``box``, ``multiplier`` and the evidence of the draw
``overdue``    the meter has not reported what it was told to show: ``offer``
``pressed``    the jackpot unit was queried and reports that it was pressed: ``offer_id``
``shown``      the jackpot unit was queried and shows what was drawn: ``offer_id``,
               ``multiplier``
``refused``    a device refuses a command: ``command``, ``code`` (protocol section 3)
``condition``  a condition of the controller itself has begun or ended: ``fault`` (its code),
               ``present``, ``detail`` in plain words; ``clock_since``: the clock was accepted,
               and times of entries up to that number count no more
``refused-attempt``
               a client was refused a command beyond its role at the control socket:
               ``user``, ``uid``, ``pid``, ``what``, ``why``, ``count`` (above 1: the
               number of attempts that this event reports)
``device-command``
               a technician has a device carry out a command, in service: ``command``,
               ``fields``, ``user``
``device-tested``
               a device was tested: ``test``, ``ok``, ``what``, ``by_hand``, ``at``, ``user``
``readiness``  the report before opening: ``ready``, ``checks``, ``counted``, ``at``, ``user``
``head``       of earlier versions: a head of the journal was signed
``CARD`` …     an event of a device under its name in the link protocol
=============  ==================================================================================
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from controller.json_values import JsonObject, checked
from controller.round.result_fields import SettlementResult

ROUND: Final = "round"
"""Key of an outcome in the journal: the number of the round that the event has opened."""
TO: Final = "to"
"""Key of an outcome in the journal: the place where a card was put (:mod:`.dealing.lying`)."""
HANDS: Final = "hands"
"""Key of an outcome in the journal: the hands that the event has changed otherwise."""
ENDED: Final = "ended"
"""Key of an outcome in the journal: the faults whose holds a supervisor's ``resume`` has ended."""
ADDED: Final = (ROUND, TO, HANDS, ENDED)
"""What the entries of earlier versions do not tell, where they might."""


@dataclass(frozen=True, slots=True)
class Event:
    """One event. ``device``, ``session`` and ``event_no`` are those of a device's event or link;
    ``offer`` is the number of a draw's offer."""

    type: str
    body: JsonObject
    device: str | None = None
    session: int | None = None
    event_no: int | None = None
    offer: int | None = None

    def whole(self, name: str, default: int | None = None) -> int:
        """The whole number in that field of the body; without a default it is required.

        Raises:
            WrongForm: there is none.
        """
        return checked(int, self.body.get(name, default), name)


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The result of a command: accepted, or refused with the reason. ``entry`` is the number of the
    command at this table, so that a later answer reaches the client that made it. The
    journal stores neither ``clause`` nor ``code``."""

    entry: int
    refused: str = ""
    clause: str = ""
    code: str = ""


@dataclass(slots=True)
class Outcome:
    """The effect of an event: ``state`` after it, ``notes`` as sentences, ``settlements`` made by
    it, and the results of commands (also of one that had to wait). ``entry`` is the number given to
    a command that has to wait for the shoe's gate; ``opened`` that of the round whose bets it has
    opened; ``to`` the place where a card was put, ``hands`` what else has changed, as cards by
    place; ``ended`` are the faults whose holds a ``resume`` has ended. ``carried_out`` are the
    dealer's commands that took effect with it, also those that keys made: a replay finds them
    again, so the journal does not store them."""

    state: str = ""
    notes: list[str] = field(default_factory=list)
    settlements: list[SettlementResult] = field(default_factory=list)
    answered: list[CommandResult] = field(default_factory=list)
    entry: int | None = None
    opened: int | None = None
    to: str | None = None
    hands: dict[str, str] = field(default_factory=dict)
    ended: list[str] = field(default_factory=list)
    carried_out: list[str] = field(default_factory=list)

    def as_body(self) -> dict[str, object]:
        """The outcome as the journal stores it, for comparison on replay."""
        after: dict[str, object] = {"state": self.state}
        if self.opened is not None:
            after[ROUND] = self.opened
        if self.to is not None:
            after[TO] = self.to
        if self.hands:
            after[HANDS] = self.hands
        if self.ended:
            after[ENDED] = self.ended
        if self.notes:
            after["notes"] = self.notes
        if self.settlements:
            after["settlements"] = self.settlements
        if self.answered:
            after["answered"] = [
                {"entry": a.entry, "refused": a.refused} if a.refused else {"entry": a.entry}
                for a in self.answered
            ]
        return after
