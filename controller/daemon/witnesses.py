"""What witnesses have cosigned, and what it means for play that one has not.

The rules:

- Only a cosignature that is good by the configuration's key counts, and is for more entries than
  the last, or later, as the witness signs its time. It is kept beside the heads
  (:mod:`controller.evidence.tree.cosignature`), and a start knows it again.
- **A witness that is ahead of this journal** has cosigned more than there is now: the journal was
  put back. One that has **another history** refuses a proof that was checked here, or says of the
  same number that it has another root. Either holds the table between rounds, at a start too;
  nothing ever waits for a witness.
- Such an answer has no signature. Whoever can forge it, as the user of the process between or in a
  network without TLS, can hold a table between rounds, and do no more: the hold says that it is the
  witness's word, a supervisor ends it, and said again in the same words it holds nothing again. A
  cosignature of ours that is for more than the journal has is proof, and is told as that.
- Another key begins another log: until its first head is signed there is no checkpoint, and the
  old log's is not given to anybody.
- A witness that has not cosigned the newest checkpoint for :data:`SILENT_S` is told as silent,
  whatever it says instead.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from controller.configuration.model import Configuration, WitnessSettings
from controller.control.handler import RequestRefused
from controller.control.protocol import Request
from controller.daemon.beside_the_loop import HandingOut, Remembering
from controller.daemon.health.findings import FaultFinding
from controller.daemon.journaling.sealing import Sealing
from controller.daemon.outside import Outside
from controller.daemon.owner import Owner
from controller.evidence.heads import SignedHead
from controller.evidence.tree.checkpoint import Checkpoint, parsed
from controller.evidence.tree.cosignature import GoodCosignature, beside_heads, kept_of
from controller.forms.json_values import JsonObject

BEHIND: Final = "journal-behind-witness"
DIFFERS: Final = "journal-differs-from-witness"
SILENT: Final = "witness-silent"

WAIT_S: Final = 20.0
"""How long a newer checkpoint is waited for."""
SILENT_S: Final = 60.0
MISSED_S: Final = 3600.0
"""A required witness that is silent for so long makes the table not ready."""
HANDED: Final = 16
"""Checkpoints whose cosignatures are still recognised."""
_ELSEWHERE: Final = re.compile(r"409 (0|[1-9][0-9]{0,15})\b")


@dataclass(slots=True)
class _Witness:
    """``last`` is what it cosigned last; ``since``: from when on it has not cosigned the newest
    checkpoint, in the loop's time; ``wrong``: by fault, what holds play."""

    settings: WitnessSettings
    last: GoodCosignature | None = None
    answer: str = ""
    answered: int = 0
    since: float | None = None
    wrong: dict[str, str] = field(default_factory=dict)


class Witnesses:
    """Those of the configuration, with the floor's mirror; a watch for silence, too."""

    faults: Collection[str] = (SILENT,)

    def __init__(
        self,
        config: Configuration,
        sealing: Sealing,
        outside: Outside,
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        self._sealing = sealing
        self._loop = loop
        self._witnesses = {one.name: _Witness(one) for one in config.cosigners}
        self._handing_out = HandingOut(config.state_directory, config.archive.to)
        self._remembered = Remembering(beside_heads(config.heads), outside, loop)
        self._newest: tuple[Checkpoint, str] | None = None
        self._handed: dict[int, str] = {}
        self._newer = asyncio.Event()
        self._closed = False
        self._owner: Owner | None = None

    def follow_heads(self, owner: Owner) -> None:
        """Know again what was cosigned, and follow the heads."""
        self._owner = owner
        if self._witnesses:
            self._remembered.load()
        for one in self._remembered.kept:
            if (of := self._witnesses.get(one.name)) and one.vkey == of.settings.vkey.text:
                of.last = one
        self._sealing.written = self._note_written
        if (newest := self._sealing.newest_own) is not None:
            self._note_head(newest)

    def close(self) -> None:
        """Nobody waits for a checkpoint any more."""
        self._closed = True
        self._newer.set()
        self._handing_out.end()

    def join(self, until: float) -> None:
        """See :meth:`controller.daemon.journaling.played_rounds.PlayedRounds.join`."""
        self._handing_out.join(until)

    # ---- what is handed out -------------------------------------------------------------------

    def _note_written(self) -> None:
        assert self._sealing.newest_own
        self._note_head(self._sealing.newest_own)
        for of in self._witnesses.values():
            last = self._last(of)
            if last is not None and self._newest and last.size > self._newest[0].size:
                at = datetime.fromtimestamp(last.time, UTC).isoformat(timespec="seconds")
                words = (
                    f"has cosigned entry {last.size} of it at {at}: that cosignature is kept here"
                )
                self._is_wrong(of, BEHIND, words)

    def _note_head(self, head: SignedHead) -> None:
        if not head.checkpoint or not head.seq:  # nothing is to be cosigned of an empty journal
            return
        self._newest = parsed(head.checkpoint), head.checkpoint
        for of in self._witnesses.values():
            of.since = self._loop.time() if of.since is None else of.since
        self._newer.set()
        self._newer = asyncio.Event()

    async def entries(self, after: int, most: int) -> JsonObject:
        """``lines``: the entries behind ``after``, at most ``most`` (1 to 256), as ``journal
        export`` writes them; fewer beyond 1 MiB. Entries of closed journals, too, while they are
        here; else ``refused``, ``taken-away``.

        Raises:
            BadCommand: ``most`` is not 1 to 256. RequestRefused: they cannot be read now.
        """
        return {"lines": await self._handing_out.entries(after, most)}

    async def checkpoint(self, after: int, old: int) -> JsonObject:
        """The newest signed ``checkpoint`` and its ``size``, empty and 0 while there is none;
        waited for, some 20 s, while it is for ``after`` entries or fewer. ``proof``: hashes in
        base64 (RFC 6962, 2.1.2), that it extends the tree of ``old`` entries; empty for 0 and
        for ``size``, null where ``old`` is larger, ``refused`` with ``cannot-be-proven`` where
        its entries are gone. ``cosigned``: how far each witness has cosigned, by name.

        Raises:
            RequestRefused: the proof cannot be had now.
        """
        until = self._loop.time() + WAIT_S
        while (self._newest is None or self._newest[0].size <= after) and not self._closed:
            try:
                async with asyncio.timeout_at(until):
                    await self._newer.wait()
            except TimeoutError:
                break
        cosigned = {name: self._size(of) for name, of in self._witnesses.items()}
        if self._newest is None:
            return {"checkpoint": "", "size": 0, "proof": None, "cosigned": cosigned}
        newest, text = self._newest
        proof = await self._handing_out.proof(old, newest) if old <= newest.size else None
        self._handed.pop(newest.size, None)
        self._handed[newest.size] = text
        if len(self._handed) > HANDED:
            del self._handed[next(iter(self._handed))]
        return {"checkpoint": text, "size": newest.size, "proof": proof, "cosigned": cosigned}

    async def subtree(self, start: int, end: int, size: int) -> JsonObject:
        """``proof``: hashes in base64, that the entries behind ``start`` up to ``end`` are a
        subtree of the tree of ``size`` entries (draft-ietf-plants-merkle-tree-certs, 4.4), as
        C2SP tlog-mirror has it with each package; ``size`` is at most that of the newest
        checkpoint, which extends that tree. ``refused`` with ``cannot-be-proven`` where nodes
        are gone.

        Raises:
            BadCommand: there is no such subtree. RequestRefused: the proof cannot be had now.
        """
        if self._newest is None:
            raise RequestRefused("no checkpoint is signed yet", code="cannot-be-proven")
        return {"proof": await self._handing_out.subtree(start, end, size, self._newest[0])}

    # ---- what comes back ----------------------------------------------------------------------

    async def witnessed(self, request: Request) -> JsonObject:
        """Take what the witness ``name`` has answered at ``time`` (seconds since 1970) to the
        checkpoint for ``size`` entries: ``answer``, at most 500 characters that begin with the
        status (``none: …`` is no answer), and at most eight ``cosignatures``, lines ``— NAME
        BASE64``. ``known``: whether the configuration has such a witness, ``good``: whether one
        of the cosignatures is good by its key."""
        of = self._witnesses.get(request.name)
        if of is None:
            return {"known": False, "good": False}
        of.answer, of.answered = request.answer, request.time
        sent = self._handed.get(request.size)
        key = of.settings.vkey
        kept = kept_of(request.name, key, sent, request.cosignatures) if sent else None
        if kept is not None:
            self._cosigned(of, kept)
        elif request.answer.startswith("200") and not key.is_checked:
            of.since = None
        elif sent is not None:
            self._judge(of, request)
        return {"known": True, "good": kept is not None}

    def _judge(self, of: _Witness, request: Request) -> None:
        """What an answer without a cosignature means; what is not said here is only silence."""
        said = f"says so ({request.answer[:80]}), and signs no such answer"
        elsewhere = _ELSEWHERE.match(request.answer)
        stands = int(elsewhere[1]) if elsewhere else 0
        if self._newest is not None and stands > self._newest[0].size:
            self._is_wrong(of, BEHIND, f"has cosigned entry {stands} of it; the witness {said}")
        elif request.answer.startswith("422") or (elsewhere and stands == request.size):
            self._is_wrong(of, DIFFERS, f"has another history of it; the witness {said}")

    def _cosigned(self, of: _Witness, kept: GoodCosignature) -> None:
        last = self._last(of)
        if last is not None and (kept.size, kept.time) <= (last.size, last.time):
            return  # said again: whoever only repeats it has not asked the witness
        of.last = kept
        of.wrong.clear()
        level = self._newest is not None and kept.size == self._newest[0].size
        of.since = None if level else self._loop.time()
        self._remembered.add(kept)
        if all(other.answer for other in self._witnesses.values()):
            for fault in (BEHIND, DIFFERS):
                self._report_fault(fault)

    def _is_wrong(self, of: _Witness, fault: str, words: str) -> None:
        of.wrong[fault] = f"{of.settings.name} {words}"
        self._report_fault(fault)

    def _report_fault(self, fault: str) -> None:
        words = [of.wrong[fault] for of in self._witnesses.values() if fault in of.wrong]
        if self._owner is not None:
            detail = "; ".join(words) or "all witnesses have cosigned what there is"
            self._owner.condition(fault, detail, present=bool(words))

    # ---- what is told -------------------------------------------------------------------------

    def _last(self, of: _Witness) -> GoodCosignature | None:
        """What it cosigned last of this log: another key begins another one."""
        if of.last is None or self._newest is None:
            return None
        return of.last if parsed(of.last.checkpoint).origin == self._newest[0].origin else None

    def _size(self, of: _Witness) -> int:
        last = self._last(of)
        return last.size if last else 0

    def _silent_s(self, of: _Witness) -> float:
        return 0.0 if of.since is None or of.wrong else self._loop.time() - of.since

    def findings(self) -> list[FaultFinding]:
        """Whether one is silent (:class:`Watch`); nothing while one may still answer."""
        silences = {name: self._silent_s(of) for name, of in self._witnesses.items()}
        silent = [
            f"{of.settings.name}{self._missed(of)}: {of.answer or 'nothing was told of it yet'}"
            for name, of in self._witnesses.items()
            if silences[name] >= SILENT_S
        ]
        if not silent and any(silences.values()):
            return []
        return [FaultFinding(SILENT, "; ".join(silent), bool(silent))]

    def _missed(self, of: _Witness) -> str:
        missed = of.settings.required and self._silent_s(of) >= MISSED_S
        return " (required, for more than an hour)" if missed else ""

    def facts(self) -> JsonObject:
        """For the status, of each: what it cosigned last and what it has answered."""
        return {
            "witnesses": [
                {
                    "name": name,
                    "required": of.settings.required,
                    "size": self._size(of) or None,
                    "time": last.time if (last := self._last(of)) else None,
                    "answer": of.answer or None,
                    "answered": of.answered or None,
                }
                for name, of in self._witnesses.items()
            ]
        }

    def readiness(self) -> tuple[bool, str]:
        """For the report before opening: whether all that are required cosign, and how each is."""
        each = [f"{name} to entry {self._size(of)}" for name, of in self._witnesses.items()]
        well = not any(self._missed(of) for of in self._witnesses.values())
        return well, f"cosigned by {', '.join(each)}" if each else "none is configured"
