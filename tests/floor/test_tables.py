"""Real tables at a real floor, and a real proxy with TLS in front of collector and page, set up as
the document says. What else may go wrong there: ``proof.torture.floor``."""

from __future__ import annotations

import http.client
import os
import ssl
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from hil_tests.bench.logged_program import free_port
from tests.daemon.process import running
from tests.floor.collectors import Floor, collecting
from tests.floor.page.standing import StandingPage
from tests.floor.proxy import ANN, PATIENCE_S, Proxy, proxy
from tests.floor.store.logs import execute
from tests.witness.certificates import certificate
from tests.witness.stock import until
from tests.witness.tables import Table, process

pytestmark = pytest.mark.needs("postgresql")
MIB = 1 << 20


class Site:
    """A floor at fixed ports, and what a client of a proxy before it trusts."""

    def __init__(self, folder: Path, database: str) -> None:
        self.floor = Floor(folder / "floor", database)
        self.collector = free_port()
        text = self.floor.configuration.read_text("utf-8")
        text = text.replace("127.0.0.1:0", f"127.0.0.1:{self.collector}")
        self.floor.configuration.write_text(text, encoding="utf-8")
        (folder / "page").mkdir()
        self.page = StandingPage(folder / "page", database)
        self.certificate = certificate(folder)
        self.trusts = ssl.create_default_context(cafile=str(self.certificate))

    def has(self, table: Table, url: str) -> None:
        """The table sends its journal there, and the floor's witness is one of its own."""
        (self.floor.tables / "P1.vkey").write_text(f"{table.vkey}\n", encoding="ascii")
        table.add_floor(f"{url}/mirror", self.floor.mirror.text)
        table.add("site", f"{url}/witness", self.floor.witness.text)

    def connection(self, port: int) -> closing[http.client.HTTPSConnection]:
        return closing(
            http.client.HTTPSConnection("localhost", port, timeout=PATIENCE_S, context=self.trusts)
        )

    def status(self, port: int, verb: str, path: str, size: int | None = None) -> int:
        with self.connection(port) as connection:
            connection.request(verb, path, None if size is None else os.urandom(size))
            return connection.getresponse().status


@pytest.fixture
def site(tmp_path: Path, database: str) -> Site:
    return Site(tmp_path, database)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with Table(tmp_path / "table").plugged() as made:
        yield made


@pytest.fixture
def before(site: Site, tmp_path: Path) -> Iterator[Proxy]:
    with proxy(tmp_path / "nginx", site.certificate, site.collector, site.page.port) as made:
        yield made


def test_one_that_the_house_does_not_know_is_told_and_not_held(site: Site, table: Table) -> None:
    site.has(table, f"http://127.0.0.1:{site.collector}")
    (site.floor.tables / "P1.vkey").unlink()
    with collecting(site.floor), running(table), process(table):
        until(lambda: str(table.witness("floor")["answer"]).startswith("404"), "it is told")
        assert table.status()["held"] is None


def test_what_is_altered_in_the_database_comes_again_from_the_box(
    site: Site, table: Table, database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Found and named by night; the table brings it with its next upload."""
    site.has(table, f"http://127.0.0.1:{site.collector}")
    table.fill(1000)
    with collecting(site.floor), process(table):
        with running(table):
            table.until_cosigned("floor")
        assert site.floor.run("nightly") == 0
        capsys.readouterr()
        execute(database, "update floor.bundle set lines = 'x' where first = 256")
        assert site.floor.run("nightly") == 1
        told = capsys.readouterr()
        altered = f"altered: P1: {table.origin}: entries 256 to 511 do not unpack"
        assert told.out.startswith(altered)
        assert told.out.endswith("\nchecked: 1 logs\n")
        assert "1 places were altered in the database" in told.err
        with running(table):
            table.until_cosigned("floor")
        assert site.floor.run("nightly") == 0


@pytest.mark.needs("nginx")
def test_a_table_sends_its_journal_through_it(
    site: Site, table: Table, before: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The collector comes last: until then the table says what the proxy answers."""
    monkeypatch.setenv("SSL_CERT_FILE", str(site.certificate))
    site.has(table, f"https://localhost:{before.port}")
    table.fill(600)
    with running(table), process(table):
        until(lambda: "502" in str(table.witness("floor")["answer"]), "the proxy's own answer")
        with collecting(site.floor):
            assert table.until_cosigned("floor") > 600
            table.until_cosigned("site")
            assert table.status()["held"] is None
            for path, verb, size, refused in (
                ("/mirror/", "GET", None, 403),
                ("/mirror/x/checkpoint", "HEAD", None, 403),
                ("/mirror/add-entries", "POST", 9 * MIB, 413),
                ("/metrics", "GET", None, 404),
                ("/floor_facts", "GET", None, 404),
            ):
                assert site.status(before.port, verb, path, size) == refused, path
            many = site.status(before.port, "POST", "/mirror/add-entries", 2 * MIB)
            assert many not in (403, 413)


@pytest.mark.needs("nginx")
def test_the_page_is_followed_through_it_by_whom_the_house_lets_in(
    site: Site, before: Proxy, database: str
) -> None:
    with site.page.running() as page, site.connection(before.page_port) as browser:
        browser.request("GET", "/")
        assert browser.getresponse().status == 401
        browser.close()
        named = {"Authorization": ANN, "X-Remote-User": "boss"}
        browser.request("GET", "/who.json", headers=named)
        who = browser.getresponse().read().decode()
        assert "ann" in who
        assert "boss" not in who
        browser.request("GET", "/events", headers=named)
        answer = browser.getresponse()
        assert answer.status == 200
        lines = iter(answer.readline, b"")
        events = (line for line in lines if line.startswith(b"data: {"))
        assert b"P7" not in next(events)
        execute(database, "insert into floor.log (origin, table_name) values ('of/a-table', 'P7')")
        assert any(b"P7" in one for one in events)
        assert page.program.stop() == 0
