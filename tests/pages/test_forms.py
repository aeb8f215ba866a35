"""The page of forms: every object that another one names has a heading, once."""

from __future__ import annotations

import re

from pages import forms

PAGE = "\n".join(forms.form_sections())


def test_every_form_has_one_heading_and_every_link_leads_to_one() -> None:
    headings = [line.lstrip("# ") for line in PAGE.splitlines() if line.startswith("#")]
    assert len(headings) == len(set(headings)) == len(forms.NAMED)
    anchors = {heading.lower().replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\(#([^)]+)\)", PAGE)) <= anchors


def test_what_a_docstring_calls_none_is_null_on_the_page() -> None:
    assert "None" not in PAGE
    assert "``" not in PAGE
    assert "| `until` | text or null |" in PAGE
    assert "| `stakes` | object of object of (text or null) |" in PAGE


def test_a_key_that_may_be_missing_stands_last_and_says_so() -> None:
    closed = PAGE.partition("### Closed\n")[2].partition("\n### ")[0]
    assert closed.strip().endswith("| `sha256` | text; may be left out |")
    status = PAGE.partition("## Status\n")[2].partition("\n### ")[0]
    assert "left out" not in status
