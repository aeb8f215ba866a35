"""Every surface, fuzzed with fixed seeds for as long as CI can spare; and what was found before.

``make fuzz`` goes on from here for minutes, or for hours by hand.
"""

from __future__ import annotations

import pytest

from proof.fuzzing.search import search
from proof.fuzzing.target import CORPUS
from proof.fuzzing.targets import by_name

RUNS = {
    "controller-link": 800,
    "device-link": 1000,
    "conversation": 120,
    "devices": 24,
    "requests": 20_000,
    "socket": 400,
    "commands": 40,
    "configuration": 150,
    "rules": 45,
    "scripts": 800,
    "exports": 1200,
    "floor": 800,
}
SEED = 20_261_121
FOUND = [path for path in sorted(CORPUS.glob("*/*")) if path.is_file()]


def test_every_target_has_its_share() -> None:
    assert set(RUNS) == set(by_name())


@pytest.mark.parametrize("name", RUNS)
def test_hostile_bytes_meet_nothing_but_clean_refusals(name: str) -> None:
    report = search(by_name()[name], SEED, runs=RUNS[name])
    assert not report.findings, "\n".join(
        f"{found.place}, {found.data!r}:\n{found.trace}" for found in report.findings.values()
    )
    assert report.units


def test_what_was_found_is_of_a_target() -> None:
    assert {path.parent.name for path in FOUND} <= set(by_name())


@pytest.mark.parametrize("path", FOUND, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_was_found_stays_mended(path: object) -> None:
    name, data = path.parent.name, path.read_bytes()  # type: ignore[attr-defined]
    by_name()[name].run(data)
