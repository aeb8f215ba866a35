"""Round scripts at random in which things go wrong: what a script may say next is asked of the
round itself, and reports are mixed in. Such a script needs no expectation: it is compared."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from controller.files.rules import load_rules, rule_files
from controller.game.commands.values import Malformed
from controller.game.round.play import begin_round
from controller.game.round.refusal import Refused
from controller.game.round.remedies import parse_step
from controller.game.rules.cards import Card
from controller.game.scripts.script import MalformedScript, read_json, read_script
from controller.game.scripts.script_play import ScriptPlay, sayable

DECK = [Card(rank, suit) for rank in (*range(1, 10), 11, 12, 13) for suit in range(1, 5)]
MARKS = ("&", "&", "&", "^", "^", "%")
REPORTS = (
    *("misdeal", "no-card 1", "one-card 2", "dealer-no-card", "passed-over 1", "wrong-decision 1"),
    *("wrong-decision 2", "missed-insurance 1", "missed-insurance 1b", "missed-surrender 2"),
    *("over-maximum 1 50", "late-bet 1", "shoe-empty", "power", "other", "drawn", "drawn seen"),
    "empty-box 5",
)
CARDS, STEPS, TRIES, MOST_REPORTS = 40, 60, 6, 2


def random_script(seed: int) -> dict[str, Any] | None:
    """The script of that seed; None where it does not come to an end."""
    chance = Random(seed)
    rules = load_rules(chance.choice(sorted(rule_files())))
    wagers: list[dict[str, Any]] = []
    for box in range(1, chance.randint(2, 4)):
        sides = {kind: 5 for kind in rules.side_wagers if chance.random() < 0.35}
        wagers.append({"box": box, "main": 100, **sides})
        if rules.betting.bettors_max.value > 1 and chance.random() < 0.35:
            wagers.append({"box": box, "bettor": "b", "main": 40})
    shoe = list(map(str, chance.sample(DECK, CARDS)))  # each once: so it is known where it lies
    shoe = shoe[:2] + [card + _mark(chance) for card in shoe[2:]]
    button = {"multipliers": [25, 10, 5]} if rules.button_wager else {}
    script = {"title": f"seed {seed}", "rules": rules.id, "wagers": wagers, **button}
    return _played({**script, "shoe": " ".join(shoe), "steps": []}, chance)


def _mark(chance: Random) -> str:
    return chance.choice(MARKS) if chance.random() < 0.1 else ""


def _played(script: dict[str, Any], chance: Random) -> dict[str, Any] | None:
    read = read_script(read_json(json.dumps(script)), load_rules)
    play, reports = ScriptPlay(read, begin_round(read.rules, read.limits, read.sheet)), 0
    try:
        for _ in range(STEPS):
            idle = play.clone()
            idle.settle_down(None)
            if idle.rnd.is_over and not idle.rnd.irregular.irregularity:
                used, drawn = script["shoe"].split()[: idle.card], idle.multiplier
                more = {"multipliers": script["multipliers"][:drawn]} if drawn else {}
                script.pop("multipliers", None)
                return {**script, **more, "shoe": " ".join(used)}
            after = None
            if (
                reports < MOST_REPORTS
                and not idle.rnd.irregular.irregularity
                and chance.random() < 0.35
            ):
                said = f"report {chance.choice(REPORTS)}"
                after = _after(play, said)
                reports += after is not None
            if after is None:
                steps = [*sayable(idle.rnd), *sayable(play.rnd)]
                chance.shuffle(steps)
                for template in steps[:TRIES]:
                    said = template.replace("AMOUNT", "20").replace(" BY", " staff")
                    if (after := _after(play, said)) is not None:
                        break
            if after is None:
                return None
            play = after
            script["steps"].append(said)
    except (Refused, MalformedScript):
        pass
    return None


def _after(play: ScriptPlay, text: str) -> ScriptPlay | None:
    """The play after that step; None where it cannot be said now."""
    step, trial = parse_step(text), play.clone()
    try:
        trial.settle_down(step)
        trial.take_step(step)
    except (Refused, Malformed, MalformedScript):
        return None
    return trial
