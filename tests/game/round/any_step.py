"""Any step of a round, of every class, for properties."""

from __future__ import annotations

from hypothesis import strategies as st

from controller.game.commands.values import HandAt, NoHand, Option, Seat
from controller.game.round.model import BETTORS
from controller.game.round.steps import decisions, jackpot, remedies, reports, wagers
from controller.game.round.steps.step import Step
from controller.game.rules.cards import Card
from controller.game.rules.triggers import KNOWN

seats = st.builds(Seat, st.integers(1, 9), st.sampled_from((None, *BETTORS)))
amounts = st.none() | st.integers(1, 10**9)
cards = st.builds(Card, st.integers(1, 13), st.integers(1, 4))
numbers = st.integers(1, 999)
places = st.builds(HandAt, st.integers(1, 9), st.integers(0, 9)) | st.sampled_from(NoHand)

OWN_FORM = (reports.DRAWN, reports.TOGETHER, reports.OVER_MAXIMUM)
"""Triggers whose reports have a class of their own."""

at_a_box: st.SearchStrategy[Step] = st.one_of(
    *(
        st.builds(kind, seats)
        for kind in (
            decisions.Hit,
            decisions.Free,
            decisions.Stand,
            decisions.Split,
            decisions.Surrender,
            decisions.Absent,
            wagers.Follow,
            wagers.Withdraw,
            wagers.Keep,
            jackpot.Press,
            remedies.VoidHand,
        )
    ),
    st.builds(decisions.Double, seats, amounts),
    st.builds(decisions.Buy, seats, amounts),
    st.builds(wagers.Insure, seats, st.none() | seats, amounts),
    st.builds(wagers.Place, seats, st.integers(0, 999_999_999)),
    st.builds(jackpot.Nominate, seats, st.none() | seats),
    st.builds(remedies.ChooseCard, seats, cards),
    st.builds(remedies.ChooseOption, seats, st.sampled_from(Option)),
)

alone: st.SearchStrategy[Step] = st.sampled_from(
    (
        jackpot.Done(),
        jackpot.HandComplete(),
        jackpot.Overdraw(),
        remedies.Void(),
        remedies.Reconstruct(),
        remedies.Reshuffle(),
        remedies.Cap(),
        remedies.ProRata(),
        remedies.Continue(),
        remedies.Use(),
        remedies.Discard(),
    )
)

about_cards: st.SearchStrategy[Step] = st.one_of(
    st.builds(remedies.Use, cards),
    st.builds(remedies.Discard, cards),
    st.builds(remedies.Correct, numbers, cards),
    st.builds(remedies.Lies, numbers, places),
)


def _report(trigger: str) -> st.SearchStrategy[Step]:
    place = seats if KNOWN[trigger].box else st.none()
    return st.builds(reports.Report, st.just(trigger), place)


reported: st.SearchStrategy[Step] = st.one_of(
    *(_report(name) for name, known in KNOWN.items() if name not in OWN_FORM and not known.by_card),
    st.builds(reports.ReportDrawn, seat=st.none() | seats, seen=st.booleans()),
    st.builds(reports.ReportDrawn, dealer=st.just(value=True), seen=st.booleans()),
    st.builds(reports.ReportTogether, cards=st.lists(cards, max_size=4).map(tuple)),
    st.builds(reports.ReportOverMaximum, seat=seats, amount=st.integers(0, 10**9)),
)

written = at_a_box | alone | about_cards | reported
"""Steps that people write."""

any_step = written | st.builds(jackpot.Overdraw, cards)
"""Also a card too many with its name, which a round keeps."""
