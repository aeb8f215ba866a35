"""Rounds worked out by hand from the clauses, against the engine.

A line of a ``.jsonl`` file is a script with what it must come to: ``expect``, the whole result, or
``error``: ``status`` 3 with the ``step`` refused and the ``clause`` that forbids it (``*``: none is
looked for), or ``status`` 2 with what the message must be ``about``. ``clauses`` are those that the
round shows beside the ones it cites; the clause pages name it for them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from controller.files.rules import rules_in
from controller.game.round.result_fields import RoundResult
from controller.game.scripts.runner import StepRefused, run_script
from controller.game.scripts.script import MalformedScript, read_json, read_script

HERE = Path(__file__).parent
RULES = rules_in(HERE)

Line = dict[str, Any]


def _lines() -> list[Any]:
    found = []
    for path in sorted(HERE.glob("*.jsonl")):
        for text in path.read_text(encoding="utf-8").splitlines():
            line: Any = read_json(text)
            title = line["script"]["title"]
            name = f"{path.stem.split('-')[0]}: {title}"
            found.append(pytest.param(line, id=name))
    return found


def _run(line: Line) -> RoundResult:
    return run_script(read_script(line["script"], RULES))


LINES = _lines()


def test_every_round_has_a_title_of_its_own() -> None:
    titles = [param.id for param in LINES]
    assert len(titles) == len(set(titles))


@pytest.mark.parametrize("line", LINES)
def test_round(line: Line) -> None:
    error = line.get("error")
    if error is None:
        # As text, so that a difference reads like the file.
        assert json.dumps(_run(line), indent=1) == json.dumps(line["expect"], indent=1)
    elif error["status"] == 2:
        with pytest.raises(MalformedScript) as malformed:
            _run(line)
        assert error["about"] in str(malformed.value)
    else:
        with pytest.raises(StepRefused) as refusal:
            _run(line)
        assert refusal.value.index == error["step"]
        if error["clause"] != "*":
            assert refusal.value.refused.clause == error["clause"]
