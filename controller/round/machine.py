"""The sequence of a round as a state machine.

The table of transitions says *whether and what next*; what is paid, the settling functions say.
States in :data:`PASSING` are left at once by ``advance``; in all others the round waits. Triggers
are ``card`` (a card leaves the shoe), ``press``, ``drawn`` and ``shown`` (the jackpot unit),
``done`` (what is on offer or shown is over), the players' decisions by their names, and ``void``.

The machine is built once and holds no model: a round carries its own state, so that it can be
copied. Conditions and actions are methods of the round. No automatic transitions, no queue: a
trigger that no transition takes is an error of the caller, who asked the guards first.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from transitions import Machine, State

from controller.round.lean_machine import LeanMachine
from controller.rules.schema import RuleSet


class Arrow(NamedTuple):
    """One transition. ``dest`` None: the state stays."""

    trigger: str
    source: str
    dest: str | None
    conditions: tuple[str, ...] = ()
    before: tuple[str, ...] = ()


PASSING: Final = frozenset(
    {
        "interim.pair",
        "interim.bonus",
        "interim.pontoon",
        "interim.pandemonium",
        "offers.again",
        "play.next_hand",
        "dealer.pontoon",
        "dealer.check",
        "final",
    }
)
"""States that are left at once."""

ENDED: Final = frozenset({"settled", "void"})
"""States in which the round is over."""

WINDOWS: Final = {
    "offers.open": frozenset({"insure", "surrender", "done"}),
    "play.withdraw": frozenset({"withdraw", "keep", "done"}),
}
"""States that any other step, or a card, closes; with the steps that do not close them."""

ARROWS: Final = (
    # initial deal: a card to each box, one to the dealer, a second to each box
    Arrow("card", "deal.first_cards", "deal.first_cards", ("box_follows",), ("give_box",)),
    Arrow("card", "deal.first_cards", "deal.dealer_card", (), ("give_box",)),
    Arrow("card", "deal.dealer_card", "deal.second_cards", (), ("give_dealer",)),
    Arrow("card", "deal.second_cards", "deal.second_cards", ("box_follows",), ("give_box",)),
    Arrow("card", "deal.second_cards", "interim.pair", (), ("give_box",)),
    Arrow("regroup", "deal.first_cards", "final", ("nobody_left",)),
    Arrow("regroup", "deal.dealer_card", "final", ("nobody_left",)),
    Arrow("regroup", "deal.second_cards", "final", ("nobody_left",)),
    Arrow("regroup", "deal.first_cards", "deal.dealer_card", ("all_served",)),
    Arrow("regroup", "deal.second_cards", "interim.pair", ("all_served",)),
    # interim settlement and the button
    Arrow("advance", "interim.pair", "interim.bonus", (), ("settle_pairs",)),
    Arrow("advance", "interim.bonus", "interim.pontoon", (), ("settle_bonus",)),
    Arrow("advance", "interim.pontoon", "interim.pandemonium", (), ("settle_pontoons",)),
    Arrow("advance", "interim.pandemonium", "jackpot.armed", ("winner_waits",), ("offer_button",)),
    Arrow("advance", "interim.pandemonium", "offers.open", ("offers_left",)),
    Arrow("advance", "interim.pandemonium", "play.next_hand"),
    Arrow("nominate", "jackpot.armed", None, (), ("hand_over_button",)),
    Arrow("press", "jackpot.armed", "jackpot.drawing"),
    Arrow("drawn", "jackpot.drawing", None, (), ("take_multiplier",)),
    Arrow("shown", "jackpot.drawing", "jackpot.paying", (), ("settle_pandemonium",)),
    Arrow("done", "jackpot.paying", "interim.pandemonium", (), ("box_served",)),
    # offers
    Arrow("insure", "offers.open", None, (), ("place_insurance",)),
    Arrow("surrender", "offers.open", None, (), ("place_surrender",)),
    Arrow("done", "offers.open", "play.next_hand"),
    Arrow("regroup", "offers.open", "offers.again"),
    # the dealer's missing first card, and the offers that follow it
    Arrow("card", "play.dealer_card", "offers.again", (), ("give_dealer",)),
    Arrow("advance", "offers.again", "play.dealer_card", ("dealer_card_owed",)),
    Arrow("advance", "offers.again", "offers.open", ("offers_left",)),
    Arrow("advance", "offers.again", "play.next_hand"),
    # the players' hands, one after the other
    Arrow("advance", "play.next_hand", "play.dealer_card", ("dealer_card_owed",)),
    Arrow("advance", "play.next_hand", "play.split_card", ("hand_needs_card",), ("begin_turn",)),
    Arrow("advance", "play.next_hand", "play.next_hand", ("house_stands",), ("end_absent_hand",)),
    Arrow("advance", "play.next_hand", "play.forced_card", ("only_hit",), ("begin_turn",)),
    Arrow("advance", "play.next_hand", "play.decide", ("hand_waits",), ("begin_turn",)),
    Arrow("advance", "play.next_hand", "dealer.second_card", ("dealer_plays",), ("end_turns",)),
    Arrow("advance", "play.next_hand", "final", (), ("end_turns",)),
    Arrow("follow", "play.split_card", None, (), ("follow_split",)),
    Arrow("place", "play.split_card", None, (), ("choose_hand",)),
    Arrow("card", "play.split_card", "play.next_hand", (), ("give_hand",)),
    Arrow("card", "play.forced_card", "play.next_hand", (), ("give_hand",)),
    Arrow("hit", "play.forced_card", None),
    Arrow("hit", "play.decide", None),
    Arrow("card", "play.decide", "play.next_hand", (), ("give_hand",)),
    Arrow("free", "play.decide", None),
    Arrow("buy", "play.decide", "play.bought_card", (), ("buy_card",)),
    Arrow("card", "play.bought_card", "play.next_hand", (), ("give_hand",)),
    Arrow("surrender", "play.decide", "play.next_hand", (), ("give_up_hand",)),
    Arrow("absent", "play.decide", "play.next_hand", (), ("leave_to_house",)),
    Arrow("stand", "play.decide", "play.next_hand", (), ("end_hand",)),
    Arrow("split", "play.decide", "play.next_hand", (), ("split_hand",)),
    Arrow("double", "play.decide", "play.double_card", (), ("double_hand",)),
    Arrow("double", "play.double_card", None, (), ("follow_double",)),
    Arrow("card", "play.double_card", "play.withdraw", ("may_withdraw_after",), ("give_hand",)),
    Arrow("card", "play.double_card", "play.next_hand", (), ("give_hand",)),
    Arrow("withdraw", "play.withdraw", "play.next_hand", ("last_to_choose",), ("withdraw_double",)),
    Arrow("withdraw", "play.withdraw", None, (), ("withdraw_double",)),
    Arrow("keep", "play.withdraw", "play.next_hand", ("last_to_choose",), ("keep_double",)),
    Arrow("keep", "play.withdraw", None, (), ("keep_double",)),
    Arrow("done", "play.withdraw", "play.next_hand", (), ("keep_all",)),
    # the dealer's hand and the final settlement
    Arrow("card", "dealer.second_card", "dealer.pontoon", ("makes_pontoon",), ("give_dealer",)),
    Arrow("card", "dealer.second_card", "dealer.check", (), ("give_dealer", "settle_second_card")),
    Arrow("done", "dealer.second_card", "final", ("draw_is_moot",)),
    Arrow("advance", "dealer.pontoon", "final", (), ("settle_against_pontoon",)),
    Arrow("advance", "dealer.check", "dealer.draw", ("dealer_draws",)),
    Arrow("advance", "dealer.check", "final"),
    Arrow("card", "dealer.draw", "dealer.check", (), ("give_dealer",)),
    Arrow("done", "dealer.draw", "final", ("draw_is_moot",)),
    # a hand is out after an irregularity: who is next?
    Arrow("regroup", "jackpot.armed", "interim.pandemonium", ("offer_is_over",), ("box_served",)),
    Arrow("regroup", "play.split_card", "play.next_hand"),
    Arrow("regroup", "play.forced_card", "play.next_hand"),
    Arrow("regroup", "play.decide", "play.next_hand"),
    Arrow("regroup", "play.bought_card", "play.next_hand", ("turn_is_over",)),
    Arrow("regroup", "play.double_card", "play.next_hand", ("turn_is_over",)),
    Arrow("regroup", "play.withdraw", "play.next_hand", ("nothing_to_withdraw",)),
    Arrow("regroup", "dealer.second_card", "play.next_hand"),
    Arrow("regroup", "dealer.draw", "dealer.check"),
    Arrow("advance", "final", "settled", (), ("settle_final",)),
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
"""Steps without which a round never comes to a state."""


def waiting_states(rules: RuleSet) -> set[str]:
    """The states in which a round of these rules can wait, but the first and last."""
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


def build_machine(kind: type[Machine] = LeanMachine) -> Machine:
    """The machine of a round; it has no model of its own."""
    machine = kind(
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
            machine.add_transition("void", state, "void", before="return_wagers")
    return machine


MACHINE: Final = build_machine()
"""The one machine of all rounds."""
