"""The key as a credential of systemd: encrypted for this machine, and handed to the service alone.

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
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Final

from controller.journal.keys import CREDENTIAL, SecretKey
from controller.regular_files import new_regular, sync_directory, write_over

UNITS: Final = Path("/etc/systemd/system")
BOOTED: Final = Path("/run/systemd/system")
"""There where systemd runs the machine."""

WITHIN_S: Final = 60.0
"""In which a TPM answers; some take seconds for a key."""

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
    tried before that, "" where that was the first.

    Raises:
        NoCredential: it cannot be done, or what was written is not decrypted to the same key.
    """

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
    """Write a file that is not there yet, for its owner alone, durably and with its name.

    Raises:
        FileExistsError: it is there.
    """
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
