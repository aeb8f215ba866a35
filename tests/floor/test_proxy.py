"""A real proxy with TLS in front of collector and page, set up as the document says."""

from __future__ import annotations

import http.client
import os
import signal
import ssl
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
import pytest

from hil_tests.bench.logged_program import free_port
from tests.daemon.process import running
from tests.floor.collectors import Floor, collecting
from tests.floor.page.test_running import start_page
from tests.floor.proxy import ANN, PATIENCE_S, Proxy, proxy
from tests.witness.certificates import certificate
from tests.witness.stock import until
from tests.witness.tables import Table, process

pytestmark = pytest.mark.needs("postgresql", "nginx")

MIB = 1 << 20


class Site:
    """A floor at fixed ports behind a proxy, and what a client of that proxy trusts."""

    def __init__(self, folder: Path, database: str) -> None:
        self.floor = Floor(folder / "floor", database)
        self.collector, self.page = free_port(), free_port()
        text = self.floor.configuration.read_text("utf-8")
        text = text.replace("127.0.0.1:0", f"127.0.0.1:{self.collector}")
        text += f'[page]\nlisten = "127.0.0.1:{self.page}"\n'
        self.floor.configuration.write_text(text, encoding="utf-8")
        self.certificate = certificate(folder)
        self.trusts = ssl.create_default_context(cafile=str(self.certificate))

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
def before(site: Site, tmp_path: Path) -> Iterator[Proxy]:
    with proxy(tmp_path / "nginx", site.certificate, site.collector, site.page) as made:
        yield made


def test_a_table_sends_its_journal_through_it(
    site: Site, before: Proxy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The collector comes last: until then the table says what the proxy answers."""
    monkeypatch.setenv("SSL_CERT_FILE", str(site.certificate))
    url = f"https://localhost:{before.port}"
    with Table(tmp_path / "table").plugged() as table:
        (site.floor.tables / "P1.vkey").write_text(f"{table.vkey}\n", encoding="ascii")
        table.add_floor(f"{url}/mirror", site.floor.mirror.text)
        table.add("site", f"{url}/witness", site.floor.witness.text)
        table.fill(600)
        with running(table), process(table):
            until(lambda: "502" in str(table.witness("floor")["answer"]), "the proxy's own answer")
            with collecting(site.floor):
                assert table.until_cosigned("floor") > 600
                table.until_cosigned("site")
                assert table.status()["held"] is None
                _is_closed_to_readers(site, before)


def _is_closed_to_readers(site: Site, before: Proxy) -> None:
    assert site.status(before.port, "GET", "/mirror/") == 403
    assert site.status(before.port, "HEAD", "/mirror/x/checkpoint") == 403
    assert site.status(before.port, "POST", "/mirror/add-entries", 2 * MIB) not in (403, 413)
    assert site.status(before.port, "POST", "/mirror/add-entries", 9 * MIB) == 413
    assert site.status(before.port, "GET", "/metrics") == 404
    assert site.status(before.port, "GET", "/floor_facts") == 404


def test_the_page_is_followed_through_it_by_whom_the_house_lets_in(
    site: Site, before: Proxy, database: str
) -> None:
    with _page(site), site.connection(before.page_port) as browser:
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
        events = _states(answer)
        assert b"P7" not in next(events)
        with psycopg.connect(database) as connection:
            connection.execute(
                "insert into floor.log (origin, table_name) values ('of/a-table', 'P7')"
            )
        assert any(b"P7" in one for one in events)


@contextmanager
def _page(site: Site) -> Iterator[None]:
    program, _ = start_page(site.floor.configuration)
    try:
        yield
        program.send_signal(signal.SIGTERM)
        assert program.wait(PATIENCE_S) == 0
    finally:
        program.kill()
        program.wait()


def _states(answer: http.client.HTTPResponse) -> Iterator[bytes]:
    """What is told of the state, each as soon as it is there."""
    while line := answer.readline():
        if line.startswith(b"data: {"):
            yield line
