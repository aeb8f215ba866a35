"""SPIN, run on a model: every state within the bounds, one run at random, or one run as it is told;
and what is claimed within which bounds: a few for every change, wider ones by ``make models``.

The runs of a claim of kind ``safe`` break no assertion of the model and are never stuck; those of
kind ``ends`` come to rest once faults cease, if every process that can always act does.

A model prints ``STEP NUMBER FIELD ...`` and ``STATE VALUE ...`` for every step that it takes; that
is what :class:`StepRecord` holds. Bounds and defects are macros: ``{"EVENTS": 2, "EAGER": None}``.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_HERE: Final = Path(__file__).parent
SOURCES: Final = {name: _HERE / name / f"{name}.pml" for name in ("link", "draw", "stored")}


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim about a model; ``bounds`` are its macros."""

    model: str
    kind: str
    bounds: Mapping[str, int]

    def __str__(self) -> str:
        bounds = " ".join(f"{name}={value}" for name, value in self.bounds.items())
        return f"{self.model} {self.kind}: {bounds}"

    @property
    def defines(self) -> dict[str, int | None]:
        """The macros with which it is built."""
        return {**self.bounds, **({"ENDS": None} if self.kind == "ends" else {})}


def _claim(model: str, kind: str, **bounds: int) -> Claim:
    return Claim(model, kind, bounds)


SMALL: Final = (
    _claim("link", "safe", EVENTS=2, SESSIONS=2, COMMANDS=0, ROOM=2, SENT=2, WINDOW=2, FAULTS=2),
    _claim("link", "safe", EVENTS=1, SESSIONS=2, COMMANDS=1, ROOM=2, SENT=2, WINDOW=2, FAULTS=2),
    _claim("link", "ends", EVENTS=1, SESSIONS=2, COMMANDS=0, ROOM=3, SENT=2, WINDOW=2, FAULTS=1),
    _claim("draw", "safe", FAULTS=3),
    _claim("draw", "ends", FAULTS=2),
    _claim("stored", "safe", ENTRIES=4, FAULTS=1, ATTACKS=0, CLOSES=1),
    _claim("stored", "safe", ENTRIES=3, FAULTS=0, ATTACKS=1, CLOSES=1),
    _claim("stored", "safe", ENTRIES=3, FAULTS=0, ATTACKS=2, CLOSES=1),
)
LARGE: Final = (
    _claim("link", "safe", EVENTS=2, SESSIONS=2, COMMANDS=1, ROOM=2, SENT=2, WINDOW=2, FAULTS=3),
    _claim("link", "safe", EVENTS=2, SESSIONS=2, COMMANDS=1, ROOM=2, SENT=4, WINDOW=8, FAULTS=2),
    _claim("link", "safe", EVENTS=3, SESSIONS=2, COMMANDS=1, ROOM=3, SENT=2, WINDOW=2, FAULTS=2),
    _claim("link", "safe", EVENTS=1, SESSIONS=3, COMMANDS=1, ROOM=2, SENT=2, WINDOW=2, FAULTS=4),
    _claim("link", "ends", EVENTS=2, SESSIONS=2, COMMANDS=1, ROOM=4, SENT=2, WINDOW=2, FAULTS=1),
    _claim("link", "ends", EVENTS=2, SESSIONS=2, COMMANDS=0, ROOM=3, SENT=2, WINDOW=1, FAULTS=2),
    _claim("draw", "safe", FAULTS=5),
    _claim("draw", "ends", FAULTS=4),
    _claim("stored", "safe", ENTRIES=5, FAULTS=2, ATTACKS=0, CLOSES=2),
    _claim("stored", "safe", ENTRIES=6, FAULTS=2, ATTACKS=0, CLOSES=1),
    _claim("stored", "safe", ENTRIES=4, FAULTS=0, ATTACKS=2, CLOSES=1),
    _claim("stored", "safe", ENTRIES=3, FAULTS=1, ATTACKS=2, CLOSES=1),
    _claim("stored", "safe", ENTRIES=4, FAULTS=1, ATTACKS=2, CLOSES=1),
)

Defines = Mapping[str, int | None]

DEEP = 1_000_000
"""Longest run that is followed; one that is longer makes a search incomplete, which is told."""
MEMORY_MB = 1900
_SEEDS = (1, 2, 3)
"""SPIN 6.5.2 crashes in some simulations, by its seed. There is no choice in a run that is told
step by step, and what is not permitted no seed permits."""
_STATES = re.compile(r"^\s*([\d.e+]+) states, stored", re.MULTILINE)
_DEPTH = re.compile(r"depth reached (\d+), errors: (\d+)")
_MEMORY = re.compile(r"([\d.]+)\s+total actual memory usage")
_SECONDS = re.compile(r"elapsed time ([\d.e+-]+) seconds")
_VIOLATED = re.compile(r"^pan:\d+: (.*?) \(at depth", re.MULTILINE)
_CUT_SHORT = ("Search not completed", "max search depth too small", "interrupted")


class ModelError(Exception):
    """SPIN, the compiler or the search itself failed; the message is what it said."""


@dataclass(frozen=True, slots=True)
class StepRecord:
    """A step of a run: its number, the fields of what it took (0 where there are none), and the
    state after it."""

    step: int
    fields: tuple[int, ...]
    state: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a search found: ``violated`` is the claim that does not hold, empty when all do;
    ``whole`` whether every state within the bounds was visited; ``unreached`` are lines of the
    model that no run came to."""

    violated: str
    whole: bool
    states: int
    depth: int
    seconds: float
    memory_mb: float
    unreached: tuple[int, ...]

    def __str__(self) -> str:
        found = self.violated or ("holds" if self.whole else "CUT SHORT")
        return (
            f"{found}: {self.states} states, depth {self.depth}, {self.seconds:.1f} s, "
            f"{self.memory_mb:.0f} MB"
        )

    @property
    def holds(self) -> bool:
        """Every claim holds, and nothing was left out."""
        return not self.violated and self.whole


class Model:
    """One model with its bounds and defects, worked on in ``folder``, which is to be its own."""

    def __init__(self, source: Path, defines: Defines, folder: Path) -> None:
        self._folder = folder
        self._name = source.name
        self._defines = [
            f"-D{name}" if value is None else f"-D{name}={value}" for name, value in defines.items()
        ]
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, folder / source.name)

    def check(
        self,
        *,
        fair: bool = False,
        depth: int = DEEP,
        shortest: bool = False,
        stuck: bool = True,
        wide: bool = False,
    ) -> Verdict:
        """Visit every state. ``fair``: look for runs that never end as the model's ``ltl`` claim
        wants, among those in which every process that can always act does (weak fairness);
        otherwise for failed assertions, and for runs that are stuck unless ``stuck`` is False.
        ``depth`` bounds the length of the runs; with ``shortest`` none of that length is passed
        over. ``wide``: the search takes so long that it pays to have the compiler optimize it.

        Raises:
            ModelError: it could not be run.
        """
        self._run_command("spin", "-a", *self._defines, self._name)
        wanted = ["-DNFAIR=5"] if fair else ["-DSAFETY", *(["-DREACH"] if shortest else [])]
        memory = ["-DCOLLAPSE", f"-DMEMLIM={MEMORY_MB}"]
        self._run_command(
            "gcc", "-O1" if wide else "-O0", "-w", *wanted, *memory, "-o", "pan", "pan.c"
        )
        options = ["-a", "-f"] if fair else [] if stuck else ["-E"]
        said = self._run_command("./pan", *options, f"-m{depth}", fails=True)
        return _verdict(said)

    def trail(self) -> list[StepRecord]:
        """The run that the last check found to be wrong, up to the step that is."""
        said = self._run_command("spin", "-t", *self._defines, self._name, fails=True)
        return list(_steps(said))

    def walk(self, seed: int, steps: int) -> list[StepRecord]:
        """A run at random; ``steps`` are SPIN's, and bound ours."""
        said = self._run_command(
            "spin", f"-n{seed}", f"-u{steps}", *self._defines, self._name, fails=True
        )
        return list(_steps(said))

    def follow(self, script: Sequence[int]) -> list[StepRecord]:
        """Take just those steps, as far as the model permits them."""
        lines = "".join(f"script[{at}] = {step};\n" for at, step in enumerate(script))
        text = f"#define LENGTH {len(script)}\ninline read_script() {{\n{lines}}}\n"
        (self._folder / "script.h").write_text(text, encoding="utf-8")
        longest: list[StepRecord] = []
        for seed in _SEEDS:
            said = self._run_command(
                "spin", f"-n{seed}", "-DSCRIPT", *self._defines, self._name, fails=True
            )
            longest = max(longest, list(_steps(said)), key=len)
            if len(longest) == len(script):
                break
        return longest

    def _run_command(self, *command: str, fails: bool = False) -> str:
        done = subprocess.run(
            command, cwd=self._folder, capture_output=True, text=True, check=False
        )
        if done.returncode and not fails:
            raise ModelError(f"{' '.join(command)}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout + done.stderr


def _verdict(said: str) -> Verdict:
    depth, states = _DEPTH.search(said), _STATES.search(said)
    memory, seconds = _MEMORY.search(said), _SECONDS.search(said)
    if depth is None or states is None or memory is None or seconds is None:
        raise ModelError(f"the search did not end: {said[-2000:]}")
    violated = _VIOLATED.search(said)
    if int(depth[2]) and violated is None:
        raise ModelError(f"what is violated is not told: {said[-2000:]}")
    return Verdict(
        violated=violated[1] if violated else "",
        whole=not any(words in said for words in _CUT_SHORT),
        states=int(float(states[1])),
        depth=int(depth[1]),
        seconds=float(seconds[1]),
        memory_mb=float(memory[1]),
        unreached=tuple(_unreached(said)),
    )


def _unreached(said: str) -> Iterator[int]:
    for line, what in re.findall(r"^\t\S+:(\d+), state \d+, \"(.*)\"$", said, re.MULTILINE):
        if what != "-end-":
            yield int(line)


def _steps(said: str) -> Iterator[StepRecord]:
    taken: tuple[int, ...] | None = None
    for line in said.splitlines():
        word, _, rest = line.strip().partition(" ")
        if word == "STEP":
            taken = tuple(map(int, rest.split()))
        elif word == "STATE" and taken is not None:
            yield StepRecord(taken[0], taken[1:], tuple(map(int, rest.split())))
            taken = None
