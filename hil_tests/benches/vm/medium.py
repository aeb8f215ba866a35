"""The medium of the journal in a running machine: what may ail it, and what a technician does.

- That it is slow, hangs or fails comes from the disk's own server, outside the machine: its kernel
  meets it as it would meet a real one's failure.
- That its file system is read-only is the kernel's own doing after an error, asked for by the mount
  option ``abort`` (ext4(5)). That it is full is a file of somebody else.
"""

from __future__ import annotations

from hil_tests.benches.vm.base import STATE
from hil_tests.benches.vm.controller_machine import ControllerMachine

OTHERS = f"{STATE}/somebody-elses"
FILL = 'cat /dev/zero > "$0"; sync'
"""As a user: what ext4 reserves for root stays."""


class JournalsMedium:
    """The disk at which a machine has its journal; the machine has power."""

    def __init__(self, machine: ControllerMachine) -> None:
        self._machine = machine

    def slows(self, flush_s: float) -> None:
        """Each sync takes that long."""
        self._machine.disk.health.slows(flush_s)

    def hangs(self) -> None:
        """It answers nothing any more."""
        self._machine.disk.health.hangs()

    def fails(self) -> None:
        """Whatever is asked of it is an error."""
        self._machine.disk.health.fails()

    def is_well(self) -> None:
        """It does what it is asked."""
        self._machine.disk.health.is_well()

    def fills(self) -> None:
        """Somebody's file takes all the room that there is."""
        user = ("runuser", "-u", "table-controller", "--")
        self._machine.guest.tried(*user, "sh", "-c", FILL, OTHERS, within_s=300)

    def has_room(self) -> None:
        """That file is removed."""
        self._machine.guest.run_command("rm", OTHERS)

    def turns_read_only(self) -> None:
        """The kernel lets nothing be written any more, as after an error of the disk."""
        guest = self._machine.guest
        guest.tried("mount", "-o", "remount,errors=remount-ro,abort", STATE)
        guest.tried("touch", OTHERS)  # whoever writes next finds its log aborted

    def is_mounted_anew(self) -> None:
        """As docs/media.md has a technician do it, with the service stopped: checked, mounted."""
        guest = self._machine.guest
        guest.run_command("umount", STATE)
        guest.run_command(
            "sh", "-c", 'e2fsck -fy "$0" || [ $? = 1 ]', "/dev/disk/by-id/virtio-state"
        )
        guest.run_command("mount", STATE)
