"""Rounds played as far as a test needs them, from wagers, cards and steps as text."""

from __future__ import annotations

from controller.files.rules import load_rules
from controller.game.commands.command import read_dealers
from controller.game.commands.values import parse_amount, parse_seat
from controller.game.round import play
from controller.game.round.remedies import step_of
from controller.game.round.state import Round
from controller.game.round.steps import Step
from controller.game.round.wagers import Limits, Sheet
from controller.game.rules.cards import parse_card
from controller.game.rules.schema import RuleSet

MBS, RWS = "mbs-pontoon-pandemonium-v5", "rws-pontoon-pandemonium-v4"
PLUS, DIVISION_15 = "rws-pontoon-plus-v5", "division-15-pontoon"
TRICK = "pontoon-five-card-trick"
LIMITS = Limits(min=1000, max=500_000)


def step(text: str) -> Step:
    """A step, as scripts and dealers write it."""
    return step_of(read_dealers(text))


def played(rules: str | RuleSet, wagers: str, *moves: str) -> Round:
    """The round after the moves: each is a step, or some cards that leave the shoe one by one.
    ``wagers`` are separated by commas: ``1 main 10, 2b pair 5``."""
    sheet = Sheet()
    for wager in wagers.split(","):
        box, kind, *amount = wager.split()
        seat = parse_seat(box)
        stake = parse_amount(amount[0]) if amount else None
        sheet.set(kind, seat.box, seat.bettor or "a", stake)
    read = load_rules(rules) if isinstance(rules, str) else rules
    rnd = play.begin_round(read, LIMITS, sheet)
    for move in moves:
        rnd = moved(rnd, move)
    return rnd


def moved(rnd: Round, move: str) -> Round:
    """The round after one more move."""
    if move[0].islower():
        return play.take_step(rnd, step(move))
    for name in move.split():
        rnd = play.take_card(rnd, parse_card(name))
    return rnd
