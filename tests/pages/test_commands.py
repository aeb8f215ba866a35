"""Every command has its man page and its examples, and the parser takes each of those."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

from controller.cli import commands
from controller.cli.group import examples
from controller.cli.output import MEANING
from controller.daemon import main as daemon
from exporter import options
from pages import man
from pages.commands import Command, programs, sections
from pages.man import escaped

DATE = "2026-11-24"
SECTIONS = ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "EXAMPLES", "SEE ALSO")
PROGRAMS = programs()
OTHERS = ("table-floor", "table-figures", "table-console")
FLOOR = [command for name in OTHERS for command in PROGRAMS[name].walk()]
ALL = list(PROGRAMS["tablectl"].walk())
BESIDE = [PROGRAMS[name] for name in man.SYSTEM]
WRITTEN = man.pages(DATE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("man")
    assert man.main([str(target)]) == 0
    return target


def test_every_command_has_a_page() -> None:
    names = {command.page for command in ALL}
    assert {"tablectl", "tablectl-devices", "tablectl-devices-test", "tablectl-status"} <= names
    pages = {f"man1/{command.page}.1" for command in (*ALL, *FLOOR)}
    assert "man1/table-floor-report.1" in pages
    assert WRITTEN.keys() == pages | {f"man8/{program.name}.8" for program in BESIDE}
    assert {command.name.split()[1] for command in ALL[1:]} == commands.VERBS


@pytest.mark.parametrize("path", sorted(WRITTEN))
def test_a_page_has_every_section_in_its_order(path: str) -> None:
    lines = WRITTEN[path].splitlines()
    places = [lines.index(f".SH {name}") for name in SECTIONS]
    assert places == sorted(places)
    assert "" not in lines, "formatters warn of blank lines"
    for place, line in enumerate(lines):
        if line == ".TP":
            item, text = lines[place + 1 : place + 3]
            assert item.startswith(".B ")
            assert not text.startswith("."), f"nothing is said of {item}"


@pytest.mark.parametrize("command", [*ALL, *BESIDE, *FLOOR], ids=lambda command: command.name)
def test_everything_says_what_it_is_for(command: Command) -> None:
    entries = [*command.arguments, *command.options, *command.everywhere]
    assert command.about
    assert [written for written, about in entries if not about] == []
    assert command.examples, "has no example: controller/cli/examples.toml"
    assert command.around.exits


@pytest.mark.parametrize(
    ("name", "line"), [(name, line) for name, found in examples().items() for line in found]
)
def test_the_parser_takes_the_example(name: str, line: str) -> None:
    """Of what a shell does with it the command counts: ``eval "$(…)"`` and a pipe are left out."""
    words = shlex.split(line.removeprefix('eval "$(').removesuffix(')"').partition(" | ")[0])
    assert words[0] == "tablectl"
    given = commands.parse(words[1:])
    assert name in ("", given.full_name)


def test_what_may_be_left_out_stands_in_brackets_and_no_form_of_python_is_shown() -> None:
    """Reported: ``--days ('FIRST', 'LAST')``, and words that may be left out as if they may not."""
    synopsis = {one.name: one.synopsis for program in PROGRAMS.values() for one in program.walk()}
    assert synopsis["tablectl twin do"][-1] == "[KEY=VALUE ...]"
    assert synopsis["table-figures strangers"][-1] == "[NAME ...]"
    assert synopsis["tablectl twin next"][-1] == "CARD ..."
    assert "--days FIRST LAST | " in " ".join(synopsis["table-floor report"])


def test_daemon_and_exporter_take_their_examples() -> None:
    for line, _ in daemon.EXAMPLES:
        assert daemon.build().parse_args(shlex.split(line)[1:]).config
    for line, _ in options.EXAMPLES:
        assert options.read_options(shlex.split(line)[1:])


@pytest.mark.parametrize(
    ("program", "has", "lacks"),
    [
        (
            "exporter",
            ("--socket PATH", "TABLE_CONTROLLER_SOCKET", "starting again helps nothing"),
            ("GLOBAL", "NO_COLOR", "journal"),
        ),
        (
            "witness",
            ("--config FILE", "SSL_CERT_FILE", "nor floor is configured", "table.toml"),
            ("GLOBAL", "NO_COLOR", "--socket"),
        ),
    ],
)
def test_the_page_of_a_program_is_of_what_it_does(
    program: str, has: tuple[str, ...], lacks: tuple[str, ...]
) -> None:
    page = WRITTEN[f"man8/table-controller-{program}.8"]
    assert [said for said in has if escaped(said) not in page] == []
    assert [said for said in lacks if escaped(said) in page] == []


def test_help_has_the_examples_of_a_command_and_of_a_group(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for words in (["devices"], ["devices", "test"]):
        with pytest.raises(SystemExit):
            commands.parse([*words, "--help"])
        assert "\nexamples:\n" in (shown := capsys.readouterr().out)
        assert "  tablectl devices test shoe\n" in shown


def test_pages_are_told_with_exit_statuses_and_state_where_it_is_taken() -> None:
    page = WRITTEN["man1/tablectl-journal-verify.1"]
    assert all(escaped(about) in page for about in MEANING.values())
    assert escaped("--state DIR") in page
    assert escaped("--state DIR") not in WRITTEN["man1/tablectl-status.1"]


def test_what_would_be_a_macro_or_another_sign_stands_as_it_is() -> None:
    assert escaped(".SH 'x' -- \\") == "\\&.SH \\(aqx\\(aq \\-\\- \\e"
    assert escaped("dealer … ×") == "dealer ... \\[u00D7]"


def test_the_date_is_the_one_that_is_given(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795000000")
    assert man.date_of_sources() == "2026-11-18"
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    monkeypatch.setattr(man, "ROOT", tmp_path)
    assert man.date_of_sources() == ""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert man.date_of_sources() == ""


def test_a_folder_that_cannot_be_written_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.write_text("", encoding="ascii")
    assert man.main([str(file)]) == 2
    assert str(file) in capsys.readouterr().err


@pytest.mark.needs("groff")
def test_groff_finds_nothing_wrong(folder: Path) -> None:
    pages = sorted(folder.glob("man*/*"))
    assert len(pages) == len(WRITTEN)
    for page in pages:
        command = ["groff", "-man", "-Tascii", "-wall", "-b", str(page)]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (ran.returncode, ran.stderr) == (0, ""), page.name


def test_the_page_of_all_commands_has_them_all_and_leads_to_each() -> None:
    page = "\n".join(sections())
    table = page.partition("\n\n")[0]
    for command in (*ALL, *BESIDE):
        level = "##" if len(command.name.split()) < 3 else "###"
        assert f"[`{command.name}`](#{command.page})" in table
        assert f"\n{level} `{command.name}`\n" in page
