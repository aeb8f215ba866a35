"""The round of a trial once more: as a script, and at a live table in this process."""

from __future__ import annotations

import json
from typing import Any

from controller.game.round.result_fields import RoundResult
from controller.game.round.results.result import round_result
from controller.game.round.state import Round
from controller.game.scripts.runner import StepRefused, run_script
from controller.game.scripts.script import MalformedScript, read_json, read_script
from proof.put_right.mistakes import Fails
from tests.table.live.scripted import LiveScript


def as_script(script: dict[str, Any], rnd: Round) -> None:
    """Run the script and hold its result against the round.

    Raises:
        Fails: it is refused, or ends otherwise.
    """
    try:
        result = run_script(read_script(read_json(json.dumps(script)), lambda _: rnd.rules))
    except (MalformedScript, StepRefused) as error:
        raise Fails("the script does not run", str(error)) from error
    _compare("the script ends otherwise", result, rnd)


def at_live_table(script: dict[str, Any], rnd: Round) -> None:
    """Deal the script at a live table and hold its result against the round.

    Raises:
        Fails: it is refused, or ends otherwise.
    """
    try:
        _, result = LiveScript.result(script | {"title": script.get("title", "")})
    except Exception as error:  # whatever stops the live table is a finding
        raise Fails("the live table stops", f"{type(error).__name__}: {error}") from error
    _compare("the live table ends otherwise", result, rnd)


def _compare(what: str, result: RoundResult, rnd: Round) -> None:
    net = round_result(rnd, "")["net"]
    if result["net"] != net:
        raise Fails(what, f"is {result['net']}, here {net}")
