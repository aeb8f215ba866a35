"""The metrics over HTTP: on a Unix socket for a proxy, or on a TCP port where one is configured.

The library's WSGI application behind Python's own server. The rules:

- At most ``PLACES`` clients are served at a time, and ``OF_ONE_USER`` of one user; whoever comes
  beyond is hung up on. So no user can take the places of another one's monitor.
- A user is who the kernel says has connected to the Unix socket. On TCP nobody knows: there it is
  an address, or the /64 network of one of IPv6.
- Each has ``PATIENCE_S`` for each piece that he sends and ``SERVED_S`` for all of it: who sent a
  letter now and then would have his place for ever.
- Where no thread is to be had the client is hung up on, and nothing stays taken.
"""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import socketserver
import stat
import struct
import threading
from collections import Counter
from ipaddress import IPv4Address, IPv6Address, IPv6Network
from pathlib import Path
from typing import Any, Final, TypeAlias
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from prometheus_client import CollectorRegistry, make_wsgi_app

from controller.causes.finding import cause_of
from controller.threads import NoThread, start

PLACES: Final = 12
OF_ONE_USER: Final = 4
"""A monitor has one connection at a time; a second one, and somebody who looks by hand, fit in.
Each client takes two threads, and the unit gives the process 32."""

PATIENCE_S: Final = 5.0
SERVED_S: Final = 15.0

Tcp: TypeAlias = tuple[IPv4Address | IPv6Address, int]


class CannotServe(Exception):
    """The address cannot be served; ``later``: it may come about by itself."""

    def __init__(self, message: str, *, later: bool) -> None:
        super().__init__(message)
        self.later = later


_UCRED: Final = struct.Struct("iII")


class _Places:
    """Who is being served; several threads take places and leave them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._taken: Counter[str] = Counter()

    def take_place(self, user: str) -> bool:
        """Whether he has a place now, which he leaves again."""
        with self._lock:
            free = self._taken.total() < PLACES and self._taken[user] < OF_ONE_USER
            if free:
                self._taken[user] += 1
            return free

    def leave_place(self, user: str) -> None:
        """One of his places is free."""
        with self._lock:
            self._taken[user] -= 1
            self._taken += Counter()  # forgets who has none


class _Handler(WSGIRequestHandler):
    timeout = PATIENCE_S

    def log_message(self, *_: object) -> None:
        """A scrape is no news."""


class _Server(socketserver.ThreadingMixIn, WSGIServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, family: socket.AddressFamily, address: Any) -> None:
        self.address_family = family
        self._places = _Places()
        super().__init__(address, _Handler)

    def server_bind(self) -> None:
        """As the library's, without asking the network for a name."""
        if self.address_family == socket.AF_INET6:
            self.socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = "", 0
        self.setup_environ()

    def get_request(self) -> tuple[socket.socket, Any]:
        """The next client, whose address on a Unix socket is his user."""
        connection, address = self.socket.accept()
        if self.address_family == socket.AF_UNIX:
            raw = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _UCRED.size)
            address = f"uid {_UCRED.unpack(raw)[1]}", 0
        return connection, address

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve him in a thread, where there is a place."""
        user = user_of(client_address[0])
        if not self._places.take_place(user):
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except BaseException:  # no thread is to be had
            self._places.leave_place(user)
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """In the thread."""
        over = threading.Timer(SERVED_S, _hang_up, [request])
        over.daemon = True
        try:
            start(over)
            super().process_request_thread(request, client_address)
        except NoThread:
            self.shutdown_request(request)
        finally:
            over.cancel()
            self._places.leave_place(user_of(client_address[0]))

    def handle_error(self, request: object, client_address: object) -> None:
        """He has hung up, or was too slow: his own affair."""


def user_of(address: str) -> str:
    """Whose a client's place is; one network of IPv6 has more addresses than there are places."""
    plain = address.partition("%")[0]
    return str(IPv6Network(f"{plain}/64", strict=False)) if ":" in plain else plain


def _hang_up(connection: socket.socket) -> None:
    """Whoever waits for it in another thread learns of it."""
    with contextlib.suppress(OSError):  # he is served by now
        connection.shutdown(socket.SHUT_RDWR)


class Served:
    """A server that answers until :meth:`close`; ``where`` is its address for people."""

    def __init__(self, server: _Server, registry: CollectorRegistry, path: Path | None) -> None:
        self._server = server
        self._path = path
        server.set_app(make_wsgi_app(registry, disable_compression=True))
        self.where = str(path) if path else _address_text(server.socket.getsockname())
        self._thread = threading.Thread(
            target=server.serve_forever, kwargs={"poll_interval": 0.2}, name="http", daemon=True
        )
        try:
            start(self._thread)
        except NoThread as error:
            server.server_close()
            raise CannotServe(f"{self.where}: {error.strerror}", later=True) from error

    def close(self) -> None:
        """Answer nobody any more."""
        if self._path is not None:
            self._path.unlink(missing_ok=True)
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _address_text(name: tuple[str, int]) -> str:
    """An address with its port; the kernel chooses one where it is told 0."""
    host, port = name[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def on_tcp(address: Tcp, registry: CollectorRegistry) -> Served:
    """Serve on a TCP port; raises :class:`CannotServe`."""
    host, port = address
    family = socket.AF_INET6 if host.version == 6 else socket.AF_INET
    try:
        return Served(_Server(family, (str(host), port)), registry, None)
    except OSError as error:
        closed = error.errno in (errno.EAFNOSUPPORT, errno.EPERM)
        more = "; the unit opens no TCP port by itself, see docs/monitoring.md" if closed else ""
        later = error.errno in (errno.EADDRINUSE, errno.EADDRNOTAVAIL)
        raise CannotServe(f"{host} port {port}: {error.strerror}{more}", later=later) from error


def on_socket(path: Path, registry: CollectorRegistry) -> Served:
    """Serve on a Unix socket, which every user may ask; raises :class:`CannotServe`."""
    try:
        _clear(path)
        server = _Server(socket.AF_UNIX, os.fspath(path))
        path.chmod(0o666)
    except OSError as error:
        raise CannotServe(f"{path}: {cause_of(error, path)}", later=False) from error
    return Served(server, registry, path)


def _clear(path: Path) -> None:
    """Take away the socket of an exporter that was killed."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(mode):
        raise CannotServe(f"{path}: something else than a socket stands there", later=False)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as trial:
        trial.setblocking(False)
        if trial.connect_ex(os.fspath(path)) != errno.ECONNREFUSED:
            raise CannotServe(f"{path}: somebody serves there already", later=False)
    path.unlink()
