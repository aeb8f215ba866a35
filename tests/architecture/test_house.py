"""The house is no larger than its budget, and laid out as it says it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.architecture import house
from tests.architecture.modules import EXCEPTIONS_OF, PROJECT, Module, git

ROOMS = house.rooms()
COMMITS_LOOKED_AT = 30


@pytest.mark.parametrize("room", ROOMS, ids=[room.name for room in ROOMS])
def test_a_room_keeps_its_budget(room: house.Room) -> None:
    assert not room.too_many, (
        f"{room.name} has {room.code:,} lines of code, {room.too_many} above its budget of "
        f"{room.most:,} (pyproject.toml): take as many away, or say in docs/decisions/ why not"
    )
    assert not room.to_lower, (
        f"{room.name} has {room.to_lower} lines less than its budget of {room.most:,}: keep what "
        "was won with python -m tests.architecture.house --lower"
    )
    assert room.target <= room.most


@pytest.mark.parametrize("kind", EXCEPTIONS_OF)
def test_what_is_laid_out_otherwise_is_listed(kind: str) -> None:
    there, listed = EXCEPTIONS_OF[kind](), house.exceptions()[kind].keys()
    why = (EXCEPTIONS_OF[kind].__doc__ or "").splitlines()[0]
    assert sorted(there - listed) == [], f"{why} (tests/architecture/exceptions.toml)"
    assert sorted(listed - there) == [], "they are no exceptions any more: strike them out"


def _project_at(commit: str) -> str:
    """The pyproject.toml of that commit; "": it is not in this copy."""
    return "\n".join(git("show", f"{commit}:{PROJECT.name}"))


def raised(before: str, after: str) -> list[str]:
    """Rooms that were given more lines, by two texts of pyproject.toml."""
    old, new = house.budget(before), house.budget(after)
    return [name for name in old.keys() & new.keys() if new[name] > old[name]]


def test_a_budget_is_raised_by_a_decision_alone() -> None:
    """As far back as this copy's history goes; without one, nothing can be said."""
    commits = git("log", f"--max-count={COMMITS_LOOKED_AT}", "--format=%H", "--", "pyproject.toml")
    for commit in commits:
        before, after = map(_project_at, (f"{commit}~1", commit))
        if before and after and raised(before, after):
            changed = git("show", "--format=", "--name-only", commit)
            assert any(path.startswith("docs/decisions/") for path in changed), (
                f"{commit[:8]} raises the budget of {raised(before, after)} without a decision"
            )


def test_what_has_not_been_committed_raises_nothing_without_a_decision() -> None:
    before = _project_at("HEAD")
    now = PROJECT.read_text("utf-8")
    if before and raised(before, now):
        changed = "\n".join(git("status", "--porcelain"))
        assert re.search(r"docs/decisions/", changed), f"{raised(before, now)} have more lines"


def test_a_raised_budget_is_seen() -> None:
    old = '[tool.house.budget]\nweb = { most = 5, target = 4 }\n"a/b" = { most = 5, target = 4 }'
    assert raised(old, old.replace("most = 5", "most = 6", 1)) == ["web"]
    assert raised(old, old.replace("most = 5", "most = 4")) == []


def test_blank_lines_comments_and_docstrings_are_no_code(tmp_path: Path) -> None:
    file = tmp_path / "some.py"
    file.write_text('"""One.\n\nTwo."""\n\n# Why.\nX = """a\nb"""\n\n\ndef f():\n    """Do."""\n')
    assert Module(str(file)).code() == 3
