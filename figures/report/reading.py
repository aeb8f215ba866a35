"""Results of ``table-figures``, out of the files into which their JSON was written.

A result of another version, or of another source of the kernel, is refused: the same command may
come to other figures now.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from controller import __version__
from controller.forms.json_values import JsonObject, WrongForm, checked
from controller.not_done import WRONG_USE, NotDone
from controller.regular_files import TooLarge, read_whole
from figures.edges.results import EdgeFigures, Origin, Setting, ShiftFigures, WorthFigures
from figures.games.compiled import source_digest
from figures.report.edge_part import edge_part
from figures.report.figure import Content
from figures.report.forms import StrangersFigures, StrategyFigures
from figures.report.other_parts import shift_part, strangers_part, strategy_part, worth_part

MOST_BYTES: Final = 16 << 20
STANDARD_INPUT: Final = Path("-")


@dataclass(frozen=True, slots=True)
class ResultKind:
    """A kind of result: the command that tells it, a key that no kind below it has, its form, the
    begin of its heading, its part."""

    command: str
    key: str
    form: type[Any]
    heading: str
    part: Callable[[Any], Iterator[Content]]


KINDS: Final = (
    ResultKind("edge", "distributions", EdgeFigures, "", edge_part),
    ResultKind("shift", "loses_more_than", ShiftFigures, "A shift: ", shift_part),
    ResultKind("strategy", "departures", StrategyFigures, "What to do: ", strategy_part),
    ResultKind("worth", "values", WorthFigures, "What rule values are worth: ", worth_part),
    ResultKind(
        "strangers",
        "strangers",
        StrangersFigures,
        "Beside what others have published: ",
        strangers_part,
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
        boxes = "1 box" if setting["boxes"] == 1 else f"{setting['boxes']} boxes"
        weights = [f"weights {setting['weights']}"] if setting["weights"] else []
        return f"{setting['decks']} decks", setting["policy"], boxes, *weights


def read_results(paths: Iterable[Path]) -> list[Result]:
    """The results in the files, in their order; a file has one a line. ``-`` is standard input.

    Raises:
        NotDone: 2, a file cannot be read, is of no result, or one of another version or kernel.
    """
    return [result for path in paths for result in _read_file(path)]


def read_edge(path: Path) -> EdgeFigures:
    """The figures of a run in that file, as ``edge`` or ``side`` tells them.

    Raises:
        NotDone: 2, as :func:`read_results`, or it is another result, or more than one.
    """
    found = read_results([path])
    expected = "expected what 'table-figures edge --json' printed, of one run"
    commands = {result.kind.command for result in found}
    if commands != {"edge"}:
        printed = ", ".join(sorted(f"'{command}'" for command in commands))
        raise NotDone(WRONG_USE, f"{path}: this is what {printed} printed; {expected}")
    if len(found) > 1:
        raise NotDone(WRONG_USE, f"{path}: it has {len(found)} results; {expected}")
    told: EdgeFigures = found[0].told
    return told


def _read_file(path: Path) -> Iterator[Result]:
    try:
        lines = _content(path).decode("utf-8").splitlines()
        found = [result_of(json.loads(line)) for line in lines if line.strip()]
    except OSError as error:
        raise NotDone(WRONG_USE, f"{path}: {error.strerror or error}") from error
    except ValueError as error:
        raise NotDone(
            WRONG_USE,
            f"{path}: no result of table-figures ({_fault(error)}); expected what 'table-figures "
            "edge --json' or another of its commands has printed, a result a line",
        ) from error
    if not found:
        raise NotDone(WRONG_USE, f"{path}: it is empty; was the run that writes it ended early?")
    for result in found:
        origin = result.origin
        made_by, this = f"version {origin['version']}", f"version {__version__}"
        if made_by == this and origin["kernel"] != source_digest():
            made_by = f"another source of the kernel ({origin['kernel'][:16]})"
            this = source_digest()[:16]
        if made_by != this:
            raise NotDone(
                WRONG_USE,
                f"{path}: it was made by {made_by}, and this is {this}; make it again: "
                f"{origin['command']}",
            )
    return iter(found)


def _content(path: Path) -> bytes:
    if path != STANDARD_INPUT:
        return read_whole(path, MOST_BYTES)
    content = sys.stdin.buffer.read(MOST_BYTES + 1) if sys.stdin else b""
    if len(content) > MOST_BYTES:
        raise TooLarge(path, MOST_BYTES)
    return content


def _fault(error: ValueError) -> str:
    """What is wrong, in words."""
    if isinstance(error, json.JSONDecodeError):
        return f"it is no JSON from column {error.colno} of a line on"
    if isinstance(error, UnicodeDecodeError):
        return "it is no text"
    return str(error)


def result_of(told: object) -> Result:
    """The result that this is.

    Raises:
        ValueError: it is none; the message says what is missing or wrong.
    """
    try:
        value = checked(JsonObject, told, "")  # type: ignore[type-abstract]
    except WrongForm as error:
        raise ValueError("it is no JSON object") from error
    for kind in KINDS:
        if kind.key in value:
            try:
                return Result(kind, checked(kind.form, value, ""))
            except WrongForm as error:
                fault = str(error).removeprefix(".")
                raise ValueError(f"not as '{kind.command}' prints it: {fault}") from error
    keys = ", ".join(kind.key for kind in KINDS)
    raise ValueError(f"it has none of the keys {keys}")
