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

from transitions import EventData, Machine, State, Transition

from controller.round import actions as do
from controller.round import conditions as when
from controller.round import looks, offers
from controller.round.settling import final, interim, returning, side_wagers
from controller.round.state import Round
from controller.round.states import ENDED, PASSING
from controller.rules.schema import RuleSet


class Arrow(NamedTuple):
    """One transition. ``dest`` None: the state stays."""

    trigger: str
    source: str
    dest: str | None
    conditions: tuple[Callable[..., bool], ...] = ()
    before: tuple[Callable[..., None], ...] = ()


ARROWS: Final = (
    # initial deal: a card to each box, one to the dealer, a second to each box
    Arrow("card", "deal.first_cards", "deal.first_cards", (when.box_follows,), (do.give_box,)),
    Arrow("card", "deal.first_cards", "deal.dealer_card", (), (do.give_box,)),
    Arrow("card", "deal.dealer_card", "deal.second_cards", (), (do.give_dealer,)),
    Arrow("card", "deal.second_cards", "deal.second_cards", (when.box_follows,), (do.give_box,)),
    Arrow("card", "deal.second_cards", "interim.side_wagers", (), (do.give_box,)),
    Arrow("regroup", "deal.first_cards", "final", (when.nobody_left,)),
    Arrow("regroup", "deal.dealer_card", "final", (when.nobody_left,)),
    Arrow("regroup", "deal.second_cards", "final", (when.nobody_left,)),
    Arrow("regroup", "deal.first_cards", "deal.dealer_card", (when.all_served,)),
    Arrow("regroup", "deal.second_cards", "interim.side_wagers", (when.all_served,)),
    # interim settlement and the button
    Arrow(
        "advance", "interim.side_wagers", "interim.pontoon", (), (side_wagers.settle_on_first_two,)
    ),
    Arrow(
        "advance",
        "interim.pontoon",
        "interim.button",
        (),
        (interim.settle_pontoons, side_wagers.settle_lost_at_button),
    ),
    Arrow("advance", "interim.button", "jackpot.armed", (when.winner_waits,), (do.offer_button,)),
    Arrow("advance", "interim.button", "offers.open", (offers.offers_left,)),
    Arrow("advance", "interim.button", "play.next_hand"),
    Arrow("nominate", "jackpot.armed", None, (), (do.hand_over_button,)),
    Arrow("press", "jackpot.armed", "jackpot.drawing"),
    Arrow("drawn", "jackpot.drawing", None, (), (do.take_multiplier,)),
    Arrow("shown", "jackpot.drawing", "jackpot.paying", (), (side_wagers.settle_won_at_button,)),
    Arrow("done", "jackpot.paying", "interim.button", (), (do.box_served,)),
    # offers
    Arrow("insure", "offers.open", None, (), (offers.place_insurance,)),
    Arrow("surrender", "offers.open", None, (), (offers.place_surrender,)),
    Arrow("done", "offers.open", "play.next_hand"),
    Arrow("regroup", "offers.open", "offers.again"),
    # the dealer's missing first card, and the offers that follow it
    Arrow("card", "play.dealer_card", "offers.again", (), (do.give_dealer_late,)),
    Arrow("regroup", "play.dealer_card", "final", (when.dealer_card_moot,)),
    Arrow("advance", "offers.again", "play.dealer_card", (when.dealer_card_owed,)),
    Arrow("advance", "offers.again", "offers.open", (offers.offers_left,)),
    Arrow("advance", "offers.again", "play.next_hand"),
    # the players' hands, one after the other
    Arrow("advance", "play.next_hand", "play.dealer_card", (when.dealer_card_owed,)),
    Arrow(
        "advance", "play.next_hand", "play.split_card", (when.hand_needs_card,), (do.begin_turn,)
    ),
    Arrow(
        "advance", "play.next_hand", "play.next_hand", (when.house_stands,), (do.end_absent_hand,)
    ),
    Arrow("advance", "play.next_hand", "play.forced_card", (when.only_hit,), (do.begin_turn,)),
    Arrow("advance", "play.next_hand", "play.decide", (when.hand_waits,), (do.begin_turn,)),
    Arrow(
        "advance", "play.next_hand", "dealer.second_card", (looks.dealer_plays,), (do.end_turns,)
    ),
    Arrow("advance", "play.next_hand", "final", (), (do.end_turns,)),
    Arrow("follow", "play.split_card", None, (), (do.follow_split,)),
    Arrow("place", "play.split_card", None, (), (do.choose_hand,)),
    Arrow("card", "play.split_card", "play.next_hand", (), (do.give_hand,)),
    Arrow("card", "play.forced_card", "play.next_hand", (), (do.give_hand,)),
    Arrow("hit", "play.forced_card", None),
    Arrow("hit", "play.decide", None),
    Arrow("card", "play.decide", "play.next_hand", (), (do.give_hand,)),
    Arrow("free", "play.decide", None),
    Arrow("buy", "play.decide", "play.bought_card", (), (do.buy_card,)),
    Arrow("card", "play.bought_card", "play.next_hand", (), (do.give_hand,)),
    Arrow("surrender", "play.decide", "play.next_hand", (), (do.give_up_hand,)),
    Arrow("absent", "play.decide", "play.next_hand", (), (do.leave_to_house,)),
    Arrow("stand", "play.decide", "play.next_hand", (), (do.end_hand,)),
    Arrow("split", "play.decide", "play.next_hand", (), (do.split_hand,)),
    Arrow("double", "play.decide", "play.double_card", (), (do.double_hand,)),
    Arrow("double", "play.double_card", None, (), (do.follow_double,)),
    Arrow("card", "play.double_card", "play.withdraw", (when.may_withdraw_after,), (do.give_hand,)),
    Arrow("card", "play.double_card", "play.next_hand", (), (do.give_hand,)),
    Arrow(
        "withdraw", "play.withdraw", "play.next_hand", (when.last_to_choose,), (do.withdraw_double,)
    ),
    Arrow("withdraw", "play.withdraw", None, (), (do.withdraw_double,)),
    Arrow("keep", "play.withdraw", "play.next_hand", (when.last_to_choose,), (do.keep_double,)),
    Arrow("keep", "play.withdraw", None, (), (do.keep_double,)),
    Arrow("done", "play.withdraw", "play.next_hand", (), (do.keep_all,)),
    # the dealer's hand and the final settlement
    Arrow("card", "dealer.second_card", "dealer.pontoon", (when.makes_pontoon,), (do.give_dealer,)),
    Arrow(
        "card", "dealer.second_card", "dealer.check", (), (do.give_dealer, do.settle_second_card)
    ),
    Arrow("done", "dealer.second_card", "final", (looks.draw_is_moot,)),
    Arrow("advance", "dealer.pontoon", "final", (), (final.settle_against_pontoon,)),
    Arrow("advance", "dealer.check", "dealer.draw", (when.dealer_draws,)),
    Arrow("advance", "dealer.check", "final"),
    Arrow("card", "dealer.draw", "dealer.check", (), (do.give_dealer,)),
    Arrow("done", "dealer.draw", "final", (looks.draw_is_moot,)),
    # a hand is out after an irregularity: which hand is next?
    Arrow("regroup", "jackpot.armed", "interim.button", (when.offer_is_over,), (do.box_served,)),
    Arrow("regroup", "play.split_card", "play.next_hand"),
    Arrow("regroup", "play.forced_card", "play.next_hand"),
    Arrow("regroup", "play.decide", "play.next_hand"),
    Arrow("regroup", "play.bought_card", "play.next_hand", (when.turn_is_over,)),
    Arrow("regroup", "play.double_card", "play.next_hand", (when.turn_is_over,)),
    Arrow("regroup", "play.withdraw", "play.next_hand", (when.nothing_to_withdraw,)),
    Arrow("regroup", "dealer.second_card", "play.next_hand"),
    Arrow("regroup", "dealer.draw", "dealer.check"),
    Arrow("advance", "final", "settled", (), (final.settle_final,)),
)

STATES: Final = tuple(
    dict.fromkeys(
        [arrow.source for arrow in ARROWS] + [arrow.dest for arrow in ARROWS if arrow.dest]
    )
)
"""Every state of a round but ``void``."""


_ONLY_WITH: Final = {
    "jackpot.armed": "press",
    "jackpot.drawing": "press",
    "jackpot.paying": "press",
    "play.double_card": "double",
    "play.withdraw": "withdraw",
    "play.bought_card": "buy",
}
"""States that a round can reach only by certain steps, with those steps."""


def waiting_states(rules: RuleSet) -> set[str]:
    """The states in which a round of these rules can wait, without the first and the last."""
    waiting = {state for state in STATES if state not in PASSING and state not in ENDED}
    no_offers = "insure" in rules.not_played and rules.surrender.offered.value == "in_turn"
    cases = [case for case in rules.irregularities if case.trigger == "dealer-no-card"]
    cases = cases or [case for case in rules.irregularities if case.trigger == "other"]
    late_card = any({"use", "continue"} & set(case.remedies) for case in cases)
    return {
        state
        for state in waiting
        if _ONLY_WITH.get(state) not in rules.not_played
        and not (state == "offers.open" and no_offers)
        and not (state == "play.dealer_card" and not late_card)
    }


class _Taken(Transition):
    """How an arrow is taken: the library finds it, and asks neither state nor machine for what ours
    have none of (callbacks beside those of the arrow), which would take most of a round's time."""

    def execute(self, event_data: EventData) -> bool:
        """Take it, if its conditions hold; whether they do."""
        given: tuple[Any, ...] = tuple(event_data.args)
        for condition in self.conditions:
            if not condition.func(*given):  # type: ignore[operator]  # ours are no names
                return False
        for action in self.before:
            action(*given)  # type: ignore[operator]
        if self.dest:
            given[0].state = self.dest
        return True


class _Machine(Machine):
    transition_cls = _Taken


def build_machine() -> Machine:
    """The machine of a round; it has no model of its own."""
    machine = _Machine(
        model=None,
        states=[State(name) for name in (*STATES, "void")],
        initial=None,
        auto_transitions=False,
    )
    for arrow in ARROWS:
        machine.add_transition(
            arrow.trigger,
            arrow.source,
            arrow.dest,
            conditions=list(arrow.conditions),
            before=list(arrow.before),
        )
    for state in STATES:
        if state not in ENDED:
            machine.add_transition("void", state, "void", before=returning.return_wagers)
    return machine


MACHINE: Final = build_machine()
"""The one machine of all rounds."""


def knows(state: str, trigger: str) -> bool:
    """Whether a transition of that trigger starts in the state."""
    return state in MACHINE.events[trigger].transitions


def fire(rnd: Round, trigger: str, *given: object) -> bool:
    """Take the first transition from the round's state whose conditions hold; whether there was
    one.

    Raises:
        MachineError: no transition of that trigger starts in the state.
    """
    return MACHINE.events[trigger].trigger(rnd, rnd, *given)  # the model, and what callbacks get
