"""A cluster of one's own."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.witness.stock import until

pytestmark = pytest.mark.needs("postgresql")

STARTER = """
import sys
from pathlib import Path
from hil_tests.postgresql import Cluster
cluster = Cluster(Path(sys.argv[1]) / "c", syncs=False)
cluster.start()
print((cluster.data / "postmaster.pid").read_text().split()[0], flush=True)
sys.stdin.read()
"""


def test_a_server_ends_with_whoever_started_it_however_that_ends() -> None:
    with tempfile.TemporaryDirectory(prefix="pg") as name:
        Path(name).chmod(0o755)
        starter = subprocess.Popen(
            [sys.executable, "-c", STARTER, name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert starter.stdout is not None
        server = Path("/proc", starter.stdout.readline().strip())
        assert server.exists()
        starter.kill()
        starter.communicate()
        until(lambda: not server.exists(), "the server ends")
