"""``table-controller-exporter``: in the foreground, until SIGTERM. Logs go to standard error.

The file for node_exporter is written beside itself and renamed, so that nobody reads half of one.
It goes when the exporter ends: what it said would look like now.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import sys
import time
from pathlib import Path
from typing import Final

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.process_collector import ProcessCollector

from controller.causes.finding import cause_of
from controller.regular_files import open_regular
from exporter.collector import Collector
from exporter.options import Options, read_options
from exporter.serving import CannotServe, Served, on_socket, on_tcp
from exporter.talk import Talk

MEANING: Final = {
    0: "stopped in good order",
    1: "an address is taken or not there yet: it may be started again",
    2: "wrong options: starting again helps nothing",
}
"""Of its exit statuses."""

STOPS: Final = (signal.SIGTERM, signal.SIGINT)

_log = logging.getLogger("exporter")


BAD_PLACE = (FileNotFoundError, NotADirectoryError, IsADirectoryError, PermissionError)
"""What no later try would mend."""


class TextFile:
    """The metrics of ``registry`` in ``path``, for node_exporter's textfile collector."""

    def __init__(self, path: Path, registry: CollectorRegistry) -> None:
        self.path = path
        self._beside = path.with_name(f"{path.name}.new")
        self._registry = registry

    def write(self) -> None:
        """Write it anew.

        Raises:
            OSError: it could not be written; the one before stays.
        """
        data = generate_latest(self._registry)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        try:
            with os.fdopen(open_regular(self._beside, flags, 0o644), "wb") as file:
                os.fchmod(file.fileno(), 0o644)
                file.write(data)
            self._beside.replace(self.path)
        except OSError:
            with contextlib.suppress(OSError):
                self._beside.unlink()
            raise

    def remove(self) -> None:
        """Take it away; harmless when there is none."""
        for path in (self.path, self._beside):
            with contextlib.suppress(OSError):
                path.unlink()


class _CannotStart(Exception):
    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


def main(arguments: list[str] | None = None) -> int:
    """Run the exporter; returns its exit status."""
    options = read_options(arguments)
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s", stream=sys.stderr)
    signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)  # threads that are started inherit it
    collector = Collector(Talk(options.socket), options.nightly)
    registry = CollectorRegistry(auto_describe=False)
    registry.register(collector)
    # Under a name of its own: node_exporter, which reads the file, has "process_..." for itself.
    ProcessCollector(namespace="table_controller_exporter", registry=registry)
    served: list[Served] = []
    file = TextFile(options.textfile, registry) if options.textfile else None
    try:
        served += _serve(options, registry)
        if file is not None:
            _first(file, options, collector)
        _write_until_stopped(file, options.every_s, collector)
    except _CannotStart as error:
        print(f"table-controller-exporter: {error}", file=sys.stderr)
        return error.status
    finally:
        for server in served:
            server.close()
        collector.close()
        if file is not None:
            file.remove()
    return 0


def _serve(options: Options, registry: CollectorRegistry) -> list[Served]:
    served: list[Served] = []
    try:
        if options.unix is not None:
            served.append(on_socket(options.unix, registry))
        if options.listen is not None:
            served.append(on_tcp(options.listen, registry))
    except CannotServe as error:
        for server in served:
            server.close()
        raise _CannotStart(f"cannot answer at {error}", 1 if error.later else 2) from error
    for server in served:
        _log.info("answers at %s", server.where)
    return served


def _first(file: TextFile, options: Options, collector: Collector) -> None:
    """The first file; what is wrong with its place is wrong with the options."""
    try:
        file.write()
    except BAD_PLACE as error:
        raise _CannotStart(
            f"cannot write {options.textfile}: {cause_of(error, file.path)}", 2
        ) from error
    except OSError as error:
        _log.warning("%s: %s", options.textfile, cause_of(error, file.path))
        collector.writes_failed += 1
    else:
        _log.info("writes %s every %g s", options.textfile, options.every_s)


def _write_until_stopped(file: TextFile | None, every_s: float, collector: Collector) -> None:
    """Write the file again and again, until told to stop."""
    due = time.monotonic()
    while True:
        due = max(due + every_s, time.monotonic())
        if file is None:
            signal.sigwait(STOPS)
            return
        if signal.sigtimedwait(STOPS, max(0.0, due - time.monotonic())) is not None:
            return
        try:
            file.write()
        except OSError as error:
            if not collector.writes_failed:
                _log.warning("the text file is not written: %s", cause_of(error, file.path))
            collector.writes_failed += 1


if __name__ == "__main__":
    sys.exit(main())
