"""Every error number of Linux, decided once: which kind of cause it is.

:data:`DECIDED` has those that the calls of this program can give: on files, folders and file
systems, locks, sockets, threads, processes, serial lines. :data:`NEVER` has all others, with the
subsystem that they belong to; one that comes all the same is a mistake of the program. A test
compares both with the system's own list.

``ENOSPC`` has two causes, no room and no inodes; which one it was, :mod:`.finding` asks the file
system. ``EAGAIN`` of a thread that cannot be made is :class:`controller.threads.NoThread`'s.
"""

from __future__ import annotations

import errno
from collections.abc import Mapping
from typing import Final

from controller.causes.cause import Kind

_BY_KIND: Final[Mapping[Kind, str]] = {
    Kind.FULL: "ENOSPC",
    Kind.QUOTA: "EDQUOT",
    Kind.READ_ONLY: "EROFS",
    Kind.FAILS: "EIO ENXIO ENODEV EREMOTEIO ENOMEDIUM EMEDIUMTYPE ENODATA ENOLINK EHWPOISON",
    Kind.HANGS: "ETIMEDOUT ETIME",
    Kind.BAD_FILE_SYSTEM: "EUCLEAN EBADMSG",
    Kind.REMOTE: "ESTALE EHOSTDOWN EHOSTUNREACH ENETDOWN ENETUNREACH ENETRESET ENONET ECOMM",
    Kind.NOT_PERMITTED: "EACCES EPERM ENOKEY EKEYEXPIRED EKEYREVOKED EKEYREJECTED",
    Kind.MISSING: "ENOENT",
    Kind.NOT_A_FOLDER: "ENOTDIR",
    Kind.A_FOLDER: "EISDIR",
    Kind.LINK: "ELOOP",
    Kind.LONG_NAME: "ENAMETOOLONG",
    Kind.BAD_NAME: "EILSEQ",
    Kind.THERE: "EEXIST ENOTEMPTY EADDRINUSE",
    Kind.HELD: "EAGAIN EBUSY EDEADLK ETXTBSY EINPROGRESS EALREADY",
    Kind.DESCRIPTORS: "EMFILE",
    Kind.ALL_DESCRIPTORS: "ENFILE",
    Kind.MEMORY: "ENOMEM ENOBUFS",
    Kind.TOO_LARGE: "EFBIG EOVERFLOW",
    Kind.NOT_SUPPORTED: "EOPNOTSUPP ENOSYS ENOLCK ENOTTY EAFNOSUPPORT EPROTONOSUPPORT "
    "ESOCKTNOSUPPORT EPFNOSUPPORT ENOPROTOOPT",
    Kind.OTHER_MEDIUM: "EXDEV",
    Kind.MANY_NAMES: "EMLINK",
    Kind.PEER: "EPIPE ECONNRESET ECONNREFUSED ECONNABORTED ENOTCONN ESHUTDOWN EPROTO ESRCH ECHILD",
    Kind.INTERRUPTED: "EINTR ECANCELED",
    Kind.OURS: "EBADF EFAULT EINVAL ENOTSOCK ESPIPE E2BIG ENOEXEC EISCONN EMSGSIZE "
    "EDESTADDRREQ EPROTOTYPE EADDRNOTAVAIL ERANGE ENOTBLK EDOM",
}

_UNNAMED: Final = {"EHWPOISON": 133}
"""Numbers that Python does not name: here a page of main memory that the processor found bad."""

DECIDED: Final[Mapping[int, Kind]] = {
    _UNNAMED.get(name) or getattr(errno, name): kind
    for kind, names in _BY_KIND.items()
    for name in names.split()
}

_NAMES: Final = dict(zip(DECIDED, " ".join(_BY_KIND.values()).split(), strict=True))

_NEVER: Final[Mapping[str, str]] = {
    "message queues and semaphores (System V)": "ENOMSG EIDRM",
    "STREAMS": "ENOSTR ENOSR ENOPKG EADV ESRMNT EMULTIHOP EDOTDOT ESTRPIPE ERESTART",
    "SNA and other networks of old": "ECHRNG EL2NSYNC EL3HLT EL3RST ELNRNG EUNATCH ENOCSI EL2HLT",
    "disks of old computers": "EBADE EBADR EXFULL ENOANO EBADRQC EBADSLT EBFONT",
    "names in a network": "ENOTUNIQ EBADFD EREMCHG EREMOTE EUSERS ETOOMANYREFS",
    "shared libraries": "ELIBACC ELIBBAD ELIBSCN ELIBMAX ELIBEXEC",
    "XENIX": "ENOTNAM ENAVAIL EISNAM",
    "locks of threads (robust futexes)": "EOWNERDEAD ENOTRECOVERABLE",
    "radio": "ERFKILL",
}

NEVER: Final[Mapping[int, str]] = {
    getattr(errno, name): of for of, names in _NEVER.items() for name in names.split()
}


def kind_of(number: int | None) -> Kind:
    """The kind of cause of an error number; of none at all, of one that never comes, ours."""
    return DECIDED.get(number or 0, Kind.OURS)


def name_of(number: int | None) -> str:
    """``ENOSPC``; the number where it has no name, "" for None."""
    if number is None:
        return ""
    return _NAMES.get(number) or errno.errorcode.get(number, str(number))
