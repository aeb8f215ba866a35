"""Draws recomputed from a journal's lines: needs the lines, the SHA-256 of a text, and no table.

It takes what ``journal export`` writes, line by line from the first, and says what does not follow.
docs/draw.md tells how to do the same by hand. The rules:

- A draw follows from its ticket by the mapping that it names and the weights in force: those of the
  last start record, or of the one before while a round goes on that began with them.
- Before it stands the press that it answers: the event of that session and number for that offer,
  or the look at the unit that found it pressed.
- A journal that goes on from an archived one begins with a snapshot. Until the next round is opened
  a correction may settle wagers of the round before, whose draws are in the archived one.
- A Pandemonium wager is won at the multiplier last drawn for its box, and only after the meter has
  reported that very multiplier for the offer (by its event, or to a look at the unit), or a
  supervisor has said that he saw it there, or had it paid from the screen. A meter that reports
  another multiplier is no fault of the journal: the table is held for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from controller.draw.weights import MAPPING, Weights, multiplier_for, ticket_bits
from controller.game.commands.command import Command, read_supervisors
from controller.game.rules.side_wagers import BUTTON

PANDEMONIUM: Final = "pandemonium"
"""The kind that counts as the button's until a start has told which one is."""
READ: Final = "read from the unit"
"""The value in place of the press where it had no event."""
RECORD: Final = ("mapping", "weights", "total", "bits", "rejected", "ticket", "press")
"""What is recorded of a draw, by name."""
REMEMBERED: Final = 64
"""Offers whose presses are remembered; there are seven boxes in a round."""
_ADOPTS: Final = frozenset({"", "idle", "closed", "service"})


@dataclass(slots=True)
class Trace:
    """One draw and what belongs to it, each by the number of its entry: ``shown`` with the
    multiplier reported, ``settled`` with the odds paid; ``seen`` is the word of the supervisor who
    saw it on the meter, ``ordered`` his order to pay it from the screen."""

    offer: int
    box: int
    multiplier: int
    drawn: int
    record: Mapping[str, Any]
    pressed: int | None = None
    shown: list[tuple[int, int]] = field(default_factory=list)
    seen: int | None = None
    ordered: int | None = None
    settled: list[tuple[int, str]] = field(default_factory=list)

    @property
    def confirmed(self) -> bool:
        """Whether the meter has shown it, or a supervisor has seen it or ordered it paid."""
        reported = any(multiplier == self.multiplier for _, multiplier in self.shown)
        return reported or self.seen is not None or self.ordered is not None

    def as_json(self) -> dict[str, object]:
        """Its fields, the record without what stands there as well."""
        return {
            "offer": self.offer,
            "box": self.box,
            "multiplier": self.multiplier,
            "pressed": self.pressed,
            "drawn": self.drawn,
            "shown": [{"seq": seq, "multiplier": multiplier} for seq, multiplier in self.shown],
            "seen": self.seen,
            "ordered": self.ordered,
            "settled": [{"seq": seq, "odds": odds} for seq, odds in self.settled],
            "record": {name: self.record[name] for name in RECORD},
        }


def recompute(weights: Weights, record: Mapping[str, Any]) -> str | None:
    """What is wrong with a recorded draw (:meth:`controller.draw.generator.Drawn.as_body`), None
    when it follows; KeyError and TypeError for one that cannot be read."""
    ticket, total, rejected = record["ticket"], record["total"], record["rejected"]
    if record["mapping"] != MAPPING:
        return f"names the mapping {record['mapping']!r}; this program knows {MAPPING!r}"
    if record["weights"] != weights.identity:
        return f"was drawn with other weights ({record['weights'][:12]}…) than {weights.canonical}"
    if total != weights.total:
        return f"has a total of {total}, the weights add up to {weights.total}"
    bits = ticket_bits(total)
    if record["bits"] != bits:
        return f"has tickets of {record['bits']} bits, a total of {total} needs {bits}"
    if not 0 <= ticket < total:
        return f"has ticket {ticket}, which is not below the total of {total}"
    if any(not total <= other < 1 << bits for other in rejected):
        return f"rejected {rejected}, among them a ticket that counts or cannot come"
    expected = multiplier_for(weights, ticket)
    if record["multiplier"] != expected:
        return f"has multiplier {record['multiplier']}, ticket {ticket} stands for {expected}"
    return None


def button_kind(rules: Mapping[str, Any]) -> str | None:
    """The kind of side wager of the button in a stored set; LookupError, TypeError: it is none."""
    described = rules["side_wagers"]
    return next((kind for kind in described if described[kind]["settled"]["value"] == BUTTON), None)


class Evidence:
    """Goes through a journal; :meth:`check_line` every line, in order. ``last`` is the trace of the
    last draw, which grows as the lines behind it are taken."""

    def __init__(self) -> None:
        self.draws = 0
        self.last: Trace | None = None
        self._weights: list[list[int]] = []
        self._next_weights: list[list[int]] | None = None
        self._kinds: set[str | None] = {PANDEMONIUM}
        self._state = ""
        self._drawn_before: bool | None = None
        self._presses: dict[int, list[tuple[object, int]]] = {}
        self._by_offer: dict[int, Trace] = {}
        self._by_box: dict[int, Trace] = {}

    def check_line(self, line: Mapping[str, Any]) -> list[str]:
        """What is wrong with the next line (:func:`controller.journal.export.record`), in words."""
        try:
            return list(self._faults_in(line))
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            return [f"cannot be read as evidence of a draw: {error!r}"]

    def _faults_in(self, line: Mapping[str, Any]) -> Iterator[str]:
        body, seq = line.get("body", line), line["seq"]
        if self._drawn_before is None:
            self._drawn_before = line["type"] == "snapshot"
        match line["type"]:
            case "start":
                self._start(body["settings"])
            case "PRESS":
                press = {"session": line["session"], "event_no": line["event_no"]}
                self._pressed(line["offer_id"], press, seq)
            case "pressed":
                self._pressed(body["offer_id"], READ, seq)
            case "draw":
                yield from self._drawn(line)
            case "SHOWN":
                self._note_shown(line, seq)
            case "shown":
                self._note_shown(body, seq)
            case "supervisor":
                self._ordered(read_supervisors(str(body["command"])), seq)
        after = line.get("after", body.get("after", {}))
        yield from self._settled(after.get("settlements", ()), seq)
        self._follow(after.get("state", self._state).removeprefix("held."))

    def _start(self, settings: Mapping[str, Any]) -> None:
        """A round that is going on keeps the weights that it began with."""
        weights: list[list[int]] = settings["weights"]
        if self._state in _ADOPTS:
            self._weights, self._next_weights = weights, None
        else:
            self._next_weights = weights
        self._kinds.add(button_kind(settings["rules"]))

    def _follow(self, state: str) -> None:
        cleared = state == "idle" or (state == "betting" and self._state in ("settled", "void"))
        if cleared and self._next_weights is not None:
            self._weights, self._next_weights = self._next_weights, None
        if state == "betting":
            self._drawn_before = False
        self._state = state

    def _pressed(self, offer: int, press: object, seq: int) -> None:
        self._presses.setdefault(offer, []).append((press, seq))
        if len(self._presses) > REMEMBERED:
            del self._presses[next(iter(self._presses))]

    def _drawn(self, line: Mapping[str, Any]) -> Iterator[str]:
        weights = Weights(tuple((int(n), int(weight)) for n, weight in self._weights))
        if (wrong := recompute(weights, line)) is not None:
            yield f"is a draw that {wrong}"
        offer, press = line["offer"], line["press"]
        trace = Trace(offer, line["box"], line["multiplier"], line["seq"], line)
        trace.pressed = next((at for was, at in self._presses.get(offer, ()) if was == press), None)
        if trace.pressed is None:
            said = press if press == READ else f"event {press['event_no']} of {press['session']}"
            yield f"is a draw that answers a press ({said}) of offer {offer} not found before it"
        self.draws += 1
        self.last = self._by_offer[offer] = self._by_box[trace.box] = trace
        if len(self._by_offer) > REMEMBERED:
            del self._by_offer[next(iter(self._by_offer))]

    def _note_shown(self, report: Mapping[str, Any], seq: int) -> None:
        if (trace := self._by_offer.get(report["offer_id"])) is not None:
            trace.shown.append((seq, report["multiplier"]))

    def _ordered(self, order: Command, seq: int) -> None:
        if self.last is None or order.number != self.last.multiplier:
            return
        match order.verb:
            case "seen":
                self.last.seen = seq
            case "pay":
                self.last.ordered = seq

    def _settled(self, settlements: Any, seq: int) -> Iterator[str]:
        for made in settlements:
            if made["kind"] not in self._kinds or made["outcome"] != "win":
                continue
            box, odds = made["box"], made["odds"]
            trace = self._by_box.get(box)
            if trace is None and self._drawn_before:
                continue
            if trace is None or odds != f"{trace.multiplier}:1":
                drew = "nothing" if trace is None else f"{trace.multiplier}x"
                yield f"has box {box} win {odds}, which drew {drew}"
                continue
            if not trace.confirmed:
                yield (
                    f"has box {box} win {odds}, which the meter had not reported as shown and no "
                    "supervisor had seen there or ordered paid"
                )
            trace.settled.append((seq, odds))


def trace_of(
    lines: Iterable[Mapping[str, Any]], offer: str | None
) -> tuple[Trace | None, list[str]]:
    """The last draw for that offer (None: of all), None where there is none, and what is wrong with
    it; ``lines`` are a whole journal's."""
    found: Trace | None = None
    faults: list[str] = []
    evidence = Evidence()
    for line in lines:
        before = evidence.last
        wrong = evidence.check_line(line)
        drawn = evidence.last
        if drawn is not None and drawn is not before and offer in (None, str(drawn.offer)):
            found, faults = drawn, wrong
        elif found is not None and found is drawn:
            faults += wrong
    return found, faults
