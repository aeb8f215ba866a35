"""nginx in front of a floor, with TLS: its blocks are those of ``docs/floor.md``."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hil_tests.bench.logged_program import free_port, until

DOCUMENT: Final = Path(__file__).parents[2] / "docs" / "floor.md"
PATIENCE_S: Final = 15.0

_WHOLE: Final = """\
daemon off;
{user}
pid {folder}/pid;
events {{}}
http {{
access_log off;
client_body_temp_path {folder}/1;
proxy_temp_path {folder}/2;
fastcgi_temp_path {folder}/3;
uwsgi_temp_path {folder}/4;
scgi_temp_path {folder}/5;
{collector}
{page}
}}
"""
_PAGE: Final = """\
server {{
listen 443 ssl;
ssl_certificate /etc/ssl/floor.pem;
ssl_certificate_key /etc/ssl/private/floor.key;
auth_basic house;
auth_basic_user_file {folder}/people;
{location}
}}
"""
"""Behind whatever the house logs in by: here a password."""

ANN: Final = "Basic YW5uOnNlY3JldA=="
"""Of the only person who has one."""


def nginx() -> str | None:
    """The program; it is no user's, and so on no user's path."""
    return shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


def blocks() -> tuple[str, str]:
    """The server for the collector, and the location for the page. Who may read what is mirrored is
    put where the document has it put: into the block of the mirror."""
    text = DOCUMENT.read_text(encoding="utf-8")
    (proxy,) = re.findall(r"(?ms)^### The proxy$(.*?)^### ", text)
    (page,) = re.findall(r"(?ms)^### The page$(.*?)^## ", text)
    server, location = (re.findall(r"(?m)(?:^    .*\n)+", part)[0] for part in (proxy, page))
    (readers,) = re.findall(r"`(limit_except [^`]*)`", proxy)
    return replaced(server, {"location /mirror/  {": f"location /mirror/  {{ {readers}"}), location


def replaced(text: str, places: Mapping[str, str]) -> str:
    """The text with what a machine has of its own; each place is there."""
    for old, new in places.items():
        assert old in text, f"{DOCUMENT} has no {old}"
        text = text.replace(old, new)
    return text


@dataclass(frozen=True, slots=True)
class Proxy:
    """An nginx that answers at these ports of localhost, for the collector and for the page."""

    port: int
    page_port: int


@contextmanager
def proxy(folder: Path, certificate: Path, collector: int, page: int) -> Iterator[Proxy]:
    """One in front of a collector and a page at these ports."""
    folder.mkdir()
    (folder / "people").write_text("ann:{PLAIN}secret\n", encoding="ascii")
    made = Proxy(free_port(), free_port())
    server, location = blocks()
    own = {
        "/etc/ssl/floor.pem": f"{certificate}",
        "/etc/ssl/private/floor.key": f"{certificate}",
    }
    to_collector = own | {
        "listen 443 ": f"listen 127.0.0.1:{made.port} ",
        "http://127.0.0.1:8440;": f"http://127.0.0.1:{collector};",
    }
    to_page = own | {
        "listen 443 ": f"listen 127.0.0.1:{made.page_port} ",
        "http://127.0.0.1:8441;": f"http://127.0.0.1:{page};",
    }
    text = _WHOLE.format(
        folder=folder,
        # Workers of root's would be nobody, who reads no folder of a test.
        user="user root;" if os.geteuid() == 0 else "",
        collector=replaced(server, to_collector),
        page=replaced(_PAGE.format(folder=folder, location=location), to_page),
    )
    (folder / "nginx.conf").write_text(text, encoding="utf-8")
    log = folder / "error.log"
    process = subprocess.Popen(
        [str(nginx()), "-p", folder, "-e", log, "-c", folder / "nginx.conf"],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )

    def answers() -> bool:
        assert process.poll() is None, log.read_text(encoding="utf-8")
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", made.page_port)) == 0

    try:
        until(answers, "nginx answers", PATIENCE_S)
        yield made
    finally:
        process.terminate()
        process.wait(PATIENCE_S)
