"""What a table has gone through that was killed again and again, and whether it has kept its word.

The kinds are those of the devices after the kill, when nobody can change them any more:

- an event unacknowledged: the device still has it, whether or not the journal does;
- a press not read back: pressed, and SHOWN not acknowledged;
- a command outstanding: sent and unread, or carried out and unanswered.

The journal is compared with what the devices have counted and what clients were answered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from controller.journal.reader import JournalReader
from controller.replay.replay import replay_table, rounds_from
from hil_tests.bench import Json
from hil_tests.demo.checks import card_name, export
from hil_tests.tablectl import tablectl

EVENT = "an event unacknowledged"
PRESS = "a press not read back"
COMMAND = "a command outstanding"
NEITHER = "none of these"
NO_COMMANDS = ("HELLO", "EVENT_ACK")


@dataclass(slots=True)
class Account:
    """``in_doubt`` are the kills between an event and its acknowledgement or a press and its
    readback; ``spins`` those in which the meter was spinning; ``in_commit`` those that fell between
    the first and the last request of a commit to its disk, where a bench can tell. ``unreached``
    are planned commits to which a round did not come, because it had fewer than the one by which
    it was planned."""

    kills: int = 0
    in_doubt: int = 0
    spins: int = 0
    in_commit: int = 0
    rounds: int = 0
    cards: int = 0
    draws: int = 0
    answers: int = 0
    unreached: int = 0
    lost: int = 0
    twice: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    moments: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def died(self, moment: str, devices: Mapping[str, Json]) -> None:
        """Count a kill by what the devices are in."""
        kinds = {kind for look in devices.values() for kind in kinds_of(look)}
        self.kills += 1
        self.in_doubt += bool(kinds & {EVENT, PRESS})
        self.spins += any(look.get("state") == "spinning" for look in devices.values())
        self.moments[moment] += 1
        self.kinds.update(kinds or {NEITHER})

    def add(self, other: Account) -> None:
        """Count another table's with this one's."""
        for name in ("kills", "in_doubt", "spins", "rounds", "cards", "draws", "answers"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.in_commit += other.in_commit
        self.unreached += other.unreached
        self.lost += other.lost
        self.twice += other.twice
        self.kinds += other.kinds
        self.moments += other.moments
        self.wrong += other.wrong

    def summary(self) -> Iterator[str]:
        """What it comes to, and all that is wrong."""
        yield (
            f"{self.kills} kills in {self.rounds} rounds; {self.in_doubt} of them with {EVENT} or "
            f"{PRESS}, {self.spins} while the meter was spinning; {self.cards} cards, "
            f"{self.draws} draws, {self.answers} entries answered"
        )
        if self.in_commit:
            yield f"between two requests of a commit to the disk: {self.in_commit} of the kills"
        if self.unreached:
            yield f"planned commits that a round did not come to: {self.unreached}"
        yield f"lost: {self.lost}; twice: {self.twice}; otherwise wrong: {len(self.wrong)}"
        yield from (f"  wrong: {what}" for what in self.wrong)

    def lines(self) -> Iterator[str]:
        """The account with what the devices were in, and in which moments it died."""
        yield from self.summary()
        for kind, count in sorted(self.kinds.items()):
            yield f"  {count:5} with {kind}"
        for moment, count in sorted(self.moments.items()):
            yield f"      {count:5} {moment}"


def kinds_of(look: Json) -> Iterator[str]:
    """What a device was in when the controller died."""
    if look["unacked"]:
        yield EVENT
    events = look["events"]
    shown = events.get("SHOWN", 0) - (look.get("state") == "showing" and look["unacked"] > 0)
    if events.get("PRESS", 0) > shown:
        yield PRESS
    if commands(look):
        yield COMMAND


def commands(look: Json) -> list[str]:
    """The commands that wait at a device, unread or unanswered."""
    unread = [name for name in look["held_in"] if name not in NO_COMMANDS]
    return unread + [name for name in look["held_out"] if name.startswith("answer ")]


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


def compare(account: Account, witness: Witness, state_directory: Path) -> None:
    """Compare the journal of a table that was stopped in good order with what was seen there."""
    entries = export(state_directory)
    cards = [card_name(entry) for entry in entries if entry["type"] == "CARD"]
    drawn = [entry for entry in entries if entry["type"] == "draw"]
    _in_order(account, "card", cards, witness.cards)
    _in_order(account, "draw", [entry["multiplier"] for entry in drawn], witness.shown)
    pressed = [entry["offer_id"] for entry in entries if entry["type"] == "PRESS"]
    _in_order(account, "drawn offer", [entry["offer"] for entry in drawn], pressed)
    if "jackpot" in witness.devices:
        unit = witness.devices["jackpot"]["pressed"]
        _in_order(account, "press", sorted(pressed), sorted(unit))
    if len(cards) != witness.devices["shoe"]["drawn"]:
        account.wrong.append(f"the shoe has counted {witness.devices['shoe']['drawn']} cards")
    _answered(account, entries, witness.answered)
    account.wrong += misnumbered(entries)
    account.cards += len(cards)
    account.draws += len(drawn)
    account.answers += len(witness.answered)
    account.wrong += _unsound(witness.settled, state_directory)


def _in_order(
    account: Account, what: str, journal: Sequence[object], seen: Sequence[object]
) -> None:
    if list(journal) == list(seen):
        return
    lost, twice = Counter(seen) - Counter(journal), Counter(journal) - Counter(seen)
    account.lost += lost.total()
    account.twice += twice.total()
    account.wrong.append(
        f"{what}: lost {dict(lost)}, twice {dict(twice)}"
        if lost or twice
        else f"{what}: in another order than it was seen"
    )


def _answered(account: Account, entries: Sequence[Json], answered: Sequence[str]) -> None:
    """An answer that came means an entry in the journal; those are in the order of the answers."""
    stored = iter([entry["body"]["command"] for entry in entries if entry["type"] == "dealer"])
    missing = [command for command in answered if command not in stored]  # takes up to the match
    account.lost += len(missing)
    account.wrong += [f"answered and not in the journal: {command}" for command in missing]


def misnumbered(entries: Sequence[Json]) -> Iterator[str]:
    """What says that events were lost or came twice: every event of a device is there once, none
    left out between two of a session."""
    numbers: dict[tuple[str, int], list[int]] = {}
    for entry in entries:
        if "event_no" in entry:
            numbers.setdefault((entry["device"], entry["session"]), []).append(entry["event_no"])
    for key, found in numbers.items():
        if found != list(range(found[0], found[0] + len(found))):
            yield f"events of {key} are not one after the other: {found}"


def misdrawn(entries: Sequence[Json]) -> Iterator[str]:
    """What says that a draw is missing or one too many: every press has its own, in their order."""
    pressed = [entry["offer_id"] for entry in entries if entry["type"] == "PRESS"]
    drawn = [entry["offer"] for entry in entries if entry["type"] == "draw"]
    if pressed != drawn:
        yield f"offers {pressed} were pressed, drawn was for {drawn}"


def _unsound(settled: Sequence[Json], state_directory: Path) -> Iterator[str]:
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
