"""Rule sets in the form in which side wagers had no description of their own.

Journals store rule sets by value, and operators keep rule files; so a set of that form is read as
what it would be today. In that form ``betting.side_wager_by`` held for all side wagers; sections
``[pair]`` and ``[bonus]``, lines of ``[pays]`` and decisions named after the three kinds that there
were (pair, bonus, pandemonium) said the rest, and the keypad's keys stood in the program.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from controller.rules.side_wagers import BUTTON, DECISIONS, TWO_CARDS

NAMES: Final[Mapping[str, Mapping[str, str]]] = {
    "pair": {"name": "pair", "short": "PAIR", "keypad": "P"},
    "bonus": {"name": "bonus", "short": "BONUS", "keypad": "J"},
    "pandemonium": {"name": "Pandemonium", "short": "PAN", "keypad": "J"},
}
BONUS: Final = "bonus_"
BONUS_COMBINATIONS: Final = (
    "aces_suited",
    "aces",
    "high_pair",
    "ace_picture",
    "low_pair",
    "ace_low",
)
SECTIONS: Final = ("pair", "bonus")
STATES: Final[Mapping[str, str]] = {
    "interim.pair": "interim.side_wagers",
    "interim.bonus": "interim.side_wagers",
    "interim.pandemonium": "interim.button",
}


def is_it(data: Mapping[str, Any]) -> bool:
    """Whether a parsed set is of this form."""
    betting = data.get("betting")
    return isinstance(betting, Mapping) and "side_wager_by" in betting


def as_now(data: Mapping[str, Any]) -> dict[str, Any]:
    """The same set as it is written today. A set with faults may keep some of them."""
    now = {name: section for name, section in data.items() if name not in SECTIONS}
    betting = dict(data["betting"])
    by = betting.pop("side_wager_by")
    clause = by["clause"]
    now["betting"] = {**betting, "offers_need": {"value": "main_wager", "clause": clause}}
    kinds = [kind for kind in betting["side_wagers"]["value"] if kind in NAMES]
    now["side_wagers"] = {kind: _side_wager(data, kind, by) for kind in kinds}
    for section in ("pays", "settled_by"):
        now[section] = {key: said for key, said in data[section].items() if not _is_of_side(key)}
    now["states"] = _states(data["states"])
    return now


def _side_wager(data: Mapping[str, Any], kind: str, by: Any) -> dict[str, Any]:
    settled = BUTTON if kind == "pandemonium" else TWO_CARDS
    clauses = {name: data["settled_by"][f"{kind}.{name}"] for name in DECISIONS[settled]}
    wins, pays, special = _wins(data, kind)
    return {
        **NAMES[kind],
        "placed": {"value": "bets_open", "clause": data["betting"]["side_wagers"]["clause"]},
        "by": by,
        "settled": {"value": settled, "clause": clauses["win"]},
        "beaten_by": {"value": "nothing", "clause": clauses["win"]},
        "wins": wins,
        "pays": pays,
        "settled_by": clauses | special,
    }


def _wins(
    data: Mapping[str, Any], kind: str
) -> tuple[dict[str, Any], dict[str, Any], dict[str, str]]:
    """The combinations that win, their odds, and the clauses of those that have their own."""
    pays = data["pays"]
    match kind:
        case "pair":
            rule = data["pair"]["aces"]
            names = ["aces", "pair"] if rule["value"] else ["pair_but_aces"]
            wins = {"value": names, "clause": rule["clause"]}
            special = {"aces": rule["clause"]} if rule["value"] else {}
            return wins, dict.fromkeys(names, pays["pair"]), special
        case "bonus":
            clause = data["bonus"]["line"]["clause"]
            won = f"{data['settled_by']['bonus.win']}; {clause.rpartition('; ')[2]}"
            odds = {name: pays[f"{BONUS}{name}"] for name in BONUS_COMBINATIONS}
            wins = {"value": list(BONUS_COMBINATIONS), "clause": clause}
            return wins, odds, {BONUS_COMBINATIONS[0]: won}
    return {"value": ["pontoon"], "clause": data["settled_by"][f"{kind}.win"]}, {}, {}


def _is_of_side(key: str) -> bool:
    return key.partition(".")[0] in NAMES or key.startswith(BONUS)


def _states(states: Mapping[str, str]) -> dict[str, str]:
    """The clauses of states: one state settles all side wagers on the first two cards now."""
    now: dict[str, str] = {}
    for name, clause in states.items():
        state = STATES.get(name, name)
        now[state] = f"{now[state]}; {clause}" if state in now else clause
    return now
