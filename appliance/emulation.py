"""Whether this machine's kernel runs programs of another architecture (qemu-user, binfmt_misc).

Nothing is mounted or registered here: that counts for the whole machine, and is its owner's.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from appliance.places import CannotBuild, run
from appliance.releases import MACHINES

FORMATS: Final = Path("/proc/sys/fs/binfmt_misc")


def runs(arch: str, here: str | None = None, formats: Path = FORMATS) -> None:
    """Raise :class:`CannotBuild` with what is to be done, where programs of ``arch`` do not run on
    this machine, whose own architecture is ``here``."""
    own = here or run("dpkg", "--print-architecture", what="this machine's architecture").strip()
    if arch == own:
        return
    name = f"qemu-{MACHINES[arch]}"
    registered = formats / name
    if not registered.exists():
        mounted = (formats / "register").exists()
        mount = "" if mounted else f"mount -t binfmt_misc binfmt_misc {formats} && "
        raise CannotBuild(
            f"this machine does not run programs for {arch}. As root:\n"
            f"    apt install qemu-user-static\n"
            f"    {mount}grep '^:' /usr/lib/binfmt.d/{name}.conf >{formats}/register\n"
            "the second where no systemd has done it"
        )
    told = registered.read_text("utf-8").splitlines()
    flags = next((line.removeprefix("flags:") for line in told if line.startswith("flags:")), "")
    if "enabled" not in told:
        raise CannotBuild(f"{registered} is not enabled: 'echo 1 >{registered}' enables it")
    if "F" not in flags:
        raise CannotBuild(
            f"{registered} has no flag F: a clean system would look for its interpreter within.\n"
            f"'echo -1 >{registered}' removes it; /usr/lib/binfmt.d/{name}.conf registers it anew"
        )
