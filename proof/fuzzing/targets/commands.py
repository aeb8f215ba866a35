"""What dealer and supervisor say, at tables in any state: done, or refused with a reason.

A text that is refused changes nothing. It is printable and not long: the socket has seen to that
(:mod:`proof.fuzzing.targets.requests`).
"""

from __future__ import annotations

from functools import cache

from controller.control.protocol import MAX_COMMAND
from controller.files.rules import load_rules, rule_files
from controller.game.commands.verbs import VERBS as KNOWN
from controller.table.dry_run import Mould
from controller.table.entering.commands import dealer_commands
from controller.table.events.reading import read_event
from pages.table.played_tables import Played, published_text
from proof.fuzzing.choices import Choices
from proof.fuzzing.fuzzed_table import enter_event, go_on, opened
from proof.fuzzing.target import Target

RULES = tuple(rule_files())
VERBS = (*KNOWN, "give", "move", "return", "sing")
"""Those of commands, and some that are none."""
WORDS = (
    *("1", "1a", "1b", "1c", "2", "2@1", "1@1b", "3", "7", "8", "9", "0", "-1", "10", "100"),
    *("0.01", "0.001", "1e5", "9999999999", "1_0", "١", "½", "１", "1.2.3", "staff", "main"),
    *("pair", "pandemonium", "bonus", "none", "9D", "TC", "AS", "??", "0D", "1Z", "dealer"),
    *("box", "hand", "card", "cards", "seen", "foreign", "face-up", "together"),
    *("a", "b", "c", "d", "h", "1d", "3h", "3d@3"),
    *("@", "1@", "@1", "1@1@1", "!", "#", ".", ",", "NaN", "inf"),
)
MOST_STEPS = 60


@cache
def _opened(rules: str) -> tuple[Played, Mould]:
    played = opened(load_rules(rules))
    return played, Mould(played.table)


def _command_text(choices: Choices, played: Played) -> str:
    match choices.below(8):
        case 0:
            return choices.raw(choices.below(40)).decode("utf-8", "replace")
        case 1 | 2:
            known = list(map(str, dealer_commands(played.table))) or VERBS
            words = choices.among(known).split()
            words[choices.below(len(words))] = choices.among(WORDS)
            return " ".join(words)
        case _:
            said = [choices.among(WORDS) for _ in range(choices.below(5))]
            return " ".join([choices.among(VERBS), *said])


def run_bytes(data: bytes) -> int:
    """A table out of bytes, and what is said at it."""
    choices = Choices(data)
    base, mould = _opened(choices.among(RULES))
    played = base.copy()
    played.table = mould.cast()
    said = 0
    for _ in range(MOST_STEPS):
        if not choices.more:
            break
        if choices.below(2):
            go_on(choices, played)
            continue
        command = _command_text(choices, played)[:MAX_COMMAND]
        if not command.strip() or not command.isprintable():
            continue
        said += 1
        body = {"command": command, "user": "dora"}
        if choices.below(4) == 3:
            by, why = choices.among((("Ida", "seen"), (None, None), ("Ida", None)))
            enter_event(played, read_event("supervisor", {**body, "by": by, "why": why}))
        else:
            enter_event(played, read_event("dealer", body))
    published_text(played.table)
    return said


def seeds() -> list[bytes]:
    """Some play of every document, and something said in between."""
    return [
        bytes([at]) + bytes([1, 3, 1, 1, 2, 0, 0, 5, 9, 1]) * 12 for at in range(len(RULES))
    ] + [bytes([at]) + bytes(range(256)) for at in range(len(RULES))]


TARGET = Target("commands", "commands", run_bytes, seeds)
