"""What becomes of the mutants of a document; some play as it does, each with its reason
(``equivalents.toml``)."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from controller.game.rules.loader import RulesError, parse_rules
from figures.changes import Mutant
from proof.mutation.rounds import Line, failing

FILE = Path(__file__).with_name("equivalents.toml")


class EquivalentsError(Exception):
    """A list of equivalents that cannot be used."""


Equivalents = Mapping[tuple[str, str], str]
"""The reason by document and name of a mutant."""


def read_equivalents(text: str) -> Equivalents:
    """What the list says: entries ``[[equivalent]]`` with ``documents``, ``mutants`` (their names)
    and the ``reason``, which holds for each of these mutants in each of these documents.

    Raises:
        EquivalentsError: an entry without a reason, with other keys, or a mutant listed twice.
    """
    found: dict[tuple[str, str], str] = {}
    for entry in tomllib.loads(text).get("equivalent", []):
        if set(entry) != {"documents", "mutants", "reason"}:
            raise EquivalentsError(f"{entry}: expected documents, mutants and the reason")
        if not str(entry["reason"]).strip():
            raise EquivalentsError(f"{entry['mutants']}: without a reason")
        for listed in (
            (document, name) for document in entry["documents"] for name in entry["mutants"]
        ):
            if listed in found:
                raise EquivalentsError(f"{listed[0]}: {listed[1]} is listed twice")
            found[listed] = entry["reason"]
    return found


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
