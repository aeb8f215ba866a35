"""``python -m proof.fuzzing [TARGET ...] [--seconds N | --runs N] [--seed S] [--plain]``

Each target in turn for a time or a number of runs; without either, ``USUAL_S``. Under libFuzzer
where atheris is installed, unless ``--plain``. Prints what was run, how fast, what it reached and
with which seed; what breaks a target is made small and written to ``build/fuzzing/found``, and
``python -m proof.fuzzing --again FILE`` runs that file. Exit status 1 when something broke.
"""

from __future__ import annotations

import argparse
import secrets
import sys
from pathlib import Path

from proof.fuzzing.guided import GATHERED, guided, installed
from proof.fuzzing.search import Report, search
from proof.fuzzing.target import Finding, Target, fault_of
from proof.fuzzing.targets import by_name

USUAL_S = 20.0
FOUND = GATHERED / "found"


def main() -> int:
    """The command."""
    targets = by_name()
    options = _options(targets)
    if options.again is not None:
        return _replay_finding(targets, options.again)
    engine = "our own search" if options.plain or not installed() else "libFuzzer (atheris)"
    print(f"fuzzing by {engine}")
    broken = 0
    for name in options.targets or targets:
        report = _search_target(targets[name], options)
        print(report, flush=True)
        for found in report.findings.values():
            _print_finding(found)
        broken += len(report.findings)
    return 1 if broken else 0


def _options(targets: dict[str, Target]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m proof.fuzzing", description="Hostile bytes, tried."
    )
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(targets))
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--seconds", type=float, help=f"for each target ({USUAL_S:g})")
    length.add_argument("--runs", type=int, help="for each target")
    parser.add_argument("--seed", type=int, help="where the search begins (random)")
    parser.add_argument("--plain", action="store_true", help="not libFuzzer: the same everywhere")
    parser.add_argument("--again", type=Path, metavar="FILE", help="what was found, once more")
    options = parser.parse_args()
    if unknown := set(options.targets) - set(targets):
        parser.error(f"no target {', '.join(sorted(unknown))}; there are {', '.join(targets)}")
    if options.seconds is None and options.runs is None:
        options.seconds = USUAL_S
    return options


def _search_target(target: Target, options: argparse.Namespace) -> Report:
    seed = options.seed if options.seed is not None else secrets.randbelow(1 << 31) + 1
    if not options.plain and installed():
        return guided(target, seed, seconds=options.seconds, runs=options.runs)
    return search(target, seed, seconds=options.seconds, runs=options.runs)


def _print_finding(found: Finding) -> None:
    path = found.store(FOUND)
    print(
        f"  {found.place}: {len(found.data)} bytes; again: python -m proof.fuzzing --again {path}"
    )
    print("  " + found.trace.strip().replace("\n", "\n  "))


def _replay_finding(targets: dict[str, Target], path: Path) -> int:
    target = next((t for name, t in targets.items() if path.name.startswith(f"{name}-")), None)
    if target is None:
        print(f"{path}: its name begins with no target's", file=sys.stderr)
        return 2
    found = fault_of(target, path.read_bytes())
    print(found.trace if found else f"{target.name}: no fault any more")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
