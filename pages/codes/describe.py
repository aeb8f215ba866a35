"""Write the codes of prompts and errors.

What is awaited is seen at tables that were played, the codes of errors are read out of the source.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, get_args

from controller.files.rules import load_rules, rule_files
from controller.game.rules.cards import parse_card
from controller.table.events.reading import read_event
from controller.table.showing import prompt_text
from controller.table.showing.prompt import NoticeCode, notices, prompt
from pages.codes.meanings import SECTIONS
from pages.codes.source import SCRIPT, kinds_by_code
from pages.table.played_tables import Played, card, dealer, device_event, order, tour_of

MBS: Final = "mbs-pontoon-pandemonium-v5"
PLUS: Final = "rws-pontoon-plus-v5"
DIV: Final = "division-15-pontoon"
BEGUN: Final = "open; wager 1 main 20; close"
TWO: Final = "open; wager 1 main 20; wager 2 main 10"
TURN: Final = f"{BEGUN}; deal 9C 7D 9H"
_NO_ACE: Final = (
    f"{TWO}; close; deal 7S 9H AD 8H 7C; insure 1 5; done; deal 2C; report dealer-no-card; use; "
    "choose 2 return; done"
)
_INCOMPLETE: Final = (
    "event shuffler SHUFFLE_DONE set=1 count=383 result=1; "
    "event shuffler SHUFFLER_STATE state=0 set=1 count=0 progress=0; "
    "event shuffler SHUFFLER_STATE state=1 set=2 count=384 progress=0; "
    "event shoe SHOE_STATE state=0 remaining=0; event shoe SHOE_STATE state=1 remaining=384"
)

COURSES: Final[Mapping[str, tuple[str, str]]] = {
    "bets-above-maximum": (MBS, "open; wager 1b main 10; wager 1 main 5000"),
    "burn-card": (DIV, "burn"),
    "check-cards": (DIV, "order close-table"),
    "correcting": (MBS, f"{TURN}; correct 1 8C"),
    "correction-refused": (MBS, f"{BEGUN}; deal 8C 7D 8H; split 1; deal 3C; correct 1 9C"),
    "device-not-ready": (MBS, f"{BEGUN}; down shoe"),
    "first-card-to-dealer": (MBS, _NO_ACE),
    "in-service": (MBS, "order service on"),
    "insure": (MBS, f"{TWO}; close; deal 9C 8C AD 5H 7H; surrender 1; surrender 2"),
    "late-offer": (
        DIV,
        f"{TWO}; close; deal 9C 8D AD 5H 6S; done; stand 1; report missed-insurance 1",
    ),
    "load-shoe": (MBS, "order close-table; order open-table; inspected"),
    "reveal": (PLUS, f"{TWO}; squeeze 1; close; deal AS 8C 7D AH 9C"),
    "wait-shoe": (MBS, f"{TURN}; unlocked stand 1"),
    "wait-shoe-void": (MBS, f"{BEGUN}; order void; next; open; close"),
    "condition": (MBS, "condition copy-failing no medium is in the drive"),
    "cutting-card": (MBS, "event shoe CUTTING_CARD remaining=60"),
    "device-reports": (MBS, "event jackpot FAULT faults=1"),
    "device-told": (MBS, "event shuffler SHUFFLE_DONE set=1 count=383 result=1"),
    "face-down": (PLUS, f"{TWO}; squeeze 1; close"),
    "set-is-blocked": (MBS, _INCOMPLETE),
    "super-bonus": (DIV, f"{BEGUN}; deal 7C 7D 7C; hit 1; deal 7C"),
    "shoe-empty": (MBS, f"{TURN}; event shoe SHOE_STATE state=0 remaining=0"),
}
"""By the code that is to be shown: under which document, and what happens. That the tours of the
documents do not come to."""


def tables() -> Iterator[tuple[str, Played]]:
    """Tables in every state of each document, and behind each course, with the document's id."""
    for document in sorted(rule_files(), key=lambda name: name != MBS):
        yield from ((document, played) for played in tour_of(document).met.values())
    for document, course in COURSES.values():
        yield document, brought(document, course)


def brought(document: str, course: str) -> Played:
    """A table behind what happens in turn: ``deal`` cards, ``order`` of the supervisor, ``down`` of
    a device's link, ``event`` of a device, ``condition`` of the controller; else a command of the
    dealer, which ``unlocked`` does not wait for the shoe."""
    played = Played(load_rules(document), box_max=500_000)
    for part in course.split("; "):
        verb, _, rest = part.partition(" ")
        match verb:
            case "deal":
                for one in map(parse_card, rest.split()):
                    played.apply(card(played.table, one.rank, one.suit))
            case "order":
                played.apply(order(rest))
            case "unlocked":
                played.apply(dealer(rest))
            case "down":
                body = {"up": False, "reason": "it does not answer"}
                played.apply(read_event("link", body, device=rest))
            case "event":
                name, kind, *pairs = rest.split()
                fields = {key: int(value) for key, value in (one.split("=") for one in pairs)}
                played.apply(device_event(played.table, name, kind, fields))
            case "condition":
                fault, _, detail = rest.partition(" ")
                told = {"fault": fault, "present": True, "detail": detail}
                played.apply(read_event("condition", told))
            case _:
                played.give_command(part)
    return played


SHARED: Final = frozenset({"supervisor_may", "notices"})
"""Values that every prompt has."""

_HEAD: Final = """\
# Codes

Generated by `make docs` out of the code, and tables that were played; do not edit.

For programs that draw their own screens, or speak another language than English. A code has one
meaning and keeps it; new ones may be added. Texts may change, codes are what to compare.

## What is awaited

`asks` of the [status](control-socket.md#answers) says what `prompt` says: `code`, and in `values`
what the sentence varies by, also `supervisor_may`, commands that are the supervisor's to give,
and `notices`, both lists. Amounts are text, boxes and hands numbers; a card is named only where
the prompt names it. What is wrong with a held table, or with a device, is said in the status
(`held`, `devices`); a correction's `reason`, a notice's `why`, `detail` and `text` are in English.

| `code` | example | its `values` |
| --- | --- | --- |
"""
_NOTICES: Final = """
## What is said beside it

Each of `notices` has `code` and `values`. The clauses are those of the document that is played.

| `code` | example | its `values` |
| --- | --- | --- |
"""
_ERRORS: Final = f"""
## Errors

`code` of an `error`, of the [control socket](control-socket.md#answers) and of `tablectl --json`.
The reason beside it says of which box, card or amount. Errors {SCRIPT} are those of
`tablectl round run`, with a `status` in place of the kind.
"""


@dataclass(frozen=True)
class Example:
    """Where a code was met first, and all names that its values have somewhere."""

    text: str
    values: Mapping[str, object]
    names: set[str] = field(default_factory=set)


def make_page() -> str:
    """The whole page."""
    asked, told = met()
    return "".join(
        [
            _HEAD,
            *_rows(get_args(prompt_text.Code), asked),
            _NOTICES,
            *_rows(get_args(NoticeCode), told),
            _ERRORS,
            *_errors(),
        ]
    )


def met() -> tuple[dict[str, Example], dict[str, Example]]:
    """The codes of prompts and of notices that are met at the tables."""
    asked: dict[str, Example] = {}
    told: dict[str, Example] = {}
    for _, played in tables():
        now = prompt(played.table).said
        _meet(asked, now.code, now.text, now.values)
        for one in notices(played.table):
            _meet(told, one.code, one.text, one.values)
    return asked, told


def _meet(known: dict[str, Example], code: str, text: str, values: Mapping[str, object]) -> None:
    known.setdefault(code, Example(text, values)).names.update(values)


def _rows(codes: tuple[str, ...], known: Mapping[str, Example]) -> Iterator[str]:
    for code in codes:
        if (one := known.get(code)) is None:
            raise LookupError(f"no tour of a document comes to {code!r}: add it to COURSES")
        values = {name: value for name, value in one.values.items() if name not in SHARED}
        cell = f"`{json.dumps(values)}`" if values else ""
        if more := sorted(one.names - one.values.keys()):
            cell += f"; elsewhere also {', '.join(f'`{name}`' for name in more)}"
        yield f"| `{code}` | {one.text} | {cell} |\n"


def _errors() -> Iterator[str]:
    kinds = kinds_by_code()
    for heading, section in SECTIONS.items():
        yield f"\n### {heading}\n\n| `code` | `kind` | |\n| --- | --- | --- |\n"
        for code, meaning in sorted(section.items()):
            yield f"| `{code}` | {', '.join(sorted(kinds[code]))} | {meaning} |\n"
