"""The console's configuration: one TOML file, read and checked as a whole.

The rules:

- All faults are reported together, each with key, value and what is expected; unknown keys too.
- Paths are relative to the file. Nothing here is a secret: what a person may do is asked of the
  daemon, with his PIN.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.configuration.errors import BadConfiguration
from controller.configuration.section import Section, toml_text, unknown
from controller.configuration.toml_file import toml_in
from web.listening import ListenAddress, listen_address

USUAL_LISTEN: Final = "127.0.0.1:8450"
USUAL_SOCKET: Final = "/run/table-controller/control.sock"
USUAL_STATE: Final = "/var/lib/table-console"
USUAL_LOCK_S: Final = 60
LANGUAGES: Final = ("en", "zh", "ms")
MOST_WORDS: Final = 6
LONGEST_WORDS: Final = 60

_TOP: Final = "(top)"
_KEYS: Final = ("listen", "hosts", "socket", "state", "language", "lock_s", "sign")
_HOST: Final = re.compile(r"[0-9A-Za-z.\-\[\]:]{1,255}")


@dataclass(frozen=True, slots=True)
class ConsoleSettings:
    """The whole configuration. ``hosts`` are the names (with ports) by which browsers may ask.
    ``state`` is the folder of what the sign remembers. A person who has signed in and touches
    nothing for ``lock_s`` is signed out. ``sign_words`` are the house's own lines on the sign,
    which speaks ``sign_languages``."""

    path: Path
    listen: ListenAddress
    hosts: frozenset[str]
    socket: Path
    state: Path
    language: str
    lock_s: int
    sign_words: Sequence[str]
    sign_languages: Sequence[str]


def load_console(path: Path) -> ConsoleSettings:
    """The configuration in the file at ``path``.

    Raises:
        BadConfiguration: it cannot be read or has faults; the error lists all of them.
    """
    data = toml_in(path)
    faults: list[str] = []
    found = _settings(path.absolute(), data, faults)
    if found is None or faults:
        raise BadConfiguration(path, [fault.removeprefix(f"{_TOP}.") for fault in faults])
    return found


def _settings(path: Path, data: Mapping[str, object], faults: list[str]) -> ConsoleSettings | None:
    faults += [unknown(key, _KEYS) for key in data if key not in _KEYS]
    top = Section(_TOP, data, faults)
    listen = _listen(top)
    socket = top.text("socket", "the controller's socket", USUAL_SOCKET)
    state = top.text("state", "a folder of the console's own", USUAL_STATE)
    language = top.text("language", f"one of {', '.join(LANGUAGES)}", LANGUAGES[0])
    if language is not None and language not in LANGUAGES:
        top.fault("language", f"expected one of {', '.join(LANGUAGES)}")
    lock_s = top.number(
        "lock_s", 10, 110, "seconds without a touch until a person is signed out", USUAL_LOCK_S
    )
    hosts = _texts(top, data, "hosts", _HOST, 'names as ["table12.example:8450"]')
    words, languages = _sign(data, faults)
    if None in (listen, socket, state, language, lock_s):
        return None
    assert listen is not None and socket and state and language and lock_s is not None  # noqa: PT018
    return ConsoleSettings(
        path,
        listen,
        frozenset(host.lower() for host in (listen.authority, f"localhost:{listen.port}", *hosts)),
        path.parent / socket,
        path.parent / state,
        language,
        lock_s,
        words,
        languages or (language,),
    )


def _listen(top: Section) -> ListenAddress | None:
    given = top.text("listen", f"an address and a port, {USUAL_LISTEN}", USUAL_LISTEN)
    address = listen_address(given or "")
    if address is None and given is not None:
        top.fault("listen", f"expected an address of this machine and a port, {USUAL_LISTEN}")
    return address


def _sign(data: Mapping[str, object], faults: list[str]) -> tuple[Sequence[str], Sequence[str]]:
    """The sign's words and languages; without a language it speaks that of the console."""
    given = data.get("sign", {})
    if not isinstance(given, Mapping):
        faults.append(f"sign = {toml_text(given)}: expected a table, [sign]")
        return (), ()
    section = Section("sign", given, faults)
    line = re.compile(rf"\S.{{0,{LONGEST_WORDS - 1}}}")
    expected = f'up to {MOST_WORDS} lines of {LONGEST_WORDS} characters, ["Good luck"]'
    words = _texts(section, given, "words", line, expected)
    known = re.compile("|".join(LANGUAGES))
    expected = f'some of {", ".join(LANGUAGES)}, as ["{LANGUAGES[0]}"]'
    languages = _texts(section, given, "languages", known, expected)
    section.done()
    return words, tuple(dict.fromkeys(languages))


def _texts(
    section: Section, data: Mapping[str, object], key: str, form: re.Pattern[str], expected: str
) -> Sequence[str]:
    given = data[key] if section.has(key) else []
    if isinstance(given, list) and len(given) <= MOST_WORDS:
        texts = [one for one in given if isinstance(one, str) and one.isprintable()]
        if len(texts) == len(given) and all(form.fullmatch(one) for one in texts):
            return tuple(texts)
    section.fault(key, f"expected {expected}")
    return ()
