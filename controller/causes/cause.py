"""A cause in words, with the step that ends it; and the kinds that there are.

The rules:

- ``what`` says what is wrong, ``next_step`` what somebody does about it, with a command that can be
  typed as it stands. Neither begins with a capital nor ends with a full stop, so that they can
  stand behind a colon.
- A cause *heals* where nobody has to put anything right in this machine's settings: somebody's file
  goes, a disk answers again, a process ends. The controller then tries again by itself, and ends
  with status 1 until then; otherwise with status 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

_HEALS = "the controller goes on by itself half a minute after that"
_STAYS = "it does not end by itself; start the controller after that"


class CauseKind(Enum):
    """A kind of cause: whether it heals; the last of its ``words`` are the next step."""

    def __init__(self, heals: bool, *words: str) -> None:
        self.heals = heals
        self.next_step = words[-1]


@dataclass(frozen=True, slots=True)
class Cause:
    """Why something failed. ``str()`` is what a command says, :meth:`of_the_daemon` what a log
    and a fault say, which add how it goes on."""

    kind: CauseKind
    what: str
    next_step: str

    @property
    def heals(self) -> bool:
        """Whether it can end without anybody who sets something right."""
        return self.kind.heals

    def __str__(self) -> str:
        return f"{self.what}: {self.next_step}"

    def of_the_daemon(self) -> str:
        """The same, and whether the controller goes on by itself."""
        return f"{self}; {_HEALS if self.heals else _STAYS}"


class Kind(CauseKind):
    """All kinds of cause: whether it heals, what is wrong, and the next step.

    ``{path}`` is the file or folder, ``{folder}`` the one that is there and has it. Both are
    quoted for a shell where a command has them.
    """

    FULL = (
        True,
        "its disk is full",
        (
            "'df -h {folder}'. Make room by removing what is not the table's; "
            "the journal itself is made shorter by 'tablectl journal archive'"
        ),
    )
    NO_INODES = (
        True,
        "its file system can take no more files, though it has room (no inode is free)",
        (
            "'df -i {folder}' shows it. Remove files that are not the table's: "
            "'sudo du --inodes -x $(findmnt -no TARGET -T {folder}) | sort -n | tail' finds where "
            "there are many"
        ),
    )
    QUOTA = (
        True,
        "this user's share of the disk (quota) is used up",
        "'sudo quota -vu {user}' shows it, 'sudo setquota' gives more",
    )
    READ_ONLY = (
        True,
        "its file system is read-only",
        (
            "the kernel makes it so after an error of the disk: 'dmesg' says which. Restart the "
            "machine, which checks and mounts it anew; if it happens again, exchange the disk"
        ),
    )
    FAILS = (
        True,
        "its disk fails",
        "'dmesg' says how. Look at its plug and supply, and exchange it where that does not help",
    )
    HANGS = (
        True,
        "its medium does not answer",
        (
            "look at its plug and supply; 'dmesg' may say why, and where it stays so take the "
            "machine's power away"
        ),
    )
    BAD_FILE_SYSTEM = (
        False,
        "its file system is damaged",
        (
            "'dmesg' says where. Stop the machine, have 'fsck' mend it from another system, and "
            "exchange the disk if it happens again"
        ),
    )
    REMOTE = (
        True,
        "it is on a network disk whose server does not answer",
        "'findmnt -T {folder}' names it. A table's files must be on a disk of this machine",
    )
    NOT_PERMITTED = (False, "user {user} may not", "'ls -ld {path}' shows whose it is")
    NOT_SEEN = (
        True,
        "whoever asks may not look there, so that nothing is known of it",
        "ask as root: 'sudo ls -ld {path}'",
    )
    MISSING = (
        False,
        "there is no {path}",
        "mount its medium ('findmnt' lists what is mounted), make it, or name another place",
    )
    NOT_A_FOLDER = (
        False,
        "there is a file where a folder is expected",
        "'ls -ld {path}' shows it: move it away, or name another place",
    )
    A_FOLDER = (
        False,
        "there is a folder where a file is expected",
        "'ls -ld {path}' shows it: move it away, or name another place",
    )
    LINK = (
        False,
        "there is a symbolic link, or a circle of them",
        "'ls -l {path}' shows it: put the file itself there",
    )
    LONG_NAME = (
        False,
        "the name is longer than the system takes",
        "name a shorter one: 255 bytes between two '/', 107 in all for a socket",
    )
    BAD_NAME = (
        False,
        "the file system does not take such a name",
        "name another one, of letters, digits, '-' and '_'",
    )
    THERE = (
        False,
        "something stands there already",
        "'ls -ld {path}' shows it: move it away, or name another place",
    )
    HELD = (
        True,
        "another program holds it",
        "find it with 'sudo fuser -v {path}' and stop it",
    )
    DESCRIPTORS = (
        True,
        "this program has as many files open as it may",
        (
            "'systemctl show table-controller -p LimitNOFILE' says how many, and a table needs "
            "some fifty: where it may have fewer, raise that ('systemctl edit table-controller'); "
            "else start the controller again, and report it"
        ),
    )
    ALL_DESCRIPTORS = (
        True,
        "the machine has as many files open as it can",
        "'cat /proc/sys/fs/file-nr' shows it: end what else runs on the machine",
    )
    MEMORY = (
        True,
        "the machine has no memory left",
        "'free -m' shows it: end what else runs on the machine",
    )
    TOO_LARGE = (
        False,
        "the file is larger than this file system or a limit takes",
        (
            "'ulimit -f' and 'systemctl show table-controller -p LimitFSIZE' show the limit, "
            "'findmnt -T {folder}' the file system"
        ),
    )
    NOT_SUPPORTED = (
        False,
        "its file system or the kernel cannot do that",
        (
            "'findmnt -T {folder}' says what it is; a table's files must be on a local disk with "
            "ext4, xfs or btrfs"
        ),
    )
    OTHER_MEDIUM = (
        False,
        "the two places are on different file systems",
        "'findmnt -T {folder}' shows where it is: name a place on the same one",
    )
    MANY_NAMES = (
        False,
        "the file has another name besides, or as many as it can",
        (
            "'sudo find {folder} -xdev -samefile {path}' finds them: remove those that are not the "
            "table's"
        ),
    )
    PEER = (
        True,
        "the other end has gone",
        "look whether its program still runs: 'systemctl status table-controller'",
    )
    INTERRUPTED = (True, "it was told to end before it was done", "give the command again")
    DAMAGED = (
        False,
        "its content is damaged",
        (
            "keep every file of {folder} as it is; "
            "'tablectl journal recover --state {folder}' says what can be read"
        ),
    )
    OURS = (
        False,
        "this program asked for what cannot be",
        "report it to the maker with the output of 'tablectl bundle'",
    )

    def __init__(self, heals: bool, what: str, next_step: str) -> None:
        super().__init__(heals, next_step)
        self.what = what


OF_A_DISK: Final = frozenset(
    {
        Kind.FULL,
        Kind.NO_INODES,
        Kind.QUOTA,
        Kind.READ_ONLY,
        Kind.FAILS,
        Kind.HANGS,
        Kind.REMOTE,
        Kind.BAD_FILE_SYSTEM,
    }
)
"""Kinds that tell of a disk and of nothing else, whichever call has met them."""
