"""``python -m proof.torture``: how it says what it knows, without running any of it."""

from __future__ import annotations

import pytest

from proof.torture.__main__ import KNOWN, main


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_it_says_what_it_knows(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([option]) == 0
    out = capsys.readouterr().out
    assert out.startswith("usage: python -m proof.torture [NAME")
    assert all(name in out for name in KNOWN)


@pytest.mark.parametrize("name", KNOWN)
def test_every_kind_names_itself_as_it_is_called(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    out = capsys.readouterr().out
    assert ended.value.code == 0
    assert out.startswith(f"usage: python -m proof.torture {name} ")
    assert "\n\n" in out, "in paragraphs"


def test_what_it_does_not_know_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kittens"]) == 2
    assert "known: play, kills" in capsys.readouterr().err
