"""What becomes of the mutants of a document; some play as it does, each with its reason
(``equivalents.toml``)."""

from __future__ import annotations

import signal
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

from controller.game.rules.loader import RulesError, parse_rules
from controller.game.rules.schema import RuleSet
from controller.game.scripts.runner import StepRefused, run_script
from controller.game.scripts.script import MalformedScript, read_json, read_script
from figures.changes import Mutant
from hil_tests.tables.worked_rounds import worked_lines

LONGEST_S = 10
"""A round that takes longer does not end under the rules of the mutant."""

Line = Mapping[str, Any]


def rounds_of(document: str) -> list[Line]:
    """The hand-worked rounds of a document: lines as ``tests/rounds/test_rounds.py`` has them."""
    every = worked_lines(read_json).values()
    return [line for lines in every for line in lines if line["script"]["rules"] == document]


def failing(rounds: Sequence[Line], rules: RuleSet) -> str | None:
    """The title of the first round that comes out otherwise under the rules; None: all hold."""
    return next((line["script"]["title"] for line in rounds if not _holds(line, rules)), None)


def _holds(line: Line, rules: RuleSet) -> bool:
    error: Line = line.get("error", {})
    status = error.get("status")
    try:
        with _ending():
            result = run_script(read_script(line["script"], lambda _: rules))
    except MalformedScript as malformed:
        return status == 2 and error["about"] in str(malformed)
    except StepRefused as refusal:
        right = status == 3 and error["step"] == refusal.index
        return right and error["clause"] in ("*", refusal.refused.clause)
    except Exception:  # the engine need not bear rules that contradict each other
        return False
    return "expect" in line and line["expect"] == result


@contextmanager
def _ending() -> Iterator[None]:
    def give_up(_: int, __: FrameType | None) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(LONGEST_S)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


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
