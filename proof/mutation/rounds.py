"""Rounds worked out by hand, played under the rules of a mutant."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from controller.game.rules.schema import RuleSet
from controller.game.scripts.runner import StepRefused, run_script
from controller.game.scripts.script import MalformedScript, read_json, read_script

FOLDER = Path(__file__).resolve().parents[2] / "tests" / "rounds"
LONGEST_S = 10
"""A round that takes longer does not end under the rules of the mutant."""

Line = Mapping[str, Any]


def rounds_of(document: str) -> list[Line]:
    """The hand-worked rounds of a document: lines as ``tests/rounds/test_rounds.py`` has them."""
    lines: Iterator[Any] = (
        read_json(text)
        for path in sorted(FOLDER.glob("*.jsonl"))
        for text in path.read_text(encoding="utf-8").splitlines()
    )
    return [line for line in lines if line["script"]["rules"] == document]


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
