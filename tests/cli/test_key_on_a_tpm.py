"""A key bound to the machine's TPM2: another machine with the same disk cannot decrypt it."""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.evidence.keys.credential import NoCredential, decrypt
from tests.cli.test_key_installing import Box, box
from tests.daemon.process import PATIENCE_S

__all__ = ["box"]

pytestmark = pytest.mark.needs("systemd-creds", "swtpm", "tpm2_shutdown")

SYSTEMD_CREDS = shutil.which("systemd-creds")
DEVICE = "SYSTEMD_TPM2_DEVICE"
"""The variable that names another TPM to systemd than the machine's."""

ASKING = """\
#!/bin/sh
tpm2_flushcontext --loaded-session 2>&1 >{folder}/flushed
exec {systemd_creds} "$@"
"""
"""The kernel has a real chip forget what a program leaves in it; here this does."""


class Chip:
    """A TPM that remembers in a folder, and has power."""

    def __init__(self, folder: Path, patched: pytest.MonkeyPatch) -> None:
        folder.mkdir(exist_ok=True)
        at, pid = folder / "socket", folder / "pid"
        at.unlink(missing_ok=True)
        command = [
            *("swtpm", "socket", "--tpm2", "--tpmstate", f"dir={folder}", "--daemon"),
            *("--server", f"type=unixio,path={at},disconnect"),
            *("--ctrl", f"type=unixio,path={at}.ctrl", "--pid", f"file={pid}"),
            *("--flags", "not-need-init,startup-clear"),
        ]
        subprocess.run(command, check=True)  # returns when it listens, and goes on beside
        self._process = os.pidfd_open(int(pid.read_text("ascii")))
        asking = folder / "bin" / "systemd-creds"
        asking.parent.mkdir(exist_ok=True)
        asking.write_text(ASKING.format(folder=folder, systemd_creds=SYSTEMD_CREDS))
        asking.chmod(0o700)
        patched.setenv(DEVICE, f"swtpm:path={at}")
        patched.setenv("TPM2TOOLS_TCTI", f"swtpm:path={at}")
        patched.setenv("PATH", f"{asking.parent}:{os.environ['PATH']}")

    def loses_power(self) -> None:
        """It does not know of it before."""
        signal.pidfd_send_signal(self._process, signal.SIGKILL)
        assert select.select([self._process], [], [], PATIENCE_S)[0], "it does not end"
        os.close(self._process)


@contextmanager
def chip(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The machine has the TPM that remembers in that folder; in the end its power is cut, of which
    it was told as the drop-in has it done."""
    with monkeypatch.context() as patched:
        powered = Chip(folder, patched)
        try:
            yield
            subprocess.run(["tpm2_shutdown"], check=True)
        finally:
            powered.loses_power()


def test_a_disk_in_another_machine_gives_no_key(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    """The host key is on the disk, too, and goes along; the chip does not."""
    key, one, another = box.with_key(), box.folder / "one", box.folder / "another"
    with chip(one, monkeypatch):
        told = box.install("--export", box.page, "--with-key", "auto")
        assert told.code == 0, told.err
        assert "TPM2" in told.json["bound_to"]
        assert told.json["because"] is None
        assert "After=dev-tpmrm0.device" in box.drop_in.read_text()
    with chip(one, monkeypatch):
        assert decrypt(box.credential) == key, "it is the same after a power cut"
    with chip(another, monkeypatch):
        with pytest.raises(NoCredential):
            decrypt(box.credential)
        told = box.install("--with-key", "auto")
        assert (told.code, box.plain.exists()) == (1, False)
        assert "another machine's, or the TPM was exchanged or cleared" in told.err
        told = box.install("--with-key", "auto", "--from", box.page)
        assert (told.code, told.json["fingerprint"]) == (0, key.public.fingerprint)
        assert "TPM2" in told.json["bound_to"]
        assert decrypt(box.credential) == key
    with chip(one, monkeypatch), pytest.raises(NoCredential):
        decrypt(box.credential)


def test_a_tpm_that_is_wanted_and_missing_is_an_error(
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = box.with_key()
    monkeypatch.setenv(DEVICE, f"device:{box.folder}/none")
    told = box.install("--export", box.page, "--with-key", "host+tpm2")
    assert (told.code, box.credential.exists()) == (1, False)
    assert "host+tpm2: " in told.err
    assert box.somewhere(key)


def test_power_cuts_do_not_lock_a_tpm_that_was_told_before(
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else this one gives no key after three of them for a quarter of an hour, where systemd is
    older than 256; real ones take some more."""
    key, one = box.with_key(), box.folder / "one"
    with chip(one, monkeypatch):
        assert box.install("--export", box.page, "--with-key", "auto").code == 0
        assert "ExecStartPost=-+/usr/bin/tpm2_shutdown " in box.drop_in.read_text()
    for _ in range(5):
        with chip(one, monkeypatch):
            assert decrypt(box.credential) == key
