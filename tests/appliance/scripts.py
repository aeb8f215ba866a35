"""The package's scripts, run as dpkg does, but for where they look: all of it is below one folder.

``systemctl`` is one that writes down what it is asked, and does nothing.
"""

from __future__ import annotations

import json
import os
import shlex
import sqlite3
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

DEBIAN: Final = Path(__file__).parents[2] / "debian"
FUNCTIONS: Final = (DEBIAN / "between-rounds.sh").read_text("utf-8")

Environment = Mapping[str, str]
NOTHING: Final[Environment] = MappingProxyType({})

SYSTEMCTL: Final = """\
#!/bin/sh
echo "$*" >>{folder}/asked
case "$*" in
    *=ActiveState*) cat {folder}/active ;;
    is-active*) exit 0 ;;
    is-enabled*) exit 0 ;;
    *=ExecStart*) echo "{{ path={folder}/bin/table-controller ; argv[]=x --config y ; pid=0 }}" ;;
    stop*) cp {folder}/journal-then {folder}/state/journal.sqlite3 2>/dev/null || true ;;
    start*) exit {fails} ;;
esac
"""


class Box:
    """A box with a controller that runs; ``state`` is what its tablectl says."""

    def __init__(self, folder: Path, *, state: str = "idle", start_fails: bool = False) -> None:
        self.folder = folder
        self.journal = folder / "state" / "journal.sqlite3"
        self.stopped = folder / "stopped"
        self.bin = folder / "bin"
        for place in (self.bin, folder / "systemd", folder / "state", folder / "tools"):
            place.mkdir()
        (folder / "active").write_text("active\n")
        text = SYSTEMCTL.format(folder=folder, fails=int(start_fails))
        self.program(folder / "tools" / "systemctl", text)
        self.program(folder / "tools" / "py3clean", "#!/bin/sh\n")
        self.program(self.bin / "tablectl", f"#!/bin/sh\necho '{json.dumps({'state': state})}'\n")

    @staticmethod
    def program(path: Path, text: str) -> None:
        """Write a program."""
        path.write_text(text)
        path.chmod(0o755)

    def asked(self) -> list[str]:
        """What systemctl was asked to do."""
        told = self.folder / "asked"
        lines = told.read_text().splitlines() if told.exists() else []
        return [line for line in lines if not line.startswith(("show", "is-"))]

    def shell(
        self, call: str, *words: str, cwd: Path | None = None, environment: Environment = NOTHING
    ) -> subprocess.CompletedProcess[str]:
        """Run ``call`` with the functions that the scripts share; ``words`` are its arguments."""
        places = {
            "STOPPED": self.stopped,
            "NIGHT_STOPPED": self.folder / "night-stopped",
            "LINK_ASIDE": self.folder / "link-aside",
            "UNITS": self.folder / "units",
            "SYSTEMD": self.folder / "systemd",
            "PROGRAM": self.folder / "program",
            "ASIDE": self.folder / "aside",
            "CONFIGURATION": self.folder / "table.toml",
            "JOURNAL": self.journal,
        }
        lines = [f"{name}={shlex.quote(str(place))}" for name, place in places.items()]
        script = "\n".join(["set -e", FUNCTIONS, *lines, call])
        path = f"{self.folder / 'tools'}:{os.environ['PATH']}"
        usual = {**os.environ, "TABLE_CONTROLLER_WAIT": "0", "PATH": path}
        return subprocess.run(
            ["sh", "-s", *words],
            input=script,
            capture_output=True,
            text=True,
            check=False,
            cwd=cwd,
            env={**usual, **environment},
        )

    def refuses(self, said: str, environment: Environment = NOTHING) -> None:
        """The upgrade ends with that, and nothing was stopped."""
        done = self.script("preinst", "upgrade", "0.1.0", environment=environment)
        assert (done.returncode, said in done.stderr) == (1, True), done.stderr
        assert self.asked() == []

    def script(
        self, name: str, *words: str, environment: Environment = NOTHING
    ) -> subprocess.CompletedProcess[str]:
        """Run one of the package's scripts."""
        text = (DEBIAN / f"table-controller.{name}").read_text("utf-8").replace("#STORES#", "1")
        return self.shell(text.partition("#BETWEEN_ROUNDS#")[2], *words, environment=environment)


def written(journal: Path, *bodies: object, stores: object = 1, form: object = 1) -> None:
    """A journal of these entries, as far as a script reads one; a start stands before them."""
    with sqlite3.connect(journal) as db:
        db.execute("CREATE TABLE entry (seq INTEGER PRIMARY KEY, type TEXT, body TEXT)")
        for kind, body in (
            ("start", {"versions": {"format": form, "stores": stores}}),
            *(("shown", body) for body in bodies),
        ):
            db.execute("INSERT INTO entry (type, body) VALUES (?, ?)", (kind, json.dumps(body)))
    db.close()
