"""``rules list``, ``show``, ``diff``, ``readings`` and ``check``: the rule documents as data and
pages.
"""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

from controller.causes.finding import cause_of
from controller.causes.who_may import READ
from controller.cli.command_line import known
from controller.cli.connection import add_configuration, configuration_path
from controller.cli.exits import DONE, NOT_WELL, WRONG_USE, NotDone
from controller.cli.group import Group, add_flag, add_path
from controller.cli.output import complain, say, say_json, tell
from controller.files.new_files import check_new, write_new
from controller.files.rules import load_rules, read_rules, rule_files, rules_digest, rules_file
from controller.game.rules.loader import RulesError, dump_rules
from controller.game.rules.schema import RuleSet
from controller.plain_text import columns
from controller.regular_files import read_whole
from controller.utf8 import MARK

if TYPE_CHECKING:
    from controller.configuration.model import Approved

SHOW_CODES = "exit status: 0 shown, 2 no such rule set or not a right file"
DIFF_CODES = (
    "exit status: 0 compared, whether or not anything differs; 2 one of them is no rule set or "
    "not a right file"
)
READINGS_CODES = (
    "exit status: 0 shown, 2 no such rule set, not a right file, or FILE cannot be written"
)
CHECK_CODES = "exit status: 0 right, 1 faults, 2 there is no such file"


def register(top: Group) -> None:
    """Add the commands."""
    group = top.group("rules")
    group.command("list", _list, "The rule sets that come with the controller")
    show = group.command("show", _show, "One rule set, each value with its clause")
    known.of("rule set", show, "id", metavar="ID", help="a rule set of 'rules list', or a path")
    diff = group.command("diff", _diff, "What differs between two rule sets, and where it says so")
    for letter in ("a", "b"):
        known.of("rule set", diff, letter, metavar=letter.upper(), help="as for 'rules show'")
    add_flag(diff, "--clauses", "clauses that differ alone, too")
    for pages in (show, diff):
        add_flag(pages, "--keys", "with the names of the rule file")
    readings = group.command("readings", _readings, "What a house signs: how silent rules are read")
    known.of("rule set", readings, "id", metavar="DOCUMENT", help="as for 'rules show'")
    add_path(readings, "--html", "FILE", "write them as a page to be signed, too")
    add_configuration(readings)
    check = group.command("check", _check, "Whether a rule file is right")
    add_path(check, "file", "FILE", "the rule file")
    show.epilog, diff.epilog, check.epilog = SHOW_CODES, DIFF_CODES, CHECK_CODES
    readings.epilog = READINGS_CODES


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
    tell(options, found, [columns((tuple(row.values()) for row in found), indent="")])
    return code


def _show(options: argparse.Namespace) -> int:
    (rules,) = _loaded(options.id)
    if options.json:
        say_json({**dump_rules(rules), "digest": rules_digest(options.id)})
    else:
        from controller.cli.rules.page import page

        say("\n".join(page(rules, keys=options.keys)))
    return DONE


def _diff(options: argparse.Namespace) -> int:
    from controller.cli.rules.page import diff_page
    from controller.files.rule_differences import differences

    a, b = _loaded(options.a, options.b)
    found = differences(a, b)
    named = ((options.a, a.document), (options.b, b.document))
    if options.json:
        documents: dict[str, object] = {
            letter: {"given": given, **asdict(document)}
            for letter, (given, document) in zip("ab", named, strict=True)
        }
        shown = [one for one in found if options.clauses or one.kind != "clause"]
        say_json({**documents, "differences": [one.as_json() for one in shown]})
    else:
        say("\n".join(diff_page(named, found, keys=options.keys, clauses=options.clauses)))
    return DONE


def _readings(options: argparse.Namespace) -> int:
    from controller.cli.rules.readings import lines, page
    from controller.files.readings import readings_of

    (rules,) = _loaded(options.id)
    found = readings_of(rules, rules_file(options.id))
    approved = _approved(options, found.digest)
    if options.html is not None:
        check_new(options.html)
        write_new(options.html, page(rules.document, found, approved))
    signed = {"by": approved.readings_by, "on": approved.readings_on}
    told = {
        "document": asdict(rules.document),
        "like": found.like,
        "digest": found.digest,
        "readings": [{**asdict(one), **signed} for one in found.entries],
    }
    tell(options, told, lines(rules.document, found, approved))
    return DONE


def _approved(options: argparse.Namespace, digest: str) -> Approved:
    """What the configuration has approved, where that is the sheet of this digest."""
    from controller.configuration.model import Approved
    from controller.configuration.reading import load_configuration
    from controller.configuration.tables import BadConfiguration

    try:
        approved = load_configuration(configuration_path(options)).approved
    except BadConfiguration:
        if options.config is not None:
            raise
        return Approved()
    return approved if approved.readings == digest else Approved()


def _check(options: argparse.Namespace) -> int:
    from controller.files.rule_faults import explained

    try:
        text = read_whole(options.file).decode("utf-8", "replace").removeprefix(MARK)
    except (OSError, ValueError) as error:
        known = isinstance(error, OSError)
        why = cause_of(error, options.file, wants=READ) if known else error
        raise NotDone(WRONG_USE, f"{options.file}: cannot be read: {why}") from error
    faults = []
    try:
        rules = read_rules(options.file)
    except RulesError as error:
        faults = explained(text, error.faults)
    if options.json:
        listed = [fault.as_json() for fault in faults]
        say_json({"file": str(options.file), "well": not faults, "faults": listed})
    elif not faults:
        say(f"{options.file}: {rules.id}, {rules.document.version}: well")
    for fault in faults:
        complain(f"{options.file}:{f'{fault.line}:' if fault.line else ''} {fault}")
    return NOT_WELL if faults else DONE


def _loaded(*given: str) -> list[RuleSet]:
    """The rule sets of these ids or paths; all their errors are reported together."""
    found, wrong = [], []
    for name in given:
        try:
            found.append(load_rules(name))
        except RulesError as error:
            wrong += [f"{error.source}: {fault}" for fault in error.faults]
        except (OSError, ValueError) as error:
            wrong.append(f"{name}: {error}")
    if wrong:
        raise NotDone(WRONG_USE, "\n".join(dict.fromkeys(wrong)))
    return found
