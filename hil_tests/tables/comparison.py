"""The journal of a table as exported, what must hold in it, and the same compared with what was
seen there: cards, draws, answers and rounds.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from controller.journal.reader import JournalReader
from controller.replay.replay import replay_table, rounds_from
from hil_tests.bench.interface import Bench, Json
from hil_tests.bench.processes import tablectl
from hil_tests.people.dealer import Dealer


def exported_entries(state: Path) -> list[Json]:
    """The journal in this state directory, an object for each entry.

    Raises:
        AssertionError: ``tablectl journal export`` failed.
    """
    told = tablectl("journal", "export", "--state", str(state))
    if told.returncode:
        raise AssertionError(f"journal export ended with {told.returncode}: {told.stderr}")
    return [json.loads(line) for line in told.stdout.splitlines()]


def stop_and_verify(bench: Bench) -> Path:
    """Stop the controller in good order; where its journal lies, which is well by the key that the
    controller has told: no file of keys is on this machine."""
    vkey = bench.tablectl("journal", "checkpoint", "--vkey").stdout.strip()
    assert bench.stop_controller() == 0
    state = bench.state_directory
    verified = tablectl("journal", "verify", "--state", str(state), "--key", vkey)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    return state


def card_name(entry: Json) -> str:
    """The card of an exported CARD as round scripts write it."""
    return "??A23456789TJQK"[entry["rank"] + 1] + "?CDHS"[entry["suit"]]


def numbering_errors(entries: Sequence[Json]) -> Iterator[str]:
    """Events of a device that are missing between two of its session, or there twice, in words."""
    numbers: dict[tuple[str, int], list[int]] = {}
    for entry in entries:
        if "event_no" in entry:
            numbers.setdefault((entry["device"], entry["session"]), []).append(entry["event_no"])
    for key, found in numbers.items():
        if found != list(range(found[0], found[0] + len(found))):
            yield f"events of {key} are not one after the other: {found}"


def draw_errors(entries: Sequence[Json]) -> Iterator[str]:
    """Where the draws are not those of the presses, in their order; in words."""
    pressed = [entry["offer_id"] for entry in entries if entry["type"] == "PRESS"]
    drawn = [entry["offer"] for entry in entries if entry["type"] == "draw"]
    if pressed != drawn:
        yield f"offers {pressed} were pressed, drawn was for {drawn}"


@dataclass(slots=True)
class Comparison:
    """What was compared (``rounds``, ``cards``, ``draws`` and ``answers`` to entries) and found:
    how many of them the journal lacks (``lost``) or has twice, and in words all that is
    ``wrong``."""

    rounds: int = 0
    cards: int = 0
    draws: int = 0
    answers: int = 0
    lost: int = 0
    twice: int = 0
    wrong: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Witness:
    """What was seen at the table apart from its journal: the cards that left the shoe and the
    shoe's own count, the figures that the meter showed and the offers that the unit saw pressed,
    the entries that were answered, and the rounds as they were settled."""

    cards: Sequence[str]
    shown: Sequence[int]
    answered: Sequence[str]
    settled: Sequence[Json]
    devices: Mapping[str, Json]

    @classmethod
    def of_dealer(
        cls, dealer: Dealer, settled: Sequence[Json], devices: Mapping[str, Json]
    ) -> Witness:
        """What a dealer has seen; ``devices`` as they look in the end."""
        return cls(dealer.drawn, dealer.shown, dealer.answered, settled, devices)


def compare(found: Comparison, witness: Witness, state_directory: Path) -> None:
    """Compare the journal of a stopped table with what was seen there; count in ``found``."""
    entries = exported_entries(state_directory)
    cards = [card_name(entry) for entry in entries if entry["type"] == "CARD"]
    drawn = [entry for entry in entries if entry["type"] == "draw"]
    _in_order(found, "card", cards, witness.cards)
    _in_order(found, "draw", [entry["multiplier"] for entry in drawn], witness.shown)
    pressed = [entry["offer_id"] for entry in entries if entry["type"] == "PRESS"]
    _in_order(found, "drawn offer", [entry["offer"] for entry in drawn], pressed)
    if "jackpot" in witness.devices:
        unit = witness.devices["jackpot"]["pressed"]
        _in_order(found, "press", sorted(pressed), sorted(unit))
    if len(cards) != witness.devices["shoe"]["drawn"]:
        found.wrong.append(f"the shoe has counted {witness.devices['shoe']['drawn']} cards")
    _answered(found, entries, witness.answered)
    found.wrong += numbering_errors(entries)
    found.cards += len(cards)
    found.draws += len(drawn)
    found.answers += len(witness.answered)
    found.wrong += unsound(witness.settled, state_directory)


def _in_order(
    found: Comparison, what: str, journal: Sequence[object], seen: Sequence[object]
) -> None:
    if list(journal) == list(seen):
        return
    lost, twice = Counter(seen) - Counter(journal), Counter(journal) - Counter(seen)
    found.lost += lost.total()
    found.twice += twice.total()
    found.wrong.append(
        f"{what}: lost {dict(lost)}, twice {dict(twice)}"
        if lost or twice
        else f"{what}: in another order than it was seen"
    )


def _answered(found: Comparison, entries: Sequence[Json], answered: Sequence[str]) -> None:
    """An answer that came means an entry in the journal; those are in the order of the answers."""
    stored = iter([entry["body"]["command"] for entry in entries if entry["type"] == "dealer"])
    missing = [command for command in answered if command not in stored]  # takes up to the match
    found.lost += len(missing)
    found.wrong += [f"answered and not in the journal: {command}" for command in missing]


def unsound(settled: Sequence[Json], state_directory: Path) -> Iterator[str]:
    """The journal is well, replay equals play, and every round in it is as it was settled."""
    verified = tablectl("journal", "verify", "--state", str(state_directory))
    if verified.returncode:
        yield f"journal verify: {verified.stdout}{verified.stderr}"
    with JournalReader(state_directory) as reader:
        yield from replay_table(reader.iterate())[1]
        played = list(rounds_from(reader.iterate()))
    if len(played) != len(settled):
        yield f"{len(settled)} rounds were settled, the journal has {len(played)}"
    for state, shown in zip(settled, played, strict=False):
        for name in ("round", "settlements", "dealer"):
            if state[name] != shown[name]:
                yield f"round {state['round']}: {name} on replay is not what was settled"
