"""``python -m appliance.trial [RELEASE ...]``: the packages on a plain machine of each release.

Everything happens in the virtual machine: real apt, systemd, udev, USB serial adapters and the
jackpot unit on USB. Each step says what it shows and how long it took there (emulated: about a
tenth of a real speed); the first that is not as it must be ends the trial with its reason.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from appliance.releases import FOLDER, RELEASES
from appliance.trial.course import Course
from appliance.trial.packages import packages
from appliance.trial.plain import plain
from hil_tests.benches.vm.places import CannotBuild


def main(names: list[str]) -> int:
    """Try each; 1 where a step was not as it must be."""
    for name in names or RELEASES:
        release = RELEASES[name]
        told: dict[str, float] = {}

        @contextmanager
        def step(what: str, told: dict[str, float] = told) -> Iterator[None]:
            begun = time.monotonic()
            yield
            told[what] = round(time.monotonic() - begun, 1)
            print(f"{told[what]:7.1f} s  {what}", flush=True)

        try:
            made = packages(release)
            machine = plain(release, [path for paths in made.values() for path in paths])
            print(f"== Debian {release.number} ({name})", flush=True)
            with Course(
                machine, {version: [p.name for p in made[version]] for version in made}
            ) as one:
                one.run_all(step)
        except (AssertionError, CannotBuild) as error:
            print(f"trial: not as it must be: {error}", file=sys.stderr)
            return 1
        (FOLDER / f"trial-{name}.json").write_text(json.dumps(told, indent=1), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
