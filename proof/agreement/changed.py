"""Rule sets with one value changed, as ``make mutate`` changes them: the kernel plays every one
that the loader takes, by chance and where the value matters.

That it matters is seen: the kernel plays a round otherwise by the document's own value than the
table's rounds do by the changed one. The kernel finds such rounds, by playing many by both values,
and the table plays those. Values for which there is none are listed, with why.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

from controller.files.rules import load_rules, rule_files
from controller.game.rules.loader import RulesError, parse_rules
from figures.changes import CLAUSES, mutants_of
from proof.agreement.outcomes import Way, as_compiled, as_it_stands
from proof.agreement.played_tables import MATTERS, PlayedRounds, agree, agree_where_it_matters
from proof.agreement.tables import CardsOf, Subject
from proof.mutation.fates import FILE, Equivalents, read_equivalents

NOT_PLAYED: Final = ("absent.", "betting.", "case ", *CLAUSES)
"""What mutants begin with that change people, irregularities and clauses: the kernel has none."""

ONE_BETTOR: Final = "A box of the kernel has one bettor, and wagers whose maker it does not ask."
HANDLING: Final = "It says how cards or money are handled, not which, or how much."
THE_SAME_HALF: Final = "What is collected is the same with the second card and at the end."
NOT_SEEN: Final = {
    "cards.decks_m": "It bounds the configuration: how many decks there are is not the rules'.",
    "shoe.cut ": HANDLING,
    "shoe.discards ": HANDLING,
    "deal.": HANDLING,
    "side_wagers.pair.by ": ONE_BETTOR,
    "side_wagers.pair.persons_max ": ONE_BETTOR,
    "side_wagers.bonus.by ": ONE_BETTOR,
    "side_wagers.bonus.persons_max ": ONE_BETTOR,
    "side_wagers.pandemonium.by ": ONE_BETTOR,
    "side_wagers.pandemonium.persons_max ": ONE_BETTOR,
    "insurance.others ": ONE_BETTOR,
    "insurance.outside ": ONE_BETTOR,
    "surrender.scope ": ONE_BETTOR,
    "split.others ": ONE_BETTOR,
    "double.others_odds ": ONE_BETTOR,
    "super_bonus.share_to ": ONE_BETTOR,
    "super_bonus.paid ": HANDLING,
    'surrender.settled = "final"': THE_SAME_HALF,
    'surrender.settled = "second_card"': THE_SAME_HALF,
    'surrender.dealer_first = ["A", "K", "Q", "J", "T"]': "The decks have no tens.",
}
"""What mutants begin with by which every round is played as by the document, and why; with those of
``proof/mutation/equivalents.toml``."""

CARDS: Final[Mapping[str, CardsOf | None]] = {
    "cards.tens ": None,
    "shoe.": None,
    "split.pays ": CardsOf.SEVENS,
    "double.aces ": CardsOf.ACES,
    "compare.original_": CardsOf.ACES_AND_PICTURES,
    "super_bonus.": CardsOf.SEVENS,
    "pays.678_": CardsOf.SIX_SEVEN_EIGHT,
    "pays.777_": CardsOf.SEVENS,
    "pays.cards_": CardsOf.LONG_HANDS,
}
"""The cards with which a value matters, by what mutants begin with, where others seldom have it
matter (None: those of a shoe)."""


@cache
def changed(document: str) -> Mapping[str, Subject]:
    """The mutants of a document by their names, in the order of its rule file."""
    text, found = rule_files()[document].read_text(encoding="utf-8"), {}
    for mutant in mutants_of(document, text):
        if mutant.name.startswith(NOT_PLAYED) or f".{CLAUSES[0]}." in mutant.name:
            continue
        try:
            rules = parse_rules(mutant.text, document)
        except RulesError:
            continue
        found[mutant.name] = Subject(f"{document} with {mutant.name}", rules)
    return found


@cache
def unchanged(document: str) -> Subject:
    """The document's own rules."""
    return Subject(document, load_rules(document))


@cache
def _equivalents() -> Equivalents:
    return read_equivalents(FILE.read_text(encoding="utf-8"))


def why_not_seen(document: str, name: str) -> str:
    """Why every round is played as by the document, although that is changed; "": some are not."""
    reasons = [why for begins, why in NOT_SEEN.items() if name.startswith(begins)]
    if not name.startswith("shoe."):  # at a table one that runs out may end the round
        reasons.append(_equivalents().get((document, name), ""))
    return next(filter(None, reasons), "")


def agree_with_changed(
    document: str, name: str, way: Way, seed: int, first: int, rounds: int, times: int
) -> PlayedRounds:
    """Play that many rounds by the mutant of that name, and so many ``times`` rounds in which the
    changed value matters; where it is listed as one that does not, the same rounds by the
    document's value, which then are to agree too. Up to a difference, and it is one, too, where no
    round is found in which it matters."""
    mutant, own = changed(document)[name], unchanged(document)
    found = agree(mutant, way, seed, first, rounds)
    if found.difference:
        return found
    if why_not_seen(document, name):
        both = Subject(mutant.name, own.rules, mutant.rules)
        found.add(agree(both, way, seed, first, rounds))
        return found
    if times == 0:
        return found
    kind = next((of for begins, of in CARDS.items() if name.startswith(begins)), CardsOf.ANY)
    found.add(agree_where_it_matters(mutant, own, way, seed, kind, times))
    if not found.difference and not found.seen[MATTERS]:
        found.difference = f"{mutant.name}: no round is found in which that matters"
    return found


class Part(NamedTuple):
    """Rounds of a document, or of the mutant of that name, in trials from the ``first`` on."""

    document: str
    mutant: str
    compile_it: bool
    seed: int
    first: int
    rounds: int
    times: int


@cache
def _way(*, compile_it: bool) -> Way:
    return as_compiled() if compile_it else as_it_stands()


def play(part: Part) -> PlayedRounds:
    """Play the rounds of a part by both, up to a difference."""
    way, among = _way(compile_it=part.compile_it), (part.seed, part.first, part.rounds)
    if part.mutant:
        return agree_with_changed(part.document, part.mutant, way, *among, part.times)
    return agree(unchanged(part.document), way, *among)
