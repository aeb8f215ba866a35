"""The files of a table, driven step by step as the model is: the real journal, heads, second copy,
closing, recovery and the look of a start at all of them.

An entry is a commit of its own, so numbers of entries are the model's places. The process here is
what a start and play do to files, in the daemon's order; what leads to a commit is
proof/models/draw's.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import contextmanager, suppress
from enum import IntEnum
from functools import partialmethod
from pathlib import Path
from typing import Any, Final, TypeVar, cast
from unittest.mock import patch

from controller.configuration.reading import load_configuration
from controller.daemon.journaling.sealing import Sealing
from controller.daemon.outside import Outside
from controller.evidence.at_start import compare_head
from controller.evidence.heads import SignedHead, last_head
from controller.evidence.recorded import CUT, DIFFERS, DOUBTED, NOT_SIGNED
from controller.journal import schema
from controller.journal.errors import JournalError
from controller.journal.model import FORMAT, SEALING, VERSIONS, Draft
from controller.journal.opening import RECOVERING
from controller.journal.reader import JournalReader
from controller.journal.schema import FILE_NAME
from controller.journal.store import Journal
from controller.upkeep import closure as closing
from controller.upkeep import recover as recovery
from controller.upkeep.closure import closing_steps, tidy
from controller.upkeep.known_elsewhere import JournalBehindCopy, closed_before, must_not_be_gone
from controller.upkeep.next_start import forget, marked
from controller.upkeep.second_copy import JournalCopy, Relation
from controller.upkeep.signing import signing_of
from controller.upkeep.successor import Beginning, Signatory
from hil_tests.bench.setup import least_configuration
from hil_tests.virtual_time.world import VirtualLoop, World
from proof.models.playing import Bench
from proof.models.stored import forger
from proof.models.stored.files import ALIVE, FORGED, LOOKED, JournalView, Life, owner_held, view_of
from proof.models.stored.forger import WALL
from proof.models.stored.steps import ATTACKS, FAULTS, State, Step

T = TypeVar("T")

_MOMENT: Final = Beginning("boot-1", 1, WALL)

START, DOUBT, HOLD, SUPERVISOR, DRAW, NOTE = range(1, 7)
_CODES: Final = {NOT_SIGNED: 1, CUT: 4, DIFFERS: 8, DOUBTED: 16}
RECOVERED: Final = 32
_UNREADABLE, _BEHIND = 1, 2
_DAMAGED, _LOST = 1, 2


class PowerCut(Exception):
    """The power fails at this instruction."""


class StoredBench(Bench):
    """The bench of what is stored."""

    known, layout, faults = Step, State, FAULTS

    row_due = False
    """With a defect: the row is to follow."""

    def __init__(self, folder: Path, bounds: Mapping[str, int]) -> None:
        super().__init__(folder, bounds)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "heads").mkdir()
        file = folder / "table.toml"
        of_copy = f'copy = "{folder}/copy"\nheads = "{folder}/heads/heads.jsonl"\n'
        links = {name: folder / name for name in ("shoe", "jackpot")}
        socket = folder / "control.sock"
        text = least_configuration(links, folder / "state", socket, more=of_copy)
        file.write_text(text, encoding="utf-8")
        self.config = load_configuration(file)
        self.directory, self.heads = self.config.state_directory, self.config.heads
        self.copy, self.kept = folder / "copy", folder / "kept"
        self.directory.mkdir()
        signing_of(self.config)
        self.signing = signing_of(self.config)  # now it is not made just now
        self.key, self.keys = self.signing.key, self.signing.trusted
        self.fails, self.attacks = bounds["FAULTS"], bounds["ATTACKS"]
        self.closes, self.made = bounds["CLOSES"], 0
        self.life: Life | None = None
        self.refused = self.medium = self.closing = 0
        self._steps: Any = None
        self._loop = VirtualLoop(World())
        self._names: list[bytes] = []
        self._entries: dict[bytes, int] = {}
        # What really happened.
        self.stored, self.acked, self.gone = b"", b"", 0
        self.drew = self.lost = self.people = self.attacked = False
        self.aside = False

    # ---- what is there ------------------------------------------------------------------------

    @property
    def unfinished(self) -> bool:
        """Whether a recovery was begun and not finished."""
        return (self.directory / f"{FILE_NAME}{RECOVERING}").exists()

    def _journal(self) -> JournalView:
        return view_of(self.directory, self.keys)

    def _there(self) -> JournalView:
        """The journal, where it can be read."""
        lost = self.medium == _LOST or self.unfinished
        return JournalView() if lost else self._journal()

    def _copied(self) -> JournalView:
        return view_of(self.copy, self.keys)

    def _head(self) -> SignedHead | None:
        with suppress(FileNotFoundError):
            return last_head(self.heads, self.keys)
        return None

    def _name(self, digest: bytes) -> None:
        """Give a new entry its name."""
        self.made += 1
        self._entries[digest] = self.made

    def _named(self, identity: bytes) -> int:
        if not identity:
            return 0
        if identity not in self._names:
            self._names.append(identity)
        return self._names.index(identity) + 1

    def _is_closed(self, digest: bytes) -> bool:
        return self._entries.get(digest, FORGED) <= self.gone

    def _entry(self, seen: JournalView) -> int:
        digest = seen.digests.get(seen.last)
        return 0 if digest is None else self._entries.get(digest, FORGED)

    @staticmethod
    def play(seen: JournalView) -> tuple[int, bool]:
        """How a journal's table is held (0: not; 1: behind a recovery; 2: for a doubt), and whether
        its offer is drawn."""
        held, drawn = 0, False
        for entry in seen.entries:
            if entry.type in ("start", "snapshot"):
                held = max(held, cast("int", entry.body.get("held", 0)))
                drawn = drawn or bool(entry.body.get("drawn"))
            held = 0 if entry.type == "supervisor" else held
            drawn = drawn or entry.type == "draw"
        return held, drawn

    def possible(self) -> list[Step]:
        """What can happen now."""
        life, copied, head = self.life, self._copied(), self._head()
        seen = self._there()
        (held, drawn), long = self.play(seen), seen.last > seen.begins + 1
        rest = life is None and not self.closing
        well = rest and self.medium == 0 and seen.last > seen.begins
        attack = well and self.attacks > 0
        room = self.made < self.bounds["ENTRIES"]
        waiting, due = (life.waiting, life.due) if life is not None else (0, 0)
        alive = life is not None and life.process == ALIVE
        free = life is not None and alive and not waiting and not life.untold and room
        behind = life is not None and alive and not life.parted and copied.last < seen.last
        recovers = rest and self._recovers(copied)
        ends = [(one.identity, one.last, one.digests.get(one.last)) for one in (copied, seen)]
        closes = well and self.closes > 0 and long and ends[0] == ends[1] and room
        closes = closes and seen.covered and self._may_close(head)
        here = {
            Step.LOOK: rest,
            Step.COMMIT: waiting > 0 and room and not self.row_due,
            Step.ROW: self.row_due,
            Step.TOLD: life is not None and self._tells(life),
            Step.ASK_DRAW: free and not held and not drawn,
            Step.ASK_NOTE: free,
            Step.RESUME: free and held > 0,
            Step.SEAL: life is not None and alive and not due and held < 2 and self._seals(life),
            Step.HEAD: due > 0,
            Step.COPY_ONE: behind,
            Step.COPY_ALL: behind,
            Step.FORGET: alive and marked(self.directory) is not None,
            Step.CLOSE_NAME: closes,
            Step.CLOSE_CUT: closes,
            Step.CLOSE_BEGIN: self.closing == 1,
            Step.CLOSE_PUT: self.closing == 2,
            Step.CLOSE_END: self.closing == 3,
            Step.RECOVER: recovers,
            Step.KILL: life is not None or self.closing > 0,
            Step.KILL_IN_HEAD: due > 0,
            Step.RECOVER_CUT: recovers,
            Step.RECOVER_CUT_MARKED: recovers,
            Step.RECOVER_CUT_LATE: recovers,
            Step.DAMAGE: well and self.fails > 0,
            Step.LOSE: well and self.fails > 0,
            Step.PUT_BACK: attack and (self.kept / FILE_NAME).exists(),
            Step.HEADS_BACK: attack and (self.kept / self.heads.name).exists(),
            Step.FORGE_COPY: attack and copied.last > copied.begins,
            Step.FORGE_SUCCESSOR: attack and long,
        }
        return [step for step in Step if here.get(step, attack)]

    def _tells(self, life: Life) -> bool:
        return life.untold and not self.row_due

    def _seals(self, life: Life) -> bool:
        sealed = life.sealing._sealed_to
        return (sealed is None or life.journal.head.seq > sealed) and not self.row_due

    def _may_close(self, head: SignedHead | None) -> bool:
        """Whether heads and archive have nothing against it."""
        with JournalReader(self.directory) as reader:
            stands = head is not None and not list(compare_head(reader, head))
            return stands and not list(closed_before(self.directory, reader.identity))

    def _recovers(self, copied: JournalView) -> bool:
        """Whether a recovery can be made, and is wanted."""
        row = copied.row
        if row is None or copied.digests.get(row[0]) != row[1] or copied.last <= copied.begins:
            return False
        if self.medium == _LOST:
            return True
        seen = self._journal()
        well = seen.covered or (seen.row is None and seen.last == seen.begins)
        well = well and self.medium == 0 and not self.unfinished
        ahead = (
            copied.identity == seen.identity
            and copied.last > seen.last
            and copied.digests.get(seen.last) == seen.digests.get(seen.last)
        )
        return (ahead or not well) and not (not well and seen.before == copied.identity)

    def carry_out(self, step: IntEnum) -> tuple[int, ...]:
        """Take a possible step."""
        self.fails -= step in (Step.DAMAGE, Step.LOSE)
        self.attacks -= step in ATTACKS
        self.attacked = self.attacked or step in ATTACKS - {Step.KEEP}
        return super().carry_out(step)

    def state(self) -> State:
        """What the model's state is compared with."""
        life, copied, head, seen = self.life, self._copied(), self._head(), self._there()
        held, drawn = self.play(seen)
        return State(
            life.process if life else 0,
            self.refused,
            life.faults if life else 0,
            life.waiting if life else 0,
            int(life is not None and life.untold),
            life.due if life else 0,
            int(life is not None and life.parted),
            self.medium,
            int(self.unfinished),
            int(marked(self.directory) is not None),
            self.closing,
            self._named(seen.identity),
            seen.last,
            self._entry(seen),
            seen.row[0] if seen.row else 0,
            int(held > 0),
            int(drawn),
            self._named(copied.identity),
            copied.last,
            self._entry(copied),
            copied.row[0] if copied.row else 0,
            self._named(bytes.fromhex(head.journal)) if head else 0,
            head.seq if head else 0,
            self.fails,
            self.attacks,
        )

    # ---- a start ------------------------------------------------------------------------------

    def _step_look(self) -> None:
        self.refused = 0
        with suppress(JournalError, sqlite3.Error):  # as close_if_due does
            tidy(self.directory)
        opened: list[Any] = []
        try:
            must_not_be_gone(self.config)
            opened.append(journal := Journal(self.directory, self.key, boot_id="boot-1"))
            opened.append(reader := JournalReader(self.directory))
            opened.append(copy := JournalCopy(self.copy, reader))
            standing = copy.standing()
            if standing.relation is Relation.AHEAD:
                raise JournalBehindCopy(standing.what)
            list(journal.iterate(journal.begins))
        except JournalError as error:
            self.refused = _BEHIND if isinstance(error, JournalBehindCopy) else _UNREADABLE
            for one in reversed(opened):
                self._leave(one)
            if not (self.attacked or self.medium or self.unfinished or self.aside):
                self.wrong.append(f"a journal that is all there is refused: {error}")
            return
        sealing = self._look_at_signatures(journal)
        faults = sum({_CODES[fault] for fault, _ in sealing.self_test.run()})
        faults |= RECOVERED if marked(self.directory) is not None else 0
        parted = standing.relation is Relation.DIFFERS
        self.life = life = Life(journal, reader, copy, sealing, parted, faults)
        kind = DOUBT if faults & ~RECOVERED else HOLD if faults else START
        body = {SEALING: sealing.record(), "held": {START: 0, HOLD: 1, DOUBT: 2}[kind]}
        body[VERSIONS] = {FORMAT: schema.FORMAT}
        life.draft, life.waiting = Draft("start", body), kind
        self._claims_of_a_start(life)

    def _look_at_signatures(self, journal: Journal) -> Sealing:
        """What signatures show of the journal."""
        outside = Outside(boot_id=lambda: "boot-1", aside=self._aside)
        entries = journal.iterate
        return Sealing(self.config, journal, self.signing, outside, self._loop, entries)

    def _claims_of_a_start(self, life: Life) -> None:
        seen, copied, head = self._journal(), self._copied(), self._head()
        faults, wrong = life.faults, self.wrong
        if not self.attacked:
            if faults & (1 | 16) or (faults & (4 | 8) and not self.lost):
                wrong.append(f"no attack, no loss, and a start finds {faults}")
            there = not self.acked or self._is_closed(self.acked) or seen.has(self.acked)
            if self.acked and not (there and seen.covered):
                wrong.append("what was acknowledged is under no good row")
        if faults or self.play(seen)[0]:
            return
        empty = seen.last == seen.begins
        signed_to = head.seq if head else 0
        if not (seen.covered or empty):
            wrong.append("an entry that no row covers starts unheld")
        own = head is not None and head.journal == seen.identity.hex()
        if (copied.last > seen.last and not life.parted) or (own and signed_to > seen.last):
            wrong.append("what was put back starts unheld")
        if self.lost and not self.people:
            wrong.append("what a medium has lost is passed over in silence")

    def _aside(
        self, _: object, work: Callable[[], T], then: Callable[[T], None], __: object
    ) -> None:
        assert self.life is not None
        self.life.asked.append((work, then))

    # ---- play ---------------------------------------------------------------------------------

    def _step_commit(self) -> None:
        life = self._alive()
        assert life.draft is not None
        if life.waiting == DRAW:
            if self.drew and not (self.lost or self.attacked):
                self.wrong.append("the offer is drawn twice")
            self.drew = True
        self.people = self.people or life.waiting in (DOUBT, HOLD)
        (entry,) = self._append(life, life.draft)
        self._name(entry.digest)
        self.stored = entry.digest
        if life.process == LOOKED:
            life.sealing._owner = owner_held(self._doubted)
        life.process, life.draft, life.waiting, life.untold = ALIVE, None, 0, True

    def _append(self, life: Life, draft: Draft) -> Any:
        """Store an entry."""
        return life.journal.append([draft], 1, WALL)

    def _doubted(self) -> bool:
        return self.play(self._journal())[0] == 2

    def _step_row(self) -> None:
        raise AssertionError("entries and row are one transaction")

    def _step_told(self) -> None:
        life = self._alive()
        life.untold, self.acked = False, life.journal.head.digest

    def _ask_entry(self, kind: int, draft: Draft) -> None:
        life = self._alive()
        life.waiting, life.draft = kind, draft

    _step_ask_draw = partialmethod(_ask_entry, DRAW, Draft("draw", {"multiplier": 2}, offer=1))
    _step_ask_note = partialmethod(_ask_entry, NOTE, Draft("note", {}))
    _step_resume = partialmethod(_ask_entry, SUPERVISOR, Draft("supervisor", {}))

    def _step_seal(self) -> None:
        life = self._alive()
        life.sealing.seal()
        life.due = life.journal.head.seq
        assert life.asked, "no head is asked for"

    def _step_head(self) -> None:
        life = self._alive()
        work, then = life.asked.pop()
        then(work())
        life.due = 0

    def _copies(self, most: int) -> None:
        self._copy_slice(self._alive(), most)
        copied = self._copied()
        if copied.row is not None and copied.digests.get(copied.row[0]) != copied.row[1]:
            self.wrong.append("the row of the copy is for an entry that it has not")

    _step_copy_one, _step_copy_all = partialmethod(_copies, 1), partialmethod(_copies, 200)

    def _copy_slice(self, life: Life, most: int) -> None:
        """A slice."""
        life.copy.copy_next(most)

    def _step_forget(self) -> None:
        forget(self.directory)

    # ---- closing ------------------------------------------------------------------------------

    def _step_close_name(self) -> None:
        held, drawn = self.play(self._journal())
        self._steps = closing_steps(
            self.directory,
            {"held": held, "drawn": self._carried(drawn)},
            _MOMENT,
            Signatory("T1", self.heads, self.key),
        )
        self.refused = 0
        next(self._steps), next(self._steps)
        self.closing = 1

    def _step_close_cut(self) -> None:
        with suppress(PowerCut), patch.object(closing, "copy_compared", side_effect=PowerCut):
            self._step_close_name()

    def _carried(self, drawn: bool) -> bool:
        """What the snapshot says of the draw."""
        return drawn

    def _step_close_begin(self) -> None:
        next(self._steps)
        self.closing = 2

    def _step_close_put(self) -> None:
        before = self._journal()
        next(self._steps)
        self.closing, self.closes = 3, self.closes - 1
        seen = self._journal()
        self._name(seen.digests[seen.last])
        self.gone = self._entry(before)
        self.stored = seen.digests[seen.last]

    def _step_close_end(self) -> None:
        list(self._steps)
        self.closing = 0

    # ---- the recovery -------------------------------------------------------------------------

    def _step_recover_cut_marked(self) -> None:
        self._recovering("mark")

    def _recovering(self, ends: str) -> None:
        self.refused = 0
        with suppress(PowerCut), self._cut_at(ends):
            self.recover()
        if self.unfinished:
            return
        self.medium = 0
        seen, copied = self._journal(), self._copied()
        self.aside = ends == "_put_aside" and copied.last > seen.last
        if not seen.covered:
            self.wrong.append("a recovery took what no row covers")
        if self.stored and not self._is_closed(self.stored) and not seen.has(self.stored):
            self.lost, self.people = True, False
            self.stored, self.acked = seen.digests[seen.last], b""

    _step_recover = partialmethod(_recovering, "")
    _step_recover_cut = partialmethod(_recovering, "_keep_damaged")
    _step_recover_cut_late = partialmethod(_recovering, "_put_aside")

    def recover(self) -> None:
        """The recovery."""
        recovery.recover(self.directory, self.copy, self.keys)

    @contextmanager
    def _cut_at(self, name: str) -> Any:
        """Have the power fail there; the mark is made before."""
        if not name:
            yield
            return
        real = getattr(recovery, name)

        def fail(*arguments: Any) -> None:
            if name == "mark":
                real(*arguments)
            raise PowerCut

        with patch.object(recovery, name, fail):
            yield

    # ---- what goes wrong ----------------------------------------------------------------------

    def _step_kill(self) -> None:
        life, self.life = self.life, None
        if life is not None:
            for one in (life.copy, life.reader, life.journal):
                self._leave(one)
        if self._steps is not None:
            self._steps.close()
        self._steps, self.closing = None, 0

    @staticmethod
    def _leave(one: Journal | JournalReader | JournalCopy) -> None:
        """As SIGKILL leaves it: the log stays where it is."""
        if isinstance(one, JournalCopy):
            one.close(failed=True)
            return
        if isinstance(one, Journal):
            one._damaged = True
        one.close()

    def _step_kill_in_head(self) -> None:
        self._step_kill()
        with self.heads.open("a", encoding="ascii") as file:
            file.write('{"boot":1,"checkpoint":"')

    def _step_damage(self) -> None:
        forger.spoil(self.directory)
        self.medium = _DAMAGED

    def _step_lose(self) -> None:
        forger.lose(self.directory)
        self.medium = _LOST

    # ---- the attacker -------------------------------------------------------------------------

    def _step_keep(self) -> None:
        forger.keep_copies(self.directory, self.heads, self.kept)

    def _step_put_back(self) -> None:
        forger.put_back(self.directory, self.kept)

    def _step_heads_back(self) -> None:
        self.heads.write_bytes((self.kept / self.heads.name).read_bytes())

    def _forge_entry(self, place: str, back: int) -> None:
        forger.rewrite(self.folder / place, back, 1)

    _step_forge, _step_alter = (
        partialmethod(_forge_entry, "state", 0),
        partialmethod(_forge_entry, "state", 1),
    )
    _step_forge_copy = partialmethod(_forge_entry, "copy", 0)

    def _step_strip(self) -> None:
        forger.strip(self.directory)

    def _step_rewrite(self) -> None:
        seen = self._journal()
        forger.rewrite(self.directory, seen.last - seen.begins, seen.last - seen.begins)
        forger.strip(self.directory)

    def _step_forge_successor(self) -> None:
        forger.succeed(self.directory, self.heads, _MOMENT)

    def _alive(self) -> Life:
        assert self.life is not None
        return self.life

    def close(self) -> None:
        """It was enough."""
        self._step_kill()
