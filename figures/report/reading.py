"""Results of ``table-figures``, out of the files into which their JSON was written."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from controller import __version__
from controller.json_values import JsonObject, WrongForm, checked
from controller.not_done import WRONG_USE, NotDone
from controller.regular_files import read_whole
from figures.edges.results import EdgeFigures, Origin, Setting, ShiftFigures, WorthFigures
from figures.report.edge_part import edge_part
from figures.report.figure import Content
from figures.report.forms import StrangersFigures, StrategyFigures
from figures.report.other_parts import shift_part, strangers_part, strategy_part, worth_part

MOST_BYTES: Final = 16 << 20


@dataclass(frozen=True, slots=True)
class ResultKind:
    """A kind of result: a key that no kind below it has, its form, the begin of its heading, its
    part."""

    key: str
    form: type[Any]
    heading: str
    part: Callable[[Any], Iterator[Content]]


KINDS: Final = (
    ResultKind("distributions", EdgeFigures, "", edge_part),
    ResultKind("loses_more_than", ShiftFigures, "A shift: ", shift_part),
    ResultKind("departures", StrategyFigures, "What to do: ", strategy_part),
    ResultKind("values", WorthFigures, "What rule values are worth: ", worth_part),
    ResultKind(
        "strangers", StrangersFigures, "Beside what others have published: ", strangers_part
    ),
)


@dataclass(frozen=True, slots=True)
class Result:
    """One result, of the form of its kind."""

    kind: ResultKind
    told: Any

    @property
    def origin(self) -> Origin:
        """What it was made by."""
        return checked(Origin, self.told["origin"])

    @property
    def heading(self) -> str:
        """What it is of."""
        return ", ".join((self.kind.heading + self.origin["rules"], *self._played))

    @property
    def brief(self) -> str:
        """What it is of and by what, for the head of a sheet."""
        origin, played = self.origin, self._played[:1]
        by = (f"seed {origin['seed']}", f"rules {origin['rules_digest'][:16]}")
        return " · ".join((origin["rules"], *played, *by))

    @property
    def contents(self) -> Iterator[Content]:
        """What it says."""
        return self.kind.part(self.told)

    @property
    def _played(self) -> tuple[str, ...]:
        if self.kind.form is StrangersFigures:
            return ()
        if self.kind.form is StrategyFigures:
            return (f"{self.told['decks']} decks",)
        setting = checked(Setting, self.told["setting"])
        return f"{setting['decks']} decks", setting["policy"]


def read_results(paths: Iterable[Path]) -> list[Result]:
    """The results in the files, in their order; a file has one a line.

    Raises:
        NotDone: 2, a file cannot be read, is of no result or one of another version.
    """
    return [result for path in paths for result in _read(path)]


def _read(path: Path) -> Iterator[Result]:
    try:
        lines = read_whole(path, MOST_BYTES).decode("utf-8").splitlines()
        found = [result_of(json.loads(line)) for line in lines if line.strip()]
    except OSError as error:
        raise NotDone(WRONG_USE, f"{path}: {error.strerror or error}") from error
    except (ValueError, WrongForm) as error:
        raise NotDone(
            WRONG_USE,
            f"{path}: no result of table-figures ({error}); expected what 'table-figures edge "
            "--json' or another of its commands has printed, a result a line",
        ) from error
    if not found:
        raise NotDone(WRONG_USE, f"{path}: it is empty; was the run that writes it ended early?")
    for result in found:
        made_by, command = result.origin["version"], result.origin["command"]
        if made_by != __version__:
            raise NotDone(
                WRONG_USE,
                f"{path}: it was made by version {made_by}, and this is {__version__}; make it "
                f"again: {command}",
            )
    return iter(found)


def result_of(told: object) -> Result:
    """The result that this is.

    Raises:
        ValueError: it is none; WrongForm.
    """
    value = checked(JsonObject, told, "the file")  # type: ignore[type-abstract]
    for kind in KINDS:
        if kind.key in value:
            return Result(kind, checked(kind.form, value, "it"))
    keys = ", ".join(kind.key for kind in KINDS)
    raise ValueError(f"it has none of {keys}")
