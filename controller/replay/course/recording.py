"""The course of rounds, made while a journal is replayed. The rules:

- A round goes from its ``open`` to before the next one. What was entered behind an ``open`` that
  was taken back belongs to the round before it. What is entered in service, its beginning and its
  end included, belongs to no round.
- What was settled is found by comparing the settlements told before and after an entry: what is not
  told any more (the round is void, a command was taken back) is followed by its reversal. So the
  settlements of all steps add up to the round's net.
- A command that waits for the shoe's gate is one step with the lock, unless something came between.
  Keys are one step as far as the command that they make. What changes nothing and is said by no
  one is left out.
- Nothing is told of a card that lies face down: cards are those that the status shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from controller.game.round.model import REVERSED, Settlement
from controller.game.round.result_fields import SettlementResult
from controller.journal.model import Entry
from controller.replay.course.saying import EntrySaid, card_in_words, say_entry
from controller.replay.course.steps import (
    CourseStep,
    Doer,
    Facts,
    Mark,
    TableLayout,
    changes,
    layout_of,
    newly_told,
)
from controller.replay.replay import SNAPSHOT
from controller.table.entering.commands import UNDO
from controller.table.outcome import Outcome
from controller.table.showing.status import status
from controller.table.state.table import Table


class CourseRecorder:
    """Records the rounds from ``number`` on; None: the last two that were opened. Shown every entry
    by a replay (:data:`controller.replay.replay.Watch`)."""

    def __init__(self, number: int | None) -> None:
        self._wanted = number
        self._now = 0
        self._steps: dict[int, list[CourseStep]] = {}
        self._entries: dict[int, list[Entry]] = {}  # the first of each of those steps
        self._opened: dict[int, Entry] = {}
        self._facts: dict[int, Facts] = {}
        self._told: dict[int, list[Settlement]] = {}
        self._before: TableLayout | None = None
        self._clause = ""
        self._edits = False
        self._waiting: dict[int, str] = {}
        self._asked: CourseStep | None = None
        self._complete = True
        self._service = False

    def steps_of(self, number: int) -> list[CourseStep]:
        """The steps of that round; empty where its ``open`` was not among what was replayed."""
        return self._steps.get(number, [])

    def facts(self, number: int) -> Facts | None:
        """Under what it was played, likewise."""
        return self._facts.get(number)

    def __call__(self, entry: Entry, table: Table, differs: list[str]) -> None:
        """An entry was played."""
        if not table.started:
            return
        now, before = table.round_number, self._now
        in_service = table.in_service or self._service
        self._now, self._service = now, table.in_service
        if now > before and table.outcome.opened == now:
            self._begin_round(now, entry)
        elif now < before:
            self._go_back(now, before)
        wanted = self._wanted is None or now >= self._wanted
        if now in self._steps and wanted and not in_service:
            self._record(entry, table, differs)

    def _begin_round(self, number: int, entry: Entry) -> None:
        self._steps[number], self._entries[number] = [], []
        self._opened[number], self._told[number] = entry, []
        if self._wanted is None:
            for old in [one for one in self._steps if one < number - 1]:
                del self._steps[old], self._entries[old]
                del self._opened[old], self._told[old], self._facts[old]

    def _go_back(self, now: int, before: int) -> None:
        """An ``open`` was taken back: what came behind it belongs to the round before."""
        taken, entries = self._steps.pop(before, []), self._entries.pop(before, [])
        if now in self._steps:
            for step, entry in zip(taken, entries, strict=True):
                step.since_s = self._since(entry, now)
            self._steps[now] += taken
            self._entries[now] += entries

    # ---- one entry ----------------------------------------------------------------------------

    def _record(self, entry: Entry, table: Table, differs: list[str]) -> None:
        steps = self._steps[table.round_number]
        shown, outcome = status(table), table.outcome
        if entry.type == SNAPSHOT:
            outcome = Outcome()
        before, after = self._before if steps else None, layout_of(shown)
        said = say_entry(entry, table) or EntrySaid(Doer.CONTROLLER, "")
        clause = self._clause_of(said, outcome) if steps else ""
        step = CourseStep(
            seq=entry.seq,
            upto=entry.seq,
            wall=entry.wall,
            since_s=self._since(entry, table.round_number),
            kind=said.kind,
            what=said.what,
            who=said.who,
            why=said.why,
            layout=after,
            prompt=shown["prompt"],
            clause=clause,
            notes=list(self._notes(said, entry, outcome, clause)),
            marks=[*said.marks, *self._marks(table, outcome, before, after)],
            settled=self._settled(table),
            changes=list(changes(before, after)),
        )
        self._finish(step, entry, table, differs)
        self._note_facts(entry, table)
        if said.what and not self._joins(steps, step, entry) and _tells(step):
            steps.append(step)
            self._entries[table.round_number].append(entry)
        self._remember(step, entry, table, after)

    def _finish(self, step: CourseStep, entry: Entry, table: Table, differs: list[str]) -> None:
        if step.kind == Doer.CARD:
            step.what = card_in_words(step.changes, entry, table)
        offer = entry.body.get("offer_id", entry.draft.offer)
        step.offer = offer if isinstance(offer, int) else None
        if entry.type == "draw":
            step.draw = dict(entry.body)
            step.weights = tuple(table.settings.weights)
        answer = table.entering.keypad.says
        if step.kind == Doer.KEYPAD and answer.startswith("NO:"):
            step.notes.append(f"the keypad answers {answer}")
            step.marks.append(Mark.REFUSED)
        if any(one["outcome"] == REVERSED for one in step.settled):
            step.marks.append(Mark.REVERSED)
        if differs:
            step.marks.append(Mark.DIFFERS)
            step.notes += [f"played again, it differs from the journal: {what}" for what in differs]
        step.marks = list(dict.fromkeys(step.marks))

    def _notes(
        self, said: EntrySaid, entry: Entry, outcome: Outcome, told_clause: str
    ) -> Iterator[str]:
        """The table's sentences, but for what a supervisor's entry says itself, and what became of
        a command that was not given by this very entry. ``told_clause`` is the step's own."""
        for note in outcome.notes:
            said_already = entry.type == "supervisor" and note.startswith("supervisor: ")
            if not said_already and not note.startswith("reversed by void: "):  # settlements say it
                yield note
        steps = self._steps[self._now]
        waited = entry.type == "gate" and bool(steps) and steps[-1] is self._asked
        asked = self._asked if waited else None
        kind = asked.kind if asked else said.kind
        if kind != Doer.DEALER:
            for command in outcome.carried_out:
                yield f"{'given' if kind == Doer.KEYPAD else 'carried out'}: {command}"
        for answer in outcome.answered:
            if answer.refused:
                asked_for = self._waiting.get(answer.entry, "the entry")
                named = answer.refused.startswith(f"{asked_for} ")
                what = answer.refused if named else f"{asked_for}: {answer.refused}"
                other = answer.clause not in ("", told_clause)
                yield f"refused: {what}" + (f" ({answer.clause})" if other else "")

    def _marks(
        self, table: Table, outcome: Outcome, before: TableLayout | None, after: TableLayout
    ) -> Iterator[str]:
        edits = bool(table.rnd and table.rnd.irregular.edits)
        if edits or self._edits:
            yield Mark.CORRECTION
        if UNDO in outcome.carried_out:
            yield Mark.TAKEN_BACK
        if any(answer.refused for answer in outcome.answered):
            yield Mark.REFUSED
        was = before["held"] if before else ""
        if after["held"] and after["held"] != was:
            yield Mark.HELD
        elif was and not after["held"] and not after["state"].endswith("void"):
            yield Mark.GOES_ON
        if after["state"].endswith("void") and not (before and before["state"].endswith("void")):
            yield Mark.VOID

    def _clause_of(self, said: EntrySaid, outcome: Outcome) -> str:
        """The clause of a refusal, else the one that governed the state before. That does not
        govern what devices report, what a supervisor decides, or that a command is taken back."""
        refused = [answer.clause for answer in outcome.answered if answer.refused]
        outside = said.kind in (Doer.DEVICE, Doer.CONTROLLER, Doer.SUPERVISOR)
        supervisors = said.kind == Doer.KEYPAD and bool(said.who)
        if outside or supervisors or UNDO in outcome.carried_out:
            return next(iter(refused), "")
        return next(iter(refused), "") or self._clause

    def _settled(self, table: Table) -> list[SettlementResult]:
        if table.rnd is None:
            return []
        told, now = self._told[table.round_number], list(table.rnd.all_settlements)
        self._told[table.round_number] = now
        return [one.as_result() for one in newly_told(told, now)]

    def _since(self, entry: Entry, number: int) -> float | None:
        """Seconds since the round was opened. Over a restart of the machine only the clock on the
        wall is left, which may have gone back: then nothing is said."""
        opened = self._opened[number]
        if entry.boot == opened.boot:
            return round((entry.mono_ns - opened.mono_ns) / 1e9, 3)
        try:
            gone = datetime.fromisoformat(entry.wall) - datetime.fromisoformat(opened.wall)
        except (ValueError, TypeError):
            return None
        return round(gone.total_seconds(), 3) if gone.total_seconds() >= 0 else None

    def _joins(self, steps: list[CourseStep], step: CourseStep, entry: Entry) -> bool:
        """Whether the step was made one with the last: a lock with the command that waited for it,
        a key with those before it."""
        last = steps[-1] if steps else None
        if last is None:
            return False
        if entry.type == "gate" and last is self._asked:
            _merge(last, step)
            return True
        keyed = step.kind == last.kind == Doer.KEYPAD and step.who == last.who
        if keyed and not self._complete:
            last.what += f" {step.what.removeprefix('keys ')}"
            _merge(last, step)
            return True
        return False

    def _remember(self, step: CourseStep, entry: Entry, table: Table, after: TableLayout) -> None:
        self._before, self._clause = after, table.clause
        self._edits = bool(table.rnd and table.rnd.irregular.edits)
        pending = table.entering.pending
        if step.kind == Doer.KEYPAD:
            done = bool(table.outcome.carried_out) or pending is not None
            self._complete = done or Mark.REFUSED in step.marks
        if pending is None:
            self._waiting, self._asked = {}, None
        elif pending.number not in self._waiting:
            self._waiting = {pending.number: str(pending.entry)}
            self._asked = self._steps[table.round_number][-1]

    def _note_facts(self, entry: Entry, table: Table) -> None:
        rules = table.rules
        self._facts[table.round_number] = Facts(
            table.settings.table,
            rules.id,
            rules.document.title,
            rules.document.version,
            dict(table.setup.digests),
            entry.seq,
            entry.digest.hex(),
        )


def _merge(last: CourseStep, step: CourseStep) -> None:
    last.upto, last.layout, last.prompt = step.upto, step.layout, step.prompt
    last.notes += step.notes
    last.settled += step.settled
    last.marks = list(dict.fromkeys([*last.marks, *step.marks]))
    if Mark.REFUSED in step.marks:
        last.clause = step.clause or last.clause
    places = {change.place: change for change in last.changes}
    for change in step.changes:
        before = places.get(change.place, change).before
        places[change.place] = replace(change, before=before)
    last.changes = list(places.values())


def _tells(step: CourseStep) -> bool:
    """Whether the step is worth a line: people's and the button's always are, a device's when it
    changes or says something."""
    if step.kind not in (Doer.DEVICE, Doer.CONTROLLER):
        return True
    return bool(step.notes or step.marks or step.settled or step.changes)
