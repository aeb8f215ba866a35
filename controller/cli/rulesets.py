"""``rules list``, ``rules show`` and ``rules check``: the rule documents as data."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from controller.cli.exits import DONE, NOT_WELL, WRONG_USE, CommandFailed
from controller.cli.output import columns, complain, say, say_json
from controller.rules.loader import RulesError, dump_rules, load_rules, read_rules, rule_files
from controller.rules.schema import Document, Rule, RuleSet

if TYPE_CHECKING:
    from controller.cli.commands import Group

HEADINGS = {
    "pays": "What pays what",
    "settled_by": "Clauses that decide wagers",
    "states": "Clauses that govern the states of play",
}


def register(top: Group) -> None:
    """Add the commands."""
    group = top.group("rules", "The rule sets")
    group.command("list", _list, "The rule sets that come with the controller")
    show = group.command("show", _show, "One rule set, each value with its clause")
    show.add_argument("id", metavar="ID", help="a rule set of 'rules list', or a path")
    check = group.command("check", _check, "Whether a rule file is right")
    check.add_argument("file", metavar="FILE", type=Path)


def _list(options: argparse.Namespace) -> int:
    code, found = DONE, []
    for name, path in rule_files().items():
        try:
            document = read_rules(path).document
        except RulesError as error:
            complain(str(error))
            code = NOT_WELL
            continue
        found.append({"id": name, "title": document.title, "version": document.version})
    if options.json:
        say_json(found)
    else:
        say(columns([(row["id"], row["title"], row["version"]) for row in found], indent=""))
    return code


def _show(options: argparse.Namespace) -> int:
    try:
        rules = load_rules(options.id)
    except (RulesError, OSError, ValueError) as error:
        raise CommandFailed(WRONG_USE, str(error)) from error
    if options.json:
        say_json(dump_rules(rules))
    else:
        say("\n".join(described(rules)))
    return DONE


def _check(options: argparse.Namespace) -> int:
    try:
        with options.file.open("rb"):
            pass
    except (OSError, ValueError) as error:
        why = (isinstance(error, OSError) and error.strerror) or str(error)
        raise CommandFailed(WRONG_USE, f"{options.file}: cannot be read: {why}") from error
    faults: list[str] = []
    try:
        rules = read_rules(options.file)
    except RulesError as error:
        faults = error.faults
    if options.json:
        say_json({"file": str(options.file), "well": not faults, "faults": faults})
    elif not faults:
        say(f"{options.file}: {rules.id}, {rules.document.version}: well")
    for fault in faults:
        complain(f"{options.file}: {fault}")
    return NOT_WELL if faults else DONE


def described(rules: RuleSet) -> Iterator[str]:
    """The rule set as a person would want to read it."""
    document = rules.document
    yield f"{document.id}: {document.title}"
    yield document.version
    for field in dataclasses.fields(rules):
        section = getattr(rules, field.name)
        if isinstance(section, Document):
            continue
        yield ""
        if isinstance(section, Mapping):
            yield f"{HEADINGS.get(field.name, field.name)} [{field.name}]"
            yield columns(_entries(section))
            continue
        about = str(type(section).__doc__).splitlines()[0].rstrip(".")
        yield f"{about} [{field.name}]"
        yield columns(
            (key.metadata["what"], value(rule.value), f"[{rule.clause}]", key.name)
            for key in dataclasses.fields(section)
            for rule in (getattr(section, key.name),)
        )


def _entries(section: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for name, entry in section.items():
        if isinstance(entry, Rule):
            odds = entry.value
            shown = f"{odds[0]}:{odds[1]}" if len(odds) == 2 else value(odds)
            yield name, shown, f"[{entry.clause}]"
        else:
            yield name, f"[{entry}]"


def value(given: Any) -> str:
    """A value as text: words, numbers, lists of them."""
    if isinstance(given, bool):
        return "yes" if given else "no"
    if isinstance(given, tuple):
        pairs = given and isinstance(given[0], tuple)
        return (", " if pairs else " ").join(value(item) for item in given) or "none"
    return str(given)
