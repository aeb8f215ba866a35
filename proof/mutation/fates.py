"""What becomes of the mutants of a document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from controller.game.rules.loader import RulesError, parse_rules
from figures.changes import Mutant
from proof.mutation.equivalents import Equivalents
from proof.mutation.rounds import Line, failing

Judge = Callable[[Mutant], str | None]
"""What kills a mutant: the title of a round, the name of a test; None where nothing does."""


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a mutant: ``how`` it ended (``refused`` by the loader, killed by ``rounds`` or
    ``tests``, ``equivalent``, or ``survives``), and ``why``: a fault, a round, a test or a reason.
    """

    mutant: Mutant
    how: str
    why: str = ""


def by_rounds(mutants: Iterable[Mutant], rounds: Sequence[Line]) -> Iterator[Fate]:
    """What the loader and the rounds worked out by hand make of each mutant."""
    for mutant in mutants:
        try:
            rules = parse_rules(mutant.text, mutant.document)
        except RulesError as error:
            yield Fate(mutant, "refused", error.faults[0])
            continue
        title = failing(rounds, rules)
        yield Fate(mutant, "rounds" if title else "survives", title or "")


def by_tests(fates: Iterable[Fate], judge: Judge, workers: int) -> Iterator[Fate]:
    """The fates with those that have survived so far judged by tests, several at a time."""
    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(partial(_judged, judge), fates)


def _judged(judge: Judge, fate: Fate) -> Fate:
    if fate.how != "survives":
        return fate
    test = judge(fate.mutant)
    return Fate(fate.mutant, "tests", test) if test else fate


def excused(fates: Iterable[Fate], equivalents: Equivalents) -> Iterator[Fate]:
    """The fates with those that have survived and are listed taken as equivalent."""
    for fate in fates:
        reason = equivalents.get((fate.mutant.document, fate.mutant.name))
        yield Fate(fate.mutant, "equivalent", reason) if reason and fate.how == "survives" else fate


def wrongly_listed(fates: Sequence[Fate], document: str, equivalents: Equivalents) -> list[str]:
    """Faults of the list: an equivalent of the document that something kills, or that is none of
    its mutants."""
    ends = {fate.mutant.name: fate for fate in fates}
    faults = []
    for listed, name in equivalents:
        if listed != document:
            continue
        if name not in ends:
            faults.append(f"{name} is listed as equivalent, but it is no mutant")
        elif ends[name].how != "equivalent":
            faults.append(f"{name} is listed as equivalent, but {ends[name].why!r} kills it")
    return faults
