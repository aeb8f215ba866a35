"""Rule files: a rule set or every fault of it; and a rule set that is taken can be played.

Reading is not all: a file that passes every check and stops the table in the middle of a round
would be found by players. So what was read is played for a while.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from controller.files.rules import read_rules, rule_files
from controller.game.rules.loader import RulesError
from pages.table.played_tables import published_text
from proof.fuzzing.choices import HOSTILE, RAW, Choices, text_of
from proof.fuzzing.fuzzed_table import go_on, opened
from proof.fuzzing.target import Target

BASES = tuple(path.read_text(encoding="utf-8") for path in rule_files().values())
PARTS = (
    *HOSTILE,
    *('"none"', '"any"', '"bank"', '"first"', "[1, 1]", "[3, 2]", "[2, 25]", "[21]", "52", "21"),
    *('["pair"]', '["pandemonium"]', '["pair", "pandemonium"]', "false", "{ value = 1 }", "[x]"),
)
MOST_STEPS = 40


def run_bytes(data: bytes) -> int:
    """One file."""
    with TemporaryDirectory(prefix="fuzz-") as folder:
        path = Path(folder) / "rules.toml"
        path.write_bytes(text_of(data, BASES, PARTS, "\n"))
        try:
            rules = read_rules(path)
        except RulesError as error:
            faults = error.faults
            rules = None
    assert rules or faults
    if rules is None:
        return 1
    choices = Choices(bytes(reversed(data)) * 4)
    played = opened(rules)
    for _ in range(MOST_STEPS):
        go_on(choices, played)
        published_text(played.table)
    return 1


def seeds() -> list[bytes]:
    """The files that come with the controller, as they are and edited."""
    return [bytes([RAW]) + BASES[0].encode()[:20000]] + [
        bytes([0, base, base + n, 30 * n, 7, n, n]) for base in range(len(BASES)) for n in range(6)
    ]


TARGET = Target("rules", "files", run_bytes, seeds, most_bytes=256)
