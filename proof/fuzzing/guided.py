"""A target under libFuzzer, by atheris: the search for hours, closer to the code than our own.

atheris is no part of the locked environment: its wheels are for x86-64 only, and the lock is for
small machines too. Where it is installed (``pip install atheris``) it is used; where it is not, our
own search (:mod:`proof.fuzzing.search`) is guided by coverage as well, only slower at it.

libFuzzer ends its process, so each target runs in one of its own: ``python -m proof.fuzzing.guided
TARGET COUNTER FLAGS``. The corpus that it gathers is kept between runs in ``build/fuzzing``.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from importlib.util import find_spec
from mmap import mmap
from pathlib import Path
from struct import Struct

from proof.fuzzing.search import Report
from proof.fuzzing.target import ROOT, Target, finding, smallest

GATHERED = ROOT / "build" / "fuzzing"
_COUNT = re.compile(r"stat::number_of_executed_units: (\d+)")
_COVERED = re.compile(r" cov: (\d+)")
_COUNTER = Struct("<Q")


def installed() -> bool:
    """Whether atheris is here."""
    return find_spec("atheris") is not None


def guided(target: Target, seed: int, *, seconds: float | None, runs: int | None) -> Report:
    """Run the target in a process of its own; libFuzzer ends at the first fault."""
    corpus, broken = GATHERED / target.name / "corpus", GATHERED / target.name / "broken"
    corpus.mkdir(parents=True, exist_ok=True)
    broken.mkdir(exist_ok=True)
    for number, data in enumerate([*target.seeds(), *target.corpus()]):
        (corpus / f"seed-{number}").write_bytes(data)
    before = set(broken.iterdir())
    units = corpus.parent / "units"
    units.write_bytes(bytes(_COUNTER.size))
    flags = [f"-seed={seed}", f"-max_len={target.most_bytes}", "-print_final_stats=1"]
    flags += [f"-artifact_prefix={broken}/", "-timeout=60", "-rss_limit_mb=2048"]
    flags += [f"-runs={runs}"] if runs is not None else []
    flags += [f"-max_total_time={max(1, int(seconds))}"] if seconds is not None else []
    if target.tokens:
        tokens = corpus.parent / "tokens"
        tokens.write_text("".join(f'"{_escaped(token)}"\n' for token in target.tokens))
        flags.append(f"-dict={tokens}")
    begun = time.monotonic()
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "proof.fuzzing.guided",
            target.name,
            str(units),
            *flags,
            str(corpus),
        ],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        cwd=ROOT,
    )
    said = done.stdout + done.stderr
    report = Report(target, seed, corpus=len(list(corpus.iterdir())))
    report.seconds = time.monotonic() - begun
    report.runs = _last(_COUNT, said)
    report.steps = _last(_COVERED, said)
    report.units = _COUNTER.unpack(units.read_bytes())[0]
    files = sorted(set(broken.iterdir()) - before)
    for path in files:
        data = path.read_bytes()
        try:
            target.run(data)
        except Exception as error:
            found = smallest(finding(target, data, error))
            report.findings[found.place] = found
    if done.returncode and not files:
        raise RuntimeError(f"libFuzzer ended with {done.returncode}: {said[-2000:]}")
    return report


def _last(pattern: re.Pattern[str], said: str) -> int:
    found = pattern.findall(said)
    return int(found[-1]) if found else 0


def _escaped(token: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in token[:64])


def main(name: str, units: Path, flags: list[str]) -> None:
    """The process of one target, which libFuzzer ends: what was judged is counted in a file."""
    import atheris  # noqa: PLC0415 - not installed everywhere

    with atheris.instrument_imports(include=["controller", "drivers", "verifier"]):
        from proof.fuzzing.targets import by_name  # noqa: PLC0415 - it imports what is to be seen

        target = by_name()[name]
    with units.open("r+b") as file, mmap(file.fileno(), _COUNTER.size) as counter:

        def once(data: bytes) -> None:
            judged = _COUNTER.unpack_from(counter)[0] + target.run(data)
            _COUNTER.pack_into(counter, 0, judged)

        atheris.Setup([sys.argv[0], *flags], once)
        atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3:])
