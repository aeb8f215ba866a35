"""The codes of prompts and errors.

What is awaited is seen at tables that were played. What errors mean says ``pages/codes.toml``;
which there are, and of which kind, is read out of the source: a place gives its code itself, hands
on that of another error, or leaves it to be found: a refusal from the text for the keypad's row,
others by what is usual for them.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain
from typing import Final, NamedTuple, get_args

from controller.files.rules import rule_files
from controller.game.round import guards
from controller.game.round.refusal import code_of
from controller.table.sequence import REFUSALS
from controller.table.showing import prompt_text
from controller.table.showing.prompt import NoticeCode, notices, prompt
from pages.generated import ROOT, as_table
from pages.sources import read_source
from pages.table.played_tables import Played, brought
from pages.table.tours import tour_of

SECTIONS: Final = read_source(dict[str, dict[str, str]], ROOT / "pages" / "codes.toml")
MEANINGS: Final = {code: words for section in SECTIONS.values() for code, words in section.items()}

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


SCRIPT: Final = "of a script"
"""In place of a kind: errors of ``tablectl round run`` have a status."""
SHARED: Final = frozenset({"supervisor_may", "notices"})
"""Values that every prompt has."""


class Example(NamedTuple):
    """Where a code was met first, and all names that its values have somewhere."""

    text: str
    values: Mapping[str, object]
    names: set[str]


def prompt_examples() -> Iterator[str]:
    """What is awaited."""
    return _examples(get_args(prompt_text.Code), met()[0])


def notice_examples() -> Iterator[str]:
    """What is said beside it."""
    return _examples(get_args(NoticeCode), met()[1])


@cache
def met() -> tuple[dict[str, Example], dict[str, Example]]:
    """The codes of prompts and of notices that are met at the tables."""
    asked: dict[str, Example] = {}
    told: dict[str, Example] = {}

    def meet(known: dict[str, Example], code: str, text: str, values: Mapping[str, object]) -> None:
        known.setdefault(code, Example(text, values, set())).names.update(values)

    for _, played in tables():
        now = prompt(played.table).said
        meet(asked, now.code, now.text, now.values)
        for one in notices(played.table):
            meet(told, one.code, one.text, one.values)
    return asked, told


def _examples(codes: tuple[str, ...], known: Mapping[str, Example]) -> Iterator[str]:
    rows = []
    for code in codes:
        if (one := known.get(code)) is None:
            raise LookupError(f"no tour of a document comes to {code!r}: add it to COURSES")
        values = {name: value for name, value in one.values.items() if name not in SHARED}
        cell = f"`{json.dumps(values)}`" if values else ""
        if more := sorted(one.names - one.values.keys()):
            cell += f"; elsewhere also {', '.join(f'`{name}`' for name in more)}"
        rows.append((f"`{code}`", one.text, cell))
    return as_table(("`code`", "example", "its `values`"), rows)


def errors() -> Iterator[str]:
    """The codes of errors by section."""
    kinds = kinds_by_code()
    for number, (heading, section) in enumerate(SECTIONS.items()):
        rows = (
            (f"`{code}`", ", ".join(sorted(kinds[code])), meaning)
            for code, meaning in sorted(section.items())
        )
        yield from ("",) if number else ()
        yield from (f"### {heading}", "", *as_table(("`code`", "`kind`", ""), rows))


class Maker(NamedTuple):
    """What makes errors: of which ``kind``, where the code stands if it is not named, and which is
    usual."""

    kind: str
    place: int | None = None
    usual: str = ""


KEYPAD_SHORT: Final = 2

MAKERS: Final[Mapping[str, Maker]] = {
    "Refused": Maker("refused", 3),
    "TakesBack": Maker("refused", 3),
    "RequestRefused": Maker("refused", None, "not-now"),
    "Changed": Maker("changed", None, "changed"),
    "BadCommand": Maker("malformed", 1, "unreadable-command"),
    "Malformed": Maker("malformed", 1, "unreadable-command"),
    "BadRequest": Maker("malformed", None, "unreadable-request"),
    "NotAllowed": Maker("not_allowed", 1),
    "Unavailable": Maker("unavailable", 1),
    "Dropped": Maker("unavailable", 1),
    "encode_error": Maker("unavailable"),
    "_failed": Maker(SCRIPT, 4),
}
KINDS_OF: Final[Mapping[str, str]] = {"not-allowed": "not_allowed", "signed-out": "not_allowed"}
"""Codes of another kind than that of what makes them."""

UNMADE: Final[Mapping[str, str]] = {"stopping": "unavailable", "no-answer": "unavailable"}
"""Codes that stand where nothing is made: of a conversation, and of one that never began."""

_OF_SEQUENCE: Final = (
    [one.short] if isinstance(one.short, str) else one.short.values() for one in REFUSALS.values()
)
SHORTS: Final[Mapping[str, tuple[str, ...]]] = {
    "controller/game/round/draft.py": (
        *(*guards.PLACES.values(), *guards.MISSED.values(), "OFFERS ARE OVER", "ROUND IS OVER"),
    ),
    "controller/game/round/settling/judgement.py": ("WAS SPLIT", "WAS DOUBLED", "CARD WAS BOUGHT"),
    "controller/table/entering/menus.py": ("NO CHOICE NOW", "SUPERVISOR'S KEY"),
    "controller/table/sequence.py": ("HELD: SUPERVISOR", *chain.from_iterable(_OF_SEQUENCE)),
}
"""The texts for the keypad's row where a refusal is given one that varies."""


class Unclear(Exception):
    """A place of which it cannot be said which codes it gives."""


def kinds_by_code() -> dict[str, set[str]]:
    """Every code, and the kinds of errors that have it.

    Raises:
        Unclear: a place gives a code that is not plainly written there.
    """
    found: dict[str, set[str]] = {code: {kind} for code, kind in UNMADE.items()}
    for path in sorted((ROOT / "controller").rglob("*.py")):
        shorts = SHORTS.get(str(path.relative_to(ROOT)), ())
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id=name)) if maker := MAKERS.get(name):
                    for code in codes_of(node, maker, shorts):
                        found.setdefault(code, set()).add(KINDS_OF.get(code, maker.kind))
    return found


def codes_of(call: ast.Call, maker: Maker, shorts: tuple[str, ...] = ()) -> list[str]:
    """The codes that a place can give itself; none where it hands on another error's.

    Raises:
        Unclear: it gives one that is not plainly written there.
    """
    code = _argument(call, "code", maker.place)
    match code:
        case ast.Constant(value=str() as given):
            return [given]
        case None if maker.usual:
            return [maker.usual]
        case None if maker.kind == "refused":
            return _by_short(call, shorts)
    if code is not None and ast.unparse(code).rpartition(".")[2].lstrip("_") == "code":
        return []
    raise Unclear(f"line {call.lineno}: {ast.unparse(call)}: which code?")


def _by_short(call: ast.Call, shorts: tuple[str, ...]) -> list[str]:
    match _argument(call, "short", KEYPAD_SHORT):
        case None:
            return ["not-now"]
        case ast.Constant(value=str() as short):
            return [code_of(short)]
    if shorts:
        return list(map(code_of, shorts))
    raise Unclear(f"line {call.lineno}: {ast.unparse(call)}: its text for the keypad varies")


def _argument(call: ast.Call, name: str, place: int | None) -> ast.expr | None:
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    return named.get(name, dict(enumerate(call.args)).get(-1 if place is None else place))
