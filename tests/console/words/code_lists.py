"""The codes that the console's words have texts for, by the beginning of their keys.

They are those of the controller, wherever it lists them; else those of the page that asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, get_args

from console.configuration import LANGUAGES
from controller.faults.catalogue import SECTIONS as FAULTS
from controller.files.rules import load_rules, rule_files
from controller.game.commands.values import NoHand, Option
from controller.game.commands.verbs import DEALERS, SUPERVISORS
from controller.game.round.model import REVERSED
from controller.game.round.results import BOUGHT, COMPARED, DOUBLE, NOTHING, TAKEN
from controller.game.rules.cards import SUITS
from controller.game.rules.cases import KNOWN
from controller.game.rules.side_wagers import DECISIONS, TWO_CARDS
from controller.replay.course import steps
from controller.table.entering import fence as needs
from controller.table.entering.choices import REASONS
from controller.table.showing import prompt, prompt_text, status
from pages.codes import SECTIONS as ERRORS

ROOT: Final = Path(__file__).parents[3]
STATIC: Final = ROOT / "console" / "static"

_NO_KEYS: Final = {"dealer", "press", "overdraw"}
"""What only a device or a script gives."""
_NOT_HERE: Final = {"wager", "close-table", "open-table", "shift", "service", "done"}
"""The supervisor's commands that the page does not offer, or as a key of the dealer."""


def page_file(name: str) -> str:
    (path,) = STATIC.rglob(name)
    return path.read_text("utf-8")


def _within(module: object, spelt: str) -> frozenset[str]:
    source = Path(str(getattr(module, "__file__", ""))).read_text("utf-8")
    return frozenset(re.findall(spelt, source))


def _in_page(name: str, spelt: str) -> list[str]:
    """The words between ``|``, or in quotes, of what a pattern finds in a script of the pages."""
    found = re.search(spelt, page_file(name), re.DOTALL)
    assert found is not None, f"{spelt} is not in {name}"
    return re.findall(r"[\w'-][\w' -]*", found[1])


def _kinds() -> Iterator[str]:
    yield from (*COMPARED, DOUBLE, BOUGHT, "insurance", "super_bonus", "super_bonus_share")
    for document in rule_files():
        yield from load_rules(document).side_wagers


_about = frozenset(SUPERVISORS) - _NOT_HERE
_fault_codes = {fault.code for _, faults in FAULTS for fault in faults}
_reported = {code for code, trigger in KNOWN.items() if not trigger.by_card} | {"overdraw"}

CODES: Final[Mapping[str, frozenset[str]]] = {
    "ask.": frozenset(_in_page("pad.js", r"VALUE = /\\b\((.*?)\)")),
    "asks.": frozenset(get_args(prompt_text.Code)),
    "card.": frozenset(SUITS),
    "device.": _within(needs, r'MissingDevice\("(\w+)"') | {"keypad", "shuffler"},
    "error.": frozenset(code for section in ERRORS.values() for code in section)
    | {"another-page", "not-live"},
    "fault.": frozenset(_fault_codes - _reported),
    "key.": frozenset(DEALERS) - _about - _NO_KEYS,
    "kind.": frozenset(_kinds()),
    "language.": frozenset(LANGUAGES),
    "mark.": _within(status, r'(?m)^        "(\w+)": (?:any|not|hand|rnd)'),
    "notice.": frozenset(get_args(prompt.NoticeCode)),
    "outcome.": frozenset((*DECISIONS[TWO_CARDS], *NOTHING, *TAKEN, REVERSED)),
    "part.card-": frozenset("12"),
    "place.": frozenset(NoHand) | {"waits"},
    "remedy.": _about - {"report", "choose", "confirm", "cancel"}
    | {"confirm-void", "cancel-void", "use-card", "discard-card", "wager"},
    "remedy.choose-": frozenset(Option) | {"card"},
    "report.": frozenset(_reported) | {"together-card"},
    "report.drawn-": frozenset({"box", "box-seen", "dealer", "seen"}),
    "role.": frozenset({"dealer", "staff", "supervisor"}),
    "round.by-": frozenset(word for name, word in vars(steps.Doer).items() if name.isupper()),
    "sign.rules.": frozenset(rule_files()),
    "suit.": frozenset(SUITS),
    "trouble.": _within(needs, r'"shoe-empty", "([a-z-]+)"')
    | _within(needs, r'"([a-z-]+)" if device else ')
    | _within(needs, r'(?:if device else|SHOE_\w+:|device.state or 0,) "([a-z-]+)"'),
    "who.title-": frozenset({"second", "sign-in"}),
    "why.": frozenset(re.sub(r"\W+", "-", reason) for reason in REASONS),
}
"""What stands behind each beginning that a page puts a code to."""
