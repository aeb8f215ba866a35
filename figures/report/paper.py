"""A report as PDF, by WeasyPrint: the same bytes of the same page."""

from __future__ import annotations

from typing import Final

from controller.not_done import NOT_WELL, NotDone

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
