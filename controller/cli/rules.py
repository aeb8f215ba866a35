"""``rules list``, ``show``, ``diff``, ``readings`` and ``check``: the rule documents as data and
pages; the readings of one as lines, and as a page that a house signs."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterator
from dataclasses import asdict

from controller.causes.finding import cause_of
from controller.causes.who_may import READ
from controller.cli import rules_page
from controller.cli.arguments import add_configuration, add_option
from controller.cli.connection import configuration_path
from controller.cli.group import Group
from controller.cli.output import DONE, complain, print_answer, print_json, print_line
from controller.configuration.model import Approved
from controller.configuration.reading import load_configuration
from controller.configuration.tables import BadConfiguration
from controller.files.new_files import check_new, write_new
from controller.files.readings import ReadingSheet, readings_of
from controller.files.rule_differences import differences
from controller.files.rule_lines import explained
from controller.files.rules import load_rules, read_rules, rule_files, rules_digest, rules_file
from controller.game.rules.loader import RulesError, dump_rules
from controller.game.rules.schema import Document, RuleSet
from controller.not_done import NOT_WELL, WRONG_USE, NotDone
from controller.plain_text import columns
from controller.regular_files import MARK, read_whole
from controller.sheets.sheet import facts, mono, row, sheet, signatures, table, text

WIDTH = 100
HEAD = ("Clause", "Reading taken", "Other readings", "What it does to money", "Approved by, on")
WIDTHS = (8, 30, 22, 24, 16)
ABOUT = (
    "Where the document is silent, or a mistake is put right, the machine decides as stated here. "
    "With it are the values that the rule file has for it: where they say otherwise, they count."
)
TO_SIGN = "by:<br><br>on:"


def lines(document: Document, found: ReadingSheet, approved: Approved) -> Iterator[str]:
    """The lines for a terminal."""
    yield from (f"{name}: {said}" for name, said in _facts(document, found, approved))
    yield from textwrap.wrap(ABOUT, WIDTH)
    for one in found.entries:
        yield ""
        yield from _wrapped(one.clause, one.reading)
        for value in one.values:
            yield from _wrapped("  played", value)
        yield from _wrapped("  otherwise", one.others)
        yield from _wrapped("  money", one.money)


def _wrapped(name: str, said: str) -> list[str]:
    return textwrap.wrap(said, WIDTH, initial_indent=f"{name:<12}", subsequent_indent=" " * 12)


def page(document: Document, found: ReadingSheet, approved: Approved) -> str:
    """The page as HTML; lines to sign on where nobody has approved."""
    signed = "<br>".join(text(one) for one in (approved.readings_by, approved.readings_on) if one)
    title = f"Readings of {document.title}, {document.version}"
    rows = (
        row(
            (
                text(one.clause),
                "<br>".join((text(one.reading), *(mono(value) for value in one.values))),
                text(one.others),
                text(one.money),
                signed or TO_SIGN,
            )
        )
        for one in found.entries
    )
    parts = [
        f"<h1>{text(title)}</h1>",
        f"<p>{ABOUT}</p>",
        facts((name, text(said)) for name, said in _facts(document, found, approved)),
        table(HEAD, rows, "fixed", widths=WIDTHS),
        signatures("For the house", "Witness"),
    ]
    return sheet(title, parts)


def _facts(
    document: Document, found: ReadingSheet, approved: Approved
) -> Iterator[tuple[str, str]]:
    yield "Document", f"{document.title}, {document.version} ({document.id})"
    if found.like != document.id:
        yield "Read as", f"{found.like}, the published document that differs least from it"
    yield "Digest of the readings", found.digest
    if approved.readings:
        by, on = approved.readings_by or "nobody named", approved.readings_on or "no day"
        yield "Approved", f"by {by}, on {on}"
    else:
        yield "Approved", "not yet; then as [approved] readings in the configuration"


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
    show = group.command("show", _show_rules, "One rule set, each value with its clause")
    add_option(show, "id ID", "a rule set of 'rules list', or a path", known="rule set")
    diff = group.command("diff", _diff, "What differs between two rule sets, and where it says so")
    for letter in ("a", "b"):
        add_option(diff, f"{letter} {letter.upper()}", "as for 'rules show'", known="rule set")
    add_option(diff, "--clauses", "clauses that differ alone, too")
    for pages in (show, diff):
        add_option(pages, "--keys", "with the names of the rule file")
    readings = group.command("readings", _readings, "What a house signs: how silent rules are read")
    add_option(readings, "id DOCUMENT", "as for 'rules show'", known="rule set")
    add_option(readings, "--html FILE", "write them as a page to be signed, too")
    add_configuration(readings)
    check = group.command("check", _check, "Whether a rule file is right")
    add_option(check, "file FILE", "the rule file")
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
    print_answer(options, found, [columns((tuple(row.values()) for row in found), indent="")])
    return code


def _show_rules(options: argparse.Namespace) -> int:
    (rules,) = _loaded(options.id)
    told = {**dump_rules(rules), "digest": rules_digest(options.id)}
    print_answer(options, told, rules_page.page(rules, keys=options.keys))
    return DONE


def _diff(options: argparse.Namespace) -> int:
    a, b = _loaded(options.a, options.b)
    found = differences(a, b)
    named = ((options.a, a.document), (options.b, b.document))
    told: dict[str, object] = {
        letter: {"given": given, **asdict(document)}
        for letter, (given, document) in zip("ab", named, strict=True)
    }
    shown = [one for one in found if options.clauses or one.kind != "clause"]
    told["differences"] = [one.as_json() for one in shown]
    page = rules_page.diff_page(named, found, keys=options.keys, clauses=options.clauses)
    print_answer(options, told, page)
    return DONE


def _readings(options: argparse.Namespace) -> int:
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
    print_answer(options, told, lines(rules.document, found, approved))
    return DONE


def _approved(options: argparse.Namespace, digest: str) -> Approved:
    """What the configuration has approved, where that is the sheet of this digest."""
    try:
        approved = load_configuration(configuration_path(options)).approved
    except BadConfiguration:
        if options.config is not None:
            raise
        return Approved()
    return approved if approved.readings == digest else Approved()


def _check(options: argparse.Namespace) -> int:
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
        print_json({"file": str(options.file), "well": not faults, "faults": listed})
    elif not faults:
        print_line(f"{options.file}: {rules.id}, {rules.document.version}: well")
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
