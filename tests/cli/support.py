"""Running ``tablectl`` in this process, and a journal as a table really writes it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from controller import ENGINE_VERSION
from controller.cli.main import main
from controller.evidence.heads import SignedHead, append_head, heads_in
from controller.evidence.trust import add_key
from controller.files.rules import load_rules
from controller.game.round.wagers import Limits
from controller.game.rules.cards import parse_card
from controller.journal.keys import ControllerKey
from controller.journal.model import SEALING, Draft
from controller.journal.reader import JournalReader
from controller.replay.recovery import recover, snapshot
from controller.replay.replay import draft_of
from controller.table.apply import apply
from controller.table.events.event import Event, Reported
from controller.table.events.reading import read_event
from controller.table.outcome import Outcome
from controller.table.settings import Settings
from controller.table.state.table import Table
from controller.upkeep.closure import closing_steps
from controller.upkeep.successor import Beginning, Signatory
from tests.journal.helpers import KEY, SigningKey, opened

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "docs" / "examples" / "rounds"
CONFIGURATION = ROOT / "config" / "table.example.toml"
PROGRAM = (sys.executable, "-m", "controller.cli.main")


def a_process(*argv: object, **given: Any) -> subprocess.CompletedProcess[str]:
    """``tablectl`` as a process of its own; what it says is kept unless a stream is given."""
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | given
    command = [*PROGRAM, *map(str, argv)]
    return subprocess.run(command, text=True, cwd=ROOT, check=False, **streams)


@dataclass
class Ran:
    """What a command came to."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        (line,) = self.lines
        return line

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


class Tablectl:
    """Calls the command line; wrong options count as their exit code."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *argv: object) -> Ran:
        self._capsys.readouterr()
        try:
            code = main([str(arg) for arg in argv])
        except SystemExit as left:
            code = left.code if isinstance(left.code, int) else 1
        told = self._capsys.readouterr()
        assert "Traceback" not in told.err
        return Ran(code, told.out, told.err)


class Played:
    """A table that is led by hand, with the drafts of its journal."""

    def __init__(
        self,
        engine: str = ENGINE_VERSION,
        weights: tuple[tuple[int, int], ...] = (),
        devices: tuple[str, ...] = ("shoe",),
    ) -> None:
        self.table = Table()
        self.drafts: list[Draft] = []
        self.events = 0
        settings = Settings(
            "P12",
            replace(load_rules("mbs-pontoon-pandemonium-v5"), engine=int(engine)),
            8,
            7,
            Limits(1000, 500_000, 100, 50_000, 100),
            devices,
            weights=weights,
        )
        self.take(
            read_event(
                "start",
                {
                    "boot_id": "b",
                    "settings": settings.dump(),
                    "versions": {"controller": "0", "engine": engine},
                },
            )
        )
        link = {"up": True, "serial": "S1", "new_session": True, "last_event": 0, "taken": 0}
        self.take(read_event("link", link, "shoe", 7))
        self.shoe("SHOE_STATE", state=1, remaining=384)

    def take(self, event: Event) -> Outcome:
        outcome = apply(self.table, event)
        t_ms = event.event_no * 100 if isinstance(event, Reported) else None
        self.drafts.append(draft_of(event, outcome, t_ms=t_ms))
        return outcome

    def shoe(self, type_: str, **fields: int) -> None:
        self.events += 1
        self.take(read_event(type_, fields, "shoe", 7, self.events))

    def cards(self, text: str) -> None:
        for word in text.split():
            card = parse_card(word)
            self.shoe("CARD", rank=card.rank, suit=card.suit, flags=0)

    def dealer(self, *commands: str) -> None:
        for command in commands:
            outcome = self.take(read_event("dealer", {"command": command, "user": "ida"}))
            if not outcome.answered:
                self.take(read_event("gate", {"last_event": self.events}, "shoe", 7))

    def a_round(self) -> None:
        self.dealer("open", "wager 1 main 100", "close")
        self.cards("9S 8H 9D")
        self.dealer("stand 1")
        self.cards("9C")

    def write(self, directory: Path) -> Path:
        """Its journal."""
        drafts = signed_from_here(directory, self.drafts)
        with opened(directory, boot_id="b") as journal:
            for number, draft in enumerate(drafts, 1):
                journal.append([draft], number * 1000, "2026-11-20T12:00:00+00:00")
        return directory


def signed_from_here(state: Path, drafts: Sequence[Draft]) -> list[Draft]:
    """Those drafts with start records that tell of :data:`KEY`, and of the file that says so, which
    is written beside the state directory."""
    keys = state.with_name(f"{state.name}.vkey")
    add_key(keys, KEY.public)
    told = {"key": KEY.public.text, "fingerprint": KEY.fingerprint, "vkey": str(keys)}
    sealing = {SEALING: told}
    return [
        replace(one, body={**one.body, **sealing}) if one.type == "start" else one for one in drafts
    ]


def sign(state: Path, *seqs: int) -> None:
    """Heads of those entries, or of the last one."""
    with JournalReader(state) as reader:
        for entry in [next(reader.iterate(seq - 1, seq)) for seq in seqs or (reader.head.seq,)]:
            name, digest = reader.identity.hex(), entry.digest.hex()
            head = SignedHead(name, "P12", entry.seq, digest, entry.boot, entry.wall)
            append_head(state / "heads.jsonl", head.signed(KEY))


def close(
    state: Path, key: SigningKey | ControllerKey = KEY, wall: str = "2026-11-20T12:00:00+00:00"
) -> Path:
    """Close the journal there, as a start does that was asked to; the closed file."""
    with JournalReader(state) as reader:
        play = recover(reader, reader.iterate)
    table = Signatory("P12", state / "heads.jsonl", key)
    body = snapshot(play.counted, play.shown)
    return dict(closing_steps(state, body, Beginning("closing", 1, wall), table))["closed"]


@dataclass
class StoppedTable:
    """What stands in ``folder`` of a table that is stopped, and the commands about it."""

    folder: Path
    tablectl: Tablectl

    @property
    def state(self) -> Path:
        return self.folder / "state"

    @property
    def heads(self) -> Path:
        return self.state / "heads.jsonl"

    @property
    def signed(self) -> list[SignedHead]:
        return [head for _, head in heads_in(self.heads) if isinstance(head, SignedHead)]
