"""A round that 0.1 played, told from its entries: nothing is played again for it.

The rules:

- Rounds are counted by the states to which entries led, and by the numbers that entries and
  snapshots tell. An ``open`` that was taken back begins no round.
- What was settled, drawn, dealt and said is told as it was stored. How the cards lay nobody says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from controller.game.money import write_amount
from controller.game.rules.cards import card_of, write_cards
from controller.journal.model import Entry
from controller.journal.of_0_1 import NOT_PLAYED, has_0_1, is_of_0_1, is_past_0_1
from controller.journal.reader import JournalReader
from controller.json_values import JsonObject, checked
from controller.replay.finding import CannotReplay

BETWEEN_ROUNDS: Final = frozenset({"", "idle", "closed", "service", "settled", "void"})
OUTCOMES: Final = frozenset({"settled", "void"})
NOTHING_TOLD: Final = frozenset({"head", "snapshot", "gate", "start", "stop"})


@dataclass(frozen=True, slots=True)
class Unplayed:
    """The round of that number, and its entries from its ``open`` to before the next one."""

    number: int
    entries: list[Entry]

    def as_json(self) -> JsonObject:
        """What its entries say, in the form of a result as far as that goes."""
        settled = list(_settlements(self.entries))
        return {
            "round": self.number,
            "not_played": NOT_PLAYED,
            "outcome": next((s for s in map(_state, self.entries[::-1]) if s in OUTCOMES), None),
            "shoe": " ".join(_card(entry) for entry in self.entries if entry.type == "CARD"),
            "draws": [_draw(entry) for entry in self.entries if entry.type == "draw"],
            "settlements": settled,
            "net": _net(settled),
            "entries": [
                {"seq": entry.seq, "wall": entry.wall, "type": entry.type, "what": _what(entry)}
                for entry in self.entries
                if entry.type not in NOTHING_TOLD
            ],
        }


def find_unplayed(reader: JournalReader, number: int | None) -> Unplayed | None:
    """The round of that number (None: the last one) of those that 0.1 played in that journal.

    Raises:
        CannotReplay: an entry does not have its form.
    """
    if not has_0_1(reader.connection):
        return None
    try:
        rounds = _rounds(reader.iterate(), number)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise CannotReplay.after(error, reader) from error
    which = max(rounds, default=0) if number is None else number
    entries = rounds.get(which, [])
    return Unplayed(which, entries) if which and entries else None


def _rounds(entries: Iterator[Entry], wanted: int | None) -> dict[int, list[Entry]]:
    """The entries of 0.1 by round, as far as the ``wanted`` one and what came just before the end
    are concerned."""
    rounds: dict[int, list[Entry]] = {0: []}
    now, before, old = 0, "", True
    for entry in entries:
        old = is_of_0_1(entry) or (old and not is_past_0_1(entry))
        state = _state(entry)
        if entry.type == "snapshot":
            now = _number(entry)
        elif state == "betting" and before in BETWEEN_ROUNDS:
            now = checked(int, _after(entry).get("round", now + 1), "round")
            rounds[now] = []
        elif before == "betting" and state in BETWEEN_ROUNDS - {""}:  # it was taken back
            back = rounds.pop(now, [])
            now -= 1
            rounds.setdefault(now, []).extend(back)
        if old:
            rounds.setdefault(now, []).append(entry)
        for number in [each for each in rounds if each < now - 1 and each != wanted]:
            del rounds[number]
        if wanted is not None and now > wanted + 1:
            break
        before = state or before
    return rounds


def _number(snapshot: Entry) -> int:
    """The number of the round in a snapshot of any format."""
    table = checked(dict[str, object], snapshot.body["table"], "table")
    course = checked(dict[str, object], table.get("course", table), "course")
    return checked(int, course.get("round_number", 0), "round_number")


def _after(entry: Entry) -> Mapping[str, object]:
    return checked(dict[str, object], entry.body.get("after", {}), "after")


def _state(entry: Entry) -> str:
    """The state to which the entry led; empty where it does not say."""
    return str(_after(entry).get("state", "")).removeprefix("held.")


def _settlements(entries: list[Entry]) -> Iterator[dict[str, object]]:
    for entry in entries:
        yield from checked(list[dict[str, object]], _after(entry).get("settlements", []), "settled")


def _net(settled: list[dict[str, object]]) -> dict[str, str | None]:
    sums: dict[str, Decimal | None] = {}
    for one in settled:
        who, net = f"{one['box']}{one['bettor']}", one["net"]
        so_far = sums.get(who, Decimal(0))
        sums[who] = None if so_far is None or net is None else so_far + Decimal(str(net))
    return {
        who: write_amount(None if net is None else int(net * 100))
        for who, net in sorted(sums.items())
    }


def _card(entry: Entry) -> str:
    return write_cards([card_of(entry.body.get("rank"), entry.body.get("suit"))])


def _draw(entry: Entry) -> dict[str, object]:
    return {
        "offer": entry.offer,
        "box": entry.body.get("box"),
        "multiplier": entry.body.get("multiplier"),
    }


def _what(entry: Entry) -> str:
    """The entry in words: a command, a card, else what it tells besides its outcome."""
    if entry.type == "CARD":
        words = _card(entry)
    elif "command" in entry.body:
        said = [entry.body["command"], *(entry.body.get(name) for name in ("by", "why"))]
        words = ", ".join(str(one) for one in said if one)
    else:
        plain = {k: v for k, v in entry.body.items() if isinstance(v, int | str) and v != ""}
        words = ", ".join(f"{name} {value}" for name, value in plain.items())
    notes = checked(list[str], _after(entry).get("notes", []), "notes")
    return "; ".join([words, *notes]) if words else "; ".join(notes)
