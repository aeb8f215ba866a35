"""``python -m hil_tests.console.pictures [--out FOLDER] [--languages en,zh] [--sizes 1024x600]
[--texts 100,150] [--sections round] [--manual]``: every screen, looked at and photographed.

Exit status: 0 every screen is as it should be; 1 something is wrong with one, and what; 2 wrong
use. ``--manual`` also writes those that the dealer's manual shows, in English.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from console.configuration import LANGUAGES
from hil_tests.bench import processes
from hil_tests.browser.chromium import Chromium, Visits
from hil_tests.browser.looking import SCREENS, Screen
from hil_tests.console.pictures import sections
from hil_tests.console.pictures.camera import TEXT_SIZES, Camera, Section, Walk
from hil_tests.console.pictures.sections import SECTIONS, table_to_walk

USUAL_OUT: Final = sections.ROOT / "build" / "screens"

Value = TypeVar("Value")


def main() -> int:
    """Walk; returns the exit status."""
    options = _options()
    processes.end_with_parent(signal.SIGTERM)
    processes.start_server()
    options.out.mkdir(parents=True, exist_ok=True)
    wrong: list[str] = []
    taken = 0
    with closing(Chromium()) as chromium:
        for language in options.languages:
            camera = Camera(options.out, options.sizes, language, options.texts)
            if options.manual and language == "en":
                camera.manual = (sections.PICTURES, frozenset(sections.names()))
            wrong += walked(chromium, options.sections, language, camera)
            taken += camera.taken
            print(f"console-pictures: {language}: {camera.taken} pictures", flush=True)
    print(*wrong, sep="\n", file=sys.stderr)
    print(f"console-pictures: {taken} pictures in {options.out}, {len(wrong)} faults")
    return 1 if wrong else 0


def walked(chromium: Chromium, sections: list[Section], language: str, camera: Camera) -> list[str]:
    """What is wrong with the screens in that language."""
    visits = Visits(chromium)
    with table_to_walk([language]) as table:
        try:
            for section in sections:
                walk = Walk(table, visits, language, camera.take_pictures)
                chromium.result_of(partial(section.go, walk))
                assert tuple(walk.seen) == section.screens, walk.seen
            return [
                *camera.wrong,
                *(f"{language}: {words}" for words in chromium.result_of(lambda: visits.wrong)),
            ]
        finally:
            chromium.result_of(visits.close)


def _options() -> argparse.Namespace:
    sizes: Mapping[str, Screen] = {screen.name: screen for screen in SCREENS}
    parser = argparse.ArgumentParser(
        prog="make console-pictures", description="Every screen, looked at."
    )
    add = parser.add_argument
    add("--out", type=Path, default=USUAL_OUT, metavar="FOLDER", help="where pictures go")
    add("--languages", type=_some({one: one for one in LANGUAGES}), default=list(LANGUAGES))
    add("--sizes", type=_some(sizes), default=list(SCREENS), help=", ".join(sizes))
    texts = {str(percent): percent for percent in TEXT_SIZES}
    add("--texts", type=_some(texts), default=[100], help=f"percent: {', '.join(texts)}")
    add(
        "--sections",
        type=_some(SECTIONS),
        default=list(SECTIONS.values()),
        help=", ".join(SECTIONS),
    )
    add("--manual", action="store_true", help="write the pictures of docs/dealer-screen.md anew")
    return parser.parse_args()


def _some(known: Mapping[str, Value]) -> Callable[[str], list[Value]]:
    def some(text: str) -> list[Value]:
        unknown = [name for name in text.split(",") if name not in known]
        if unknown:
            words = f"{unknown[0]!r}: expected some of {','.join(known)}"
            raise argparse.ArgumentTypeError(words)
        return [known[name] for name in text.split(",")]

    return some


if __name__ == "__main__":
    sys.exit(main())
