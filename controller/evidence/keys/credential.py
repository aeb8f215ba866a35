"""The key outside the plain file: as a credential of systemd, encrypted for this machine and handed
to the service alone, and on a page for the house's safe, which a person can type in again.
The rules:

- ``systemd-creds`` encrypts it, with a key of this machine's TPM2 and one on its disk
  (``host+tpm2``), or with the latter alone (``host``): then whoever has the disk has the key.
- A TPM counts every power cut after it was asked for a key as an attack on that key, and for some
  time gives none any more when there were too many (systemd issue 30330; systemd 256 and later ask
  otherwise). So it is told, once the service is ready, that it may lose its power: what follows
  does not count.
- The unit is told by a drop-in, with an absolute path: a service whose credential is missing or
  cannot be decrypted does not start. Without the drop-in it takes the file, as in a checkout.
- What is written is on the disk, under its name, before anything relies on it.
- Of a page only lines that begin with ``key`` and a number, or with ``fingerprint``, count;
  capitals and blanks do not. Each of the four lines of the key has 8 bytes and four digits that
  check them: the first two bytes of the SHA-256 of the line's number and its bytes. So a slip is
  told with its line. The fingerprint, of which a person need type no more than 16 digits, is that
  of the public key that belongs to it.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from pathlib import Path
from typing import Final

from controller.journal.keys import CREDENTIAL, SecretKey
from controller.regular_files import new_regular, sync_directory, write_over

UNITS: Final = Path("/etc/systemd/system")
BOOTED: Final = Path("/run/systemd/system")  # there where systemd runs the machine
WITHIN_S: Final = 60.0  # in which a TPM answers; some take seconds for a key
TPM: Final = "host+tpm2"
HOST: Final = "host"
BINDINGS: Final = {"auto": (TPM, HOST), TPM: (TPM,), "tpm2": ("tpm2",), HOST: (HOST,)}
"""What ``--with-key`` may be, with what is tried for it, in this order."""

DROP_IN: Final = """\
# Written by 'tablectl journal key --install'. The controller's key is this credential, and no file:
# without it, or where it cannot be decrypted, the service does not start (status 243/CREDENTIALS).
{unit}[Service]
LoadCredentialEncrypted={name}:{path}
{service}"""
PAGED: Final = "# The page for the safe was written of this key.\n"
WAITS_FOR_TPM: Final = """\
[Unit]
Wants=dev-tpmrm0.device
After=dev-tpmrm0.device

"""
TELLS_TPM: Final = """\
# A power cut from here on is not counted by the TPM as an attack on the key.
ExecStartPost=-+/usr/bin/tpm2_shutdown --tcti=device:/dev/tpmrm0
"""


class NoCredential(Exception):
    """It cannot be encrypted or decrypted here; the message says why."""


class Encrypted:
    """The key, encrypted for this machine in a file beside ``to``, decrypted again and compared.
    ``bound`` is to what it is bound, as ``systemd-creds`` calls it; ``refused`` why not to what was
    tried before that, "" where that was the first. Raises NoCredential: it cannot be done, or what
    was written is not decrypted to the same key."""

    def __init__(self, secret: SecretKey, to: Path, binding: str) -> None:
        self.secret, self.to = secret, to
        self._partial = to.with_name(to.name + ".new")
        refused: list[str] = []
        for bound in BINDINGS[binding]:
            try:
                data = _systemd_creds("encrypt", f"--with-key={bound}", text=f"{secret.text}\n")
            except NoCredential as error:
                refused.append(f"{bound}: {error}")
                continue
            self.bound, self.refused = bound, "; ".join(refused)
            self._partial.unlink(missing_ok=True)
            write_new(self._partial, data)
            _compare(self._partial, secret)
            return
        raise NoCredential("; ".join(refused))

    def place(self) -> None:
        """Give it its name, in place of what may be there; raises as the construction does."""
        self._partial.replace(self.to)
        sync_directory(self.to.parent)
        _compare(self.to, self.secret)


def _compare(path: Path, secret: SecretKey) -> None:
    if decrypt(path) != secret:
        raise NoCredential(f"{path} was not decrypted to the key that was encrypted")


def decrypt(path: Path) -> SecretKey:
    """The key in the credential at ``path``; raises :class:`NoCredential`."""
    try:
        return SecretKey.of_text(_systemd_creds("decrypt", source=os.fspath(path)))
    except ValueError:
        raise NoCredential(f"{path} was decrypted, and is no key") from None


def put_in_place(encrypted: Encrypted, told: Path, *, paged: bool = False) -> None:
    """The drop-in at ``told``, then the credential, and systemd told of both: a service that is
    started before it knows makes a key of its own. Raises ``OSError``."""
    told.parent.mkdir(parents=True, exist_ok=True)
    text = drop_in(encrypted.to, tpm="tpm2" in encrypted.bound, page=paged)
    write_over(told, text.encode())
    encrypted.place()
    if told.is_relative_to(UNITS) and BOOTED.is_dir():
        subprocess.run(("systemctl", "daemon-reload"), check=False)


def drop_in(path: Path, *, tpm: bool, page: bool = False) -> str:
    """The text of the unit's drop-in for the credential at ``path``; ``page``: one of this key was
    written, which it says."""
    unit, service = (WAITS_FOR_TPM, TELLS_TPM) if tpm else ("", "")
    text = DROP_IN.format(unit=unit, name=CREDENTIAL, path=path, service=service)
    return text + PAGED if page else text


def write_new(path: Path, text: str) -> None:
    """Write a file that is not there yet, for its owner alone, durably and with its name. Raises
    FileExistsError: it is there."""
    with new_regular(path, 0o600) as file:
        file.write(text.encode("utf-8"))
        file.flush()
        os.fsync(file.fileno())
    sync_directory(path.parent)


def _systemd_creds(verb: str, *options: str, source: str = "-", text: str | None = None) -> str:
    command = ("systemd-creds", f"--name={CREDENTIAL}", *options, verb, source, "-")
    try:
        done = subprocess.run(
            command, input=text, capture_output=True, text=True, check=False, timeout=WITHIN_S
        )
    except FileNotFoundError:
        raise NoCredential("systemd-creds is not there: systemd 250 or newer is needed") from None
    except subprocess.TimeoutExpired:
        raise NoCredential(f"systemd-creds did not end within {WITHIN_S:.0f} s") from None
    if done.returncode:
        said = done.stderr.strip().splitlines()
        raise NoCredential(said[-1] if said else f"systemd-creds ended with {done.returncode}")
    return done.stdout


LINES: Final = 4
BYTES: Final = 8  # of the key in a line
CHECK_DIGITS: Final = 4
LEAST_FINGERPRINT: Final = 16  # digits of the fingerprint that must be there
_KEY_LINE: Final = re.compile(r"key\s*(\d)\s*:?(.*)")
_FINGERPRINT: Final = re.compile(r"fingerprint\s*:?(.*)")
PAGE: Final = """\
The key of table {table}, with which its controller signs heads of its journal.
Whoever has this page can sign in the table's name. It belongs into the safe, and nowhere else.

{key}
fingerprint: {fingerprint}

A machine that is replaced goes on with this key. With the controller stopped, as root:
    tablectl journal key --install --from FILE
FILE is this one, or one typed in from this page: the lines that begin with "key" and with
"fingerprint", of which the first four groups will do. Capitals and blanks do not matter; the last
four digits of a line are its check.
"""


class BadPage(Exception):
    """What was read is no such page; the message says where and what was expected, and tells
    nothing of the key."""


def page(secret: SecretKey, table: str) -> str:
    """The page, for the table of that name."""
    parts = [secret.raw[at : at + BYTES] for at in range(0, len(secret.raw), BYTES)]
    lines = [
        f"key {number}: {_grouped(part.hex())}  {_check(number, part)}"
        for number, part in enumerate(parts, 1)
    ]
    fingerprint = _grouped(secret.public.fingerprint)
    return PAGE.format(table=table, key="\n".join(lines), fingerprint=fingerprint)


def read_page(text: str) -> SecretKey:
    """The key on a page. Raises BadPage: a line is missing, doubled or mistyped, or the fingerprint
    is another one."""
    found: dict[int, bytes] = {}
    fingerprint = ""
    for line in text.lower().splitlines():
        if told := _KEY_LINE.match(line.strip()):
            number = int(told[1])
            if number in found or not 1 <= number <= LINES:
                raise BadPage(f"'key {number}' is there twice or unknown; expected key 1 to 4 once")
            found[number] = _part(number, told[2])
        elif told := _FINGERPRINT.match(line.strip()):
            fingerprint = "".join(told[1].split())
    if missing := [f"key {number}" for number in range(1, LINES + 1) if number not in found]:
        raise BadPage(f"no line begins with '{missing[0]}'; expected key 1 to key 4")
    secret = SecretKey(b"".join(found[number] for number in sorted(found)))
    if len(fingerprint) < LEAST_FINGERPRINT:
        what = f"the fingerprint is missing or short; expected {LEAST_FINGERPRINT} digits or more"
        raise BadPage(what)
    if not secret.public.fingerprint.startswith(fingerprint):
        raise BadPage(
            "the fingerprint is not that of the key: compare its digits, and whether all lines are "
            "from one page"
        )
    return secret


def _part(number: int, text: str) -> bytes:
    digits = "".join(text.split())
    wanted = 2 * BYTES + CHECK_DIGITS
    if wrong := sorted(set(digits) - set("0123456789abcdef")):
        raise BadPage(f"key {number}: {wrong[0]!r} is no digit; expected 0 to 9 and a to f")
    if len(digits) != wanted:
        raise BadPage(f"key {number}: {len(digits)} digits; expected {wanted}")
    part = bytes.fromhex(digits[:-CHECK_DIGITS])
    if digits[-CHECK_DIGITS:] != _check(number, part):
        raise BadPage(f"key {number}: its check does not fit; compare the line digit by digit")
    return part


def _check(number: int, part: bytes) -> str:
    return hashlib.sha256(bytes([number]) + part).hexdigest()[:CHECK_DIGITS]


def _grouped(digits: str) -> str:
    return " ".join(digits[at : at + 4] for at in range(0, len(digits), 4))
