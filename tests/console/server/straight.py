"""``python -m tests.console.server.straight SOCKET FILE…``: a process that was taken over. The
lines of its standard input go straight to the control socket, and the files are read; it prints a
line for each."""

from __future__ import annotations

import socket
import sys
from pathlib import Path


def main(path: str, files: list[str]) -> None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(60)
        connection.connect(path)
        with connection.makefile("rwb") as lines:
            for line in sys.stdin.buffer:
                lines.write(line)
                lines.flush()
                sys.stdout.buffer.write(lines.readline())
    for file in files:
        try:
            print(len(Path(file).read_bytes()))
        except OSError as error:
            print(error.strerror)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
