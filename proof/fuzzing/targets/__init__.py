"""A file for each kind of surface; here its targets are by name."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from proof.fuzzing.target import Target

MODULES: Final = (
    *("controller_link", "device_link", "conversation", "devices", "socket", "commands", "files"),
    *("exports", "floor"),
)


def by_name() -> dict[str, Target]:
    """Every target. Imported when asked for, so that libFuzzer can look into what they import."""
    modules = (import_module(f"proof.fuzzing.targets.{name}") for name in MODULES)
    return {target.name: target for module in modules for target in module.TARGETS}
