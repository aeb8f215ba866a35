"""Rounds of one number: a table whose journal was begun anew counts its rounds anew, too. Which of
them is meant whoever asks has to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TypedDict
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from controller.sheets.sheet import mono, row, sheet, table, text
from floor.page.asking import PageRow


class RoundChoice(TypedDict):
    """One of them: its ``journal``, by which the address has it, its gaming day, and when it was
    opened."""

    journal: str
    day: str
    opened: str | None
    address: str


def choices_of(path: str, rounds: Sequence[PageRow], zone: ZoneInfo) -> list[RoundChoice]:
    """Those rounds, each with the address that ``path`` becomes by its journal's name."""
    return [
        {
            "journal": one["origin"],
            "day": str(one["day"]),
            "opened": _local(one["opened"], zone),
            "address": f"{path}?{urlencode({'journal': one['origin']})}",
        }
        for one in rounds
    ]


def choices_page(title: str, choices: Sequence[RoundChoice]) -> str:
    """A page that leads to each of them."""
    rows = [
        row(
            (
                f'<a href="{text(one["address"])}">{text(one["day"])}</a>',
                text(one["opened"] or "?"),
                mono(one["journal"]),
            )
        )
        for one in choices
    ]
    words = (
        "The table's journal was begun anew, and its rounds are counted anew in each journal. Which"
        " one is meant?"
    )
    body = (
        f"<h1>{text(title)}</h1>",
        f"<p>{words}</p>",
        table(("Gaming day", "Opened", "Journal"), rows),
    )
    return sheet(title, body)


def _local(time: datetime | None, zone: ZoneInfo) -> str | None:
    return time.astimezone(zone).isoformat(sep=" ", timespec="seconds") if time else None
