"""``[table]`` of the configuration: what the rules permit of it, and its limits. Its keys are
judged one by one: a fault of one leaves none of another untold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from controller.causes.finding import cause_of
from controller.causes.who_may import READ
from controller.configuration.keys import TableKeys
from controller.configuration.model import TableSettings
from controller.configuration.tables import TomlTables
from controller.files.readings import readings_of
from controller.files.rules import load_rules, rules_digest, rules_file
from controller.forms.expected import Range
from controller.forms.faults import value_text
from controller.forms.reading import expecting, fields_of
from controller.game.money import write_amount
from controller.game.round.wagers import Limits
from controller.game.rules.loader import RulesError
from controller.game.rules.schema import RuleSet


def read_table(file: TomlTables) -> tuple[TableSettings | None, RuleSet | None]:
    """The table's settings and its rules; None for what has faults."""
    given = file.data.get("table")
    if not isinstance(given, Mapping):
        other = f"table = {value_text(given)}: expected a table, [table]"
        file.faults.append("[table] is missing" if given is None else other)
        return None, None
    keys = file.fields(TableKeys, given, "table")
    rules, digests, source = _rules(file, keys.get("rules"))
    if rules is not None:
        low, high, most = rules.cards.decks_min, rules.cards.decks_max, rules.betting.boxes_max
        by = f"decks in the shoe, {rules.id} {high.clause}"
        _narrow(file, keys, "decks", Range(by, low.value, high.value))
        _narrow(
            file, keys, "boxes", Range(f"playing areas, {rules.id} {most.clause}", 1, most.value)
        )
    limits = _limits(file, keys, rules)
    if rules is None or limits is None or not {"id", "decks", "boxes", "day_begins"} <= keys.keys():
        return None, rules
    name, decks, boxes, begins = keys["id"], keys["decks"], keys["boxes"], keys["day_begins"]
    return TableSettings(name, rules, *digests, decks, boxes, limits, begins, source), rules


def _narrow(file: TomlTables, keys: dict[str, Any], key: str, expected: Range) -> None:
    """Judge a number that the rules limit; one with a fault is dropped."""
    if key in keys:
        number = file.as_form(expecting(int, expected), keys.pop(key), f"table.{key}")
        keys |= {} if number is None else {key: number}


def _rules(
    file: TomlTables, given: str | None
) -> tuple[RuleSet | None, tuple[str, str], Path | None]:
    """The rule set, the digests of its file and of its readings, and where the file is."""
    base = file.path.parent
    if given is None:
        return None, ("", ""), None
    try:
        rules = load_rules(given, base)
        source = rules_file(given, base)
        return rules, (rules_digest(given, base), readings_of(rules, source).digest), source
    except OSError as error:
        why = cause_of(error, rules_file(given, base), wants=READ)
        file.faults.append(f'table.rules = "{given}": cannot be read: {why}')
    except RulesError as error:
        file.faults += [f'table.rules = "{given}": {fault}' for fault in error.faults]
    return None, ("", ""), None


def _limits(file: TomlTables, keys: dict[str, Any], rules: RuleSet | None) -> Limits | None:
    """The limits. Where no side wager can be made, its own decide nothing and may be left out."""
    given = file.data["table"]
    if rules is not None and not rules.side_wagers:
        keys = {"side_min": keys.get("increment"), "side_max": keys.get("max"), **keys}
    else:
        file.faults += [
            f"table.{one.name} is missing: expected {one.form.words}"
            for one in fields_of(TableKeys)
            if one.name.startswith("side_") and one.name not in given
        ]
    by_table = rules is not None and rules.betting.box_max.value == "table_maximum"
    keys = {"box_max": keys.get("max") if by_table else 0, "player_max": 0, **keys}
    for key, why in _wrong_limits(keys):
        if key in given:
            file.fault(f"table.{key}", why)
    names = ("min", "max", "side_min", "side_max", "increment", "box_max", "player_max")
    limits = [keys.get(name) for name in names]
    return None if None in limits else Limits(*[int(limit or 0) for limit in limits])


def _wrong_limits(keys: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What is wrong with sums beside others, by key; None is not known."""
    low, step = keys.get("min"), keys.get("increment")
    if low is not None and low % 2:
        yield "min", "3:2 cannot be paid on it; expected an even number of cents"
    for key in ("min", "side_min"):
        top = key.replace("min", "max")
        least, most = keys.get(key), keys.get(top)
        if least is None or most is None:
            continue
        if least > most:
            yield key, f"expected no more than {top}, {write_amount(most)}"
        if step is not None and least % step:
            by = f"wagers go in steps of {write_amount(step)}"
            yield key, f"{by}: expected a multiple of increment"
    for key in ("box_max", "player_max"):
        if low is not None and 0 < (keys.get(key) or 0) < low:
            yield key, f"expected no less than min, {write_amount(low)}"
