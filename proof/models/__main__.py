"""``python -m proof.models [--large] [--only TEXT]``

Checks every claim within its bounds and prints states, depth, time and memory; then looks for every
planted defect. Exit status 1 when a claim does not hold, when a search was cut short, or when a
defect is not found. Needs spin and gcc.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from proof.models.checker import LARGE, SMALL, SOURCES, Model
from proof.models.draw.defects import DEFECTS as OF_THE_DRAW
from proof.models.draw.draw_bench import DrawBench
from proof.models.link.defects import DEFECTS as OF_THE_LINK
from proof.models.link.link_bench import LinkBench
from proof.models.playing import Bench, Defect
from proof.models.stored.bench import StoredBench
from proof.models.stored.defects import DEFECTS as OF_WHAT_IS_STORED

PLANTED: Final[Mapping[str, tuple[type[Bench], Mapping[str, Defect[Any]]]]] = {
    "link": (LinkBench, OF_THE_LINK),
    "draw": (DrawBench, OF_THE_DRAW),
    "stored": (StoredBench, OF_WHAT_IS_STORED),
}
"""The bench of each model, and the defects that are planted in it."""


def main(arguments: Sequence[str]) -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m proof.models", description="The models, checked."
    )
    parser.add_argument("--large", action="store_true", help="wider bounds: minutes, 1.5 GB")
    parser.add_argument("--only", default="", metavar="TEXT", help="claims with it in their name")
    options = parser.parse_args(arguments)
    if missing := [tool for tool in ("spin", "gcc") if shutil.which(tool) is None]:
        print(f"models: for want of {', '.join(missing)}: apt install spin gcc libc6-dev")
        return 2
    failed = 0
    with TemporaryDirectory(prefix="models-") as folder:
        for told, good in _judged(Path(folder), options.only, large=options.large):
            print(told, flush=True)
            failed += not good
    return 1 if failed else 0


def _judged(folder: Path, only: str, *, large: bool) -> Iterator[tuple[str, bool]]:
    """A line for each claim and each defect, and whether it is as it should be."""
    for at, claim in enumerate(LARGE if large else SMALL):
        if only in str(claim):
            model = Model(SOURCES[claim.model], claim.defines, folder / f"claim-{at}")
            verdict = model.check(fair=claim.kind == "ends", wide=large)
            yield f"{claim}\n    {verdict}", verdict.holds
    for name, (_, defects) in PLANTED.items():
        for macro, defect in defects.items():
            if only in macro:
                model = Model(SOURCES[name], {**defect.bounds, macro: None}, folder / macro)
                verdict = model.check(depth=defect.depth, shortest=True, stuck=False)
                yield f"defect {macro}: {verdict.violated or 'NOT FOUND'}", bool(verdict.violated)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
