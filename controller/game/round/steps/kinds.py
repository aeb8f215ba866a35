"""Every kind of step by the verb of its command, and the step that a command is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from controller.game.commands.command import Command, read_step
from controller.game.round.steps import decisions, jackpot, remedies, reports, wagers
from controller.game.round.steps.step import Step

_EVERY: Final[tuple[type[Step], ...]] = (
    *(decisions.Hit, decisions.Stand, decisions.Split, decisions.Surrender, decisions.Free),
    *(decisions.Absent, decisions.Double, decisions.Buy),
    *(wagers.Withdraw, wagers.Keep, wagers.Follow, wagers.Insure, wagers.Place),
    *(jackpot.Press, jackpot.Nominate),
    *(jackpot.Done, jackpot.Overdraw, jackpot.HandComplete),
    *(*remedies.ALONE.values(), remedies.Use, remedies.Discard, remedies.VoidHand),
    *(remedies.ChooseOption, remedies.Correct, remedies.Lies, remedies.WagerLies),
    reports.Report,
)
KINDS: Final = {kind.verb: kind for kind in _EVERY}
"""Of a verb that several kinds have, the most general one."""

REPORTS: Final[dict[str, type[reports.Report]]] = {
    reports.DRAWN: reports.ReportDrawn,
    reports.TOGETHER: reports.ReportTogether,
    reports.OVER_MAXIMUM: reports.ReportOverMaximum,
}
"""By trigger, reports that say more than a box."""


def step_of(command: Command) -> Step:
    """The step that the command is; its verb has to be one of a round."""
    kind: type[Step] = KINDS[command.verb]
    if command.verb == reports.Report.verb:
        kind = REPORTS.get(command.trigger, kind)
    elif command.verb == remedies.Choose.verb and command.card is not None:
        kind = remedies.ChooseCard
    make: Callable[..., Step] = kind
    names: tuple[str, ...] = kind.__match_args__
    return make(**{name: getattr(command, name) for name in names})


def parse_step(text: str) -> Step:
    """The step in ``text``, as a round script writes it.

    Raises:
        Malformed: it cannot be read.
    """
    return step_of(read_step(text))
