"""Write the requests of the control socket into its page: ``python -m pages.socket``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Final

from controller.control.protocol import COMMANDS, NUMBERS, TEXTS, WITH_PIN
from controller.control.serving.rights import ROLES
from controller.control.serving.signing import LISTS
from pages.generated import DOCS, between, run

MODULE: Final = "pages.socket"
DOCUMENT: Final = DOCS / "control-socket.md"
WHO: Final = {
    None: "viewer",
    "dealer": "dealer",
    "supervisor": "supervisor",
    "technician": "supervisor; technician by PIN",
    "witness": "`table-witness`",
}


def make(present: str) -> str:
    """The page with its table of requests anew."""
    head = ["| `do` | who | keys, with the most characters |", "| --- | --- | --- |"]
    return between(present, "requests", [*head, *(_row(do) for do in TEXTS)])


def _row(do: str) -> str:
    who = "root" if do in LISTS else "dealer" if do in WITH_PIN else WHO[ROLES.get(do)]
    return f"| `{do}` | {who} | {', '.join(_keys(do)) or '–'} |"


def _keys(do: str) -> Iterator[str]:
    yield from (f"`{key}` {most}" for key, most in TEXTS[do].items())
    yield from (f"`{key}`" for key in NUMBERS.get(do, ()))
    if do in COMMANDS:
        yield "`at`, `key`, `dry`, `commands`"
    if do in WITH_PIN:
        yield "`pin`"
    if do == "witnessed":
        yield "`cosignatures`"


def main(arguments: list[str] | None = None) -> int:
    """Write the page, or compare it."""
    return run(MODULE, DOCUMENT, make, sys.argv[1:] if arguments is None else arguments)


if __name__ == "__main__":
    sys.exit(main())
