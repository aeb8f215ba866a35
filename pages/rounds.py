"""Write the page of round scripts: their keys, the steps of a round, what may go wrong in it, and
its remedies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from controller.game.round import remedies, steps
from controller.game.rules.cases import KNOWN, REMEDIES
from controller.game.scripts import script
from pages.generated import between, heads, items

MODULES: Final = (steps, remedies)
SOURCE: Final = re.compile(r" \(:data:[^)]+\)| At a live table .*")
PLAIN: Final = frozenset(REMEDIES) - {"choose"}


def make_page(present: str) -> str:
    """The page with its tables anew."""
    rows = [f"| {' | '.join(key.split(': ', 1))} |" for key in items(script)]
    text = between(present, "keys", [*heads("key", "meaning"), *rows])
    text = between(text, "steps", list(_steps()))
    return between(between(text, "triggers", list(_triggers())), "remedies", list(_remedies()))


def _steps() -> Iterator[str]:
    """Those whose docstring begins with their text; plain remedies have a table of their own."""
    yield from heads("step")
    for module in MODULES:
        for kind in vars(module).values():
            if isinstance(kind, type) and kind.__module__ == module.__name__:
                told = SOURCE.sub("", " ".join((kind.__doc__ or "").split())).replace("``", "`")
                if told.startswith("`") and getattr(kind, "verb", "") not in PLAIN:
                    yield f"| {told} |"


def _triggers() -> Iterator[str]:
    yield from heads("trigger", "", "what it means")
    for name, trigger in KNOWN.items():
        report = f"`report {name} BOX`" if trigger.box else f"`report {name}`"
        opened = "by a card" if trigger.by_card else report
        yield f"| `{name}` | {opened} | {trigger.words} |"


def _remedies() -> Iterator[str]:
    yield from heads("remedy", "what it does")
    yield from (f"| `{name}` | {words} |" for name, words in REMEDIES.items())
