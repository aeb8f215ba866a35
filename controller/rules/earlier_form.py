"""Rule sets in the form in which side wagers had no description of their own.

Journals store rule sets by value, and operators keep rule files; so a set of that form is read as
what it would be today. In that form ``betting.side_wager_by`` held for all side wagers; sections
``[pair]`` and ``[bonus]``, lines of ``[pays]`` and decisions named after the three kinds that there
were (pair, bonus, pandemonium) said the rest, and the keypad's keys stood in the program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from controller.rules.side_wagers import BUTTON, DECISIONS, TWO_CARDS

PANDEMONIUM: Final = "pandemonium"
NAMES: Final[Mapping[str, Mapping[str, str]]] = {
    "pair": {"name": "pair", "short": "PAIR", "keypad": "P"},
    "bonus": {"name": "bonus", "short": "BONUS", "keypad": "J"},
    PANDEMONIUM: {"name": "Pandemonium", "short": "PAN", "keypad": "J"},
}
"""The kinds in the order in which they were settled, whatever the order of the list."""
BONUS_COMBINATIONS: Final = (
    "aces_suited",
    "aces",
    "high_pair",
    "ace_picture",
    "low_pair",
    "ace_low",
)
PAYS: Final[Mapping[str, tuple[str, ...]]] = {
    "pair": ("pair",),
    "bonus": tuple(f"bonus_{name}" for name in BONUS_COMBINATIONS),
    PANDEMONIUM: (),
}
KEYS: Final[Mapping[str, tuple[str, tuple[object, ...]]]] = {
    "pair": ("aces", (True, False)),
    "bonus": ("line", ("highest",)),
}
"""The one key of the section of a kind, and what it could be."""
BY: Final = ("main_bettor", "anyone_on_wagered_box")
STATES: Final[Mapping[str, str]] = {
    "interim.pair": "interim.side_wagers",
    "interim.bonus": "interim.side_wagers",
    "interim.pandemonium": "interim.button",
}


def is_it(data: Mapping[str, Any]) -> bool:
    """Whether a parsed set is of this form."""
    betting = data.get("betting")
    return isinstance(betting, Mapping) and "side_wager_by" in betting


def button_kind(data: Mapping[str, Any]) -> str | None:
    """The kind that the button settles in a set stored by value, of this form or today's.

    Raises:
        LookupError, TypeError: it is no rule set.
    """
    if "side_wagers" not in data:
        return PANDEMONIUM
    described = data["side_wagers"]
    return next((kind for kind in described if described[kind]["settled"]["value"] == BUTTON), None)


def faults_of(data: Mapping[str, Any]) -> list[str]:
    """What is wrong with those parts of the set that only this form has."""
    try:
        return list(_faults(data))
    except (AttributeError, LookupError, TypeError) as error:
        return [f"is of the form without [side_wagers], and has not what that needs: {error!r}"]


def _faults(data: Mapping[str, Any]) -> Iterator[str]:
    listed = data["betting"]["side_wagers"]["value"]
    yield from _one_of("betting.side_wager_by", data["betting"]["side_wager_by"], BY)
    for place, table in (("side_wagers", data), ("betting.offers_need", data["betting"])):
        if place.rpartition(".")[2] in table:
            yield f"{place} does not go with betting.side_wager_by, which it has replaced"
    for kind, (name, permitted) in KEYS.items():
        section = data.get(kind)
        if (kind in listed) != (section is not None):
            yield f"betting.side_wagers = {listed} and section [{kind}]: expected both or neither"
        elif section is not None:
            yield from (
                f"{kind}.{key} is unknown; expected {name}" for key in section.keys() - {name}
            )
            yield from _one_of(f"{kind}.{name}", section[name], permitted)
    wanted = {line for kind in NAMES if kind in listed for line in PAYS[kind]}
    there = {line for line in data["pays"] if line == "pair" or line.startswith("bonus_")}
    yield from (f'pays."{line}" is missing: its odds' for line in sorted(wanted - there))
    yield from (f'pays."{line}" is unknown, or not played' for line in sorted(there - wanted))
    wanted = {f"{kind}.{name}" for kind in NAMES if kind in listed for name in _decisions(kind)}
    there = {name for name in data["settled_by"] if name.partition(".")[0] in NAMES}
    yield from (f'settled_by."{name}" is missing' for name in sorted(wanted - there))
    yield from (f'settled_by."{name}" is unknown, or not played' for name in sorted(there - wanted))
    for state in STATES:
        clause = data["states"].get(state, "-")
        if not isinstance(clause, str) or not clause:
            yield f'states."{state}" = {clause!r}: expected the clause as text'


def _one_of(where: str, rule: Any, permitted: tuple[object, ...]) -> Iterator[str]:
    value = rule["value"]
    if not any(type(value) is type(one) and value == one for one in permitted):
        yield f"{where} = {value!r}: permitted are {', '.join(map(repr, permitted))}"
    if not isinstance(rule["clause"], str) or not rule["clause"]:
        yield f"{where}: its clause is {rule['clause']!r}, expected the clause's number as text"


def as_now(data: Mapping[str, Any]) -> dict[str, Any]:
    """The same set as it is written today; one with :func:`faults_of` it cannot be."""
    now = {name: section for name, section in data.items() if name not in KEYS}
    betting = dict(data["betting"])
    by, listed = betting.pop("side_wager_by"), betting["side_wagers"]
    kinds = [kind for kind in NAMES if kind in listed["value"]]
    others = [kind for kind in listed["value"] if kind not in NAMES]
    betting["side_wagers"] = {"value": [*kinds, *others], "clause": listed["clause"]}
    betting["offers_need"] = {"value": "main_wager", "clause": by["clause"]}
    now["betting"] = betting
    now["side_wagers"] = {kind: _side_wager(data, kind, by) for kind in kinds}
    if {"bonus", PANDEMONIUM} <= now["side_wagers"].keys():
        now["side_wagers"][PANDEMONIUM]["keypad"] = "none"
    gone = {line for lines in PAYS.values() for line in lines}
    now["pays"] = {line: rule for line, rule in data["pays"].items() if line not in gone}
    settled_by = data["settled_by"].items()
    now["settled_by"] = {
        name: clause for name, clause in settled_by if name.partition(".")[0] not in NAMES
    }
    now["states"] = {name: clause for name, clause in data["states"].items() if name not in STATES}
    for state, name in STATES.items():
        if (clause := data["states"].get(state)) is not None:
            before = now["states"].get(name)
            now["states"][name] = f"{before}; {clause}" if before else clause
    return now


def _decisions(kind: str) -> tuple[str, ...]:
    return DECISIONS[BUTTON if kind == PANDEMONIUM else TWO_CARDS]


def _side_wager(data: Mapping[str, Any], kind: str, by: Any) -> dict[str, Any]:
    clauses = {name: data["settled_by"][f"{kind}.{name}"] for name in _decisions(kind)}
    wins, pays, special = _wins(data, kind)
    settled = BUTTON if kind == PANDEMONIUM else TWO_CARDS
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
            odds = dict(zip(BONUS_COMBINATIONS, map(pays.get, PAYS["bonus"]), strict=True))
            wins = {"value": list(BONUS_COMBINATIONS), "clause": clause}
            return wins, odds, {BONUS_COMBINATIONS[0]: won}
    return {"value": ["pontoon"], "clause": data["settled_by"][f"{kind}.win"]}, {}, {}
