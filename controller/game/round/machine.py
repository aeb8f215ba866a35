"""The sequence of a round as a state machine.

The table of transitions decides *whether and what next*; the settling functions decide what is
paid. States in :data:`~.states.PASSING` are left at once by ``advance``; in all others the round
waits. Triggers are ``card`` (a card leaves the shoe), ``press``, ``drawn`` and ``shown`` (the
jackpot unit), ``done`` (the present offer or display is over), the players' decisions by their
names, ``void`` and ``regroup`` (a hand may be out).

The machine is built once and holds no model: a round carries its own state. Conditions and actions
are functions of the round and of the trigger's arguments (:func:`fire`). No automatic transitions,
no queue.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import transitions
from transitions import EventData, Machine, Transition

from controller.game.round import actions as do
from controller.game.round import looks as when
from controller.game.round import offers
from controller.game.round.settling import bookkeeping, final, interim
from controller.game.round.state import Round
from controller.game.round.states import ENDED, PASSING, State
from controller.game.rules.schema import RuleSet

S: Final = State
"""Short, for the table of arrows."""


class Arrow(NamedTuple):
    """One transition. ``dest`` None: the state stays."""

    trigger: str
    source: State
    dest: State | None
    conditions: tuple[Callable[..., bool], ...] = ()
    before: tuple[Callable[..., None], ...] = ()


ARROWS: Final = (
    # initial deal: a card to each box, one to the dealer, a second to each box
    Arrow("card", S.DEAL_FIRST_CARDS, S.DEAL_FIRST_CARDS, (when.box_follows,), (do.give_box,)),
    Arrow("card", S.DEAL_FIRST_CARDS, S.DEAL_DEALER_CARD, (), (do.give_box,)),
    Arrow("card", S.DEAL_DEALER_CARD, S.DEAL_SECOND_CARDS, (), (do.give_dealer,)),
    Arrow("card", S.DEAL_SECOND_CARDS, S.DEAL_SECOND_CARDS, (when.box_follows,), (do.give_box,)),
    Arrow("card", S.DEAL_SECOND_CARDS, S.INTERIM_SIDE_WAGERS, (), (do.give_box,)),
    Arrow("regroup", S.DEAL_FIRST_CARDS, S.FINAL, (when.nobody_left,)),
    Arrow("regroup", S.DEAL_DEALER_CARD, S.FINAL, (when.nobody_left,)),
    Arrow("regroup", S.DEAL_SECOND_CARDS, S.FINAL, (when.nobody_left,)),
    Arrow("regroup", S.DEAL_FIRST_CARDS, S.DEAL_DEALER_CARD, (when.all_served,)),
    Arrow("regroup", S.DEAL_SECOND_CARDS, S.INTERIM_SIDE_WAGERS, (when.all_served,)),
    # interim settlement and the button
    Arrow("advance", S.INTERIM_SIDE_WAGERS, S.INTERIM_PONTOON, (), (interim.settle_on_first_two,)),
    Arrow(
        "advance",
        S.INTERIM_PONTOON,
        S.INTERIM_BUTTON,
        (),
        (interim.settle_pontoons, interim.settle_lost_at_button),
    ),
    Arrow("advance", S.INTERIM_BUTTON, S.JACKPOT_ARMED, (when.winner_waits,), (do.offer_button,)),
    Arrow("advance", S.INTERIM_BUTTON, S.OFFERS_OPEN, (offers.offers_left,)),
    Arrow("advance", S.INTERIM_BUTTON, S.PLAY_NEXT_HAND),
    Arrow("nominate", S.JACKPOT_ARMED, None, (), (do.hand_over_button,)),
    Arrow("press", S.JACKPOT_ARMED, S.JACKPOT_DRAWING),
    Arrow("drawn", S.JACKPOT_DRAWING, None, (), (do.take_multiplier,)),
    Arrow("shown", S.JACKPOT_DRAWING, S.JACKPOT_PAYING, (), (interim.settle_won_at_button,)),
    Arrow("done", S.JACKPOT_PAYING, S.INTERIM_BUTTON, (), (do.box_served,)),
    # offers
    Arrow("insure", S.OFFERS_OPEN, None, (), (do.place_insurance,)),
    Arrow("surrender", S.OFFERS_OPEN, None, (), (do.place_surrender,)),
    Arrow("done", S.OFFERS_OPEN, S.PLAY_NEXT_HAND),
    Arrow("regroup", S.OFFERS_OPEN, S.OFFERS_AGAIN),
    # the dealer's missing first card, and the offers that follow it
    Arrow("card", S.PLAY_DEALER_CARD, S.OFFERS_AGAIN, (), (do.give_dealer_late,)),
    Arrow("regroup", S.PLAY_DEALER_CARD, S.FINAL, (when.first_card_is_moot,)),
    Arrow("advance", S.OFFERS_AGAIN, S.PLAY_DEALER_CARD, (when.dealer_card_owed,)),
    Arrow("advance", S.OFFERS_AGAIN, S.OFFERS_OPEN, (offers.offers_left,)),
    Arrow("advance", S.OFFERS_AGAIN, S.PLAY_NEXT_HAND),
    # the players' hands, one after the other
    Arrow("advance", S.PLAY_NEXT_HAND, S.PLAY_DEALER_CARD, (when.dealer_card_owed,)),
    Arrow(
        "advance", S.PLAY_NEXT_HAND, S.PLAY_SPLIT_CARD, (when.hand_needs_card,), (do.begin_turn,)
    ),
    Arrow("advance", S.PLAY_NEXT_HAND, S.PLAY_DOUBLE_CARD, (when.double_waits,), (do.begin_turn,)),
    Arrow("advance", S.PLAY_NEXT_HAND, S.PLAY_BOUGHT_CARD, (when.buy_waits,), (do.begin_turn,)),
    Arrow(
        "advance", S.PLAY_NEXT_HAND, S.PLAY_NEXT_HAND, (when.house_stands,), (do.end_absent_hand,)
    ),
    Arrow("advance", S.PLAY_NEXT_HAND, S.PLAY_FORCED_CARD, (when.only_hit,), (do.begin_turn,)),
    Arrow("advance", S.PLAY_NEXT_HAND, S.PLAY_DECIDE, (when.hand_waits,), (do.begin_turn,)),
    Arrow("advance", S.PLAY_NEXT_HAND, S.DEALER_SECOND_CARD, (when.dealer_plays,), (do.end_turns,)),
    Arrow("advance", S.PLAY_NEXT_HAND, S.FINAL, (), (do.end_turns,)),
    Arrow("follow", S.PLAY_SPLIT_CARD, None, (), (do.follow_split,)),
    Arrow("place", S.PLAY_SPLIT_CARD, None, (), (do.choose_hand,)),
    Arrow("card", S.PLAY_SPLIT_CARD, S.PLAY_NEXT_HAND, (), (do.give_hand,)),
    Arrow("card", S.PLAY_FORCED_CARD, S.PLAY_NEXT_HAND, (), (do.give_hand,)),
    Arrow("hit", S.PLAY_FORCED_CARD, None, (), (do.ask_for_card,)),
    Arrow("hit", S.PLAY_DECIDE, None, (), (do.ask_for_card,)),
    Arrow("card", S.PLAY_DECIDE, S.PLAY_NEXT_HAND, (), (do.give_hand,)),
    Arrow("free", S.PLAY_DECIDE, None, (), (do.ask_for_card,)),
    Arrow("buy", S.PLAY_DECIDE, S.PLAY_BOUGHT_CARD, (), (do.buy_card,)),
    Arrow("card", S.PLAY_BOUGHT_CARD, S.PLAY_NEXT_HAND, (), (do.give_hand,)),
    Arrow("surrender", S.PLAY_DECIDE, S.PLAY_NEXT_HAND, (), (do.give_up_hand,)),
    Arrow("absent", S.PLAY_DECIDE, S.PLAY_NEXT_HAND, (), (do.leave_to_house,)),
    Arrow("stand", S.PLAY_DECIDE, S.PLAY_NEXT_HAND, (), (do.end_hand,)),
    Arrow("split", S.PLAY_DECIDE, S.PLAY_NEXT_HAND, (), (do.split_hand,)),
    Arrow("double", S.PLAY_DECIDE, S.PLAY_DOUBLE_CARD, (), (do.double_hand,)),
    Arrow("double", S.PLAY_DOUBLE_CARD, None, (), (do.double_hand,)),
    Arrow("card", S.PLAY_DOUBLE_CARD, S.PLAY_WITHDRAW, (when.may_withdraw_after,), (do.give_hand,)),
    Arrow("card", S.PLAY_DOUBLE_CARD, S.PLAY_NEXT_HAND, (), (do.give_hand,)),
    Arrow(
        "withdraw",
        S.PLAY_WITHDRAW,
        S.PLAY_NEXT_HAND,
        (when.last_to_choose,),
        (do.withdraw_double,),
    ),
    Arrow("withdraw", S.PLAY_WITHDRAW, None, (), (do.withdraw_double,)),
    Arrow("keep", S.PLAY_WITHDRAW, S.PLAY_NEXT_HAND, (when.last_to_choose,), (do.keep_double,)),
    Arrow("keep", S.PLAY_WITHDRAW, None, (), (do.keep_double,)),
    Arrow("done", S.PLAY_WITHDRAW, S.PLAY_NEXT_HAND, (), (do.keep_all,)),
    # the dealer's hand and the final settlement
    Arrow("card", S.DEALER_SECOND_CARD, S.DEALER_PONTOON, (when.makes_pontoon,), (do.give_dealer,)),
    Arrow(
        "card",
        S.DEALER_SECOND_CARD,
        S.DEALER_CHECK,
        (),
        (do.give_dealer, interim.settle_second_card),
    ),
    Arrow("done", S.DEALER_SECOND_CARD, S.FINAL, (when.draw_is_moot,)),
    Arrow("advance", S.DEALER_PONTOON, S.FINAL, (), (final.settle_against_pontoon,)),
    Arrow("advance", S.DEALER_CHECK, S.DEALER_DRAW, (when.dealer_draws,)),
    Arrow("advance", S.DEALER_CHECK, S.FINAL),
    Arrow("card", S.DEALER_DRAW, S.DEALER_CHECK, (), (do.give_dealer,)),
    Arrow("done", S.DEALER_DRAW, S.FINAL, (when.draw_is_moot,)),
    # a hand is out after an irregularity: which hand is next?
    Arrow("regroup", S.JACKPOT_ARMED, S.INTERIM_BUTTON, (when.offer_is_over,), (do.box_served,)),
    Arrow("regroup", S.PLAY_SPLIT_CARD, S.PLAY_NEXT_HAND),
    Arrow("regroup", S.PLAY_FORCED_CARD, S.PLAY_NEXT_HAND),
    Arrow("regroup", S.PLAY_DECIDE, S.PLAY_NEXT_HAND),
    Arrow("regroup", S.PLAY_BOUGHT_CARD, S.PLAY_NEXT_HAND, (when.turn_is_over,)),
    Arrow("regroup", S.PLAY_DOUBLE_CARD, S.PLAY_NEXT_HAND, (when.turn_is_over,)),
    Arrow("regroup", S.PLAY_WITHDRAW, S.PLAY_NEXT_HAND, (when.nothing_to_withdraw,)),
    Arrow("regroup", S.DEALER_SECOND_CARD, S.PLAY_NEXT_HAND),
    Arrow("regroup", S.DEALER_DRAW, S.DEALER_CHECK),
    Arrow("advance", S.FINAL, S.SETTLED, (), (final.settle_final,)),
)

_ONLY_WITH: Final = {
    State.JACKPOT_ARMED: "press",
    State.JACKPOT_DRAWING: "press",
    State.JACKPOT_PAYING: "press",
    State.PLAY_DOUBLE_CARD: "double",
    State.PLAY_WITHDRAW: "withdraw",
    State.PLAY_BOUGHT_CARD: "buy",
}
"""States that a round can reach only by certain steps, with those steps."""


def waiting_states(rules: RuleSet) -> set[State]:
    """The states in which a round of these rules can wait, without the first and the last."""
    waiting = {state for state in State if state not in PASSING and state not in ENDED}
    no_offers = "insure" in rules.not_played and rules.surrender.offered.value == "in_turn"
    cases = [case for case in rules.irregularities if case.trigger == "dealer-no-card"]
    cases = cases or [case for case in rules.irregularities if case.trigger == "other"]
    late_card = any({"use", "continue"} & set(case.remedies) for case in cases)
    return {
        state
        for state in waiting
        if _ONLY_WITH.get(state) not in rules.not_played
        and not (state == State.OFFERS_OPEN and no_offers)
        and not (state == State.PLAY_DEALER_CARD and not late_card)
    }


class _Arrow(Transition):
    """How an arrow is taken: the library finds it, and asks neither state nor machine for what ours
    have none of (callbacks beside those of the arrow), which would take most of a round's time."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.holds: tuple[Any, ...] = tuple(condition.func for condition in self.conditions)
        self.to = State[self.dest] if self.dest else None

    def execute(self, event_data: EventData) -> bool:
        """Take it, if its conditions hold; whether they do."""
        given: Any = event_data.args
        for holds in self.holds:
            if not holds(*given):
                return False
        for action in self.before:
            action(*given)  # type: ignore[operator]  # ours are no names
        if self.to is not None:
            given[0].state = self.to
        return True


class _State(transitions.State):
    """Its name is asked twice for each arrow: no property, as the library's is."""

    name: Any = ""

    def __init__(self, state: State) -> None:
        super().__init__(state.name)
        self.name = state.name


class _Machine(Machine):
    transition_cls = _Arrow

    def get_model_state(self, model: Any) -> transitions.State:
        """The library's state of a round, whose own is always one of the enumeration."""
        found: transitions.State = _STATES[model.state]
        return found


_STATES: Final = {state: _State(state) for state in State}


def build_machine() -> Machine:
    """The machine of a round; it has no model of its own."""
    machine = _Machine(
        model=None, states=list(_STATES.values()), initial=None, auto_transitions=False
    )
    for arrow in ARROWS:
        machine.add_transition(
            arrow.trigger,
            arrow.source,
            arrow.dest,
            conditions=list(arrow.conditions),
            before=list(arrow.before),
        )
    for state in State:
        if state is not State.VOID:
            machine.add_transition("void", state, State.VOID, before=bookkeeping.return_wagers)
    return machine


MACHINE: Final = build_machine()
"""The one machine of all rounds."""

_TRIGGERS: Final = {trigger: event.trigger for trigger, event in MACHINE.events.items()}

_STARTS: Final = frozenset(
    (State[source], trigger)
    for trigger, event in MACHINE.events.items()
    for source in event.transitions
)
"""The states from which triggers lead on."""


def knows(state: State, trigger: str) -> bool:
    """Whether a transition of that trigger starts in the state."""
    return (state, trigger) in _STARTS


def fire(rnd: Round, trigger: str, *given: object) -> bool:
    """Take the first transition from the round's state whose conditions hold; whether there was
    one. MachineError where no transition of that trigger starts in the state."""
    return _TRIGGERS[trigger](rnd, rnd, *given)  # the model, and what callbacks get
