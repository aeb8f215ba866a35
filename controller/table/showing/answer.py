"""The answer to a command of a person: how the table stands after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from controller.json_values import JsonObject
from controller.table.showing.status_fields import Status

AS_IN_STATUS: Final = ("state", "prompt", "asks", "owed", "account", "dealer", "boxes")


def answer(shown: Status, at: int, notes: Sequence[str]) -> JsonObject:
    """The answer: of the status after the command what it has to do with, ``at`` as the status then
    has it, and the ``notes`` of the command. ``settlements`` is the earlier name of ``owed``."""
    told: dict[str, object] = {name: shown[name] for name in AS_IN_STATUS}
    return {**told, "settlements": shown["owed"], "notes": list(notes), "at": at}
