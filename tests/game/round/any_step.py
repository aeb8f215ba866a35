"""Any step of a round, of every class, for properties."""

from __future__ import annotations

from hypothesis import strategies as st

from controller.game.commands.values import HandAt, NoHand, Option, Seat
from controller.game.round import remedies, steps
from controller.game.round.model import BETTORS
from controller.game.round.steps import Step
from controller.game.rules.cards import Card
from controller.game.rules.cases import KNOWN

seats = st.builds(Seat, st.integers(1, 9), st.sampled_from((None, *BETTORS)))
amounts = st.none() | st.integers(1, 10**9)
cards = st.builds(Card, st.integers(1, 13), st.integers(1, 4))
numbers = st.integers(1, 999)
places = st.builds(HandAt, st.integers(1, 9), st.integers(0, 9)) | st.sampled_from(NoHand)

OWN_FORM = (remedies.DRAWN, remedies.TOGETHER, remedies.OVER_MAXIMUM)
"""Triggers whose reports have a class of their own."""

at_a_box: st.SearchStrategy[Step] = st.one_of(
    *(
        st.builds(kind, seats)
        for kind in (
            steps.Hit,
            steps.Free,
            steps.Stand,
            steps.Split,
            steps.Surrender,
            steps.Absent,
            steps.Follow,
            steps.Withdraw,
            steps.Keep,
            steps.Press,
            remedies.VoidHand,
        )
    ),
    st.builds(steps.Double, seats, amounts),
    st.builds(steps.Buy, seats, amounts),
    st.builds(steps.Insure, seats, st.none() | seats, amounts),
    st.builds(steps.Place, seats, st.integers(0, 999_999_999)),
    st.builds(steps.Nominate, seats, st.none() | seats),
    st.builds(remedies.ChooseCard, seats, cards),
    st.builds(remedies.ChooseOption, seats, st.sampled_from(Option)),
)

alone: st.SearchStrategy[Step] = st.sampled_from(
    (
        steps.Done(),
        steps.HandComplete(),
        steps.Overdraw(),
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
    return st.builds(remedies.Report, st.just(trigger), place)


reported: st.SearchStrategy[Step] = st.one_of(
    *(_report(name) for name, known in KNOWN.items() if name not in OWN_FORM and not known.by_card),
    st.builds(remedies.ReportDrawn, seat=st.none() | seats, seen=st.booleans()),
    st.builds(remedies.ReportDrawn, dealer=st.just(value=True), seen=st.booleans()),
    st.builds(remedies.ReportTogether, cards=st.lists(cards, max_size=4).map(tuple)),
    st.builds(remedies.ReportOverMaximum, seat=seats, amount=st.integers(0, 10**9)),
)

written = at_a_box | alone | about_cards | reported
"""Steps that people write."""

any_step = written | st.builds(steps.Overdraw, cards)
"""Also a card too many with its name, which a round keeps."""
