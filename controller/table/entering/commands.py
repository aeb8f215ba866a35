"""The dealer's commands at the live table: what is permitted now, what each does, and how it is
taken back.

Commands between rounds are in :mod:`controller.table.betting` and the files of the shoe; a step of
a round gives a new round, which replaces the old one unless the step is refused. ``undo`` takes
commands back, one by one, as far as the last card, press or payment. The last one is saved with all
that a command may change; of those before it is kept what they changed, so that wagers of many
hands take little room in a snapshot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import Final

from controller.game.commands.command import Command
from controller.game.commands.slots import BOX, WAGERED
from controller.game.commands.verbs import CORRECTIONS, Fact, Family
from controller.game.round import play
from controller.game.round.irregular.options import supervisors_options
from controller.game.round.permitted import permitted_steps
from controller.game.round.refusal import Refused
from controller.game.round.remedies import PutsRight, Report, step_of
from controller.game.round.states import State
from controller.game.round.steps import Done, Step
from controller.game.round.wagers import MAIN
from controller.table import betting, jackpot, sequence
from controller.table.dealing import correcting, irregularities, putting_right, squeezing
from controller.table.shoe import shuffling
from controller.table.state.entering import ROW_LENGTH, Saved
from controller.table.state.parts import Phase
from controller.table.state.table import Table

MOST_SAVED: Final = 1000
"""Commands that can be taken back; nobody enters so many before a card, but a program might."""


def save(table: Table, said: Command) -> Saved:
    """The parts of the table to be restored if the command ``said`` is taken back."""
    return Saved(said, {name: part.keep_values() for name, part in table.parts().items()})


@contextmanager
def all_or_nothing(table: Table, said: Command) -> Iterator[Saved]:
    """Do a command as a whole: what it refuses half way leaves the table as it was before it."""
    before = save(table, said)
    try:
        yield before
    except Refused:
        restore(table, before)
        raise


def restore(table: Table, saved: Saved) -> None:
    """Give every part the values that were saved."""
    for name, part in table.parts().items():
        part.bring_back(saved.parts[name])


def remember(table: Table, before: Saved) -> None:
    """Have the last command taken back by the next ``undo``, and those before it by later ones."""
    earlier = table.entering.saved
    if earlier:
        earlier[-1] = _only_changed(table, earlier[-1], before)
    table.entering.saved = [*earlier[-MOST_SAVED + 1 :], before]


def said_last(table: Table) -> Command | None:
    """The command that ``undo`` takes back; None where there is none."""
    if table.entering.saved:
        return table.entering.saved[-1].said
    return table.corrections[-1].command if table.corrections else None


def takes_back_report(table: Table) -> bool:
    """Whether the last command is the dealer's report, and it is all that holds the table."""
    saved, standing = table.entering.saved, table.holds.standing
    reported = bool(saved) and saved[-1].said.verb == Report.verb
    return reported and len(standing) == 1 and standing[0] is table.holds.irregular


def keypad_row(said: str) -> str:
    """What was taken back, for a keypad's row. Its first word is shortened before the box or the
    sum is cut: another sum would be read."""
    short = said.removeprefix("wager ").removeprefix("report ").replace("-", " ")
    verb, blank, rest = short.removesuffix(".00").partition(" ")
    if verb.isalpha():  # else it is the box
        verb = verb[: max(1, ROW_LENGTH - len(f"BACK: {blank}{rest}"))]
    return f"BACK: {verb}{blank}{rest}"[:ROW_LENGTH]


def take_back(table: Table) -> None:
    """``undo``: the last command, or the last correction that is not judged; Refused where nothing
    can be taken back."""
    said, rnd = said_last(table), table.rnd
    if said is None:
        why = "nothing can be taken back: a card, press or payment has followed"
        raise Refused(why, short="NOTHING TO UNDO")
    if table.entering.saved:
        *earlier, last = table.entering.saved
        restore(table, last)
        if earlier:
            earlier[-1] = _all_again(table, earlier[-1], last)
        table.entering.saved = earlier
    else:
        assert rnd
        left = len(rnd.irregular.edits) - 1
        table.dealing.update(play.without_corrections(rnd, left))
        table.dealing.correct_by(dealer=left > 0)  # what is left is the dealer's now
    table.note(f"taken back: {said}")


def _only_changed(table: Table, saved: Saved, then: Saved) -> Saved:
    """What differs from what was saved later: the last one alone is kept whole."""
    parts = {
        name: part.only_changed(saved.parts[name], then.parts[name])
        for name, part in table.parts().items()
    }
    return Saved(saved.said, parts)


def _all_again(table: Table, changed: Saved, then: Saved) -> Saved:
    """The same, whole again."""
    parts = {
        name: part.all_again(changed.parts[name], then.parts[name])
        for name, part in table.parts().items()
    }
    return Saved(changed.said, parts)


OPEN, CLOSE, NEXT, UNDO = map(Command, ("open", "close", "next", "undo"))
BURN, INSPECTED, DONE = map(Command, ("burn", "inspected", "done"))


@cache
def _wager(kind: str) -> Command:
    return Command("wager", kind=kind, open=(BOX.name, WAGERED.name))


@cache
def _shuffle(number: int) -> Command:
    return Command("shuffle", number=number)


def dealer_commands(table: Table) -> list[Command]:
    """The dealer's commands that are permitted now."""
    if table.in_service:
        return []
    taken_back = [UNDO] if takes_back_report(table) else []
    if irregularities.is_dealers_turn(table):
        return [*irregularities.dealer_remedy_commands(table), *taken_back]
    if table.hold or table.entering.pending:
        return taken_back
    commands = [_shuffle(number) for number in shuffling.sets_to_shuffle(table)]
    if table.gate_cards and table.devices["shoe"].trouble():
        return commands  # it is not known whether a card is on its way
    if table.entering.saved or table.corrections:
        commands.insert(0, UNDO)
    return [*_of_phase(table), *commands]


def _of_phase(table: Table) -> list[Command]:
    opens = [] if shuffling.cards_refused(table) else [OPEN]
    burns = [BURN] if shuffling.may_burn(table) else []
    match table.phase:
        case Phase.CLOSED:
            return [] if betting.DEALER in table.course.checked else [INSPECTED]
        case Phase.IDLE:
            return [*opens, *burns]
        case Phase.BETTING:
            closing = [] if betting.close_refused(table) else [CLOSE]
            wagers = map(_wager, _kinds(table))
            return [*wagers, *closing, *squeezing.squeeze_commands(table), *burns]
        case Phase.PLAYING:
            assert table.rnd
            if table.rnd.irregular.edits:
                return [] if correcting.refused(table, by_dealer=True) else [DONE]
            squeezes = squeezing.squeeze_commands(table)
            if table.dealing.kept:
                return squeezes
            others = supervisors_options(table.rnd)
            steps = (step for step in permitted_steps(table.rnd) if step not in others)
            return [*squeezes, *(step.offered for step in steps)]
    return [NEXT, *opens]


def _kinds(table: Table) -> list[str]:
    side_wagers = table.rules.side_wagers.items()
    sides = [kind for kind, rule in side_wagers if not rule.at_button or not jackpot.trouble(table)]
    return [MAIN, *sides]


def carry_out(table: Table, command: Command) -> None:
    """Carry out a command; one that is refused changes nothing."""
    step = step_of(command) if command.row.part in (Family.PLAY, Family.WRONG) else None
    edits = correcting.ended_by(table, command.verb, step)
    said = replace(command, amount=None) if command.verb == "wager" else command
    with all_or_nothing(table, said) as before:
        ends_it = bool(edits) and command == DONE
        if ends_it:
            table.dealing.end_correction()
        if edits:
            correcting.judge(table, by_dealer=True)
        can_be_taken_back = not ends_it and _apply(table, command, step) and not edits
    correcting.count_again(table, edits)
    if can_be_taken_back:
        remember(table, before)
    elif command != UNDO:
        table.entering.forget_saved()
    table.entering.notice = ""
    table.outcome.carried_out.append(command)


_OF_TABLE: Final[Mapping[str, Callable[[Table, Command], None]]] = {
    "wager": betting.wager,
    "open": lambda table, _: betting.open_bets(table),
    "close": lambda table, _: betting.close_bets(table),
    "next": lambda table, _: betting.next_round(table),
    "burn": lambda table, _: shuffling.ask_for_burn(table),
    "squeeze": lambda table, said: squeezing.squeeze(table, said.box, granted=not said.ends),
    "undo": lambda table, _: take_back(table),
    "shuffle": lambda table, said: shuffling.start(table, said.number),
    "inspected": lambda table, _: betting.check_cards(table, betting.DEALER),
    "reveal": lambda table, said: squeezing.reveal(table, said.box),
}
"""What the dealer's commands do that are no steps of a round, by their verbs."""


def _apply(table: Table, command: Command, step: Step | None) -> bool:
    """Carry out the command; whether its effect can be taken back."""
    if step is not None:
        return _step(table, step)
    _OF_TABLE[command.verb](table, command)
    return Fact.FINAL not in command.row.facts


def _step(table: Table, step: Step) -> bool:
    """Carry out a step; whether it can be taken back: nothing was paid on it, and it is not a
    remedy. A report can be, while it waits for its remedy."""
    rnd = table.rnd
    later = rnd is not None and not table.mid_round
    if isinstance(step, PutsRight) and (table.mid_round or table.hold or later):
        right = rnd is None or rnd.irregular.irregularity is None
        putting_right.dealer_step(table, step)
        waits = right and table.irregularity_open
        reports = isinstance(step, Report) and waits
        return not table.hold and (step.verb in CORRECTIONS or reports)
    sequence.check(table, "step", step)
    if refused := squeezing.refused(table):
        raise refused
    assert rnd
    after = putting_right.decide(table, rnd, step)
    if isinstance(step, Done):
        table.dealing.settle_up()
    table.dealing.update(after)
    paid = len(after.settlements) > len(rnd.settlements)
    return not paid and rnd.state != State.JACKPOT_PAYING


def may_choose(commands: Iterable[Command]) -> bool:
    """Whether a dealer with these commands may do anything but wait for a card."""
    return any(Fact.POSSIBLE not in command.row.facts for command in commands)
