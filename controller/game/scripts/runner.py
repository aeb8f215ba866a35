"""Running round scripts.

Cards are dealt automatically wherever the rules leave no choice; what is offered and not taken up
is declined. ``! STEP`` is judged on a copy as if it were the next step.
"""

from __future__ import annotations

from controller.game.round.draft import begin_round
from controller.game.round.refusal import Refused
from controller.game.round.result_fields import RoundResult
from controller.game.round.results import round_result
from controller.game.round.state import Round
from controller.game.round.states import State
from controller.game.round.steps import Step
from controller.game.rules.cards import RANKS
from controller.game.scripts.script import MalformedScript, Script
from controller.game.scripts.script_play import Happening, ScriptPlay, StepRefused, sayable

__all__ = ["StepRefused", "play_script", "run_script", "tell_script"]


def run_script(script: Script) -> RoundResult:
    """The result of the round.

    Raises:
        MalformedScript: cards or multipliers are left or missing, a hand is undecided, or the
            button is armed at the end.
        StepRefused: a step is refused, or one that must be refused is permitted.
    """
    return round_result(play_script(script), script.title)


def tell_script(script: Script) -> tuple[RoundResult, list[Happening]]:
    """The result of the round and what led to it, in order; raises as :func:`run_script`."""
    course: list[Happening] = []
    return round_result(play_script(script, course), script.title), course


def play_script(script: Script, course: list[Happening] | None = None) -> Round:
    """The round at the script's end, in ``course`` what led to it; raises as :func:`run_script`."""
    play = ScriptPlay(script, begin_round(script.rules, script.limits, script.sheet), course=course)
    for index, entry in enumerate(script.steps):
        if entry.must_be_refused:
            _judge_refused(play, index, entry.step)
            continue
        play.settle_down(entry.step)
        try:
            play.take_step(entry.step)
        except Refused as refused:
            raise _played_until(script, index).refusal(refused, index) from refused
    play.settle_down(None)
    _check_end(play)
    return play.rnd


def _played_until(script: Script, index: int) -> ScriptPlay:
    """The play as that step found it, which has changed its round: nothing copies it before."""
    play = ScriptPlay(script, begin_round(script.rules, script.limits, script.sheet))
    for entry in script.steps[:index]:
        if not entry.must_be_refused:
            play.settle_down(entry.step)
            play.take_step(entry.step)
    play.settle_down(script.steps[index].step)
    return play


def _judge_refused(play: ScriptPlay, index: int, step: Step) -> None:
    trial = play.clone()
    try:
        trial.settle_down(step)
    except MalformedScript:
        return  # It would close a window, and a card be due that the shoe need not hold.
    try:
        trial.judge(step)
        trial.judge_corrections()
    except Refused as refused:
        play.note_happening("refused", f"{step}: {refused}")
        return
    permitted = Refused(f"'! {step}' must be refused, but it is permitted", code="is-permitted")
    raise _played_until(play.script, index).refusal(permitted, index)


def _check_end(play: ScriptPlay) -> None:
    rnd = play.rnd
    if rnd.state == State.JACKPOT_ARMED:
        raise MalformedScript(f"steps: the script ends with the button armed for box {rnd.armed}")
    if wrong := rnd.irregular.irregularity:
        raise MalformedScript(
            f"steps: the script ends with something wrong ({wrong.trigger}) and no remedy; "
            f"permitted: {', '.join(sayable(rnd))}"
        )
    if not rnd.is_over:
        hand = rnd.turn_hand
        raise MalformedScript(
            f"steps: the script ends with hand {hand.number} of box {hand.box} undecided "
            f"({' '.join(RANKS[c.rank - 1] for c in hand.cards)}, {hand.total}); "
            f"permitted: {', '.join(sayable(rnd))}"
        )
    left = len(play.script.shoe) - play.card
    if left:
        raise MalformedScript(f"shoe: {left} of its cards are left at the end of the round")
    if play.multiplier < len(play.script.multipliers):
        raise MalformedScript(
            f"multipliers: {len(play.script.multipliers) - play.multiplier} are left"
        )
