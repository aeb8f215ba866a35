"""The console's configuration: one TOML file, read and checked as a whole.

The rules:

- All faults are reported together, each with key, value and what is expected; unknown keys too.
- Paths are relative to the file. Nothing here is a secret: what a person may do is asked of the
  daemon, with his PIN.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal, get_args

from controller.configuration.tables import TomlTables
from controller.forms.expected import Expected, File, Parsed, Range, Several, Text, Usual
from web.listening import ListenAddress, listen_address

USUAL_LISTEN: Final = "127.0.0.1:8450"
USUAL_SOCKET: Final = "/run/table-controller/control.sock"
USUAL_STATE: Final = "/var/lib/table-console"
USUAL_LOCK_S: Final = 60
MOST_WORDS: Final = 6
LONGEST_WORDS: Final = 60

Language = Literal["en", "zh", "ms"]
LANGUAGES: Final = get_args(Language)

_LISTEN: Final = f"an address of this machine and a port, {USUAL_LISTEN}"
_HOST: Final = Text("a name and a port", form=re.compile(r"[0-9A-Za-z.\-\[\]:]{1,255}"))
_LINE: Final = Text("a line of the sign", LONGEST_WORDS, re.compile(r"\S.*"))
_LINES: Final = f'up to {MOST_WORDS} lines of {LONGEST_WORDS} characters, ["Good luck"]'


@dataclass(frozen=True, slots=True)
class SignSettings:
    """``[sign]``: the house's own lines, and the languages that the sign speaks; without one it
    speaks that of the console."""

    words: Annotated[tuple[Annotated[str, _LINE], ...], Several(_LINES, MOST_WORDS)] = ()
    languages: tuple[Language, ...] = ()


@dataclass(frozen=True, slots=True)
class ConsoleSettings:
    """The whole configuration. ``hosts`` are more names (with ports) by which browsers may ask.
    ``state`` is the folder of what the sign remembers. A person who has signed in and touches
    nothing for ``lock_s`` is signed out."""

    listen: Annotated[ListenAddress, Parsed(_LISTEN, parse=listen_address), Usual(USUAL_LISTEN)]
    socket: Annotated[Path, File("the controller's socket"), Usual(USUAL_SOCKET)]
    state: Annotated[Path, File("a folder of the console's own"), Usual(USUAL_STATE)]
    hosts: Annotated[
        tuple[Annotated[str, _HOST], ...], Expected('names as ["table12.example:8450"]')
    ] = ()
    language: Language = "en"
    lock_s: Annotated[
        int, Range("seconds without a touch until a person is signed out", 10, 110)
    ] = USUAL_LOCK_S
    sign: SignSettings = SignSettings()

    @property
    def own_names(self) -> frozenset[str]:
        """The names by which browsers may ask, in lower case."""
        own = self.listen.authority, f"localhost:{self.listen.port}"
        return frozenset(host.lower() for host in (*own, *self.hosts))

    @property
    def sign_languages(self) -> Sequence[str]:
        """The languages of the sign, each once."""
        return tuple(dict.fromkeys(self.sign.languages)) or (self.language,)


def load_console(path: Path) -> ConsoleSettings:
    """The configuration in the file at ``path``.

    Raises:
        BadConfiguration: it cannot be read or has faults; the error lists all of them.
    """
    file = TomlTables.of_file(path)
    return file.without_faults(file.value_in(ConsoleSettings, file.data))
