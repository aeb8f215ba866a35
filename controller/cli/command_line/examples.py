"""How each command of ``tablectl`` is used: read from ``examples.toml`` when it is shown."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from controller.regular_files import read_whole


@cache
def examples() -> Mapping[str, Mapping[str, str]]:
    """By the command's name without ``tablectl``: lines to be typed, with what they are for."""
    return tomllib.loads(read_whole(Path(__file__).with_suffix(".toml")).decode("utf-8"))


def examples_of(name: str) -> tuple[tuple[str, str], ...]:
    """A command's examples; a group's are the first of each of its commands. Empty: none."""
    every = examples()
    if name in every:
        return tuple(every[name].items())
    below = (found for known, found in every.items() if known.startswith(f"{name} "))
    return tuple(next(iter(found.items())) for found in below)


def epilog(name: str) -> Iterator[str]:
    """The lines that ``--help`` has below the options; none where there is no example."""
    if found := examples_of(name):
        yield from ("", "examples:")
    for line, about in found:
        yield f"  {line}"
        yield f"      {about}"
