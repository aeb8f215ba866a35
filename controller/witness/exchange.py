"""The exchange with one witness: C2SP tlog-witness, ``add-checkpoint``.

The rules:

- It begins at what this witness cosigned last, as the daemon remembers it. A witness that stands
  elsewhere says where (409); where this log has that, it is proven from there, for the newest
  checkpoint, which may be another one meanwhile: at most :data:`TRIES` times.
- What was answered last is told the daemon, which decides what it means: the status and some words.
  ``none`` stands in place of a status where there is no answer, or none that means anything. 409
  and a number is told of a witness that is ahead, or that has another root for the same number.
- Whether a cosignature is good only the daemon says; lines of other names are left out.
- With the floor's mirror it is the same, and entries follow the checkpoint (:mod:`~.forwarding`).
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Final

from controller.configuration.model import WitnessSettings
from controller.control.client import RefusedByController
from controller.control.protocol import MAX_COSIGNATURE, MAX_COSIGNATURES
from controller.control.witnessing import NewestCheckpoint
from controller.witness.asking import HttpAnswer, WitnessSilent, post_request
from controller.witness.talk import WitnessTalk

TRIES: Final = 4
MOST_SHOWN: Final = 200
"""Characters of an answer that are told."""

GONE: Final = frozenset({"cannot-be-proven", "taken-away"})
"""Codes of the controller's refusal: entries, or what proves them, are here no more."""
_SIZE: Final = re.compile(rb"(0|[1-9][0-9]{0,15})\n")
_SIZE_TYPE: Final = "text/x.tlog.size"


Asking = Callable[[WitnessTalk, WitnessSettings, int], tuple[NewestCheckpoint, HttpAnswer]]
"""Asks somebody to cosign the newest checkpoint who has cosigned so many entries; the checkpoint
and the answer. Raises as :func:`add_checkpoint` does."""


def exchange(talk: WitnessTalk, witness: WitnessSettings, asking: Asking) -> tuple[bool, str]:
    """Have the witness cosign the newest checkpoint, and the daemon told what came of it; whether
    it did, and its answer in words.

    Raises:
        NoController, RefusedByController: of the controller.
    """
    newest = talk.checkpoint()
    try:
        newest, answer = asking(talk, witness, newest["cosigned"].get(witness.name, 0))
        lines, words = _cosignatures(witness, answer), f"{answer.status} {on_one_line(answer.body)}"
    except WitnessSilent as error:
        lines, words = (), f"none: {error}"
    except RefusedByController as error:
        if error.code not in GONE:
            raise
        lines, words = (), f"none: {error}"
    if lines:
        words = "200"
    told = talk.witnessed(witness.name, newest["size"], int(time.time()), lines, plain(words))
    unchecked = words.startswith("200") and not witness.vkey.is_checked
    return told.get("good") is True or unchecked, plain(words)


def add_checkpoint(
    talk: WitnessTalk, witness: WitnessSettings, old: int
) -> tuple[NewestCheckpoint, HttpAnswer]:
    """The checkpoint that the witness was asked for, and what it answered.

    Raises:
        WitnessSilent: none, or none that means anything. NoController, RefusedByController: of the
        controller.
    """
    for _ in range(TRIES):
        newest = talk.checkpoint(old=old)
        if not newest["size"]:  # this key has signed no head: there was a checkpoint a while ago
            raise WitnessSilent("no checkpoint is signed yet")
        if newest["proof"] is None:  # the log does not have that (any more): the witness says what
            old = 0
            continue
        body = body_of(newest["checkpoint"], old, newest["proof"])
        answer = post_request(f"{witness.url}/add-checkpoint", body)
        stands = stands_at(answer)
        if answer.status != 409:
            return newest, answer
        if old == newest["size"] and stands in (None, old):
            return newest, HttpAnswer(409, _SIZE_TYPE, f"{old} with another root".encode())
        if stands is None or stands == old:
            raise WitnessSilent(f"409 that says nothing, {on_one_line(answer.body)}")
        if stands > newest["size"]:
            return newest, answer
        old = stands
    raise WitnessSilent(f"409, each time elsewhere, at last at entry {old}")


def body_of(checkpoint: str, old: int, proof: list[str]) -> bytes:
    """The request's body."""
    hashes = "".join(f"{one}\n" for one in proof)
    return f"old {old}\n{hashes}\n{checkpoint}".encode()


def stands_at(answer: HttpAnswer) -> int | None:
    """How many entries a witness that stands elsewhere has cosigned, where it says so properly."""
    found = _SIZE.fullmatch(answer.body)
    return int(found[1]) if found and answer.kind == _SIZE_TYPE else None


def _cosignatures(witness: WitnessSettings, answer: HttpAnswer) -> tuple[str, ...]:
    if answer.status != 200:
        return ()
    start = f"\u2014 {witness.vkey.name} "
    lines = answer.body.decode("utf-8", errors="replace").split("\n")
    fit = [line for line in lines if line.startswith(start) and len(line) <= MAX_COSIGNATURE]
    return tuple(line for line in fit if line.isprintable())[:MAX_COSIGNATURES]


def on_one_line(body: bytes) -> str:
    """An answer as it stands on one line."""
    return " ".join(body.decode("utf-8", errors="replace").split())


def plain(text: str) -> str:
    """The text as it can stand in the journal and on a terminal."""
    shown = "".join(letter if letter.isprintable() else "?" for letter in text[:MOST_SHOWN])
    return shown.strip()
