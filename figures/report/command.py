"""``table-figures report``: a report out of what other commands have printed as JSON.

The rules:

- A file is written beside its name and then renamed: the old one is there, or the new one, whole.
- All results are read and all pages are made before a file is written.
- A PDF is WeasyPrint's: the same bytes of the same page.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from controller.not_done import NOT_WELL, WRONG_USE, NotDone
from controller.regular_files import check_own, same_file, write_over

MISSING: Final = (
    "a PDF cannot be written here: {why}. WeasyPrint and Debian's libpango-1.0-0, "
    "libpangoft2-1.0-0 and libharfbuzz-subset0 are needed (apt install libpango-1.0-0 "
    "libpangoft2-1.0-0 libharfbuzz-subset0); the HTML page (--html) does without"
)


def as_pdf(page: str) -> bytes:
    """The page as PDF, with the tags that a screen reader needs.

    Raises:
        NotDone: 1, WeasyPrint or a library that it needs is missing.
    """
    try:  # it loads libraries that may be missing
        from weasyprint import HTML  # noqa: PLC0415
        from weasyprint.urls import URLFetcher  # noqa: PLC0415
    except (ImportError, OSError) as error:
        why = str(error).partition("\n")[0]
        raise NotDone(NOT_WELL, MISSING.format(why=why)) from error
    nothing = URLFetcher(allowed_protocols=(), fail_on_errors=True)
    made = HTML(string=page, url_fetcher=nothing).write_pdf(pdf_variant="pdf/ua-1")
    assert isinstance(made, bytes)
    return made


def add_report(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    what = "what --json has printed; -: standard input"
    parser.add_argument("results", nargs="+", metavar="RESULT.json", type=Path, help=what)
    parser.add_argument("--html", metavar="FILE", type=Path, help="the report as one HTML file")
    parser.add_argument("--pdf", metavar="FILE", type=Path, help="the same as PDF")


def write_report(options: argparse.Namespace) -> None:
    """Read the results and write the report.

    Raises:
        NotDone: 2, a result cannot be used, or no file is named. 1, a file cannot be written, or
            a library is missing.
    """
    from figures.report.page import report_of  # noqa: PLC0415 - an extra draws pictures
    from figures.report.reading import read_results  # noqa: PLC0415

    if options.html is None and options.pdf is None:
        raise NotDone(WRONG_USE, "name a file to write: --html FILE, --pdf FILE, or both")
    written = [path for path in (options.html, options.pdf) if path is not None]
    if len(written) > 1 and same_file(*written):
        raise NotDone(WRONG_USE, f"{options.html}: one file cannot be both, name another for --pdf")
    for path in written:
        if any(same_file(path, result) for result in options.results):
            why = "it is one of the results, which would be lost; name another file"
            raise NotDone(WRONG_USE, f"{path}: {why}")
    report = report_of(read_results(options.results))
    made: list[tuple[Path, bytes]] = []
    if options.html is not None:
        made.append((options.html, report.screen.encode()))
    if options.pdf is not None:
        made.append((options.pdf, as_pdf(report.paper)))
    for path, content in made:
        try:
            check_own(path)
            write_over(path, content)
        except OSError as error:
            raise NotDone(NOT_WELL, f"{path}: it cannot be written: {error.strerror}") from error
