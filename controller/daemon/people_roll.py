"""The file of people known by PIN.

The rules:

- It is a JSON object, ``format`` (1) and ``people``: of each the ``name``, the ``role``, and of the
  PIN ``salt`` (random) and ``scrypt`` (what scrypt makes of it and the PIN) in hexadecimal. No
  file: nobody is known by PIN.
- A PIN has few digits: whoever has the file finds it by trying all of them, however much one trial
  costs (some 40 ms and 16 MiB on a PC). So the file is for the controller alone.
- It is read each time somebody shows a PIN. One that others may read or write, that belongs to
  somebody else, or that is damaged lets nobody in, and the message says what to do.
- It is replaced as a whole: written beside it, durable, and then put in its place.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypedDict, get_args

from controller import regular_files
from controller.causes.finding import cause_of
from controller.causes.who_may import READ
from controller.control.protocol import MAX_PERSON, PersonsRole
from controller.forms.json_values import checked
from controller.regular_files import read_regular

COST: Final = 1 << 14
BLOCKS: Final = 8
MOST_MEMORY: Final = 64 << 20
SALT_BYTES: Final = 16
KEPT_BYTES: Final = 32


@dataclass(frozen=True, slots=True, repr=False)
class KeptPin:
    """What is kept of a PIN; it is shown in no message and no traceback."""

    salt: bytes
    made: bytes

    @classmethod
    def from_pin(cls, pin: str) -> KeptPin:
        """What is to be kept of that PIN; takes tens of milliseconds."""
        salt = secrets.token_bytes(SALT_BYTES)
        return cls(salt, _scrypt(pin, salt))

    @classmethod
    def of_nobody(cls) -> KeptPin:
        """What no PIN gives."""
        return cls(secrets.token_bytes(SALT_BYTES), secrets.token_bytes(KEPT_BYTES))

    def is_of(self, pin: str) -> bool:
        """Whether it was made of that PIN; takes the same time whether it was or not."""
        return hmac.compare_digest(self.made, _scrypt(pin, self.salt))


def _scrypt(pin: str, salt: bytes) -> bytes:
    return hashlib.scrypt(
        pin.encode(), salt=salt, n=COST, r=BLOCKS, p=1, maxmem=MOST_MEMORY, dklen=KEPT_BYTES
    )


FORMAT: Final = 1
ROLES: Final[tuple[PersonsRole, ...]] = get_args(PersonsRole)
MOST_PEOPLE: Final = 256
MOST_BYTES: Final = 1 << 18

_MODE: Final = 0o600
_OPEN_TO: Final = 0o077


class BadRoll(Exception):
    """The file cannot be used; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One of the people: his role, and what is kept of his PIN."""

    role: PersonsRole
    kept: KeptPin


Roll = Mapping[str, Listed]
"""People by their names."""


class _Line(TypedDict):
    name: str
    role: str
    salt: str
    scrypt: str


class _File(TypedDict):
    format: int
    people: list[_Line]


def read_roll(path: Path) -> Roll:
    """The people in the file at ``path``; none without one, BadRoll where it cannot be used."""
    try:
        with read_regular(path) as file:
            found, data = os.fstat(file.fileno()), file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise BadRoll(
            f"{path} cannot be read: {cause_of(error, path, wants=READ)}; nobody can sign in until "
            "it can, or is taken away and everybody added anew"
        ) from error
    mode = stat.S_IMODE(found.st_mode)
    if mode & _OPEN_TO or found.st_uid not in (0, os.geteuid()):
        raise BadRoll(
            f"{path} has mode {mode:04o} and belongs to uid {found.st_uid}, expected 0600 and the "
            "controller's own user: others could read or change who is let in. Put that right, and "
            "where others can have read it give everybody another PIN (tablectl people pin NAME)"
        )
    try:
        return _people(data)
    except (ValueError, RecursionError) as error:
        raise BadRoll(
            f"{path} is damaged: nobody can sign in. Put a copy of it in its place, or take it "
            "away and add everybody anew (tablectl people add NAME --role ROLE)"
        ) from error


def _people(data: bytes) -> Roll:
    """The people in a file with these bytes; raises ValueError where it is none."""
    if len(data) > MOST_BYTES:
        raise ValueError("too long")
    told = checked(_File, json.loads(data))
    if told["format"] != FORMAT or len(told["people"]) > MOST_PEOPLE:
        raise ValueError("of another format, or with too many people")
    roll = {line["name"]: _listed(line) for line in told["people"]}
    if len(roll) != len(told["people"]):
        raise ValueError("a name twice")
    return roll


def _listed(line: _Line) -> Listed:
    name, salt, made = line["name"], bytes.fromhex(line["salt"]), bytes.fromhex(line["scrypt"])
    role = next((role for role in ROLES if role == line["role"]), None)
    if role is None or not is_name(name) or (len(salt), len(made)) != (SALT_BYTES, KEPT_BYTES):
        raise ValueError("no person")
    return Listed(role, KeptPin(salt, made))


def is_name(name: str) -> bool:
    """Whether that can be a person's name: printable, short, without blanks around it."""
    return name.isprintable() and 0 < len(name) <= MAX_PERSON and name == name.strip()


def prepare(path: Path, roll: Roll) -> None:
    """Write what is to be the file beside it, to be put in its place later; OSError."""
    lines: list[_Line] = [
        {"name": name, "role": one.role, "salt": one.kept.salt.hex(), "scrypt": one.kept.made.hex()}
        for name, one in sorted(roll.items())
    ]
    told: _File = {"format": FORMAT, "people": lines}
    regular_files.prepare(path, json.dumps(told, indent=1).encode("ascii") + b"\n", _MODE)
