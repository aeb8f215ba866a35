"""Error numbers that the kernel itself gives, each by a call that deserves it."""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import mmap
import os
import resource
import signal
import socket
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.causes.provoked import provokes

WHOLE = 1 << 20


@contextmanager
def mounted(folder: Path, *options: str) -> Iterator[Path]:
    """A file system of its own in memory."""
    place = folder / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", *options, "tmpfs", str(place)]
    subprocess.run(command, check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", place], check=True)


@contextmanager
def limited(what: int, soft: int) -> Iterator[None]:
    """With a limit of this process's own."""
    before = resource.getrlimit(what)
    resource.setrlimit(what, (soft, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(what, before)


def file_in(folder: Path) -> Path:
    file = folder / "file"
    file.write_bytes(b"something")
    return file


provokes("ENOENT")(lambda folder: (folder / "none").stat())
provokes("ENOTDIR")(lambda folder: (file_in(folder) / "below").stat())
provokes("EISDIR")(lambda folder: os.open(folder, os.O_WRONLY))


@provokes("ELOOP")
def links_in_a_circle(folder: Path) -> None:
    (folder / "one").symlink_to("two")
    (folder / "two").symlink_to("one")
    (folder / "one").stat()


provokes("ENAMETOOLONG")(lambda folder: (folder / ("x" * 256)).stat())
provokes("EEXIST")(lambda folder: folder.mkdir())


@provokes("ENOTEMPTY")
def a_folder_with_files(folder: Path) -> None:
    file_in(folder)
    folder.rmdir()


@provokes("EADDRINUSE")
def a_socket_bound_twice(folder: Path) -> None:
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as one:
        one.bind(str(folder / "socket"))
        with contextlib.closing(socket.socket(socket.AF_UNIX)) as two:
            two.bind(str(folder / "socket"))


@provokes("EAGAIN")
def a_lock_that_another_has(folder: Path) -> None:
    file = file_in(folder)
    with file.open() as one, file.open() as two:
        fcntl.flock(one, fcntl.LOCK_EX)
        fcntl.flock(two, fcntl.LOCK_EX | fcntl.LOCK_NB)


@provokes("EBUSY", root=True)
def a_mounted_folder_removed(folder: Path) -> None:
    with mounted(folder) as disk:
        disk.rmdir()


@provokes("ETXTBSY")
def a_program_that_runs(folder: Path) -> None:
    program = folder / "program"
    program.write_bytes(Path("/bin/sleep").read_bytes())
    program.chmod(0o700)
    with subprocess.Popen([program, "60"]) as running:
        try:
            program.open("wb")
        finally:
            running.kill()


@provokes("EDEADLK")
def two_who_wait_for_each_other(folder: Path) -> None:
    file = file_in(folder)
    other = (
        "import fcntl, sys; f = open(sys.argv[1], 'r+b'); fcntl.lockf(f, fcntl.LOCK_EX, 1, 1);"
        "print('has', flush=True); fcntl.lockf(f, fcntl.LOCK_EX, 1, 0)"
    )
    with file.open("r+b") as mine:
        fcntl.lockf(mine, fcntl.LOCK_EX, 1, 0)
        command = [sys.executable, "-c", other, str(file)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            try:
                while f"{process.pid}" not in waiting():
                    os.sched_yield()
                fcntl.lockf(mine, fcntl.LOCK_EX, 1, 1)
            finally:
                process.kill()


def waiting() -> str:
    """The kernel's lines of who waits for a lock."""
    lines = Path("/proc/locks").read_text(encoding="ascii").splitlines()
    return "\n".join(line for line in lines if "->" in line)


@provokes("EMFILE")
def as_many_files_as_may_be(folder: Path) -> None:
    with limited(resource.RLIMIT_NOFILE, len([*Path("/proc/self/fd").iterdir()])):
        opened = []
        try:
            while True:
                opened.append(os.open(folder, os.O_RDONLY))
        finally:
            for one in opened:
                os.close(one)


@provokes("EFBIG")
def beyond_the_limit_of_a_file(folder: Path) -> None:
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        with limited(resource.RLIMIT_FSIZE, 100):
            (folder / "file").write_bytes(bytes(200))
    finally:
        signal.signal(signal.SIGXFSZ, before)


@provokes("EOVERFLOW")
def a_lock_beyond_numbers(folder: Path) -> None:
    with file_in(folder).open("r+b") as file:
        file.seek(1)
        fcntl.lockf(file, fcntl.LOCK_EX, 1, (1 << 63) - 1, os.SEEK_CUR)


provokes("ENOMEM")(lambda _: mmap.mmap(-1, 1 << 62))


@provokes("EROFS", root=True)
def a_read_only_disk(folder: Path) -> None:
    with mounted(folder, "-o", "ro") as disk:
        (disk / "file").touch()


@provokes("ENOSPC", root=True)
def a_full_disk(folder: Path) -> None:
    with mounted(folder, "-o", "size=64k") as disk:
        (disk / "file").write_bytes(bytes(WHOLE))


@provokes("EACCES")
def a_folder_that_is_closed(folder: Path) -> None:
    child = as_another(folder, "open(sys.argv[1] + '/file')")
    raise OSError(child, os.strerror(child))


def as_another(folder: Path, does: str) -> int:
    """The error number that somebody gets who is not root."""
    folder.chmod(0o000)
    code = (
        "import os, sys\nif os.geteuid() == 0: os.setgid(65534); os.setuid(65534)\n"
        f"try:\n    {does}\nexcept OSError as error:\n    print(error.errno)"
    )
    command = [sys.executable, "-c", code, str(folder)]
    try:
        return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    finally:
        folder.chmod(0o700)


@provokes("EPERM", root=True)
def a_file_that_nobody_may_change(folder: Path) -> None:
    """Root neither: it has an attribute for it, as chattr(1) sets it."""
    file = file_in(folder)
    subprocess.run(["chattr", "+i", file], check=True)
    try:
        file.open("wb")
    finally:
        subprocess.run(["chattr", "-i", file], check=True)


@provokes("EXDEV", root=True)
def a_link_to_another_disk(folder: Path) -> None:
    with mounted(folder) as disk:
        os.link(file_in(folder), disk / "file")


def of_socket(does: Callable[[socket.socket], object], *kind: int) -> Callable[[Path], None]:
    """Done with a socket of that family and type."""

    def call(_: Path) -> None:
        with contextlib.closing(socket.socket(*kind)) as alone:
            does(alone)

    return call


def of_libc(does: Callable[[ctypes.CDLL, Path], int]) -> Callable[[Path], None]:
    """A call of libc's that fails."""

    def call(folder: Path) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        assert does(libc, folder) == -1
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

    return call


UNIX, INET, DATAGRAMS = socket.AF_UNIX, socket.AF_INET, socket.SOCK_DGRAM
provokes("EOPNOTSUPP")(of_socket(lambda alone: alone.listen(), UNIX, DATAGRAMS))
provokes("ENOTCONN")(of_socket(lambda alone: alone.getpeername(), UNIX))
provokes("EDESTADDRREQ")(of_socket(lambda alone: alone.send(b"x"), INET, DATAGRAMS))
provokes("EADDRNOTAVAIL")(of_socket(lambda alone: alone.bind(("192.0.2.1", 0)), INET))
provokes("ENOPROTOOPT")(of_socket(lambda one: one.setsockopt(socket.SOL_SOCKET, 9999, 1), UNIX))
provokes("EFAULT")(of_libc(lambda libc, _: libc.mkdir(ctypes.c_void_p(1), 0)))
provokes("ENOSYS")(of_libc(lambda libc, _: libc.syscall(100_000)))


@provokes("ENOTTY")
def a_file_as_a_line(folder: Path) -> None:
    with file_in(folder).open("rb") as file:
        fcntl.ioctl(file, termios.TIOCEXCL)


@provokes("ENXIO")
def a_pipe_that_nobody_reads(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    os.open(folder / "pipe", os.O_WRONLY | os.O_NONBLOCK)


@provokes("ENODEV")
def a_folder_as_memory(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        mmap.mmap(descriptor, 1, prot=mmap.PROT_READ)
    finally:
        os.close(descriptor)


@provokes("EIO")
def memory_that_is_not_there(_: Path) -> None:
    with Path("/proc/self/mem").open("rb", buffering=0) as memory:
        memory.read(1)


provokes("ENODATA")(
    lambda folder: os.getxattr("/proc/self/exe", "security.none" if not folder else "user.none")
)


@provokes("EPIPE")
def a_pipe_that_was_closed(_: Path) -> None:
    reads, writes = os.pipe()
    os.close(reads)
    try:
        os.write(writes, b"x")
    finally:
        os.close(writes)


@provokes("ECONNRESET")
def a_peer_that_left_what_was_sent(_: Path) -> None:
    one, two = socket.socketpair()
    with one:
        one.send(b"x")
        two.close()
        one.recv(1)


@provokes("ECONNREFUSED")
def a_socket_that_nobody_serves(folder: Path) -> None:
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as gone:
        gone.bind(str(folder / "socket"))
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as client:
        client.connect(str(folder / "socket"))


@provokes("EISCONN")
def a_socket_connected_twice(folder: Path) -> None:
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as serves:
        serves.bind(str(folder / "socket"))
        serves.listen()
        with contextlib.closing(socket.socket(socket.AF_UNIX)) as client:
            client.connect(str(folder / "socket"))
            client.connect(str(folder / "socket"))


@provokes("EPROTOTYPE")
def a_stream_to_a_datagram(folder: Path) -> None:
    with contextlib.closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as serves:
        serves.bind(str(folder / "socket"))
        with contextlib.closing(socket.socket(socket.AF_UNIX)) as client:
            client.connect(str(folder / "socket"))


@provokes("EMSGSIZE")
def a_datagram_that_is_too_long(_: Path) -> None:
    one, two = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with one, two:
        one.send(bytes(64 * WHOLE))


provokes("EAFNOSUPPORT")(lambda _: socket.socket(100, socket.SOCK_STREAM))
provokes("EPROTONOSUPPORT")(lambda _: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 99))
provokes("ESOCKTNOSUPPORT")(lambda _: socket.socket(socket.AF_UNIX, socket.SOCK_RDM))


@provokes("EINPROGRESS")
def a_connection_that_is_on_its_way(_: Path) -> None:
    with contextlib.closing(socket.socket(socket.AF_INET)) as serves:
        serves.bind(("127.0.0.1", 0))
        serves.listen()
        with contextlib.closing(socket.socket(socket.AF_INET)) as client:
            client.setblocking(False)
            client.connect(serves.getsockname())


provokes("ESRCH")(lambda _: os.kill(2**22 + 1, 0))
provokes("ECHILD")(lambda _: os.waitpid(os.getpid(), 0))
provokes("EBADF")(lambda _: os.read(1 << 20, 1))
provokes("EINVAL")(lambda folder: file_in(folder).readlink())


@provokes("ENOTSOCK")
def a_file_as_a_socket(folder: Path) -> None:
    with file_in(folder).open("rb") as file:
        socket.socket(fileno=file.fileno())


@provokes("ESPIPE")
def a_pipe_wound_back(_: Path) -> None:
    reads, writes = os.pipe()
    try:
        os.lseek(reads, 0, os.SEEK_SET)
    finally:
        os.close(reads)
        os.close(writes)


provokes("E2BIG")(lambda _: os.posix_spawn("/bin/true", ["true", "x" * WHOLE], {}))


@provokes("ENOEXEC")
def a_program_that_is_none(folder: Path) -> None:
    program = file_in(folder)
    program.chmod(0o700)
    os.posix_spawn(program, ["file"], {})


@provokes("ERANGE")
@of_libc
def an_attribute_for_which_there_is_no_room(libc: ctypes.CDLL, folder: Path) -> int:
    file = file_in(folder)
    os.setxattr(file, "user.one", b"more than one byte")
    to = ctypes.create_string_buffer(1)
    return int(libc.getxattr(os.fsencode(file), b"user.one", to, 1))


@provokes("ENOTBLK", root=True)
@of_libc
def a_file_as_a_disk(libc: ctypes.CDLL, folder: Path) -> int:
    return int(libc.mount(os.fsencode(file_in(folder)), os.fsencode(folder), b"ext4", 0, None))


@provokes("ENOKEY")
@of_libc
def a_key_that_is_none(libc: ctypes.CDLL, _: Path) -> int:
    """Of the kernel's keys, which an encrypted folder needs: keyctl(2), search."""
    call = {"x86_64": 250, "aarch64": 219}[os.uname().machine]
    return int(libc.syscall(call, 10, -3, b"user", b"none", 0))


@provokes("EMLINK", root=True)
def more_names_than_a_file_may_have(folder: Path) -> None:
    image, disk = folder / "image", folder / "disk"
    disk.mkdir()
    with image.open("wb") as file:
        file.truncate(16 * WHOLE)
    subprocess.run(["mkfs.ext4", "-q", image], check=True)
    subprocess.run(["mount", "-o", "loop", image, disk], check=True)
    try:
        first = file_in(disk)
        for number in range(65_001):
            os.link(first, disk / f"{number}")
    finally:
        subprocess.run(["umount", "-l", disk], check=True)
