"""A card too many to the dealer's finished hand: it is discarded, what he had stands."""

from __future__ import annotations

from controller.round.irregular.cases import case_of
from controller.round.irregularity import Irregularity
from controller.round.refusal import Refused
from controller.round.state import Round
from controller.round.steps.step import Step


def check_overdraw(rnd: Round, step: Step) -> None:
    """Whether the rules know the case and the dealer's hand is finished.

    Raises:
        Refused: it is not.
    """
    if step.verb in rnd.rules.not_played:
        raise Refused(
            "these rules do not say what becomes of a card too many",
            rnd.rules.not_played[step.verb],
            short="NOT PLAYED HERE",
        )
    if rnd.state != "settled":
        case = case_of(rnd, Irregularity("overdraw"))
        raise Refused("the dealer's hand is not finished", case.clause, short="NOT FINISHED")
