"""``draw show``: one draw with all that belongs to it, by the numbers of the journal's entries.

With ``--json``: ``offer``, ``box``, ``multiplier``; ``pressed`` and ``drawn``, entries; ``shown``,
a list of ``{"seq", "multiplier"}`` as the meter reported; ``seen``, the word of the supervisor who
saw it on the meter, and ``ordered``, his order to pay it from the screen, or null; ``settled``, a
list of ``{"seq", "odds"}``; ``record``, what was recorded of the draw (docs/draw.md); ``faults``,
what does not follow, in plain words.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from controller.cli.exits import DONE, NOT_WELL, WRONG_USE, NotDone
from controller.cli.journal.opened import opened
from controller.cli.output import tell
from controller.draw.evidence import RECORD, Trace, trace_of
from controller.journal.export import record
from controller.plain_text import columns


def show(options: argparse.Namespace) -> int:
    """Show the draw of an offer."""
    wanted = None if options.offer == "last" else options.offer
    with opened(options) as reader:
        found, faults = trace_of(map(record, reader.iterate()), wanted)
    if found is None:
        what = "no draw yet" if wanted is None else f"no draw for offer {wanted!r}"
        raise NotDone(WRONG_USE, f"the journal in {reader.directory} has {what}")
    tell(options, {**found.as_json(), "faults": faults}, _said(found, faults))
    return NOT_WELL if faults else DONE


def _said(trace: Trace, faults: list[str]) -> Iterator[str]:
    yield f"offer {trace.offer}, box {trace.box}: {trace.multiplier}x"
    rows = [("pressed", f"entry {trace.pressed}"), ("drawn", f"entry {trace.drawn}")]
    rows += [(f"  {name}", str(trace.record[name])) for name in RECORD]
    rows += [
        ("shown", f"entry {seq}: the meter reports {multiplier}x")
        for seq, multiplier in trace.shown
    ]
    if trace.seen is not None:
        rows.append(("seen", f"entry {trace.seen}: a supervisor saw it on the meter"))
    if trace.ordered is not None:
        rows.append(("ordered", f"entry {trace.ordered}: a supervisor had it paid"))
    rows += [("settled", f"entry {seq}: {odds}") for seq, odds in trace.settled]
    yield columns(rows)
    if not trace.shown and trace.seen is None and trace.ordered is None:
        yield "never shown, never paid"
    yield from (f"FAULT  {fault}" for fault in faults)
    if not faults:
        yield "it follows from its ticket, the weights in force and the press"
