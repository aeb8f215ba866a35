"""The floor from above, as it is told to browsers: every table the house knows or has heard of,
each a part of its own (:mod:`web.latest`).

The rules:

- A table has a row for the log that grew last; what stood there before (another key, an archived
  journal) is counted.
- What a table runs is compared with what the house approved of, each kind by itself; a kind of
  which the house says nothing is not compared.
- A table that the house knows and nobody has heard of is told, too: nothing is missing silently.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from floor.configuration import APPROVED
from floor.page.asking import PageRow

RUNS: Final = (*APPROVED, "document", "engine")
COUNTED: Final = ("next_entry", "mirror_size", "witness_size", "facts_upto")
TABLE: Final = "table/"
"""How the names of parts begin that are tables."""

PLAIN: Final = ("halted", "seq", "wall", "day", "shift", "round", "state", "reason", "shown")


@dataclass(slots=True)
class Seldom:
    """What changes seldom, by the logs' origins."""

    rounds: Mapping[str, int] = field(default_factory=dict)
    versions: Mapping[str, PageRow] = field(default_factory=dict)
    confirmed: Mapping[str, PageRow] = field(default_factory=dict)


def floor_state(
    logs: Sequence[PageRow],
    refusals: Sequence[PageRow],
    seldom: Seldom,
    known: Iterable[str],
    approved: Mapping[str, Sequence[str]],
) -> dict[str, object]:
    """All of it in parts, ready for JSON but for its times; ``known`` are the house's tables."""
    by_table: dict[str, list[PageRow]] = {name: [] for name in known}
    for log in logs:
        by_table.setdefault(log["table_name"], []).append(log)
    tables = {
        f"{TABLE}{name}": _table(name, found, seldom, approved) for name, found in by_table.items()
    }
    return {**tables, "refusals": refusals, "approved": sorted(approved)}


def _table(
    name: str, logs: Sequence[PageRow], seldom: Seldom, approved: Mapping[str, Sequence[str]]
) -> dict[str, object]:
    if not logs:
        return {"table": name, "heard": None}
    newest = logs[0]
    origin = newest["origin"]
    runs = seldom.versions.get(origin)
    confirmed = seldom.confirmed.get(origin)
    return {
        "table": name,
        "heard": newest["stored_at"],
        "origin": origin,
        "earlier": len(logs) - 1,
        **{key: newest[key] for key in (*COUNTED, *PLAIN)},
        "rounds_an_hour": seldom.rounds.get(origin, 0),
        "runs": None if runs is None else {key: runs[key] for key in RUNS},
        "differs": [] if runs is None else differences(runs, approved),
        "confirmed": None
        if confirmed is None
        else {key: confirmed[key] for key in ("wall", "by", "said")},
    }


def differences(runs: PageRow, approved: Mapping[str, Sequence[str]]) -> list[str]:
    """The kinds of which a table runs what the house has not approved of."""
    return [kind for kind in APPROVED if kind in approved and runs[kind] not in approved[kind]]
